'use strict';
// The bytes of a find command, against those of the official driver for the same arguments.

const test = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const official = require('mongodb');
const { FindOperation } = require('mongodb/lib/operations/find.js');
const { MongoClient } = require('../../js/index.js');
const { buildFind } = require('../../js/reads/read.js');
const { serializeCommand, cursorParams } = require('../../js/reads/command.js');
const { withFakeBridge } = require('../support/fake-bridge.js');

const URI = 'mongodb://127.0.0.1:1/shop';

function officialBytes({ filter, options, chain, client: clientOptions, collection: collectionOptions }) {
  const client = new official.MongoClient(URI, clientOptions);
  let cursor = client.db().collection('items', collectionOptions).find(filter, options && { ...options });
  if (chain) cursor = chain(cursor) ?? cursor;
  const operation = new FindOperation(cursor.namespace, cursor.cursorFilter, { ...cursor.findOptions, ...cursor.cursorOptions });
  const { ignoreUndefined, serializeFunctions } = operation.bsonOptions;
  return bson.serialize(operation.buildCommand({}), { checkKeys: false, ignoreUndefined, serializeFunctions });
}

async function ourBytes({ filter, options, chain, client: clientOptions, collection: collectionOptions }) {
  const client = new MongoClient(URI, clientOptions);
  const bridge = withFakeBridge(client);
  await client.connect();
  const cursor = client.db().collection('items', collectionOptions).find(filter, options && { ...options, ejson: false });
  if (chain) chain(cursor);
  const result = cursor.toArray();
  if (bridge.submitted.length === 0) await result; // rejects: tell why
  bridge.last.end();
  await result;
  return bridge.submitted[0].command;
}

const id = new bson.ObjectId('507f1f77bcf86cd799439011');
const cases = {
  'no arguments': {},
  'an empty filter': { filter: {} },
  'a null filter': { filter: null },
  'an ObjectId as the filter': { filter: id },
  'every bson class': {
    filter: {
      a: id, b: new bson.Long(1, 2), c: new bson.Int32(3), d: new bson.Double(4), e: bson.Decimal128.fromString('1.10'),
      f: new bson.Binary(Buffer.from([1, 2]), 128), g: new bson.UUID('c8edabc3-f738-4ca3-b68d-ab92a91478a3'),
      h: new bson.Timestamp({ t: 1, i: 2 }), i: new bson.BSONRegExp('a', 'im'), j: new bson.Code('x', { y: 1 }),
      k: new bson.DBRef('c', id), l: new bson.MinKey(), m: new bson.MaxKey(), n: new bson.BSONSymbol('s'),
    },
  },
  'plain values': { filter: { a: 1, b: 1.5, c: 2 ** 40, d: -0, e: 'é', f: true, g: null, h: new Date(5), i: /x/gimsu, j: 7n, k: Buffer.from('x') } },
  'undefined values': { filter: { a: undefined, b: { c: undefined }, d: [undefined] } },
  'undefined values, ignored per call': { filter: { a: undefined, b: { c: undefined }, d: [undefined] }, options: { ignoreUndefined: true } },
  'undefined values, ignored per client': { filter: { a: undefined }, client: { ignoreUndefined: true } },
  'undefined values, ignored per collection': { filter: { a: undefined }, collection: { ignoreUndefined: true } },
  'functions': { filter: { a() { return 1; } }, options: { serializeFunctions: true } },
  'operators and a Map': { filter: new Map([['a', { $in: [1, 'x', null] }], ['$or', [{ b: 1 }, { c: { $not: /x/ } }]]]) },
  'sort as an object': { options: { sort: { b: -1, a: 'asc' } } },
  'sort as an object of integer names': { options: { sort: { 2: 1, 1: -1 } } },
  'sort as a Map': { options: { sort: new Map([['2', 1], ['1', -1]]) } },
  'sort as pairs': { options: { sort: [['2', 1], ['1', 'descending']] } },
  'sort as one pair': { options: { sort: ['a', 'desc'] } },
  'sort as names': { options: { sort: ['b', 'a'] } },
  'sort as a string': { options: { sort: 'a' } },
  'sort by text score': { options: { sort: { score: { $meta: 'textScore' } } } },
  'an empty sort': { options: { sort: {} } },
  'sort by the chain': { chain: (c) => c.sort('a', -1) },
  'projection': { options: { projection: { a: 1, 'b.c': 0, d: { $slice: 2 } } } },
  'projection as names': { options: { projection: ['a', 'b'] } },
  'projection as no names': { options: { projection: [] } },
  'projection by the chain': { chain: (c) => c.project({ a: 1 }) },
  'hint as a name': { options: { hint: 'a_1' } },
  'hint as an object': { options: { hint: { a: 1, b: -1 } } },
  'hint as names': { options: { hint: ['a', 'b'] } },
  'collation': { options: { collation: { locale: 'de', strength: 1 } } },
  'let': { filter: { $expr: { $eq: ['$a', '$$x'] } }, options: { let: { x: 1 } } },
  'comment': { options: { comment: { a: 1 } } },
  'a falsy comment': { options: { comment: 0 } },
  'comment of the call and of the chain': { options: { comment: 'a' }, chain: (c) => c.comment('b') },
  'min and max': { options: { min: { a: 1 }, max: { a: 5 }, hint: { a: 1 } } },
  'returnKey and showRecordId': { options: { returnKey: true, showRecordId: false } },
  'limit 0': { options: { limit: 0 } },
  'limit': { options: { limit: 5 } },
  'negative limit': { options: { limit: -5 } },
  'fractional limit': { options: { limit: 2.5 } },
  'batchSize 0': { options: { batchSize: 0 } },
  'batchSize 1': { options: { batchSize: 1 } },
  'negative batchSize': { options: { batchSize: -3 } },
  'batchSize equal to limit': { options: { batchSize: 4, limit: 4 } },
  'batchSize by the chain': { options: { batchSize: 2 }, chain: (c) => c.batchSize(9) },
  'singleBatch': { options: { singleBatch: true } },
  'skip': { options: { skip: 3 } },
  'maxTimeMS': { options: { maxTimeMS: 100 } },
  'maxTimeMS of the call and of the chain': { options: { maxTimeMS: 100 }, chain: (c) => c.maxTimeMS(200) },
  'timeout false': { options: { timeout: false } },
  'noCursorTimeout': { options: { noCursorTimeout: true } },
  'tailable with awaitData': { options: { tailable: true, awaitData: true, maxAwaitTimeMS: 10 } },
  'flags by the chain': { chain: (c) => c.addCursorFlag('tailable', true).addCursorFlag('awaitData', true).addCursorFlag('noCursorTimeout', false).addCursorFlag('partial', true) },
  'oplogReplay and allowPartialResults': { options: { oplogReplay: true, allowPartialResults: true } },
  'allowDiskUse': { options: { allowDiskUse: true } },
  'allowDiskUse by the chain': { options: { sort: 'a' }, chain: (c) => c.allowDiskUse(false) },
  'readConcern as an object': { options: { readConcern: { level: 'majority' } } },
  'readConcern as a string': { options: { readConcern: 'local' } },
  'readConcern as a class': { options: { readConcern: new official.ReadConcern('available') } },
  'readConcern of the client': { client: { readConcernLevel: 'majority' } },
  'readConcern of the collection': { collection: { readConcern: { level: 'local' } }, client: { readConcernLevel: 'majority' } },
  'readConcern by the chain': { chain: (c) => c.withReadConcern({ level: 'majority' }) },
  'readPreference': { options: { readPreference: 'secondary' } },
  'query modifiers': { chain: (c) => c.addQueryModifier('$orderby', { a: 1 }).addQueryModifier('$comment', 'x').addQueryModifier('$maxTimeMS', 5).addQueryModifier('$query', { q: 1 }) },
  'every option at once': {
    filter: { a: { $gt: 1 } },
    options: {
      sort: { a: -1 }, projection: { a: 1 }, hint: 'h', skip: 1, limit: 2, batchSize: 3, comment: 'c', max: { a: 9 }, min: { a: 1 }, returnKey: false,
      showRecordId: true, noCursorTimeout: true, allowPartialResults: false, allowDiskUse: true, let: { v: id }, readConcern: 'local',
      collation: { locale: 'en' }, maxTimeMS: 7,
    },
    chain: (c) => c.skip(4).limit(6),
  },
};

for (const [name, given] of Object.entries(cases)) {
  test(`find command: ${name}`, async () => {
    const expected = officialBytes(given);
    const actual = await ourBytes(given);
    if (Buffer.compare(Buffer.from(expected), actual) !== 0) {
      assert.deepStrictEqual(bson.deserialize(actual, { promoteValues: false }), bson.deserialize(expected, { promoteValues: false }));
      assert.fail('the same fields in another order');
    }
  });
}

test('findOne sends limit 1 and singleBatch', async () => {
  const client = new MongoClient(URI);
  const bridge = withFakeBridge(client);
  await client.connect();
  const result = client.db().collection('items').findOne({ a: 1 }, { sort: 'b', limit: 9 });
  bridge.last.end();
  assert.equal(await result, null);
  const { command, params } = bridge.submitted[0];
  assert.deepEqual(Object.entries(bson.deserialize(command)), [
    ['find', 'items'], ['filter', { a: 1 }], ['sort', { b: 1 }], ['limit', 1], ['singleBatch', true],
  ]);
  assert.deepEqual(params, { db: 'shop', mode: 'frames', retryReads: true, limit: 1 });
});

test('parameters of a find', () => {
  const base = { db: 'd', mode: 'lazy', retryReads: false };
  assert.deepEqual(cursorParams(base, {}), base);
  assert.deepEqual(cursorParams(base, { batchSize: -5, limit: -7 }), { ...base, batchSize: -5, limit: -7 });
  assert.deepEqual(cursorParams(base, { batchSize: 0, limit: 0 }), { ...base, limit: 0 });
  assert.deepEqual(cursorParams(base, { batchSize: 2.5, limit: 2 ** 31 }), { ...base, batchSize: 2.5, limit: 2 ** 31 });
  assert.deepEqual(cursorParams(base, { batchSize: '5', limit: null }), base);
  assert.deepEqual(cursorParams(base, { maxAwaitTimeMS: 10, getMoreComment: 'c' }), { ...base, maxAwaitTimeMS: 10, comment: 'c' });
  const readPreference = { mode: 'secondary', toJSON: () => ({ mode: 'secondary' }) };
  assert.deepEqual(cursorParams({ ...base, readPreference }, {}), { ...base, readPreference: { mode: 'secondary' } });
  assert.deepEqual(cursorParams({ ...base, readPreference: { mode: 'primary' } }, {}), base);
});

test('parameters are made once per kind of read, not for each', async () => {
  const client = new MongoClient(URI);
  const bridge = withFakeBridge(client);
  await client.connect();
  const collection = client.db().collection('items');
  for (let i = 0; i < 100; i++) {
    const read = collection.find({}, { limit: i, readPreference: i % 2 ? 'secondary' : undefined }).toArray();
    bridge.last.end();
    await read;
  }
  assert.equal(bridge.submitted[10].params.limit, 10);
  assert.equal(bridge.submitted[11].params.readPreference.mode, 'secondary');
  assert.equal(bridge.submitted[12].params.readPreference, undefined);
  assert.ok(collection.paramsCache.size <= 64);
});

test('a filter that is no object is refused before anything is sent', async () => {
  const client = new MongoClient(URI);
  const bridge = withFakeBridge(client);
  const collection = client.db().collection('items');
  for (const filter of [5, [], true]) {
    await assert.rejects(collection.find(filter).toArray(), { name: 'MongoInvalidArgumentError', message: /Query filter must be a plain object or ObjectId/ });
    await assert.rejects(collection.findOne(filter), /Query filter/);
    await assert.rejects(collection.findLazy(filter), /Query filter/);
    await assert.rejects(collection.findCursor(filter), /Query filter/);
  }
  assert.throws(() => collection.find({}, { sort: { a: 'foo' } }), { name: 'MongoInvalidArgumentError', message: 'Invalid sort direction: "foo"' });
  assert.throws(() => collection.find({}, { sort: 5 }), /Invalid sort format: 5/);
  assert.equal(bridge.connects.length, 0);
});

test('a value of another major of bson is refused before anything is sent', async () => {
  const bson6 = require('bson6');
  const client = new MongoClient(URI);
  const bridge = withFakeBridge(client);
  await assert.rejects(client.db().collection('items').findOne({ _id: new bson6.ObjectId() }), { name: 'BSONVersionError' });
  assert.equal(bridge.connects.length, 0);
});

test('options that cannot be honoured are refused by name', async () => {
  const collection = new MongoClient(URI).db().collection('items');
  assert.throws(() => collection.find({}, { session: {} }), { name: 'MongoInvalidArgumentError', message: /"session".*official mongodb driver/ });
  await assert.rejects(collection.findLazy({}, { explain: true }), /"explain".*explain\(\)/);
  await assert.rejects(collection.findCursor({}, { explain: true }), /"explain".*explain\(\)/);
  await assert.rejects(collection.findLazy({}, 5), /Argument "options"/);
  await assert.rejects(collection.findCursor({}, { signal: 5 }), /"signal" must be an AbortSignal/);
  await assert.rejects(collection.findCursor({}, { lazy: 1 }), /"lazy" must be true or false/);
  await assert.rejects(collection.findOne({}, { readPreference: 'x' }), /Invalid read preference mode "x"/);
  await assert.rejects(collection.findOne({}, { useBigInt64: true, promoteLongs: false }), { name: 'BSONError', message: /bigint or Long/ });
});

test('findById takes an ObjectId or its 24 hexadecimal characters', async () => {
  const client = new MongoClient(URI);
  const bridge = withFakeBridge(client);
  await client.connect();
  const collection = client.db().collection('items');
  for (const given of [id, id.toHexString(), id.toHexString().toUpperCase()]) {
    const read = collection.findById(given);
    bridge.last.end();
    await read;
    assert.deepEqual(bson.deserialize(bridge.submitted.at(-1).command).filter, { _id: id });
  }
  const sent = bridge.submitted.length;
  for (const bad of ['bad', 'blablablabla', 5, undefined, null, { $ne: null }, Buffer.alloc(12)]) {
    await assert.rejects(collection.findById(bad), { name: 'MongoInvalidArgumentError', message: /Argument "id".*findOne/ });
  }
  assert.equal(bridge.submitted.length, sent);
});

test('the query a find shows to explain is the same', () => {
  const collection = new MongoClient(URI).db().collection('items');
  withFakeBridge(collection.client);
  const { command, bsonOptions } = buildFind(collection, { a: 1 }, { limit: 2 });
  assert.deepEqual(bson.deserialize(serializeCommand(command, bson, bsonOptions)), { find: 'items', filter: { a: 1 }, limit: 2 });
});

test('a filter that is too large for one command is refused, never cut off', () => {
  const options = { serializeFunctions: false, ignoreUndefined: false };
  const serialize = (filter) => serializeCommand({ find: 'c', filter }, { BSON: bson }, options);
  assert.equal(bson.deserialize(serialize({ a: 'x'.repeat(17_800_000) })).filter.a.length, 17_800_000);
  const buffer = 17 * 1024 * 1024; // js-bson's
  for (let size = buffer - 60; size <= buffer + 60; size++) {
    let bytes;
    try {
      bytes = serialize({ a: 'x'.repeat(size) });
    } catch (error) {
      assert.match(`${error.name}: ${error.message}`, /MongoInvalidArgumentError: .*larger than 17 MB.*split/);
      continue;
    }
    assert.equal(bytes.length, bson.calculateObjectSize({ find: 'c', filter: { a: 'x'.repeat(size) } }));
  }
  for (const filter of [{ a: 'x'.repeat(50e6) }, { a: Buffer.alloc(18e6) }, { a: { $in: Array(200_000).fill('x'.repeat(90)) } }]) {
    assert.throws(() => serialize(filter), { name: 'MongoInvalidArgumentError', message: /larger than 17 MB/ });
  }
  const mine = new RangeError('mine');
  assert.throws(() => serialize({ get a() { throw mine; } }), mine);
});

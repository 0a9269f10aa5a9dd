'use strict';
// A driver that only reads: what would write is refused before anything is sent, and says what to use instead.

const test = require('node:test');
const assert = require('node:assert/strict');
const { EventEmitter } = require('node:events');
const bson = require('bson');
const official = require('mongodb');
const rumongo = require('../../js/index.js');
const native = require('../../js/native/bridge.js');
const { withFakeBridge } = require('../support/fake-bridge.js');

const { MongoClient } = rumongo;

async function open() {
  const client = new MongoClient('mongodb://127.0.0.1:1/d');
  const bridge = withFakeBridge(client);
  bridge.ejson = (text) => native.ejson(text);
  await client.connect();
  return { client, bridge, db: client.db(), collection: client.db().collection('c') };
}

/** What a call throws or rejects with. */
async function failureOf(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return assert.fail('it was not refused');
}

const isRefusal = (error, name) => {
  assert.ok(error instanceof official.MongoAPIError, `${name}: ${error?.stack}`);
  assert.match(error.message, /official mongodb driver/, name);
};

test('what is out of scope: every method of the official classes is here, or throws as it would', async () => {
  const { client, db, collection, bridge } = await open();
  const pairs = { Collection: collection, Db: db, Admin: db.admin(), FindCursor: collection.find(), AggregationCursor: collection.aggregate([]) };
  for (const [name, instance] of Object.entries(pairs)) {
    for (let proto = official[name].prototype; proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
      if (proto.constructor === EventEmitter || proto.constructor.name === 'TypedEventEmitter') break;
      for (const [member, { value }] of Object.entries(Object.getOwnPropertyDescriptors(proto))) {
        if (INTERNAL.has(member)) continue;
        assert.ok(member in instance, `${name}.${member}`);
        assert.equal(typeof instance[member] === 'function', typeof value === 'function', `${name}.${member}`);
      }
    }
  }
  for (const [object, methods] of [[collection, WRITING.collection], [db, WRITING.db], [db.admin(), ['removeUser']], [client, WRITING.client]]) {
    for (const method of methods) isRefusal(await failureOf(() => object[method]({}, {}, {})), method);
  }
  for (const method of ['insertOne', 'updateMany', 'drop', 'createIndex']) {
    const promise = collection[method]();
    assert.ok(promise instanceof Promise, `${method} rejects`);
    await assert.rejects(promise);
  }
  for (const name of ['GridFSBucket', 'ClientEncryption', 'ChangeStream', 'ClientSession', 'OrderedBulkOperation', 'UnorderedBulkOperation']) {
    isRefusal(await failureOf(() => new rumongo[name]()), name);
  }
  assert.equal(bridge.submitted.length, 0);
});

/** Not for applications: @internal in the official driver, or about writes and of no effect here. */
const INTERNAL = new Set([
  'constructor', 'writeConcern', 'timeoutMS', '_initialize', 'getMore', 'cursorInit', 'fetchBatch', 'cleanup', 'emitClose', 'transformDocument',
  'throwIfInitialized', 'resolveExplainTimeoutOptions', 'trackCursor', 'server', 'session', 'isDead',
]);

const WRITING = {
  collection: ['insertOne', 'insertMany', 'bulkWrite', 'updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany', 'rename', 'drop',
    'findOneAndDelete', 'findOneAndReplace', 'findOneAndUpdate', 'createIndex', 'createIndexes', 'dropIndex', 'dropIndexes', 'createSearchIndex',
    'createSearchIndexes', 'dropSearchIndex', 'updateSearchIndex', 'watch', 'initializeOrderedBulkOp', 'initializeUnorderedBulkOp'],
  db: ['createCollection', 'renameCollection', 'dropCollection', 'dropDatabase', 'createIndex', 'removeUser', 'setProfilingLevel', 'watch'],
  client: ['startSession', 'withSession', 'bulkWrite', 'watch'],
};

test('nothing that writes is sent: pipelines', async () => {
  const { db, collection, bridge } = await open();
  const out = { $out: 'x' };
  const merge = { $merge: { into: 'x' } };
  const disguised = {
    'a stage of toBSON': { toBSON: () => out },
    'a Map': new Map([['$out', 'x']]),
    'an inherited name': Object.create({ $out: 'x' }, { $match: { value: {}, enumerable: true } }),
  };
  for (const parent of [collection, db]) {
    for (const stage of [out, merge]) {
      isRefusal(await failureOf(() => parent.aggregate([{ $match: {} }, stage])), 'the call');
      isRefusal(await failureOf(() => parent.aggregate([stage, { $match: {} }])), 'not the last stage');
      isRefusal(await failureOf(() => parent.aggregate().addStage(stage)), 'addStage');
      isRefusal(await failureOf(() => parent.aggregate(JSON.stringify([stage]))), 'text');
      const late = [];
      const cursor = parent.aggregate(late);
      late.push(stage);
      isRefusal(await failureOf(() => cursor.toArray()), 'an array that is changed later');
    }
    isRefusal(await failureOf(() => parent.aggregate([], { out: 'x' })), 'option out');
    isRefusal(await failureOf(() => parent.aggregate().out('x')), 'out()');
    for (const name of ['a stage of toBSON', 'a Map']) isRefusal(await failureOf(() => parent.aggregate([disguised[name]]).toArray()), name);
  }
  isRefusal(await failureOf(() => db.command({ aggregate: 'c', pipeline: [out], cursor: {} })), 'a command');
  isRefusal(await failureOf(() => db.command({ aggregate: 'c', pipeline: [disguised['a Map']], cursor: {} })), 'a command with a Map');
  assert.equal(bridge.submitted.length, 0);
  const read = collection.aggregate([disguised['an inherited name']]).toArray(); // for..in sees it, and so does the check of the bytes
  if (bridge.submitted.length > 0) {
    assert.ok(!bridge.submitted.at(-1).command.includes('$out'));
    bridge.last.end();
  }
  await read.catch((error) => isRefusal(error, 'an inherited name'));
});

test('nothing that writes is sent: commands', async () => {
  const { db, bridge } = await open();
  const writes = [
    { insert: 'c', documents: [] }, { update: 'c', updates: [] }, { delete: 'c' }, { findAndModify: 'c' }, { findandmodify: 'c' }, { drop: 'c' },
    { dropDatabase: 1 }, { create: 'c' }, { createIndexes: 'c' }, { renameCollection: 'a.b' }, { shutdown: 1 }, { eval: '1' }, { mapReduce: 'c' },
    { profile: 0 }, { validate: 'c', repair: true }, { bulkWrite: 1 }, { setParameter: 1 }, { killOp: 1 }, { INSERT: 'c' },
    { toBSON: () => ({ drop: 'c' }), ping: 1 }, { ping: 1, toBSON: () => ({ drop: 'c' }) },
  ];
  for (const command of writes) {
    isRefusal(await failureOf(() => db.command(command)), JSON.stringify(command));
    isRefusal(await failureOf(() => db.admin().command(command)), JSON.stringify(command));
    isRefusal(await failureOf(() => db.runCursorCommand(command).toArray()), JSON.stringify(command));
  }
  for (const bad of [undefined, null, 5, 'ping', [], {}]) {
    await assert.rejects(db.command(bad), { name: 'MongoInvalidArgumentError', message: /Argument "command"/ });
  }
  isRefusal(await failureOf(() => db.admin().validateCollection('c', { repair: true })), 'validate');
  assert.equal(bridge.submitted.length, 0);
  for (const command of [{ ping: 1 }, { collStats: 'c' }, { explain: { delete: 'c', deletes: [] } }, { profile: -1 }, { validate: 'c' }, { serverStatus: 1 }]) {
    const running = db.command(command);
    bridge.last.end({ kind: 'server', message: 'as far as that' });
    await assert.rejects(running, /as far as that/);
  }
});

test('aggregate: bad pipelines are refused where they are written', async () => {
  const { collection } = await open();
  for (const bad of [{}, 5, null, () => {}]) {
    assert.throws(() => collection.aggregate(bad), { name: 'MongoInvalidArgumentError', message: /Argument "pipeline" must be an array of aggregation stages/ });
  }
  assert.throws(() => collection.aggregate('[{]'), /Extended JSON text of "pipeline" is not valid at position/);
  assert.throws(() => collection.aggregate('[]', { ejson: false }), /must be an array/);
  assert.throws(() => collection.aggregate([], { session: {} }), /"session".*official mongodb driver/);
  assert.throws(() => collection.aggregate([], { signal: 5 }), /"signal"/);
});

test('Extended JSON in pipelines and filters', async () => {
  const { db, collection, bridge } = await open();
  const $oid = '507f1f77bcf86cd799439011';
  const id = new bson.ObjectId($oid);
  const sent = async (read) => {
    const running = read();
    running.catch(() => {});
    await null;
    bridge.last.end({ kind: 'cancelled', message: '' });
    await running.catch(() => {});
    return bson.deserialize(bridge.submitted.at(-1).command);
  };
  const reads = {
    pipeline: [(c, filter, options) => c.aggregate([{ $match: filter }], options).toArray(), (command) => command.pipeline[0].$match],
    countDocuments: [(c, filter, options) => c.countDocuments(filter, options), (command) => command.pipeline[0].$match],
    count: [(c, filter, options) => c.count(filter, options), (command) => command.query],
    distinct: [(c, filter, options) => c.distinct('a', filter, options), (command) => command.query],
    listCollections: [(c, filter, options) => db.listCollections(filter, options).toArray(), (command) => command.filter],
    listDatabases: [(c, filter, options) => db.admin().listDatabases({ ...options, filter }), (command) => command.filter],
  };
  for (const [name, [read, filterOf]] of Object.entries(reads)) {
    assert.deepEqual(filterOf(await sent(() => read(collection, { a: { $oid } }))), { a: id }, name);
    assert.deepEqual(filterOf(await sent(() => read(collection, { a: { $oid } }, { ejson: false }))), { a: { $oid } }, name);
    if (name !== 'pipeline') assert.deepEqual(filterOf(await sent(() => read(collection, `{"a":{"$oid":"${$oid}"}}`))), { a: id }, name);
  }
  const text = `[{"$match":{"a":{"$oid":"${$oid}"}}},{"$sort":{"b":-1}}]`;
  assert.deepEqual((await sent(() => collection.aggregate(text).limit(2).toArray())).pipeline, [{ $match: { a: id } }, { $sort: { b: -1 } }, { $limit: 2 }]);
  assert.deepEqual((await sent(() => collection.aggregate([], { let: { x: { $oid } } }).toArray())).let, { x: id });
});

/** A read whose reply is one document. */
async function answered(bridge, read, reply) {
  const running = read();
  await null;
  bridge.last.sink.chunk({ kind: 3, count: 1, batchEnd: true, transient: false, bytes: bson.serialize(reply), size: 50, release() {} });
  bridge.last.end();
  return await running;
}

test('the read preference of runCursorCommand, the number of count with any BSON options', async () => {
  const { db, collection, bridge } = await open();
  const cursor = db.runCursorCommand({ find: 'c' }, { readPreference: 'secondary' });
  const reading = cursor.toArray();
  assert.deepEqual(bridge.submitted.at(-1).params.readPreference, { mode: 'secondary' });
  bridge.last.end();
  await reading;
  for (const options of [{}, { useBigInt64: true }, { promoteLongs: false }, { promoteValues: false }]) {
    assert.equal(await answered(bridge, () => collection.count({}, options), { ok: 1, n: bson.Long.fromNumber(7) }), 7);
    assert.equal(await answered(bridge, () => collection.estimatedDocumentCount(options), { ok: 1, n: 7 }), 7);
  }
});

test('docs/api.md: every public member of the official classes has its row', () => {
  const text = require('node:fs').readFileSync(require('node:path').resolve(__dirname, '../../docs/api.md'), 'utf8');
  const told = new Set([...text.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => code.split(/[\s,(]+/)));
  const missing = [];
  for (const name of ['Collection', 'Db', 'Admin', 'MongoClient', 'FindCursor', 'AggregationCursor']) {
    for (let proto = official[name].prototype; proto.constructor !== EventEmitter && proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
      if (proto.constructor.name === 'TypedEventEmitter') break;
      for (const member of Object.getOwnPropertyNames(proto)) {
        if (!INTERNAL.has(member) && !CLIENT_INTERNAL.has(member) && !told.has(member)) missing.push(`${name}.${member}`);
      }
    }
  }
  assert.deepEqual(missing, []);
});

const CLIENT_INTERNAL = new Set(['checkForNonGenuineHosts', 'autoEncrypter', '_connect', '_close']);

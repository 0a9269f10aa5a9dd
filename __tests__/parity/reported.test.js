'use strict';
// Faults that users of similar software reported, each with the value that is right, written out: through every reader.

const { test, before, after, beforeEach, describe } = require('node:test');
const assert = require('node:assert/strict');
const official = require('mongodb');
const bson = require('bson');
const bson6 = require('bson6');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const raw = require('../support/raw-bson.js');
const { readers, isLazy, outcomeOf } = require('../support/readers.js');

let fixture;
let client;
let collection;
let theirs;

before(async () => {
  fixture = await startFixture();
  client = await MongoClient.connect(fixture.uri);
  theirs = await official.MongoClient.connect(fixture.uri);
  collection = client.db('reported').collection('c');
});

after(async () => {
  await client?.close();
  await theirs?.close();
  await fixture?.stop();
});

beforeEach(() => fixture.reset());

/** Calls check with the first document of every reader. */
async function everyReader(documents, options, check) {
  await fixture.put('reported.c', documents);
  for (const [reader, read] of Object.entries(readers)) {
    const docs = await read(collection, options);
    check(docs[0], reader, docs);
  }
}

async function everyReaderRejects(documents, options, expected) {
  await fixture.put('reported.c', documents);
  for (const [reader, read] of Object.entries(readers)) {
    const { error } = await outcomeOf(() => read(collection, options));
    if (error === undefined && reader === 'findLazy, field by field') continue;
    assert.throws(() => { throw error ?? new Error(`${reader}: no error`); }, expected, reader);
  }
}

describe('keys', () => {
  test('a field called __proto__ is a field', async () => {
    await everyReader([raw.document(raw.embedded('__proto__', raw.int('x', 1)), raw.int('b', 2))], {}, (doc, reader) => {
      assert.deepEqual(Object.keys(doc), ['__proto__', 'b'], reader);
      assert.equal(Object.getPrototypeOf(doc), Object.prototype, reader);
      assert.equal(doc.x, undefined, reader);
      assert.ok(Object.hasOwn(doc, '__proto__') && Object.getOwnPropertyDescriptor(doc, '__proto__').value.x === 1, reader);
      assert.equal(JSON.stringify(doc), '{"__proto__":{"x":1},"b":2}', reader);
    });
  });

  test('a field that comes twice has the last value in the first place', async () => {
    await everyReader([raw.document(raw.int('a', 1), raw.int('b', 2), raw.int('a', 3))], {}, (doc, reader) => {
      assert.equal(doc.a, 3, reader);
      assert.ok('a' in doc, reader);
      assert.deepEqual(Object.keys(doc), ['a', 'b'], reader);
      assert.equal(JSON.stringify(doc), '{"a":3,"b":2}', reader);
    });
  });

  test('fields named as methods and protocols are data, in lazy documents too', async () => {
    const source = { _id: 1, a: 1, n: { b: [1, 2] }, toJSON: 4, then: 5, length: 6, constructor: 7 };
    await fixture.put('reported.c', [bson.serialize(source)]);
    for (const [reader, read] of Object.entries(readers)) {
      const fresh = async () => (await read(collection, {}))[0];
      const doc = await fresh();
      assert.deepEqual(Object.keys(doc), Object.keys(source), reader);
      assert.deepEqual(Object.entries({ ...doc }).map(([key]) => key), Object.keys(source), reader);
      assert.ok(Object.keys(source).every((key) => key in doc && Object.hasOwn(doc, key)), reader);
      assert.ok(!('b' in doc), reader);
      const looped = [];
      for (const key in doc) looped.push(key);
      assert.deepEqual(looped, Object.keys(source), reader);
      assert.equal(JSON.stringify(doc), JSON.stringify(source), reader);
      assert.ok(Array.isArray(doc.n.b), reader);
      assert.deepEqual([...doc.n.b.map((x) => x + 1)], [2, 3], reader);
      assert.deepEqual([doc.toJSON, doc.then, doc.length, doc.constructor], [4, 5, 6, 7], reader);
      assert.equal((await doc).a, 1, `${reader}: then is data, not a method`);
      assert.deepStrictEqual(doc, source, reader);
      const changed = await fresh();
      delete changed.toJSON;
      changed.a = 'new';
      changed.more = [1];
      assert.equal(JSON.stringify(changed), '{"_id":1,"a":"new","n":{"b":[1,2]},"then":5,"length":6,"constructor":7,"more":[1]}', reader);
    }
  });
});

describe('numbers and dates', () => {
  test('negative int64 as BigInt', async () => {
    const bytes = raw.document(raw.long('a', -1n), raw.long('b', -(2n ** 63n)), raw.long('c', 2n ** 63n - 1n));
    await everyReader([bytes], { useBigInt64: true }, (doc, reader) => {
      assert.deepEqual([doc.a, doc.b, doc.c], [-1n, -9223372036854775808n, 9223372036854775807n], reader);
    });
    await everyReaderRejects([bytes], { useBigInt64: true, promoteLongs: false }, { name: 'BSONError', message: /bigint or Long/ });
  });

  test('a date beyond what Date can hold is an invalid Date, and the rest of the read is fine', async () => {
    const bytes = raw.document(raw.date('over', 8640000000000001n), raw.date('least', -(2n ** 63n)), raw.date('last', 8640000000000000n), raw.int('x', 1));
    await everyReader([bytes], {}, (doc, reader) => {
      assert.ok(doc.over instanceof Date && Number.isNaN(doc.over.getTime()), reader);
      assert.ok(doc.least instanceof Date && Number.isNaN(doc.least.getTime()), reader);
      assert.equal(doc.last.toISOString(), '+275760-09-13T00:00:00.000Z', reader);
      assert.equal(JSON.stringify(doc), '{"over":null,"least":null,"last":"+275760-09-13T00:00:00.000Z","x":1}', reader);
    });
  });

  test('JSON.stringify gives what it gives of the official documents', async () => {
    const { Long, Binary, UUID, Timestamp, Decimal128 } = bson;
    const source = { bytes: new Binary(Buffer.from([1, 2])), uuid: new UUID(Buffer.alloc(16, 1)), time: new Timestamp(4294967298n), decimal: Decimal128.fromString('1.10'), regex: /a/i };
    const bytes = raw.document(bson.serialize({ long: Long.fromString('9007199254740993'), nan: NaN, inf: Infinity, zero: -0 }).subarray(4, -1), raw.date('date', 2n ** 60n),
      raw.array('list', raw.element(6, '0'), raw.element(1, '1', Buffer.from('000000000000f87f', 'hex'))), raw.element(6, 'gone'), bson.serialize(source).subarray(4, -1));
    const text = '{"long":{"high":2097152,"low":1,"unsigned":false},"nan":null,"inf":null,"zero":0,"date":null,"list":[null,null],"bytes":"AQI=",'
      + '"uuid":"01010101-0101-0101-0101-010101010101","time":{"$timestamp":"4294967298"},"decimal":{"$numberDecimal":"1.10"},"regex":{}}';
    await everyReader([bytes], {}, (doc, reader) => assert.equal(JSON.stringify(doc), text, reader));
    assert.equal(JSON.stringify(await theirs.db('reported').collection('c').findOne()), text);
  });
});

describe('special types', () => {
  test('which documents are references', async () => {
    const documents = {
      a: [raw.string('$ref', 'c'), raw.int('$id', 1)],
      b: [raw.string('$ref', 'c'), raw.int('$id', 1), raw.string('$db', 'd'), raw.int('extra', 2)],
      c: [raw.int('$id', 1), raw.string('$ref', 'c')],
      d: [raw.string('$ref', 'c'), raw.int('$id', 1), raw.int('$banana', 2)],
      e: [raw.int('$ref', 1), raw.int('$id', 1)],
      f: [raw.string('$ref', 'c')],
      g: [raw.string('$ref', 'c'), raw.element(0x0a, '$id')],
      h: [raw.string('$ref', 'c'), raw.int('$id', 1), raw.int('$db', 5)],
    };
    const bytes = raw.document(...Object.entries(documents).map(([key, fields]) => raw.embedded(key, ...fields)));
    await everyReader([bytes], {}, (doc, reader) => {
      for (const key of ['a', 'b', 'c']) assert.ok(doc[key] instanceof official.DBRef && doc[key].collection === 'c' && doc[key].oid === 1, `${reader}: ${key}`);
      assert.equal(doc.b.db, 'd', reader);
      assert.deepEqual(doc.b.fields, { extra: 2 }, reader);
      for (const key of ['d', 'e', 'f', 'g', 'h']) {
        assert.ok(!(doc[key] instanceof official.DBRef), `${reader}: ${key}`);
        assert.equal(Object.getPrototypeOf(doc[key]), Object.prototype, `${reader}: ${key}`);
      }
      assert.deepEqual(Object.keys(doc.d), ['$ref', '$id', '$banana'], reader);
      assert.equal(doc.g.$id, null, reader);
    });
  });

  test('the old binary subtype loses its inner length, which has to be right', async () => {
    const binary = (...bytes) => raw.document(raw.binary('b', 2, Buffer.from(bytes)));
    await everyReader([binary(2, 0, 0, 0, 1, 2)], {}, ({ b }, reader) => {
      assert.ok(b instanceof official.Binary, reader);
      assert.equal(b.sub_type, 2, reader);
      assert.deepEqual([...b.value()], [1, 2], reader);
    });
    const inner = { 3: /too long/, 1: /too short/, '-1': /Negative/ };
    for (const [length, message] of Object.entries(inner)) {
      const bytes = binary(...raw.int32(Number(length)), 1, 2);
      await everyReaderRejects([bytes], {}, { name: 'BSONError', message });
    }
  });

  test('a regular expression that is no JavaScript fails that read only, and not with bsonRegExp', async () => {
    for (const [pattern, flags] of [['(?i)a', ''], ['a', 'ii']]) {
      const bytes = raw.document(raw.int('_id', 1), raw.regex('r', pattern, flags));
      await everyReaderRejects([bytes], {}, { name: 'SyntaxError' });
      await everyReader([bytes], { bsonRegExp: true }, ({ r }, reader) => {
        assert.ok(r instanceof official.BSONRegExp && r.pattern === pattern && r.options === flags, reader);
      });
      const [lazy] = await collection.findLazy();
      assert.equal(lazy._id, 1);
      assert.throws(() => lazy.r, SyntaxError);
    }
    const good = Array.from({ length: 10 }, (_, n) => bson.serialize({ n }));
    await fixture.put('reported.c', [...good, raw.document(raw.regex('r', '(?i)a', ''))]);
    const batches = await collection.findCursor({}, { batchSize: 5, lazy: false });
    assert.deepEqual((await batches.nextBatch()).map(({ n }) => n), [0, 1, 2, 3, 4], 'an earlier batch');
    assert.deepEqual((await batches.nextBatch()).map(({ n }) => n), [5, 6, 7, 8, 9]);
    await assert.rejects(batches.nextBatch(), SyntaxError);
  });

  test('deprecated and extreme values', async () => {
    const bytes = raw.document(raw.element(6, 'nothing'), raw.string('symbol', 's', 0x0e),
      raw.element(0x0c, 'pointer', Buffer.concat([raw.int32(4), raw.cstring('d.c'), Buffer.alloc(12, 7)])),
      raw.element(0xff, 'min'), raw.element(0x7f, 'max'), raw.element(0x11, 'time', Buffer.alloc(8, 0xff)),
      ...['010000000000000000000000000000fc', '00000000000000000000000000003eb0', 'ffffffffffffffffffffffffffffff5f'].map((hex, k) => raw.element(0x13, `d${k}`, Buffer.from(hex, 'hex'))));
    await everyReader([bytes], {}, (doc, reader) => {
      assert.ok(Object.hasOwn(doc, 'nothing') && doc.nothing === undefined, reader);
      assert.equal(doc.symbol, 's', reader);
      assert.ok(doc.pointer instanceof official.DBRef && doc.pointer.db === 'd' && doc.pointer.collection === 'c', reader);
      assert.ok(doc.min instanceof official.MinKey && doc.max instanceof official.MaxKey, reader);
      assert.deepEqual([doc.time.t, doc.time.i, doc.time.toString()], [4294967295, 4294967295, '18446744073709551615'], reader);
      assert.equal(doc.d0.toString(), 'NaN', reader);
      assert.equal(doc.d0.bytes[0], 1, `${reader}: the payload`);
      assert.match(doc.d1.toString(), /^-0/, reader);
      assert.equal(Buffer.from(doc.d2.bytes).toString('hex'), 'ffffffffffffffffffffffffffffff5f', reader);
    });
  });
});

describe('classes', () => {
  test('a value that was read can be used with the driver whose class it is', async () => {
    const mongoose = require('mongoose');
    const schema = new mongoose.Schema({ any: {} });
    const Model = mongoose.model('reported', schema);
    await everyReader([bson.serialize({ _id: new bson.ObjectId() })], {}, ({ _id }, reader) => {
      assert.ok(_id instanceof official.ObjectId, reader);
      bson.serialize({ _id }); // refuses values of another major version
      assert.equal(Model.find({ _id }).cast().constructor.name, 'Object', reader);
    });
    const { _id } = await collection.findOne();
    assert.equal((await theirs.db('reported').collection('c').find({ _id }).toArray()).length, 1);
  });

  test('a value of another major version in a filter is refused before anything is sent', async () => {
    await fixture.startLog();
    for (const read of [() => collection.findOne({ _id: new bson6.ObjectId() }), () => collection.find({ _id: new bson6.ObjectId() }).toArray(), () => collection.findLazy({ a: [{ b: new bson6.Long(1) }] })]) {
      await assert.rejects(read(), (error) => error instanceof bson.BSONVersionError);
    }
    assert.equal((await fixture.takeLog()).length, 0);
    assert.equal(await collection.findOne({ _id: 'none' }), null);
  });
});

describe('cursors', () => {
  const numbers = (count) => fixture.put('reported.c', Array.from({ length: count }, (_, n) => bson.serialize({ n })));

  test('ids of any 64 bits come back exactly in getMore', async () => {
    await numbers(20);
    for (const id of [2n ** 63n - 1n, -1n, -(2n ** 63n), 2n ** 53n + 1n, 1n]) {
      await fixture.startLog();
      await fixture.control({ cursorId: id });
      assert.equal((await collection.find({}, { batchSize: 8 }).toArray()).length, 20);
      const sent = (await fixture.takeLog()).filter(({ name }) => name === 'getMore').map(({ command }) => bson.deserialize(command, { useBigInt64: true }).getMore);
      assert.ok(sent.length > 0 && sent.every((got) => got === id), `${sent} for ${id}`);
    }
  });

  test('limit 0 is no limit; a limit over several batches is kept', async () => {
    await numbers(20);
    for (const [options, count] of [[{ limit: 0 }, 20], [{ limit: 5, batchSize: 2 }, 5], [{ limit: -5 }, 5], [{ limit: 20, batchSize: 20 }, 20], [{ batchSize: 1 }, 20], [{ limit: 7, batchSize: 7 }, 7]]) {
      for (const [reader, read] of Object.entries(readers)) {
        if (reader === 'findOne') continue;
        assert.equal((await read(collection, options)).length, count, `${reader}, ${JSON.stringify(options)}`);
      }
    }
  });

  test('an empty batch of a live cursor is not its end', async () => {
    await numbers(20);
    for (const fault of [{ command: 'find', action: 'empty' }, { command: 'getMore', action: 'empty' }, { command: 'getMore', action: 'empty', nth: 2, times: 2 }]) {
      for (const [reader, read] of Object.entries(readers)) {
        if (reader === 'findOne') continue;
        await fixture.faults(fault);
        assert.equal((await read(collection, { batchSize: 5 })).length, 20, `${reader}, ${JSON.stringify(fault)}`);
      }
    }
  });

  test('a getMore that fails never makes a short result', async () => {
    await numbers(20);
    for (const fault of [{ action: 'error', code: 43, codeName: 'CursorNotFound' }, { action: 'error', code: 8, codeName: 'UnknownError' }, { action: 'close' }]) {
      for (const [reader, read] of Object.entries(readers)) {
        // A broken connection costs each read that follows a heartbeat.
        if (reader === 'findOne' || (fault.action === 'close' && !['find, toArray', 'findLazy'].includes(reader))) continue;
        await fixture.faults({ command: 'getMore', ...fault });
        await assert.rejects(read(collection, { batchSize: 5 }), (error) => {
          assert.ok(fault.code ? error instanceof official.MongoServerError && error.code === fault.code && error.codeName === fault.codeName : error instanceof official.MongoNetworkError, `${reader}: ${error.stack}`);
          return true;
        });
      }
    }
    await fixture.reset();
    await fixture.faults({ command: 'getMore', action: 'error', code: 43, times: -1 });
    const cursor = await collection.findCursor({}, { batchSize: 5 });
    assert.equal((await cursor.nextBatch()).length, 5, 'what came before');
    await assert.rejects(cursor.nextBatch(), { code: 43 });
    await assert.rejects(cursor.nextBatch(), { code: 43 }, 'later calls do not hang');
    assert.equal((await fixture.stats()).commands.getMore, 1, 'not retried');
  });

  test('leaving a loop early closes the cursor on the server, once', async () => {
    await numbers(300);
    await fixture.control({ delayMS: 5 });
    for (const open of [() => collection.find({}, { batchSize: 10 }), () => collection.findCursor({}, { batchSize: 10 })]) {
      const before = (await fixture.stats()).commands.killCursors ?? 0;
      const opened = open();
      const iterable = opened instanceof Promise ? await opened : opened;
      for await (const doc of iterable) if (doc.n === 3) break;
      const { commands, cursors } = await fixture.stats();
      assert.deepEqual([commands.killCursors - before, cursors.open], [1, 0]);
    }
  });

  test('fieldsAsRaw changes nothing; a map that gives null is an error', async () => {
    await fixture.put('reported.c', [bson.serialize({ a: { b: 1 } })]);
    assert.deepEqual(await collection.find({}, { fieldsAsRaw: { a: true } }).toArray(), [{ a: { b: 1 } }]);
    await assert.rejects(collection.find().map(() => null).next(), official.MongoAPIError);
    const [buffer] = await collection.find({}, { raw: true }).toArray();
    assert.ok(Buffer.isBuffer(buffer));
  });
});

test('lazy readers are the ones that give proxies', () => {
  assert.deepEqual(Object.keys(readers).filter(isLazy), ['findLazy', 'findCursor, lazy batches', 'findCursor, lazy documents']);
});

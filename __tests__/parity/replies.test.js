'use strict';
// Replies that no server should send: the read rejects as the official driver's does, and the next one works.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const official = require('mongodb');
const bson = require('bson');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const raw = require('../support/raw-bson.js');

const { Long, Int32, Double, BSONError } = bson;
const { MongoServerError, MongoUnexpectedServerResponseError, MongoParseError } = official;
const ns = 't.c';
const zero = Long.fromNumber(0);

let fixture;
let theirs;
let ours;

before(async () => {
  fixture = await startFixture();
  theirs = (await official.MongoClient.connect(fixture.uri)).db('t').collection('c');
  ours = (await MongoClient.connect(fixture.uri)).db('t').collection('c');
  await fixture.put('t.c', Array.from({ length: 20 }, (_, n) => bson.serialize({ n })));
});

after(async () => {
  await ours?.client.close();
  await theirs?.client?.close();
  await fixture?.stop();
});

const damaged = (change) => {
  const bytes = Buffer.from(bson.serialize({ ok: 1, cursor: { id: zero, firstBatch: [{ a: 1 }], ns } }));
  return change(bytes) ?? bytes;
};
const withBatch = (bytes) => raw.document(raw.embedded('cursor', raw.element(4, 'firstBatch', Buffer.from(bytes)), raw.long('id', 0n), raw.string('ns', ns)), raw.element(0x12, 'ok', raw.int64(1n)));

// What is wrong, the reply, the class of our error; the official driver's, where it is another one, in brackets.
const cases = [
  ['no cursor', { ok: 1 }, MongoUnexpectedServerResponseError],
  ['a cursor that is no document', { ok: 1, cursor: 5 }, MongoUnexpectedServerResponseError],
  ['no id', { ok: 1, cursor: { firstBatch: [{ a: 1 }], ns } }, MongoUnexpectedServerResponseError],
  ['an id of 32 bits', { ok: 1, cursor: { id: new Int32(7), firstBatch: [{ a: 1 }], ns } }, MongoUnexpectedServerResponseError],
  ['a double as id', { ok: 1, cursor: { id: new Double(0), firstBatch: [{ a: 1 }], ns } }, MongoUnexpectedServerResponseError],
  ['no batch', { ok: 1, cursor: { id: zero, ns } }, MongoUnexpectedServerResponseError],
  ['a batch that is no array', { ok: 1, cursor: { id: zero, ns, firstBatch: { a: 1 } } }, MongoUnexpectedServerResponseError, [BSONError]],
  ['a batch of numbers', { ok: 1, cursor: { id: zero, ns, firstBatch: [1, 2] } }, BSONError],
  ['a batch with null in it', { ok: 1, cursor: { id: zero, ns, firstBatch: [{ a: 1 }, null] } }, BSONError],
  ['a batch that ends early', withBatch([8, 0, 0, 0, 0, 0, 0, 0]), BSONError],
  ['a batch without an end', withBatch([5, 0, 0, 0, 1]), BSONError],
  ['a batch longer than the reply', withBatch([200, 0, 0, 0, 0]), MongoUnexpectedServerResponseError],
  ['no ok', { cursor: { id: zero, firstBatch: [{ a: 1 }], ns } }, MongoServerError],
  ['text as ok', { ok: '1', cursor: { id: zero, firstBatch: [{ a: 1 }], ns } }, MongoServerError],
  ['an empty reply', {}, MongoServerError],
  ['an error without a code', { ok: 0 }, MongoServerError],
  ['an error of strange types', { ok: 0, errmsg: 5, code: 'x', codeName: 7, errorLabels: 'RetryableError' }, MongoServerError],
  ['an unknown type outside the cursor', raw.document(raw.embedded('cursor', raw.long('id', 0n), raw.array('firstBatch'), raw.string('ns', ns)), raw.element(0x55, 'x'), raw.element(0x12, 'ok', raw.int64(1n))), BSONError],
  ['a reply without an end', damaged((b) => { b[b.length - 1] = 9; }), BSONError],
  ['a reply longer than its message', damaged((b) => { b[0] += 3; }), MongoParseError, [BSONError]],
  ['a reply shorter than its message', damaged((b) => { b[0] -= 3; }), official.MongoError, [RangeError]],
  ['zeros', Buffer.alloc(5), MongoParseError, [RangeError]],
  ['no bytes', Buffer.alloc(0), MongoParseError, [RangeError]],
];

const readings = {
  find: (collection) => collection.find().toArray(),
  'find, next': (collection) => collection.find().next(),
  findOne: (collection) => collection.findOne(),
};
const ownReadings = {
  ...readings,
  findLazy: (collection) => collection.findLazy(),
  findCursor: async (collection) => (await collection.findCursor()).nextBatch(),
};

for (const [name, reply, Class, [TheirClass] = [Class]] of cases) {
  test(`a reply with ${name}`, async () => {
    const fault = { command: 'find', ns: 't.c', action: 'reply', times: -1, reply: Buffer.isBuffer(reply) ? new bson.Binary(reply) : reply };
    await fixture.faults(fault);
    // The first document of a batch is fine where only a later one is wrong.
    const firstIsFine = name === 'a batch with null in it';
    for (const [reading, read] of Object.entries(readings)) {
      if (firstIsFine && reading !== 'find') continue;
      await assert.rejects(read(theirs), TheirClass, `official: ${reading}`);
    }
    for (const [reading, read] of Object.entries(ownReadings)) {
      if (firstIsFine && reading === 'findOne') continue; // a server sends it one
      if (firstIsFine && /next|findCursor/.test(reading)) {
        assert.deepEqual(await read(ours).then((value) => (Array.isArray(value) ? [...value] : [value])), [{ a: 1 }]);
        continue;
      }
      await assert.rejects(read(ours), (error) => {
        assert.ok(error instanceof Class, `${reading}: ${error.stack}`);
        return true;
      });
    }
    await fixture.faults();
    assert.equal((await ours.find().toArray()).length, 20, 'the next read');
  });
}

test('such a reply to a getMore, after the documents of the first batch', async () => {
  for (const reply of [{ ok: 1 }, { ok: 1, cursor: { id: new Int32(1), nextBatch: [], ns } }, { ok: 1, cursor: { id: zero, ns } }, { ok: 1, cursor: { id: zero, nextBatch: 5, ns } }]) {
    await fixture.faults({ command: 'getMore', ns: 't.c', action: 'reply', times: -1, reply });
    for (const collection of [theirs, ours]) {
      const seen = [];
      await assert.rejects(async () => {
        for await (const doc of collection.find({}, { batchSize: 3 })) seen.push(doc.n);
      }, (error) => error instanceof official.MongoError || error instanceof BSONError);
      assert.deepEqual(seen, [0, 1, 2]);
    }
    await fixture.reset();
  }
});

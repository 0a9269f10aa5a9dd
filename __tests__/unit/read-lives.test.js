'use strict';
// The lives of reads with those of their signals and clients, with a test in the place of the native core.

const test = require('node:test');
const assert = require('node:assert/strict');
const { setImmediate: turn } = require('node:timers/promises');
const bson = require('bson');
const { MongoClient } = require('../../js/index.js');
const { withFakeBridge } = require('../support/fake-bridge.js');
const { openFind, fakeDecoding, range } = require('../support/fake-reads.js');

test('AbortSignal: before, during and after', async (t) => {
  fakeDecoding(t);
  const reason = new Error('my reason');
  const already = AbortSignal.abort(reason);
  const before = await openFind(undefined, { signal: already });
  await assert.rejects(before.cursor.toArray(), reason);
  await assert.rejects(before.client.db().collection('c').findOne({}, { signal: already }), reason);
  await assert.rejects(before.client.db().collection('c').findLazy({}, { signal: already }), reason);
  await assert.rejects(before.client.db().collection('c').findCursor({}, { signal: already }), reason);
  assert.equal(before.bridge.submitted.length, 0);

  const controller = new AbortController();
  const during = await openFind(undefined, { signal: controller.signal });
  const all = during.cursor.toArray();
  during.request.chunk(range(0, 2));
  controller.abort(reason);
  await assert.rejects(all, reason);
  assert.ok(during.request.cancelled);
  assert.equal(during.request.held, 0);

  const late = new AbortController();
  const after = await openFind(undefined, { signal: late.signal });
  const read = after.cursor.toArray();
  after.request.end();
  await read;
  late.abort(reason);
  assert.ok(!after.request.cancelled);
});

test('an abort after all has arrived frees what nobody has read', async (t) => {
  fakeDecoding(t);
  const controller = new AbortController();
  const { client, bridge } = await openFind();
  const cursor = await client.db().collection('c').findCursor({}, { signal: controller.signal, batchSize: 2 });
  const first = cursor.nextBatch();
  const chunks = [0, 2, 4].map((from) => bridge.last.chunk(range(from, from + 2)));
  bridge.last.end();
  assert.deepEqual(await first, range(0, 2));
  controller.abort(new Error('enough'));
  assert.deepEqual(chunks.map((chunk) => chunk.released), [1, 1, 1]);
  await assert.rejects(cursor.nextBatch(), /enough/);
});

test('a client that is not connected connects for the first read, once for many', async (t) => {
  fakeDecoding(t);
  const client = new MongoClient('mongodb://127.0.0.1:1/d');
  const bridge = withFakeBridge(client);
  const collection = client.collection('d', 'c');
  const reads = [collection.find().toArray(), collection.findOne(), collection.findLazy(), collection.find().next()];
  while (bridge.submitted.length < 4) await turn();
  for (const { request } of bridge.submitted) request.end();
  assert.deepEqual(await Promise.all(reads), [[], null, [], null]);
  assert.equal(bridge.connects.length, 1);
});

test('a connect that fails rejects every read that waits for it, and the next read tries again', async () => {
  const client = new MongoClient('mongodb://127.0.0.1:1/d');
  const bridge = withFakeBridge(client);
  bridge.connectWith = async () => { throw bson.serialize({ kind: 'serverSelection', message: 'no server at 127.0.0.1:1' }); };
  const reads = [client.db().collection('c').find().toArray(), client.db().collection('c').findOne()];
  for (const read of reads) await assert.rejects(read, { name: 'MongoServerSelectionError', message: /127\.0\.0\.1:1/ });
  await assert.rejects(client.connect(), { name: 'MongoServerSelectionError' });
  bridge.connectWith = async () => 7;
  const read = client.db().collection('c').findOne();
  while (bridge.submitted.length === 0) await turn();
  bridge.last.end();
  assert.equal(await read, null);
});

test('close: reads in flight reject, later ones too, connect() opens again', async () => {
  const client = new MongoClient('mongodb://127.0.0.1:1/d');
  const bridge = withFakeBridge(client);
  await client.connect();
  const collection = client.db().collection('c');
  const reads = [collection.find().toArray(), collection.findOne(), collection.find().explain()];
  await turn();
  const settled = Promise.all(reads.map((read) => assert.rejects(read, { name: 'MongoClientClosedError' })));
  await client.close();
  await settled;
  assert.deepEqual(bridge.closed, [1]);
  await assert.rejects(collection.findOne(), { name: 'MongoNotConnectedError', message: /connect\(\) again/ });
  await assert.rejects(collection.find().toArray(), { name: 'MongoNotConnectedError' });
  await client.close();
  await client.connect();
  const read = collection.findOne();
  bridge.last.end();
  assert.equal(await read, null);
  await client[Symbol.asyncDispose]();
});

test('close while connecting closes what was opened', async () => {
  const client = new MongoClient('mongodb://127.0.0.1:1/d');
  const bridge = withFakeBridge(client);
  const read = client.db().collection('c').findOne();
  const failed = assert.rejects(read, { name: 'MongoClientClosedError' });
  await client.close();
  await failed;
  assert.deepEqual(bridge.closed, [1]);
  assert.equal(bridge.submitted.length, 0);
});

test('errors carry the frames of the caller', async (t) => {
  fakeDecoding(t);
  const { client, bridge } = await openFind();
  const collection = client.db().collection('c');
  const ways = {
    async findOneOfMine() { await collection.findOne(); },
    async toArrayOfMine() { await collection.find().toArray(); },
    async awaitOfMine() { await collection.find(); },
    async nextOfMine() { await collection.find().next(); },
    async loopOfMine() { for await (const doc of collection.find()) assert.ok(doc); },
    async lazyOfMine() { await collection.findLazy(); },
    async batchOfMine() { await (await collection.findCursor()).nextBatch(); },
  };
  for (const [name, call] of Object.entries(ways)) {
    const before = bridge.submitted.length;
    const failed = call().then(() => assert.fail(), (error) => error);
    while (bridge.submitted.length === before) await turn();
    await turn();
    bridge.last.end({ kind: 'server', message: 'boom', code: 2 });
    const error = await failed;
    assert.match(error.stack, new RegExp(name), `${name}:\n${error.stack}`);
  }
});

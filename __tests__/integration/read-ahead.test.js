'use strict';
// What is read before anybody asks for it: bounded for each read and for the process, however slow the readers.

const { test, before, after, beforeEach } = require('node:test');
const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const v8 = require('node:v8');
const vm = require('node:vm');
const { MongoClient } = require('../..');
const { startFixture } = require('../support/fixture-server');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');

const KB = 1024;
const COUNT = 4000; // 4.8 MB
const BATCH = 100; // about 120 KB
const BATCH_BYTES = 160 * KB; // as BSON or as a chunk, at most

let fixture;

before(async () => {
  fixture = await startFixture();
  await fixture.load('t.docs', 'mixed45', COUNT);
});
after(() => fixture.stop());
beforeEach(() => fixture.reset());

const underWay = (client) => client.stats().core.bytesUnderWay;

/** The largest number of bytes under way while nobody reads. */
async function watch(client, ms) {
  let most = 0;
  for (const end = Date.now() + ms; Date.now() < end;) {
    most = Math.max(most, underWay(client));
    await sleep(10);
  }
  return most;
}

/** The core takes acknowledgements a moment later. */
async function nothingOwed(client) {
  for (let i = 0; i < 100 && underWay(client) > 0; i++) await sleep(5);
  assert.equal(underWay(client), 0);
}

async function withClient(options, use) {
  const client = await MongoClient.connect(fixture.uri, options);
  try {
    await use(client, client.db('t').collection('docs'));
  } finally {
    await client.close();
  }
}

for (const lazy of [true, false]) {
  test(`readAheadBytes bounds one cursor (${lazy ? 'lazy' : 'eager'})`, () => withClient({}, async (client, docs) => {
    const cursor = await docs.findCursor({}, { batchSize: BATCH, readAheadBytes: 800 * KB, lazy });
    await cursor.nextBatch();
    const most = await watch(client, 200);
    assert.ok(most > 400 * KB && most < 800 * KB + BATCH_BYTES, `${most} bytes`);
    let count = BATCH;
    for await (const _ of cursor) count++;
    assert.equal(count, COUNT);
    await nothingOwed(client);
  }));
}

test('readAheadBytes: 1 asks for no batch before it is wanted', () => withClient({ readAheadBytes: 1 }, async (client, docs) => {
  const cursor = await docs.findCursor({}, { batchSize: BATCH });
  for (let i = 0; i < 5; i++) {
    await cursor.nextBatch();
    await sleep(20);
    assert.equal((await fixture.stats()).commands.getMore ?? 0, i);
  }
  await cursor.close();
  assert.equal((await docs.find({}, { batchSize: BATCH })).length, COUNT);
}));

test('50 slow readers stay within the budget of the process, and all get everything', () => withClient({}, async () => {
  const budget = 4 << 20;
  await withClient({ processReadAheadBytes: budget, maxPoolSize: 60 }, async (client, docs) => {
    try {
      const cursors = await Promise.all(Array.from({ length: 50 }, (_, i) => docs.findCursor({}, { batchSize: BATCH, lazy: i % 2 === 0 })));
      const counts = await Promise.all(cursors.map(async (cursor) => (await cursor.nextBatch()).length));
      // Beside what is read ahead, each reader has one batch that it asked for and has not come back from.
      const most = await watch(client, 300);
      assert.ok(most <= budget + 50 * BATCH_BYTES, `${most} bytes are under way`);
      assert.ok(most > budget / 2, `${most} bytes: nothing is read ahead`);
      // One that hurries is not held up by the others.
      assert.equal((await docs.find({}, { batchSize: BATCH })).length, COUNT);
      await Promise.all(cursors.map(async (cursor, i) => {
        for (let batch; (batch = await cursor.nextBatch()) !== null;) {
          counts[i] += batch.length;
          if (counts[i] % 1000 === 0) await sleep(1);
        }
      }));
      assert.deepEqual(new Set(counts), new Set([COUNT]));
      await nothingOwed(client);
    } finally {
      const usual = await MongoClient.connect(fixture.uri, { processReadAheadBytes: 256 << 20 });
      await usual.close();
    }
  });
}));

test('readers that stop do not keep others from their documents', () => withClient({ processReadAheadBytes: 64 * KB }, async (client, docs) => {
  const stopped = await Promise.all(Array.from({ length: 10 }, () => docs.findCursor({}, { batchSize: BATCH })));
  for (const cursor of stopped) await cursor.nextBatch();
  for (let i = 0; i < 3; i++) assert.equal((await docs.findLazy({}, { batchSize: BATCH })).length, COUNT);
  for (const cursor of stopped) await cursor.close();
  await (await MongoClient.connect(fixture.uri, { processReadAheadBytes: 256 << 20 })).close();
}));

test('bad values are refused with their name', async () => {
  await withClient({}, async (client, docs) => {
    for (const readAheadBytes of [0, -1, 1.5, '1', 2 ** 31]) {
      assert.throws(() => docs.find({}, { readAheadBytes }), /"readAheadBytes" must be a whole number/);
    }
  });
  for (const name of ['readAheadBytes', 'processReadAheadBytes']) {
    assert.throws(() => new MongoClient(fixture.uri, { [name]: 0 }), new RegExp(name));
    assert.throws(() => new MongoClient(fixture.uri, { [name]: -5 }), new RegExp(name));
  }
});

for (const lazy of [true, false]) {
  test(`what was read ahead and is not wanted any more is freed (${lazy ? 'lazy' : 'eager'})`, () => withClient({}, async (client, docs) => {
    const used = () => {
      const { bytes, pooled } = client.stats().memory;
      return bytes - pooled;
    };
    const freed = async () => {
      for (let i = 0; i < 100 && used() > 0; i++) {
        gc();
        await sleep(10);
      }
      assert.equal(used(), 0);
    };
    await freed(); // what other tests have left
    for (const leave of [(cursor) => cursor.close(), (cursor, abort) => abort(new Error('enough'))]) {
      const controller = new AbortController();
      const cursor = await docs.findCursor({}, { lazy, batchSize: 1000, readAheadBytes: 2500 * KB, signal: controller.signal });
      assert.equal((await cursor.nextBatch()).length, 1000);
      for (let i = 0; i < 100 && used() < 1024 * KB; i++) await sleep(10);
      assert.ok(used() >= 1024 * KB, 'nothing was read ahead');
      await leave(cursor, (reason) => controller.abort(reason));
      await freed();
    }
  }));
}

'use strict';
// Every way out of a read leaves no cursor open on the server: a table of ways, each for all kinds of cursors.

const { test, before, after, beforeEach } = require('node:test');
const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const { pipeline } = require('node:stream/promises');
const v8 = require('node:v8');
const vm = require('node:vm');
const { MongoClient } = require('../..');
const { startFixture } = require('../support/fixture-server');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');

let fixture;
let client;
let docs;

before(async () => {
  fixture = await startFixture();
  await fixture.load('t.docs', 'mixed45', 5000);
  client = await MongoClient.connect(fixture.uri);
  docs = client.db('t').collection('docs');
});
after(async () => {
  await client.close();
  await fixture.stop();
});
beforeEach(async () => {
  await fixture.reset();
  await fixture.control({ delayMS: 5 }); // read-ahead does not come to the end before the reader leaves
});

const OPTIONS = { batchSize: 20, readAheadBytes: 100_000 };
const kinds = {
  find: (options) => docs.find({}, { ...OPTIONS, ...options }),
  'findCursor, lazy': (options) => docs.findCursor({}, { ...OPTIONS, ...options }),
  'findCursor, eager': (options) => docs.findCursor({}, { ...OPTIONS, ...options, lazy: false }),
};

/** Awaiting a find would give its array. */
const open = async (kind, options) => {
  const cursor = kinds[kind](options);
  return { cursor: kind === 'find' ? cursor : await cursor };
};
const first = (cursor) => (cursor.nextBatch ? cursor.nextBatch() : cursor.next());

const ways = {
  async break(kind) {
    let seen = 0;
    for await (const _ of (await open(kind)).cursor) if (++seen === 30) break;
  },
  async return(kind) {
    const { cursor } = await open(kind);
    await (async () => { for await (const _ of cursor) return; })();
  },
  async throw(kind) {
    const { cursor } = await open(kind);
    await assert.rejects((async () => { for await (const _ of cursor) throw new Error('mine'); })(), { message: 'mine' });
  },
  async 'return() of the iterator'(kind) {
    const iterator = (await open(kind)).cursor[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.return();
    assert.equal((await iterator.next()).done, true);
  },
  async 'close() before anything came'(kind) {
    await (await open(kind)).cursor.close();
  },
  async 'close() after the first'(kind) {
    const { cursor } = await open(kind);
    await first(cursor);
    await cursor.close();
    await cursor.close();
  },
  async 'close() while one waits'(kind) {
    const { cursor } = await open(kind);
    await first(cursor);
    const waiting = first(cursor).catch(() => {});
    await cursor.close();
    await waiting;
  },
  async 'asyncDispose'(kind) {
    const { cursor } = await open(kind);
    await first(cursor);
    await cursor[Symbol.asyncDispose]();
  },
  async 'abort before the first'(kind) {
    const controller = new AbortController();
    const { cursor } = await open(kind, { signal: controller.signal });
    const waiting = first(cursor);
    controller.abort(new Error('enough'));
    await assert.rejects(waiting, { message: 'enough' });
  },
  async 'abort in a loop'(kind) {
    const controller = new AbortController();
    const { cursor } = await open(kind, { signal: controller.signal });
    let seen = 0;
    await assert.rejects((async () => { for await (const _ of cursor) if (++seen === 30) controller.abort(new Error('enough')); })(), { message: 'enough' });
  },
  async 'a dropped reference'(kind) {
    for (let i = 0; i < 10; i++) await first((await open(kind)).cursor);
    for (let i = 0; i < 200 && (await fixture.stats()).cursors.open > 0; i++) {
      gc();
      await sleep(5);
    }
  },
  async 'a dropped iterator'(kind) {
    for (let i = 0; i < 10; i++) await (await open(kind)).cursor[Symbol.asyncIterator]().next();
    for (let i = 0; i < 200 && (await fixture.stats()).cursors.open > 0; i++) {
      gc();
      await sleep(5);
    }
  },
  async 'a closed client'(kind) {
    const other = await MongoClient.connect(fixture.uri, { appName: `closing ${kind}` });
    const collection = other.db('t').collection('docs');
    const cursor = kind === 'find' ? collection.find({}, OPTIONS) : null;
    const batches = kind === 'find' ? null : await collection.findCursor({}, OPTIONS);
    await first(cursor ?? batches);
    const late = collection.find({}, OPTIONS).toArray().catch(() => {});
    await sleep(2);
    await other.close();
    await late;
  },
};

for (const [way, leave] of Object.entries(ways)) {
  for (const kind of Object.keys(kinds)) {
    test(`${way}: ${kind}`, async () => {
      await leave(kind);
      await noneOpen();
    });
  }
}

const streams = {
  async destroy(stream) {
    await new Promise((resolve) => { stream.once('data', resolve); });
    stream.destroy();
  },
  async 'destroy with an error'(stream) {
    await new Promise((resolve) => { stream.once('data', resolve); });
    const failed = new Promise((resolve) => { stream.once('error', resolve); });
    stream.destroy(new Error('mine'));
    assert.equal((await failed).message, 'mine');
  },
  async 'a pipeline that fails'(stream) {
    await assert.rejects(pipeline(stream, async function* fail(source) {
      for await (const doc of source) {
        yield doc;
        throw new Error('mine');
      }
    }, async (source) => { for await (const _ of source); }), { message: 'mine' });
  },
};
for (const [way, leave] of Object.entries(streams)) {
  test(`a stream: ${way}`, async () => {
    await leave(docs.find({}, OPTIONS).stream());
    await noneOpen();
  });
}

async function noneOpen() {
  for (let i = 0; i < 200; i++) {
    const { cursors } = await fixture.stats();
    if (cursors.open === 0) return;
    await sleep(10);
  }
  assert.fail(`${(await fixture.stats()).cursors.open} cursors are open`);
}

'use strict';
// A read that is given up before the first reply is there: the promise settles at once, the request ends a moment later,
// and the core waits for the reply on its own, because nothing else says which cursor to close on the server.

const { test, before, after, beforeEach, describe } = require('node:test');
const assert = require('node:assert/strict');
const v8 = require('node:v8');
const vm = require('node:vm');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { Worker } = require('node:worker_threads');
const { setTimeout: sleep } = require('node:timers/promises');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { readers, notStuck, openCursors } = require('../support/fault-readers.js');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');

const COUNT = 100;
const DELAY = 800; // milliseconds of the first reply, much longer than a request lives after its end
const OPTIONS = { batchSize: 20 };
const INDEX = JSON.stringify(path.join(__dirname, '..', '..', 'js', 'index.js'));

describe('late replies', () => {
  let fixture;
  let client;
  let collection;

  before(async () => {
    fixture = await startFixture();
    await fixture.load('t.m', 'mixed45', COUNT);
    client = await MongoClient.connect(fixture.uri);
    collection = client.db('t').collection('m');
  });
  after(async () => {
    await client.close();
    await fixture.stop();
  });
  beforeEach(async () => {
    await fixture.reset();
    await fixture.faults({ command: 'find', action: 'delay', ms: DELAY });
  });

  const lateReads = () => client.stats().core.lateReads;

  async function allClosed(what, opened = 1) {
    for (let i = 0; i < 100 && (await fixture.stats()).cursors.opened < opened; i++) await sleep(20);
    for (let i = 0; i < 100 && lateReads() > 0; i++) await sleep(20);
    assert.equal(lateReads(), 0, what);
    assert.equal(await openCursors(fixture), 0, what);
    const { cursors } = await fixture.stats();
    assert.equal(cursors.opened, opened, what);
    assert.equal(cursors.killed + cursors.exhausted, opened, what);
    assert.equal((await notStuck(collection.find().toArray(), what)).length, COUNT, what);
  }

  for (const [reader, read] of Object.entries(readers)) {
    if (reader === 'findOne') continue; // leaves no cursor
    test(`abort: ${reader}`, async () => {
      const controller = new AbortController();
      const reading = read(collection, { ...OPTIONS, signal: controller.signal });
      await sleep(50);
      const start = performance.now();
      controller.abort(new Error('enough'));
      const { error } = await notStuck(reading, reader);
      assert.equal(error, controller.signal.reason);
      assert.ok(performance.now() - start < 150, `${performance.now() - start} ms`);
      const over = () => client.stats().core.requests === 0;
      for (let i = 0; i < 60 && !over(); i++) await sleep(10);
      assert.ok(over(), 'the request is over');
      assert.equal(lateReads(), 1, 'the wait for the reply is not');
      await allClosed(reader);
    });
  }

  const cursors = {
    find: () => [collection.find({}, OPTIONS)],
    findCursor: async () => [await collection.findCursor({}, OPTIONS)],
  };
  for (const [kind, open] of Object.entries(cursors)) {
    const first = (cursor) => (cursor.nextBatch ? cursor.nextBatch() : cursor.next());

    test(`close(): ${kind}`, async () => {
      const [cursor] = await open();
      const reading = first(cursor).catch((error) => error);
      await sleep(50);
      const start = performance.now();
      await cursor.close();
      assert.ok(performance.now() - start < DELAY - 100, `close() took ${performance.now() - start} ms`);
      await notStuck(reading, kind);
      await allClosed(kind);
    });

    test(`a dropped reference: ${kind}`, async () => {
      await (async () => {
        const [cursor] = await open();
        first(cursor).catch(() => {});
      })();
      // While next() is pending, the cursor is not collected.
      for (let i = 0; i < 100; i++) {
        gc();
        await sleep(10);
      }
      await allClosed(kind);
    });
  }

  // Nor does it wait long enough to close the cursor of a reply that takes long.
  test('close() of the client soon after an abort is not held up', async () => {
    await fixture.faults({ command: 'find', action: 'never', times: -1 });
    const own = await MongoClient.connect(fixture.uri, { appName: 'held up?' });
    const controller = new AbortController();
    const reading = own.db('t').collection('m').find({}, { signal: controller.signal }).toArray().catch(() => {});
    await sleep(50);
    controller.abort();
    await reading;
    await sleep(200);
    const start = performance.now();
    await own.close();
    assert.ok(performance.now() - start < 600, `close() took ${performance.now() - start} ms`);
    assert.equal(lateReads(), 0);
  });

  test('twenty at a time, and reads that need their connections', async () => {
    const own = await MongoClient.connect(fixture.uri, { maxPoolSize: 5 });
    const mine = own.db('t').collection('m');
    await fixture.faults({ command: 'find', action: 'never', times: 5 });
    const controller = new AbortController();
    const stuck = Array.from({ length: 5 }, () => mine.find({}, { signal: controller.signal }).toArray().catch(() => {}));
    await sleep(100);
    controller.abort();
    await Promise.all(stuck);
    await sleep(200);
    assert.equal(lateReads(), 5);
    const lengths = (await notStuck(Promise.all(Array.from({ length: 20 }, () => mine.find().toArray())), 'reads', 3000)).map((docs) => docs.length);
    assert.deepEqual(lengths, Array(20).fill(COUNT));
    assert.equal(lateReads(), 0);
    await own.close();
  });

  const giveUp = `
    const { MongoClient } = require(${INDEX});
    (async () => {
      const client = await MongoClient.connect(uri);
      const controller = new AbortController();
      const reading = client.db('t').collection('m').find({}, { signal: controller.signal }).toArray();
      setTimeout(() => controller.abort(new Error('enough')), 50);
      await reading.catch((error) => { if (error.message !== 'enough') throw error; });
      done();
    })();`;

  test('a process does not wait for them', async () => {
    await fixture.faults({ command: 'find', action: 'never', times: -1 });
    const script = `const uri = process.argv[1]; const done = () => { const start = performance.now(); process.on('exit', () => console.log(performance.now() - start)); };${giveUp}`;
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['-e', script, fixture.uri], { encoding: 'utf8', timeout: 20_000 });
    assert.deepEqual([status, signal, stderr], [0, null, '']);
    assert.ok(Number(stdout) < 1500, `exited ${stdout} ms after the abort`);
  });

  test('nor a worker that is terminated, nor its process', async () => {
    await fixture.faults({ command: 'find', action: 'never', times: -1 });
    const worker = new Worker(`const { parentPort, workerData: uri } = require('node:worker_threads'); const done = () => { parentPort.postMessage(1); setInterval(() => {}, 1000); };${giveUp}`, { eval: true, workerData: fixture.uri });
    await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    await sleep(200);
    assert.equal(lateReads(), 1);
    const start = performance.now();
    await worker.terminate();
    assert.ok(performance.now() - start < 1000, `terminate() took ${performance.now() - start} ms`);
    for (let i = 0; i < 100 && (lateReads() > 0 || client.stats().core.environments > 1); i++) await sleep(20);
    assert.deepEqual([lateReads(), client.stats().core.environments], [0, 1]);
  });
});

'use strict';
// Aborts at odd moments. Each read settles once, with signal.reason where it was in time; no listener stays at the signal,
// no cursor stays open, and the client works afterwards.

const { test, before, after, beforeEach, describe } = require('node:test');
const assert = require('node:assert/strict');
const { getEventListeners } = require('node:events');
const v8 = require('node:v8');
const vm = require('node:vm');
const { setTimeout: sleep } = require('node:timers/promises');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { readers, notStuck, openCursors } = require('../support/fault-readers.js');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');
const COUNT = 100;
const OPTIONS = { batchSize: 20 };

describe('aborts', () => {
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
  beforeEach(() => fixture.reset());

  const listeners = (signal) => getEventListeners(signal, 'abort').length;

  async function settled(what) {
    const open = ({ reads, core }) => reads + core.requests + core.lateReads;
    for (let i = 0; i < 100 && open(client.stats()) > 0; i++) await sleep(20);
    assert.equal(await openCursors(fixture), 0, `${what}: open cursors`);
    assert.equal(client.stats().reads, 0, `${what}: reads`);
    assert.equal((await notStuck(collection.find({}, OPTIONS).toArray(), what)).length, COUNT, what);
  }

  const moments = {
    'in the same tick': (abort) => abort(),
    'in a microtask': (abort) => queueMicrotask(abort),
    'in the next tick': (abort) => process.nextTick(abort),
    'in the next turn': (abort) => setImmediate(abort),
    'twice': (abort) => {
      abort();
      abort();
    },
    'twice, a turn apart': (abort) => {
      abort();
      setImmediate(abort);
    },
  };
  for (const [moment, schedule] of Object.entries(moments)) {
    test(moment, async () => {
      for (const [reader, read] of Object.entries(readers)) {
        await fixture.control({ delayMS: 5 });
        const controller = new AbortController();
        const reading = read(collection, { ...OPTIONS, signal: controller.signal });
        let n = 0;
        schedule(() => controller.abort(new Error(`enough ${++n}`)));
        const { ids, error } = await notStuck(reading, reader);
        assert.equal(error, controller.signal.reason, reader);
        assert.equal(error.message, 'enough 1');
        assert.equal(ids.length, 0, reader);
        assert.equal(listeners(controller.signal), 0, reader);
        await settled(reader);
      }
    });
  }

  test('at random moments of a read that goes on', async () => {
    let aborted = 0;
    for (let round = 0; round < 12; round++) {
      await fixture.control({ delayMS: 2 });
      await Promise.all(Object.entries(readers).map(async ([reader, read]) => {
        const controller = new AbortController();
        const reading = read(collection, { ...OPTIONS, signal: controller.signal });
        setTimeout(() => controller.abort(), round * 1.5);
        const { ids, error } = await notStuck(reading, reader);
        if (error === null) assert.equal(ids.length, reader === 'findOne' ? 1 : COUNT, reader);
        else assert.equal(error, controller.signal.reason, reader);
        if (error !== null) aborted++;
        assert.deepEqual(new Set(ids).size, ids.length);
        assert.equal(listeners(controller.signal), 0, reader);
      }));
    }
    assert.ok(aborted > 5, `${aborted} were in time`);
    await settled('random moments');
  });

  const loops = {
    find: (options) => [collection.find({}, options)],
    findCursor: async (options) => [await collection.findCursor({}, options)],
    'findCursor, eager': async (options) => [await collection.findCursor({}, { ...options, lazy: false })],
  };
  for (const [kind, open] of Object.entries(loops)) {
    test(`in the body of a loop: ${kind}`, async () => {
      for (const at of [1, 20, 21, 99, COUNT]) {
        const controller = new AbortController();
        const [cursor] = await open({ ...OPTIONS, signal: controller.signal });
        let seen = 0;
        const looping = (async () => { for await (const doc of cursor) if (doc && ++seen === at) controller.abort(new Error('enough')); })();
        const error = await notStuck(looping.then(() => null, (e) => e), kind);
        // Nothing is left to abort behind the last document.
        if (at < COUNT) assert.equal(error, controller.signal.reason, `${kind} at ${at}`);
        else assert.ok(error === null || error === controller.signal.reason, `${kind} at ${at}: ${error}`);
        assert.equal(seen, at, kind);
        assert.equal(listeners(controller.signal), 0, kind);
        await settled(kind);
      }
    });

    test(`with break, return and throw in the same turn: ${kind}`, async () => {
      for (const leave of ['break', 'throw']) {
        const controller = new AbortController();
        const [cursor] = await open({ ...OPTIONS, signal: controller.signal });
        const mine = new Error('mine');
        const error = await notStuck((async () => {
          for await (const doc of cursor) {
            assert.ok(doc);
            controller.abort(new Error('enough'));
            if (leave === 'break') break;
            throw mine;
          }
        })().then(() => null, (e) => e), kind);
        assert.equal(error, leave === 'break' ? null : mine, `${kind}, ${leave}`);
        assert.equal(listeners(controller.signal), 0, kind);
        await settled(kind);
      }
    });

    test(`and close() and an end in any order: ${kind}`, async () => {
      await fixture.control({ delayMS: 5 });
      const controller = new AbortController();
      const [cursor] = await open({ ...OPTIONS, signal: controller.signal });
      const waiting = (cursor.nextBatch ? cursor.nextBatch() : cursor.next()).then(() => null, (e) => e);
      const closing = [cursor.close(), cursor.close()];
      controller.abort(new Error('enough'));
      closing.push(cursor.close());
      await notStuck(Promise.all(closing), kind);
      await notStuck(waiting, kind);
      assert.equal(listeners(controller.signal), 0, kind);
      await settled(kind);
    });

    // What waits is the core alone, in a getMore, when its cursor is collected.
    test(`collected during a getMore: ${kind}`, async () => {
      for (const fault of [{ command: 'getMore', action: 'delay', ms: 300, times: -1 }, { command: 'getMore', action: 'never', times: -1 }]) {
        await fixture.reset();
        await fixture.faults(fault);
        await (async () => {
          for (let i = 0; i < 5; i++) {
            const [cursor] = await open(OPTIONS);
            await (cursor.nextBatch ? cursor.nextBatch() : cursor.next());
          }
        })();
        for (let i = 0; i < 100 && client.stats().core.requests > 0; i++) {
          gc();
          await sleep(20);
        }
        assert.equal(client.stats().core.requests, 0, kind);
        await fixture.faults();
        await settled(kind);
      }
    });
  }

  test('one signal for many reads, most of which have ended: no listener stays', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    for (let i = 0; i < 20; i++) {
      for (const [reader, read] of Object.entries(readers)) {
        const { error } = await read(collection, { ...OPTIONS, signal });
        assert.equal(error, null, reader);
      }
    }
    assert.equal(listeners(signal), 0);
    // Also after an error, an early end, and a cursor that was never read.
    await fixture.faults({ command: 'find', action: 'error', code: 8, codeName: 'UnknownError', times: -1 });
    for (const read of Object.values(readers)) assert.equal((await read(collection, { signal })).error?.code, 8);
    await fixture.faults();
    for await (const doc of collection.find({}, { ...OPTIONS, signal })) if (doc) break;
    const unread = collection.find({}, { ...OPTIONS, signal });
    await unread.close();
    await assert.rejects(async () => collection.find({ x: Symbol.iterator, get y() { throw new Error('mine'); } }, { signal }).toArray(), { message: 'mine' });
    assert.equal(listeners(signal), 0);
    controller.abort();
    await settled('one signal');
  });

  test('close() of the client in the same tick as reads and as connect()', async () => {
    for (let i = 0; i < 5; i++) {
      const own = new MongoClient(fixture.uri, { appName: `same tick ${i}` });
      const mine = own.db('t').collection('m');
      const outcomes = [own.connect(), ...Object.values(readers).map((read) => read(mine, OPTIONS).then(({ error }) => { if (error) throw error; }))].map((promise) => promise.then(() => null, (error) => error));
      if (i % 2 === 1) await sleep(i);
      await notStuck(own.close(), 'close()');
      for (const error of await notStuck(Promise.all(outcomes), 'reads')) {
        assert.ok(error === null || ['MongoClientClosedError', 'MongoNotConnectedError', 'MongoTopologyClosedError'].includes(error.name), error?.stack);
      }
    }
    await settled('close()');
  });
});

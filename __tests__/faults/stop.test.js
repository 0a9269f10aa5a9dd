'use strict';
// Stopping a read whose reply never comes: AbortSignal, close() of cursor and client, timeouts. Settled at once, with the
// right reason, and the client works afterwards.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { readers, isIncremental, notStuck, openCursors } = require('../support/fault-readers.js');

const COUNT = 100;
const AT_ONCE = 200; // milliseconds, on a busy machine

describe('stopping', () => {
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
    await client?.close();
    await fixture?.stop();
  });

  const usable = async (what) => assert.equal((await notStuck(collection.find({}, { batchSize: 20 }).toArray(), what)).length, COUNT, what);

  const reasons = [['an Error', new Error('enough')], ['a string', 'enough'], ['undefined: an AbortError', undefined], ['null', null], ['an object', { why: 1 }]];

  for (const [kind, reason] of reasons) {
    test(`a signal that is aborted before the read, ${kind}`, async () => {
      await fixture.reset();
      const signal = AbortSignal.abort(reason);
      for (const [reader, read] of Object.entries(readers)) {
        if (reader.startsWith('stream') && reason === null) continue; // to a stream, null is no error
        const { ids, error } = await notStuck(read(collection, { signal }), reader);
        assert.equal(error, signal.reason, reader);
        assert.equal(ids.length, 0, reader);
      }
      assert.equal((await fixture.stats()).commands.find ?? 0, 0, 'nothing is sent');
    });
  }

  for (const [place, fault, first] of [
    ['the first command', { command: 'find', action: 'never', times: -1 }, 0],
    ['a getMore', { command: 'getMore', nth: 2, action: 'never', times: -1 }, 40],
    ['a trickle', { command: 'find', action: 'trickle', bytes: 10, everyMS: 20, times: -1 }, 0],
  ]) {
    test(`a signal during ${place}`, async () => {
      for (const [reader, read] of Object.entries(readers)) {
        if (reader === 'findOne' && first > 0) continue;
        await fixture.reset();
        await fixture.faults(fault);
        const controller = new AbortController();
        const reading = read(collection, { signal: controller.signal, batchSize: 20 });
        await sleep(60);
        const start = performance.now();
        controller.abort(new Error('stop it'));
        const { ids, error } = await notStuck(reading, reader);
        assert.ok(performance.now() - start < AT_ONCE, `${reader} took ${performance.now() - start} ms`);
        assert.equal(error, controller.signal.reason, reader);
        assert.equal(ids.length, isIncremental(reader) ? first : 0, reader);
        await fixture.faults();
        if (first > 0) assert.equal(await openCursors(fixture), 0, `${reader}: open cursors`);
        await usable(reader);
      }
    });
  }

  test('a signal after the end changes nothing, and holds no listener', async () => {
    await fixture.reset();
    const { getEventListeners } = require('node:events');
    for (const [reader, read] of Object.entries(readers)) {
      const controller = new AbortController();
      const { ids, error } = await read(collection, { signal: controller.signal });
      assert.equal(error, null, reader);
      assert.equal(ids.length, reader === 'findOne' ? 1 : COUNT);
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0, reader);
      controller.abort();
      await usable(reader);
    }
  });

  test('AbortSignal.timeout', async () => {
    for (const [reader, read] of Object.entries(readers)) {
      await fixture.reset();
      await fixture.faults({ command: 'find', action: 'never', times: -1 });
      const { error } = await notStuck(read(collection, { signal: AbortSignal.timeout(50) }), reader);
      assert.equal(error?.name, 'TimeoutError', reader);
    }
    await fixture.reset();
  });

  test('close() of the cursor', async () => {
    for (const command of ['find', 'getMore']) {
      // In an array, as awaiting a find cursor reads it.
      for (const open of [async () => [collection.find({}, { batchSize: 20 })], async () => [await collection.findCursor({}, { batchSize: 20 })]]) {
        await fixture.reset();
        await fixture.faults({ command, action: 'never', times: -1 });
        const [cursor] = await open();
        const reading = (async () => {
          let count = 0;
          try {
            for await (const doc of cursor) count += doc ? 1 : 0;
          } catch (error) {
            return error;
          }
          return count;
        })();
        await sleep(50);
        await notStuck(cursor.close(), `close() during ${command}`, 7000);
        const result = await notStuck(reading, 'the loop');
        assert.ok(typeof result === 'number' && result <= 20, `${command}: ${result}`);
        await fixture.faults();
        await usable(command);
      }
    }
  });

  test('close() of the client: every read settles with MongoClientClosedError', async () => {
    for (const fault of [{ command: 'find', action: 'never', times: -1 }, { command: 'getMore', nth: 2, action: 'never', times: -1 }]) {
      for (const [reader, read] of Object.entries(readers)) {
        if (reader === 'findOne' && fault.command === 'getMore') continue;
        await fixture.reset();
        await fixture.faults(fault);
        const own = await MongoClient.connect(fixture.uri, { appName: reader.slice(0, 40) });
        const reading = read(own.db('t').collection('m'), { batchSize: 20 });
        await sleep(40);
        const start = performance.now();
        const closing = own.close();
        const { error } = await notStuck(reading, reader);
        assert.ok(performance.now() - start < AT_ONCE, reader);
        assert.equal(error?.name, 'MongoClientClosedError', reader);
        await notStuck(closing, `${reader}: close()`, 8000);
      }
    }
    await fixture.reset();
  });

  test('a pool of one connection whose reply never comes: waitQueueTimeoutMS', async () => {
    await fixture.reset();
    await fixture.faults({ command: 'find', action: 'never', times: 1 });
    const own = await MongoClient.connect(fixture.uri, { maxPoolSize: 1, waitQueueTimeoutMS: 100 });
    const controller = new AbortController();
    const stuck = own.db('t').collection('m').find({}, { signal: controller.signal }).toArray();
    await sleep(30);
    for (const [reader, read] of Object.entries(readers)) {
      const { error } = await notStuck(read(own.db('t').collection('m'), {}), reader);
      assert.equal(error?.name, 'MongoWaitQueueTimeoutError', reader);
    }
    controller.abort();
    await assert.rejects(stuck, { name: 'AbortError' });
    await sleep(200);
    assert.equal((await notStuck(own.db('t').collection('m').find().toArray(), 'the connection that was given up')).length, COUNT);
    await own.close();
  });
});

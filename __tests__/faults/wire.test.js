'use strict';
// Each fault of the wire, through every reader: one clear error of the official driver's class, code and labels, the
// documents before it, and a client that works afterwards.

const { test, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { readers, common, isIncremental, notStuck, outline, openCursors } = require('../support/fault-readers.js');

const COUNT = 100;
const BATCH = 20;
const NETWORK = { name: 'MongoNetworkError', labels: ['ResetPool'] };
const TIMEOUT = { name: 'MongoNetworkTimeoutError', labels: [] };
const NO_MESSAGE = { name: 'MongoParseError', labels: [] };
const server = (code, codeName, labels = []) => ({ name: 'MongoServerError', code, codeName, labels });
const failing = (code, codeName, more) => ({ action: 'error', code, codeName, ...more });

// first: a fault of the first command, twice as it is retried once. more: of the second getMore, so that two batches are
// there before it. alone: the official driver hangs or has no such thing.
const FAULTS = [
  { name: 'the connection is closed', fault: { action: 'close' }, error: NETWORK, first: true, more: true },
  { name: 'the connection is reset', fault: { action: 'reset' }, error: NETWORK, first: true, more: true },
  { name: 'half a message', fault: { action: 'half' }, error: NETWORK, first: true, more: true },
  { name: 'a length of -1', fault: { action: 'length', length: -1 }, error: NO_MESSAGE, first: true, more: true },
  { name: 'a length of 3', fault: { action: 'length', length: 3 }, error: NO_MESSAGE, first: true, more: true, alone: true },
  { name: 'a length of 15', fault: { action: 'length', length: 15 }, error: NO_MESSAGE, first: true, more: true, alone: true },
  { name: 'a length of 16', fault: { action: 'length', length: 16 }, error: NO_MESSAGE, first: true, more: true, alone: true },
  { name: 'a length of 100', fault: { action: 'length', length: 100 }, error: NO_MESSAGE, first: true, more: true, alone: true },
  { name: 'a length over the limit', fault: { action: 'length', length: 48_000_001 }, error: NO_MESSAGE, first: true, more: true, alone: true },
  { name: 'a length of 2 GB', fault: { action: 'length', length: 2_147_483_647 }, error: NO_MESSAGE, first: true, more: true, alone: true },
  { name: 'a length too large, socketTimeoutMS', fault: { action: 'length', length: 1_000_000 }, error: TIMEOUT, client: { socketTimeoutMS: 150 }, more: true, alone: true },
  { name: 'no reply, socketTimeoutMS', fault: { action: 'never' }, error: TIMEOUT, client: { socketTimeoutMS: 150 }, first: true, more: true },
  { name: 'an unknown error', fault: failing(8, 'UnknownError'), error: server(8, 'UnknownError'), first: true, more: true },
  { name: 'a code 0', fault: failing(0, 'OK'), error: server(0, 'OK'), first: true, more: true },
  { name: 'labels', fault: failing(1234, 'Odd', { errorLabels: ['A', 'B'] }), error: server(1234, 'Odd', ['A', 'B']), first: true, more: true },
  { name: 'CursorNotFound', fault: failing(43, 'CursorNotFound'), error: server(43, 'CursorNotFound'), more: true },
  { name: 'QueryPlanKilled', fault: failing(175, 'QueryPlanKilled'), error: server(175, 'QueryPlanKilled'), more: true },
  { name: 'Unauthorized', fault: failing(13, 'Unauthorized'), error: server(13, 'Unauthorized'), first: true, more: true },
  { name: 'MaxTimeMSExpired', fault: failing(50, 'MaxTimeMSExpired'), error: server(50, 'MaxTimeMSExpired'), read: { maxTimeMS: 5 }, first: true, more: true },
  { name: 'InterruptedAtShutdown', fault: failing(11600, 'InterruptedAtShutdown'), error: server(11600, 'InterruptedAtShutdown', ['ResetPool']), first: true, more: true },
  { name: 'ShutdownInProgress', fault: failing(91, 'ShutdownInProgress'), error: server(91, 'ShutdownInProgress', ['ResetPool']), first: true, more: true },
  { name: 'PrimarySteppedDown', fault: failing(189, 'PrimarySteppedDown'), error: server(189, 'PrimarySteppedDown'), first: true, more: true },
  { name: 'NotWritablePrimary', fault: failing(10107, 'NotWritablePrimary'), error: server(10107, 'NotWritablePrimary'), first: true, more: true },
];

// Most of the time of a test is half a second's wait for a server that was marked as unknown, again and again: several
// tests at a time, each with a fixture of its own from this pool.
const fixtures = [];
let injected = 0;

function faultTest(name, body) {
  test(name, async () => {
    const fixture = fixtures.pop() ?? await startFixture();
    await fixture.load('t.m', 'mixed45', COUNT);
    await body(fixture);
    fixtures.push(fixture);
  });
}

describe('faults on the wire', { concurrency: 8 }, () => {
  after(async () => {
    console.log(`# ${injected} faults injected`);
    for (const fixture of fixtures) await fixture.stop();
  });

  async function outcome(fixture, collection, read, fault, options) {
    await fixture.reset();
    await fixture.faults(fault);
    const result = await notStuck(read(collection, { batchSize: BATCH, ...options }), 'the read');
    const { faultsInjected, commands } = await fixture.stats();
    injected += faultsInjected;
    await fixture.faults();
    return { ...result, faultsInjected, commands };
  }

  const connect = (fixture, Client, options) => Client.connect(fixture.uri, { serverSelectionTimeoutMS: 5000, ...options });

  for (const { name, fault, error, client: clientOptions, read: options, first, more, alone } of FAULTS) {
    const places = [];
    if (first) places.push(['the first batch', { command: 'find', times: 2, ...fault }, 0]);
    if (more) places.push(['a getMore', { command: 'getMore', nth: 2, ...fault }, 2 * BATCH]);
    for (const [place, script, before] of places) {
      faultTest(`${name}, in ${place}`, async (fixture) => {
        const usable = Object.entries(readers).filter(([reader]) => reader !== 'findOne' || before === 0);
        const client = await connect(fixture, MongoClient, clientOptions);
        const collection = client.db('t').collection('m');
        for (const [reader, read] of usable) {
          const got = await outcome(fixture, collection, read, script, options);
          assert.deepEqual(outline(got.error), { code: undefined, codeName: undefined, ...error }, `${reader}: ${got.error?.stack}`);
          assert.ok(got.error instanceof official.MongoError, reader);
          assert.equal(got.ids.length, isIncremental(reader) ? before : 0, `${reader}: documents before the error`);
          if (before > 0) assert.equal(got.faultsInjected, 1, `${reader}: a getMore is not retried`);
          assert.equal((await notStuck(collection.find({}, { batchSize: BATCH }).toArray(), `${reader}: the read after it`)).length, COUNT);
          if (before > 0) assert.equal(await openCursors(fixture), 0, `${reader}: open cursors`);
        }
        await client.close();
        if (alone) return;
        const other = await connect(fixture, official.MongoClient, clientOptions);
        for (const [reader, read] of Object.entries(common)) {
          if (reader === 'findOne' && before > 0) continue;
          const got = await outcome(fixture, other.db('t').collection('m'), read, script, options);
          assert.deepEqual(outline(got.error), { code: undefined, codeName: undefined, ...error }, `the official driver, ${reader}`);
          assert.equal(got.ids.length, isIncremental(reader) ? before : 0, `the official driver, ${reader}`);
        }
        await other.close();
      });
    }
  }

  // One retry, of the first command only, for the codes the official driver has; without retryReads none.
  const RETRIED = [
    [{ action: 'close' }, true], [{ action: 'reset' }, true], [{ action: 'half' }, true],
    ...[[6, true], [7, true], [89, true], [91, true], [134, true], [189, true], [262, true], [9001, true], [10107, true],
      [11600, true], [11602, true], [13435, true], [13436, true], [43, false], [50, false], [2, false]].map(([code, is]) => [failing(code, 'Any'), is]),
    [failing(8, 'Any', { errorLabels: ['RetryableReadError', 'RetryableWriteError', 'TransientTransactionError'] }), false],
  ];
  for (const [Client, who] of [[MongoClient, 'rumongo-go'], [official.MongoClient, 'the official driver']]) {
    faultTest(`retryable reads, ${who}`, async (fixture) => {
      for (const retryReads of [true, false]) {
        const client = await connect(fixture, Client, { retryReads, heartbeatFrequencyMS: 500 });
        const collection = client.db('t').collection('m');
        for (const [fault, retried] of RETRIED) {
          const what = `${JSON.stringify(fault)}, retryReads ${retryReads}`;
          const got = await outcome(fixture, collection, common['find, toArray'], { command: 'find', times: 1, ...fault });
          const expected = retried && retryReads;
          assert.equal(got.error === null, expected, `${what}: ${got.error}`);
          assert.equal(got.ids.length, expected ? COUNT : 0, what);
          assert.equal(got.commands.find, expected ? 2 : 1, what);
        }
        await client.close();
      }
    });
  }

  faultTest('a trickle and a delay are slow, and no error', async (fixture) => {
    const client = await connect(fixture, MongoClient, { socketTimeoutMS: 300 });
    const collection = client.db('t').collection('m');
    for (const fault of [{ command: 'find', action: 'trickle', bytes: 4000, everyMS: 20 }, { command: 'getMore', action: 'delay', ms: 150 }]) {
      for (const [reader, read] of Object.entries(readers)) {
        const got = await outcome(fixture, collection, read, fault);
        assert.equal(got.error, null, reader);
        assert.equal(got.ids.length, reader === 'findOne' ? 1 : COUNT, reader);
      }
    }
    await client.close();
  });

  faultTest('malformed BSON deep in a batch: the documents before it, then the official driver\'s error', async (fixture) => {
    const client = await connect(fixture, MongoClient);
    const other = await connect(fixture, official.MongoClient);
    for (const document of [0, 7, BATCH - 1]) {
      const fault = { command: 'getMore', nth: 2, action: 'malformed', document };
      for (const [reader, read] of Object.entries(readers)) {
        if (reader === 'findOne') continue;
        const got = await outcome(fixture, client.db('t').collection('m'), read, fault);
        if (common[reader]) {
          const theirs = await outcome(fixture, other.db('t').collection('m'), read, fault);
          assert.deepEqual([outline(got.error), got.ids], [outline(theirs.error), theirs.ids], reader);
        }
        assert.match(got.error.name, /^BSON/, reader);
        assert.equal(got.ids.length, isIncremental(reader) ? 2 * BATCH + document : 0, reader);
        assert.equal(await openCursors(fixture), 0, reader);
      }
    }
    await Promise.all([client.close(), other.close()]);
  });

  faultTest('a server that closes idle pooled connections', async (fixture) => {
    const client = await connect(fixture, MongoClient);
    const collection = client.db('t').collection('m');
    for (const [reader, read] of Object.entries(readers)) {
      await Promise.all(Array.from({ length: 10 }, () => collection.find().toArray())); // ten connections
      await fixture.control({ dropConnections: true });
      const got = await Promise.all(Array.from({ length: 10 }, () => notStuck(read(collection, {}), reader)));
      for (const { error } of got) assert.equal(error, null, `${reader}: ${error}`);
    }
    await client.close();
  });

  faultTest('a fault of one read is none of the others', async (fixture) => {
    await fixture.load('t.other', 'mixed45', 2000);
    const client = await connect(fixture, MongoClient);
    for (const action of ['length', 'half', 'reset', 'error', 'malformed']) {
      await fixture.reset();
      await fixture.faults({ command: 'getMore', ns: 't.m', nth: 3, action, length: 100, times: 3 });
      // Also where the pool is cleared: a getMore that has found no connection is sent on the next.
      const others = Array.from({ length: 5 }, () => client.db('t').collection('other').find({}, { batchSize: 500 }).toArray());
      const failing = await Promise.all(Array.from({ length: 5 }, () => common['find, toArray'](client.db('t').collection('m'), { batchSize: BATCH })));
      const failed = failing.filter(({ error }) => error !== null).length;
      // A read that is ahead of its parsing may get two malformed batches.
      assert.ok(failed <= 3 && failed >= (action === 'malformed' ? 1 : 3), `${action}: ${failed}`);
      for (const docs of await notStuck(Promise.all(others), action)) assert.equal(docs.length, 2000, action);
    }
    await client.close();
  });
});

'use strict';
// Cursors against the wire fixture, which counts commands and open cursors and fails on demand.

const { test, before, after, beforeEach, afterEach, describe } = require('node:test');
const assert = require('node:assert/strict');
const { setTimeout: delay } = require('node:timers/promises');
const bson = require('bson');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const raw = require('../support/raw-bson.js');

const COUNT = 300;
let fixture;
let client;
let numbers;

before(async () => {
  fixture = await startFixture();
  client = await MongoClient.connect(fixture.uri);
  await fixture.put('t.numbers', Array.from({ length: COUNT }, (_, n) => bson.serialize({ _id: n, n })));
  numbers = client.db('t').collection('numbers');
});

after(async () => {
  await client?.close();
  await fixture?.stop();
});

beforeEach(() => fixture.reset());

// Whatever a test did, no cursor stays open on the server.
afterEach(async () => {
  for (let i = 0; i < 100; i++) {
    if ((await fixture.stats()).cursors.open === 0) return;
    await delay(10);
  }
  assert.equal((await fixture.stats()).cursors.open, 0, 'cursors left open');
});

const ids = (docs) => docs.map((doc) => doc._id);
const upTo = (n) => Array.from({ length: n }, (_, i) => i);
const killed = async () => {
  const stats = await fixture.stats();
  return { kills: stats.commands.killCursors ?? 0, killed: stats.cursors.killed };
};
/** Makes the server slow enough that read-ahead does not empty a cursor before the test leaves it. */
const slow = () => fixture.control({ delayMS: 10 });
/** The fixture's log as [name, decoded command]. */
const log = async () => (await fixture.takeLog()).map(({ name, command }) => [name, bson.deserialize(command)]);

test('batches as the server sends them', async () => {
  const cursor = await numbers.findCursor({}, { batchSize: 100 });
  assert.deepEqual(ids(await cursor.nextBatch()), upTo(100));
  assert.equal((await cursor.nextBatch()).length, 100);
  assert.equal((await cursor.nextBatch()).length, 100);
  assert.equal(await cursor.nextBatch(), null);
  assert.equal(await cursor.nextBatch(), null);
  assert.ok(cursor.closed);
  assert.deepEqual(await killed(), { kills: 0, killed: 0 });
});

test('{ lazy: false } gives plain objects, the default lazy ones', async () => {
  const { types } = require('node:util');
  const [lazy] = await (await numbers.findCursor({}, { limit: 1 })).nextBatch();
  const [plain] = await (await numbers.findCursor({}, { limit: 1, lazy: false })).nextBatch();
  assert.ok(types.isProxy(lazy) && !types.isProxy(plain));
  assert.deepStrictEqual(lazy, plain);
});

test('limit that is no multiple of batchSize: three commands, the last asks for one', async () => {
  await fixture.startLog();
  assert.deepEqual(ids(await numbers.find({}, { limit: 5, batchSize: 2 })), upTo(5));
  const commands = await log();
  assert.deepEqual(commands.map(([name]) => name).filter((name) => name !== 'killCursors'), ['find', 'getMore', 'getMore']);
  assert.equal(commands[2][1].batchSize, 1);
});

test('batchSize 0 reads everything and never sends it in a getMore', async () => {
  await fixture.startLog();
  const docs = await numbers.find({}, { batchSize: 0 });
  assert.equal(docs.length, COUNT);
  for (const [name, command] of await log()) if (name === 'getMore') assert.notEqual(command.batchSize, 0);
});

test('the comment of the call goes with every getMore', async () => {
  await fixture.startLog();
  await numbers.find({}, { batchSize: 200, comment: { why: 'x' } });
  const cursor = await numbers.findCursor({}, { batchSize: 200, comment: { why: 'x' } });
  while (await cursor.nextBatch() !== null);
  const getMores = (await log()).filter(([name]) => name === 'getMore');
  assert.equal(getMores.length, 2);
  for (const [, command] of getMores) assert.deepEqual(command.comment, { why: 'x' });
});

test('empty batches of a live cursor are not its end', async () => {
  await fixture.faults({ command: 'find', action: 'empty' }, { command: 'getMore', action: 'empty', times: 2 });
  assert.equal((await numbers.find({}, { batchSize: 100 })).length, COUNT);
  await fixture.faults({ command: 'find', action: 'empty' }, { command: 'getMore', action: 'empty', nth: 2 });
  const cursor = await numbers.findCursor({}, { batchSize: 100 });
  let sum = 0;
  for (let batch; (batch = await cursor.nextBatch()) !== null;) {
    assert.ok(batch.length > 0);
    sum += batch.length;
  }
  assert.equal(sum, COUNT);
});

describe('leaving early', () => {
  const ways = {
    break: async (iterable) => {
      let seen = 0;
      for await (const doc of iterable) {
        assert.equal(doc._id, seen++);
        if (seen === 4) break;
      }
    },
    throw: async (iterable) => {
      const mine = new Error('mine');
      await assert.rejects((async () => {
        for await (const doc of iterable) if (doc._id === 3) throw mine;
      })(), mine);
    },
    return: (iterable) => (async () => {
      for await (const doc of iterable) if (doc._id === 3) return;
    })(),
  };
  for (const [name, leave] of Object.entries(ways)) {
    for (const [kind, open] of [['find', () => numbers.find({}, { batchSize: 10 })], ['findCursor', () => numbers.findCursor({}, { batchSize: 10 })],
      ['stream', () => numbers.find({}, { batchSize: 10 }).stream()]]) {
      test(`${name} out of ${kind}: one killCursors`, async () => {
        await slow();
        const opened = open();
        await leave(kind === 'findCursor' ? await opened : opened); // awaiting a find gives its array
        // Destroying a stream does not wait for its cursor.
        for (let i = 0; kind === 'stream' && i < 200 && (await killed()).kills === 0; i++) await delay(10);
        assert.deepEqual(await killed(), { kills: 1, killed: 1 });
      });
    }
  }

  test('close() resolves when the cursor is closed on the server', async () => {
    await slow();
    const cursor = numbers.find({}, { batchSize: 10 });
    assert.equal((await cursor.next())._id, 0);
    await cursor.close();
    assert.deepEqual(await killed(), { kills: 1, killed: 1 });
    assert.ok(cursor.closed && cursor.killed);
    await assert.rejects(cursor.next(), { name: 'MongoCursorExhaustedError' });
    await cursor.close();

    const batches = await numbers.findCursor({}, { batchSize: 10 });
    await batches.nextBatch();
    await batches.close();
    assert.deepEqual(await killed(), { kills: 2, killed: 2 });
    assert.equal(await batches.nextBatch(), null);
  });

  test('forEach stops at false', async () => {
    await slow();
    let seen = 0;
    await numbers.find({}, { batchSize: 10 }).forEach(() => ++seen < 3);
    assert.equal(seen, 3);
    assert.equal((await killed()).kills, 1);
  });

  test('rewind closes what was open and reads again', async () => {
    await slow();
    const cursor = numbers.find({}, { batchSize: 10 });
    await cursor.next();
    cursor.rewind();
    assert.equal((await cursor.toArray()).length, COUNT);
  });

  test('dropped cursors are closed by the collector', async () => {
    const v8 = require('node:v8');
    v8.setFlagsFromString('--expose-gc');
    const gc = require('node:vm').runInNewContext('gc');
    for (let i = 0; i < 20; i++) {
      await numbers.find({}, { batchSize: 5 }).next();
      await (await numbers.findCursor({}, { batchSize: 5 })).nextBatch();
    }
    for (let i = 0; i < 200 && (await fixture.stats()).cursors.open > 0; i++) {
      gc();
      await delay(5);
    }
    assert.equal((await fixture.stats()).cursors.open, 0);
  });
});

describe('errors', () => {
  const error43 = { command: 'getMore', action: 'error', code: 43, codeName: 'CursorNotFound', errmsg: 'cursor id 5 not found' };

  test('a getMore that fails: arrays reject, cursors give what they have first', async () => {
    const expected = { name: 'MongoServerError', code: 43, codeName: 'CursorNotFound', message: 'cursor id 5 not found' };
    await fixture.faults({ ...error43, times: -1 });
    await assert.rejects(numbers.find({}, { batchSize: 5 }).toArray(), expected);
    await assert.rejects(numbers.findLazy({}, { batchSize: 5 }), expected);

    const batches = await numbers.findCursor({}, { batchSize: 5 });
    assert.deepEqual(ids(await batches.nextBatch()), upTo(5));
    await assert.rejects(batches.nextBatch(), expected);
    await assert.rejects(batches.nextBatch(), expected);

    const seen = [];
    await assert.rejects((async () => { for await (const doc of numbers.find({}, { batchSize: 5 })) seen.push(doc._id); })(), expected);
    assert.deepEqual(seen, upTo(5));
  });

  test('it is not retried, the first command is, once', async () => {
    await fixture.faults(error43);
    await assert.rejects(numbers.find({}, { batchSize: 5 }).toArray());
    assert.equal((await fixture.stats()).commands.getMore, 1);
    await fixture.reset();
    await fixture.faults({ command: 'find', action: 'error', code: 11600, codeName: 'InterruptedAtShutdown' });
    assert.equal((await numbers.find()).length, COUNT);
    assert.equal((await fixture.stats()).commands.find, 2);
    await fixture.reset();
    await fixture.faults({ command: 'find', action: 'error', code: 11600, codeName: 'InterruptedAtShutdown', errorLabels: ['L'], times: -1 });
    await assert.rejects(numbers.find().toArray(), (error) => error.code === 11600 && error.hasErrorLabel('L'));
    assert.equal((await fixture.stats()).commands.find, 2);
  });

  test('retryReads off', async () => {
    const once = await MongoClient.connect(fixture.uri, { retryReads: false });
    await fixture.faults({ command: 'find', action: 'error', code: 11600 });
    await assert.rejects(once.db('t').collection('numbers').findOne(), { code: 11600 });
    await once.close();
  });

  test('a connection that breaks in a getMore is a network error, and the client works afterwards', async () => {
    for (const action of ['close', 'reset', 'half']) {
      await fixture.faults({ command: 'getMore', action });
      await assert.rejects(numbers.find({}, { batchSize: 5 }).toArray(), (error) => {
        assert.ok(error instanceof official.MongoNetworkError, `${action}: ${error.stack}`);
        return true;
      });
      assert.equal((await numbers.findOne({ _id: 5 }))._id, 5);
    }
  });

  test('a value that cannot be decoded: the batches before it come, then the error, and the cursor is closed', async () => {
    const bad = raw.document(raw.int('_id', 12), raw.regex('r', '(?i)a', ''));
    await fixture.put('t.bad', [...upTo(12).map((n) => bson.serialize({ _id: n })), bad, ...upTo(500).map((n) => bson.serialize({ _id: 13 + n }))]);
    const bads = client.db('t').collection('bad');
    await assert.rejects(bads.find({}, { batchSize: 5 }).toArray(), SyntaxError);
    const seen = [];
    await assert.rejects((async () => { for await (const doc of bads.find({}, { batchSize: 5 })) seen.push(doc._id); })(), SyntaxError);
    assert.deepEqual(seen, upTo(12));
    const eager = await bads.findCursor({}, { batchSize: 5, lazy: false });
    assert.equal((await eager.nextBatch()).length, 5);
    assert.equal((await eager.nextBatch()).length, 5);
    assert.equal((await eager.nextBatch()).length, 2);
    await assert.rejects(eager.nextBatch(), SyntaxError);
    const lazy = await bads.findLazy();
    assert.throws(() => lazy[12].r, SyntaxError);
    assert.equal(lazy[12]._id, 12);
    assert.equal((await bads.find({}, { bsonRegExp: true }).toArray())[12].r.pattern, '(?i)a');
  });
});

describe('AbortSignal', () => {
  test('settles at once with the reason, whatever the server does', async () => {
    await fixture.control({ delayMS: 2000 });
    const reason = new Error('enough');
    for (const read of [(signal) => numbers.find({}, { signal }).toArray(), (signal) => numbers.findOne({}, { signal }), (signal) => numbers.findLazy({}, { signal }),
      (signal) => numbers.find({}, { signal }).next(), async (signal) => (await numbers.findCursor({}, { signal })).nextBatch(), (signal) => numbers.find({}, { signal }).explain()]) {
      const controller = new AbortController();
      const start = Date.now();
      setTimeout(() => controller.abort(reason), 30);
      await assert.rejects(read(controller.signal), reason);
      assert.ok(Date.now() - start < 1000);
    }
    while (client.stats().core.lateReads > 0) await delay(5); // then their cursors are closed
    await fixture.reset();
  });

  test('in the middle of a loop', async () => {
    await slow();
    const controller = new AbortController();
    let seen = 0;
    await assert.rejects((async () => {
      for await (const doc of numbers.find({}, { batchSize: 10, signal: controller.signal })) {
        assert.equal(doc._id, seen);
        if (++seen === 5) controller.abort();
      }
    })(), { name: 'AbortError' });
    assert.equal(seen, 5);
    while ((await fixture.stats()).cursors.open > 0) await delay(5);
    assert.equal((await killed()).kills, 1);
  });
});

test('closing the client ends the reads in flight', async () => {
  const other = await MongoClient.connect(fixture.uri, { appName: 'closing' });
  const collection = other.db('t').collection('numbers');
  const open = collection.find({}, { batchSize: 10 });
  await open.next();
  await fixture.control({ delayMS: 300 });
  const reads = [collection.find().toArray(), collection.findLazy(), collection.findOne()];
  const ended = Promise.all(reads.map((read) => assert.rejects(read, (error) => error instanceof official.MongoClientClosedError)));
  await delay(20);
  await other.close();
  await ended;
  await fixture.reset();
});

test('the event loop turns while much is decoded', async () => {
  await fixture.load('t.large', 'mixed45', 20_000);
  const large = client.db('t').collection('large');
  await large.find().toArray(); // compiled
  let ticks = 0;
  const timer = setInterval(() => { ticks += 1; }, 1);
  const [first, second] = await Promise.all([large.find(), large.find({}, { batchSize: 20_000 })]);
  clearInterval(timer);
  assert.equal(first.length + second.length, 40_000);
  assert.ok(ticks >= 10, `${ticks} ticks`);
});

test('documents go the intended way', async () => {
  await fixture.load('t.mixed', 'mixed45', 2000);
  const before = client.stats().documents;
  await client.db('t').collection('mixed').find();
  const { documents } = client.stats();
  assert.ok(documents.compiled - before.compiled >= 1900, JSON.stringify({ before, documents }));
  assert.equal(documents.bson, before.bson);
});

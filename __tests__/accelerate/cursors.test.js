'use strict';
// What happens when cursor methods are called in every order, with and without acceleration: the same results, errors,
// states and events.

const test = require('node:test');
const assert = require('node:assert/strict');
const { once } = require('node:events');
const { setTimeout } = require('node:timers/promises');
const { pipeline } = require('node:stream/promises');
const { Writable } = require('node:stream');
const v8 = require('node:v8');
const vm = require('node:vm');
const bson = require('bson');
const { startFixture } = require('../support/fixture-server.js');
const { assertSameCommands } = require('../support/command-parity.js');
const { DRIVERS, Twins, isOurs } = require('../support/acceleration.js');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');

const DOCUMENTS = 20;

/** Steps of a sequence: (cursor, note) => Promise. note() keeps what can be seen. */
const STEPS = {
  next: async (cursor) => (await cursor.next())?._id ?? null,
  tryNext: async (cursor) => (await cursor.tryNext())?._id ?? null,
  hasNext: (cursor) => cursor.hasNext(),
  toArray: async (cursor) => (await cursor.toArray()).length,
  forEach: async (cursor) => {
    let seen = 0;
    await cursor.forEach(() => { seen++; });
    return seen;
  },
  'forEach to the third': async (cursor) => {
    let seen = 0;
    await cursor.forEach(() => ++seen < 3);
    return seen;
  },
  'for await': async (cursor) => {
    let seen = 0;
    for await (const document of cursor) seen += document === null ? 0 : 1;
    return seen;
  },
  'for await to the fourth': async (cursor) => {
    let seen = 0;
    for await (const document of cursor) if (document !== null && ++seen === 4) break;
    return seen;
  },
  'for await that throws': async (cursor) => {
    for await (const document of cursor) throw new Error(`of the loop, at ${document._id}`);
    return 'no document';
  },
  stream: async (cursor) => {
    let seen = 0;
    await pipeline(cursor.stream(), new Writable({ objectMode: true, write(document, encoding, done) { seen++; done(); } }));
    return seen;
  },
  'stream destroyed': async (cursor) => {
    const stream = cursor.stream();
    const closed = once(stream, 'close');
    stream.resume();
    await Promise.race([once(stream, 'data'), once(stream, 'end')]);
    stream.destroy();
    await closed;
    return 'destroyed';
  },
  rewind: (cursor) => cursor.rewind(),
  close: (cursor) => cursor.close(),
  dispose: (cursor) => cursor[Symbol.asyncDispose]?.(),
  buffered: (cursor) => cursor.bufferedCount(),
  'two buffered': (cursor) => cursor.readBufferedDocuments(2).map(({ _id }) => _id),
  'all buffered': (cursor) => cursor.readBufferedDocuments().length,
  'a clone': async (cursor) => (await cursor.clone().toArray()).length,
  batchSize: (cursor) => void cursor.batchSize(4),
  sort: (cursor) => void cursor.sort({ _id: 1 }),
  limit: (cursor) => void cursor.limit(3),
  project: (cursor) => void cursor.project({ _id: 1 }),
  map: (cursor) => void cursor.map((document) => ({ _id: document._id * 10 })),
  'map to null': (cursor) => void cursor.map(() => null),
  'map that throws': (cursor) => void cursor.map((document) => { throw new Error(`of the map, at ${document._id}`); }),
  flag: (cursor) => void cursor.addCursorFlag('noCursorTimeout', true),
  maxTimeMS: (cursor) => void cursor.maxTimeMS(5000),
  readPreference: (cursor) => void cursor.withReadPreference('primary'),
};

// Until the end: a cursor on the server is closed when its number is collected, at any time.
const held = [];

const states = (cursor) => (held.push(cursor.id), {
  closed: cursor.closed,
  killed: cursor.killed,
  id: cursor.id === undefined ? undefined : cursor.id.isZero() ? 'zero' : 'open',
  buffered: cursor.bufferedCount(),
  namespace: String(cursor.namespace),
});

async function run(cursor, steps) {
  const seen = [];
  cursor.on('close', () => seen.push('event close'));
  for (const step of steps) {
    try {
      seen.push([step, await STEPS[step](cursor), states(cursor)]);
    } catch (error) {
      seen.push([step, `${error.constructor.name} ${error.name}: ${error.message}`, states(cursor)]);
    }
  }
  await setTimeout(1);
  seen.push(states(cursor));
  return seen;
}

const SEQUENCES = [
  [], ['next'], ['next', 'close'], ['close'], ['close', 'close'], ['close', 'next'], ['close', 'toArray'], ['close', 'hasNext'], ['close', 'for await'],
  ['toArray', 'toArray'], ['toArray', 'next'], ['toArray', 'hasNext'], ['toArray', 'rewind', 'toArray'], ['toArray', 'close', 'next'],
  ['next', 'toArray'], ['next', 'next', 'buffered', 'two buffered', 'all buffered', 'next', 'toArray'], ['tryNext', 'tryNext', 'toArray', 'tryNext', 'tryNext'],
  ['hasNext', 'hasNext', 'next', 'rewind', 'hasNext', 'next', 'toArray', 'hasNext', 'next'],
  ['for await', 'next', 'for await'], ['for await to the fourth', 'next'], ['for await to the fourth', 'toArray'], ['for await to the fourth', 'rewind', 'toArray'],
  ['for await that throws', 'next'], ['next', 'for await'], ['forEach', 'forEach'], ['forEach to the third', 'next'], ['stream', 'next'], ['stream destroyed', 'next'],
  ['next', 'stream'], ['stream', 'rewind', 'stream'], ['rewind', 'next', 'rewind', 'next', 'close'], ['next', 'batchSize'], ['next', 'sort', 'limit', 'project', 'map', 'flag', 'maxTimeMS', 'readPreference'],
  ['batchSize', 'sort', 'limit', 'toArray'], ['limit', 'next', 'next', 'next', 'next', 'next'], ['map', 'next', 'toArray'], ['map', 'map', 'toArray'], ['map', 'two buffered', 'next', 'two buffered'],
  ['map', 'for await', 'rewind', 'stream'], ['map to null', 'next', 'next'], ['map to null', 'toArray'], ['map that throws', 'next', 'next'], ['map that throws', 'for await'], ['map that throws', 'toArray', 'toArray'],
  ['a clone', 'next', 'a clone', 'toArray', 'a clone'], ['limit', 'a clone', 'rewind', 'a clone'], ['dispose', 'next'], ['next', 'dispose', 'next'], ['hasNext', 'close', 'hasNext', 'tryNext'],
  ['all buffered', 'buffered', 'next'], ['next', 'rewind', 'batchSize', 'toArray', 'rewind', 'limit', 'toArray'],
];

const CURSORS = {
  'find, one batch': (collection) => collection.find(),
  'find, batches of three': (collection) => collection.find({}, { batchSize: 3 }),
  'find, a limit': (collection) => collection.find({}, { batchSize: 4, limit: 10 }),
  'find, nothing': (collection) => collection.find({ _id: -1 }),
  'aggregate, batches of six': (collection) => collection.aggregate([{ $match: {} }], { batchSize: 6 }),
};

for (const [name, mongodb] of Object.entries(DRIVERS)) {
  test(`${name}: cursor methods in any order`, async (t) => {
    const fixture = await startFixture();
    const twins = new Twins(fixture, mongodb);
    t.after(async () => {
      await twins.close();
      await fixture.stop();
    });
    await fixture.put('parity.numbers', Array.from({ length: DOCUMENTS }, (_, _id) => bson.serialize({ _id, a: _id % 3 })));
    for (const [kind, make] of Object.entries(CURSORS)) {
      await t.test(kind, async (t) => {
        for (const steps of SEQUENCES) {
          await t.test(steps.join(', ') || 'nothing', async () => {
            const { plain, fast } = await twins.both({ name: 'numbers' }, (collection) => run(make(collection), steps));
            assert.deepEqual(fast.outcome, plain.outcome);
            assertSameCommands(fast.log, plain.log);
            // Those that explain or count through the cursor have no part in this.
            assert.ok(fast.log.every(isOurs), fast.log.map(({ name: command, driver }) => `${command} ${driver}`).join());
          });
        }
      });
    }
  });

  test(`${name}: cursors are the driver's own`, async (t) => {
    const fixture = await startFixture();
    const twins = new Twins(fixture, mongodb);
    t.after(async () => {
      await twins.close();
      await fixture.stop();
    });
    await fixture.put('parity.numbers', Array.from({ length: DOCUMENTS }, (_, _id) => bson.serialize({ _id })));
    const { plain, fast } = await twins.pair();
    const cursors = [plain, fast].flatMap((client) => {
      const collection = client.db('parity').collection('numbers');
      return [[collection.find(), mongodb.FindCursor], [collection.aggregate([]), mongodb.AggregationCursor], [client.db('parity').aggregate([]), mongodb.AggregationCursor]];
    });
    for (const [cursor, Class] of cursors) {
      assert.ok(cursor instanceof Class && cursor instanceof mongodb.AbstractCursor);
      assert.equal(cursor.constructor, Class);
      assert.equal('then' in cursor, false);
      assert.equal(cursor.listenerCount('close'), cursors[0][0].listenerCount('close'));
      assert.deepEqual(Object.keys(cursor), Object.keys(Class === mongodb.FindCursor ? cursors[0][0] : cursors[1][0]));
      const other = cursor.clone();
      assert.equal(other.constructor, Class);
      assert.equal(await (async () => other)(), other);
    }
  });

  // The official driver leaves them to the server's time limit.
  test(`${name}: cursors that are rewound or dropped are closed when they are collected`, async (t) => {
    const fixture = await startFixture();
    const twins = new Twins(fixture, mongodb);
    t.after(async () => {
      await twins.close();
      await fixture.stop();
    });
    await fixture.put('parity.numbers', Array.from({ length: DOCUMENTS }, (_, _id) => bson.serialize({ _id })));
    const { fast } = await twins.pair();
    const cursor = fast.db('parity').collection('numbers').find({}, { batchSize: 3 });
    await cursor.next();
    cursor.rewind();
    await cursor.next();
    assert.equal((await fixture.stats()).cursors.open, 2);
    for (let tries = 0; tries < 100 && (await fixture.stats()).cursors.open > 1; tries++) {
      gc();
      await setTimeout(20);
    }
    assert.equal((await fixture.stats()).cursors.open, 1);
    assert.equal((await cursor.toArray()).length, DOCUMENTS - 1);
  });

  test(`${name}: several calls at a time lose nothing`, async (t) => {
    const fixture = await startFixture();
    const twins = new Twins(fixture, mongodb);
    t.after(async () => {
      await twins.close();
      await fixture.stop();
    });
    await fixture.put('parity.numbers', Array.from({ length: DOCUMENTS }, (_, _id) => bson.serialize({ _id })));
    const { fast } = await twins.pair();
    await fixture.startLog();
    const cursor = fast.db('parity').collection('numbers').find({}, { batchSize: 3 });
    const ids = [];
    for (;;) {
      const found = await Promise.all(Array.from({ length: 7 }, () => cursor.next()));
      ids.push(...found.filter((document) => document !== null).map(({ _id }) => _id));
      if (found.includes(null)) break;
    }
    assert.deepEqual(ids.sort((a, b) => a - b), Array.from({ length: DOCUMENTS }, (_, i) => i));
    assert.equal((await fixture.takeLog()).filter(({ name: command }) => command === 'find').length, 1);
    assert.equal((await fixture.stats()).cursors.open, 0);
  });
}

'use strict';
// The same calls on a cursor of each driver, one after the other: each gives the same value or error, and leaves the cursor in
// the same state.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');

const COUNT = 7;

let fixture;
let collections;
const clients = [];

before(async () => {
  fixture = await startFixture();
  await fixture.put('d.numbers', Array.from({ length: COUNT }, (_, _id) => bson.serialize({ _id })));
  clients.push(await MongoClient.connect(fixture.uri), await official.MongoClient.connect(fixture.uri));
  collections = clients.map((client) => client.db('d').collection('numbers'));
});

after(async () => {
  for (const client of clients) await client.close();
  await fixture?.stop();
});

const read = (stream) => new Promise((resolve, reject) => {
  const docs = [];
  stream.on('data', (doc) => docs.push(doc));
  stream.on('error', reject);
  stream.on('end', () => resolve(docs));
});

/** Steps by name; each may be async and gives what is to be compared. */
const steps = {
  next: (c) => c.next(),
  tryNext: (c) => c.tryNext(),
  hasNext: (c) => c.hasNext(),
  toArray: (c) => c.toArray(),
  close: (c) => c.close(),
  rewind: (c) => c.rewind(),
  buffered: (c) => c.bufferedCount(),
  'take one': (c) => c.readBufferedDocuments(1),
  'take all': (c) => c.readBufferedDocuments(),
  'take none': (c) => c.readBufferedDocuments(0),
  'map': (c) => void c.map((doc) => ({ mapped: doc })),
  'map async': (c) => void c.map(async (doc) => ({ later: await doc })),
  'map to null': (c) => void c.map(() => null),
  'map throws': (c) => void c.map(() => { throw new RangeError('no'); }),
  'map rejects': (c) => void c.map(async () => { throw new RangeError('no'); }),
  'map to undefined': (c) => void c.map(() => undefined),
  batchSize: (c) => void c.batchSize(2),
  maxTimeMS: (c) => void c.maxTimeMS(1000),
  flag: (c) => void c.addCursorFlag('noCursorTimeout', true),
  readConcern: (c) => void c.withReadConcern({ level: 'local' }),
  readPreference: (c) => void c.withReadPreference('primary'),
  'clone, toArray': async (c) => await c.clone().toArray(),
  forEach: async (c) => {
    const seen = [];
    await c.forEach((doc) => { seen.push(doc); });
    return seen;
  },
  'forEach, one': async (c) => {
    const seen = [];
    await c.forEach((doc) => {
      seen.push(doc);
      return false;
    });
    return seen;
  },
  'forEach throws': (c) => c.forEach(() => { throw new RangeError('stop'); }),
  'forEach of nothing': (c) => c.forEach(),
  'for await': async (c) => {
    const seen = [];
    for await (const doc of c) seen.push(doc);
    return seen;
  },
  'for await, one': async (c) => {
    for await (const doc of c) return doc;
    return 'none';
  },
  'iterator, two': async (c) => {
    const iterator = c[Symbol.asyncIterator]();
    const results = [await iterator.next(), await iterator.next(), await iterator.return()];
    return [...results, await iterator.next()];
  },
  stream: (c) => read(c.stream()),
  dispose: (c) => c[Symbol.asyncDispose](),
  state: (c) => ({
    namespace: String(c.namespace), db: c.namespace.db, collection: c.namespace.collection, readPreference: c.readPreference.mode,
    readConcern: c.readConcern?.level, loadBalanced: c.loadBalanced, listeners: c.listenerCount('error') >= 0,
  }),
};

const onlyFind = {
  limit: (c) => void c.limit(3),
  skip: (c) => void c.skip(2),
  filter: (c) => void c.filter({ _id: 3 }),
  project: (c) => void c.project({ _id: 1 }),
  comment: (c) => void c.comment('x'),
  hint: (c) => void c.hint('h'),
};

const onlyAggregate = {
  match: (c) => void c.match({ _id: 3 }),
  limit: (c) => void c.limit(3),
  skip: (c) => void c.skip(2),
  addStage: (c) => void c.addStage({ $project: { _id: 1 } }),
  pipeline: (c) => JSON.stringify(c.pipeline),
};

const kinds = {
  find: { steps: { ...steps, ...onlyFind }, make: (collection, batchSize) => collection.find({}, { batchSize }) },
  aggregate: { steps: { ...steps, ...onlyAggregate }, make: (collection, batchSize) => collection.aggregate([], { batchSize }) },
};

async function outcome(step, cursor) {
  try {
    return { value: await step(cursor) };
  } catch (error) {
    return { error: { name: error.name, message: error.message, constructor: error.constructor } };
  }
}

/** What the outside sees of a cursor. Its number is a matter of its own. */
const stateOf = (cursor) => ({ closed: cursor.closed, killed: cursor.killed, buffered: cursor.bufferedCount() });

/** Steps that close the cursor. With documents still buffered the drivers differ, on purpose (DIVERGENCES.md). */
const CLOSING = /close|dispose|one|two|throws|rejects|null/;

/** What is not compared: a fault of the official driver, and maps of promises that nobody takes. */
function isLeftOut(names) {
  const has = (name) => names.includes(name);
  const maps = names.filter((name) => name.startsWith('map'));
  return (has('map to undefined') && has('stream')) || (maps.length > 1 && (has('map rejects') || has('map async')));
}

async function play(kind, batchSize, names) {
  if (isLeftOut(names)) return;
  const [ours, theirs] = collections.map((collection) => kind.make(collection, batchSize));
  const closes = [0, 0];
  ours.on('close', () => closes[0]++);
  theirs.on('close', () => closes[1]++);
  const told = [];
  let mayClose = false;
  try {
    for (const name of names) {
      const step = kind.steps[name];
      const expected = await outcome(step, theirs);
      const actual = await outcome(step, ours);
      told.push(`${name}: ${JSON.stringify(expected.value ?? expected.error?.message)}`);
      assert.deepEqual(actual, expected, told.join('\n'));
      // A map that fails in toArray() has had everything read before.
      if (expected.error !== undefined && names.some((one) => one.startsWith('map '))) return;
      mayClose ||= CLOSING.test(name);
      if (mayClose && (theirs.bufferedCount() > 0 || ours.bufferedCount() > 0)) return;
      // Where a batch ends with the last document, only who has read ahead knows that nothing follows.
      if (ours.closed && !theirs.closed) return void assert.equal(await theirs.next(), null);
      if (theirs.killed && !ours.killed) return void assert.ok(ours.closed); // nothing was left to kill
      assert.deepEqual(stateOf(ours), stateOf(theirs), `the state after\n${told.join('\n')}`);
    }
  } finally {
    await ours.close();
    await theirs.close();
  }
  assert.deepEqual(closes.map((n) => n > 0), [true, true], 'the event close');
}

/** Reproducible numbers in [0, 1). */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

for (const [name, kind] of Object.entries(kinds)) {
  const all = Object.keys(kind.steps);
  for (const batchSize of [undefined, 1, 3, COUNT]) {
    test(`${name}, batches of ${batchSize ?? 'any size'}: each step by itself, and after each other one`, async () => {
      for (const first of all) {
        for (const second of all) await play(kind, batchSize, [first, second, 'state']);
      }
    });

    test(`${name}, batches of ${batchSize ?? 'any size'}: longer sequences`, async () => {
      const random = numbers(batchSize ?? 99);
      for (let i = 0; i < 250; i++) {
        const length = 3 + Math.floor(random() * 6);
        await play(kind, batchSize, Array.from({ length }, () => all[Math.floor(random() * all.length)]));
      }
    });
  }
}

test('a cursor that fails', async () => {
  for (const [name, kind] of Object.entries(kinds)) {
    for (const first of Object.keys(kind.steps).filter((step) => !/^map (to null|throws|rejects)/.test(step))) {
      const told = [];
      for (const collection of collections) {
        await fixture.reset();
        await fixture.faults({ command: name, times: 1, action: 'error', code: 8, codeName: 'UnknownError', errmsg: 'no' });
        const cursor = kind.make(collection);
        told.push([]);
        for (const step of [first, 'next', 'hasNext', 'toArray', 'rewind', 'toArray']) {
          told.at(-1).push([step, await outcome(kind.steps[step], cursor), step === first ? null : stateOf(cursor)]);
        }
        await cursor.close();
      }
      assert.deepEqual(told[0], told[1], `${name}, ${first} first`);
    }
  }
  await fixture.reset();
});

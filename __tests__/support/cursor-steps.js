'use strict';
// What can be done with a cursor, step by step, for tests that do it with two of them.

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

/** What is not compared: a fault of the official driver, and maps of promises that nobody takes. */
function isLeftOut(names) {
  const has = (name) => names.includes(name);
  const maps = names.filter((name) => name.startsWith('map'));
  return (has('map to undefined') && has('stream')) || (maps.length > 1 && (has('map rejects') || has('map async')));
}

/** Reproducible numbers in [0, 1). */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

module.exports = { kinds, outcome, isLeftOut, numbers };

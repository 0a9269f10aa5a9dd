'use strict';
// How the fault tests read: every reader hands out what it gets before its error, and no read may be stuck.

const LIMIT_MS = 10_000;

/** Reads to the end or the error. @returns {Promise<{ids: any[], error: any}>} _ids of the documents before the error */
async function drain(read) {
  const ids = [];
  try {
    await read((doc) => ids.push(doc._id));
    return { ids, error: null };
  } catch (error) {
    return { ids, error };
  }
}

const iterate = async (cursor, take) => {
  for await (const doc of cursor) take(doc);
};

const each = async (docs, take) => (await docs).forEach(take);

// Those of both drivers, as (collection, options) => outcome.
const common = {
  'find, toArray': (collection, options) => drain((take) => each(collection.find({}, options).toArray(), take)),
  'find, for await': (collection, options) => drain((take) => iterate(collection.find({}, options), take)),
  findOne: (collection, options) => drain(async (take) => take(await collection.findOne({}, options))),
};

const native = {
  'find, awaited': (collection, options) => drain((take) => each(collection.find({}, options), take)),
  findLazy: (collection, options) => drain((take) => each(collection.findLazy({}, options), take)),
  'findCursor, for await': (collection, options) => drain(async (take) => iterate(await collection.findCursor({}, options), take)),
  'findCursor, batches': (collection, options) => drain(async (take) => {
    const cursor = await collection.findCursor({}, { ...options, lazy: false });
    for (let batch; (batch = await cursor.nextBatch()) !== null;) batch.forEach(take);
  }),
  findJSON: (collection, options) => drain(async (take) => JSON.parse(await collection.findJSON({}, options)).forEach(take)),
  'streamJSON, for await': (collection, options) => drain(async (take) => {
    // A part holds whole documents.
    for await (const part of collection.streamJSON({}, { ...options, format: 'ndjson' })) {
      for (const line of part.toString().split('\n').slice(0, -1)) take(JSON.parse(line));
    }
  }),
};

/** Readers that hand out documents one by one or batch by batch, so that an error later does not take them back. */
const isIncremental = (reader) => /for await|batches/.test(reader);

/** Rejects when the promise is stuck. */
async function notStuck(promise, what, ms = LIMIT_MS) {
  let timer;
  const stuck = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} is stuck: not settled after ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, stuck]);
  } finally {
    clearTimeout(timer);
  }
}

/** What of an error has to equal the official driver's. */
const outline = (error) => error && { name: error.name, code: error.code, codeName: error.codeName, labels: [...(error.errorLabels ?? [])].sort() };

/** The fixture's count of open cursors, when it has gone to zero or after two seconds. */
async function openCursors(fixture) {
  let open;
  for (let i = 0; i < 100; i++) {
    ({ cursors: { open } } = await fixture.stats());
    if (open === 0) return 0;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return open;
}

module.exports = { readers: { ...common, ...native }, common, isIncremental, notStuck, outline, openCursors };

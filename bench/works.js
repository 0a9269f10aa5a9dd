'use strict';

// What a trial does in one timed run, whatever reads: run(source, work, trial) -> { length, results?, dispose? }.
// results are those of all(); each is checked after the clock has stopped.

const works = {
  /** Reads the collection: `concurrent` reads at once, one by default. */
  async all(source, { options = {}, concurrent = 1 }, { pick }) {
    const results = await Promise.all(Array.from({ length: concurrent }, () => source.all(options, pick)));
    return { length: results.reduce((sum, { length }) => sum + length, 0), results };
  },

  /** `count` point reads, `inFlight` at a time, by _id or by another field. */
  async point(source, { count, inFlight, by = '_id' }, { keys }) {
    const documents = new Array(count);
    let next = 0;
    const lane = async () => {
      while (next < count) {
        const i = next++;
        documents[i] = await source.one({ [by]: keys[i % keys.length] });
      }
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
    return { length: documents.filter((document) => document !== null).length, points: documents };
  },

  /** The collection as one text. */
  async text(source, _, { pick, count }) {
    return { length: count, ...await source.write(pick !== undefined) };
  },

  /** Fields of the collection as columns. */
  columns: (source) => source.columns(),

  /** One reduction of the collection. */
  reduce: (source) => source.reduce(),

  /** A client that connects and makes its first point read. */
  async connect(_, __, { keys, open }) {
    const source = await open();
    const document = await source.one({ _id: keys[0] });
    return { length: document === null ? 0 : 1, points: [document], dispose: () => source.close() };
  }
};

module.exports = { works };

'use strict';
// What a query of Mongoose's calls as its collection: the reads of ours, everything else its own. The arguments come from
// Mongoose, cast and complete, and are those of the official driver.

const { FindCursor } = require('../../cursor/find-cursor.js');
const { AggregationCursor } = require('../../cursor/aggregation-cursor.js');

const CURSOR_READS = ['toArray', 'next', 'close', 'explain'];

/** A cursor for Mongoose: one that it awaits stays one, and its errors are those of Mongoose's driver. */
function cursorClass(Cursor, failed) {
  const MongooseCursor = class extends Cursor {
    get then() {
      return undefined;
    }
  };
  for (const name of CURSOR_READS) {
    MongooseCursor.prototype[name] = async function read(...args) {
      return await Cursor.prototype[name].apply(this, args).catch(failed);
    };
  }
  return MongooseCursor;
}

// What only the official driver has.
const staysOfficial = (options) => options?.session != null || options?.timeoutMS != null;
const writes = (pipeline) => pipeline.some((stage) => stage != null && ('$out' in stage || '$merge' in stage));

/** As Mongoose means them: wrappers of Extended JSON are plain objects to it. */
const ours = (options) => ({ ...options, ejson: false });

/**
 * @param official Mongoose's collection
 * @param {import('./source.js').Source} source
 */
function nativeCollection(official, source) {
  const { failed } = source;
  const Find = cursorClass(FindCursor, failed);
  const Aggregation = cursorClass(AggregationCursor, failed);
  const read = (name, optionsAt, run) => (...args) => {
    const options = args[optionsAt];
    const collection = staysOfficial(options) ? null : source.now();
    // Also before the connection opens, when Mongoose keeps the call or says what is missing.
    if (collection === null) return official[name](...args);
    return run(collection, ours(options), ...args);
  };
  const value = (name, optionsAt, run) => read(name, optionsAt, (...args) => run(...args).catch(failed));
  return extended(official, {
    find: read('find', 1, (collection, options, filter) => new Find(collection, filter, options)),
    aggregate: read('aggregate', 1, (collection, options, pipeline, given) => (writes(pipeline)
      ? official.aggregate(pipeline, given)
      : new Aggregation(collection, collection.fullNamespace, pipeline, options))),
    findOne: value('findOne', 1, (collection, options, filter) => collection.findOne(filter, options)),
    countDocuments: value('countDocuments', 1, (collection, options, filter) => collection.countDocuments(filter, options)),
    estimatedDocumentCount: value('estimatedDocumentCount', 0, (collection, options) => collection.estimatedDocumentCount(options)),
    distinct: value('distinct', 2, (collection, options, field, filter) => collection.distinct(field, filter, options)),
    // Its look-up of the driver's collection keeps what it finds, which is another after the next connect.
    _getCollection: () => official._getCollection(),
    ...(source.independent ? { buffer: false } : {}),
  });
}

/** The same, giving lazy documents. */
function lazyCollection(native, source) {
  const { failed } = source;
  const lazily = async (filter, options) => await (await source.wait()).findLazy(filter, ours(options)).catch(failed);
  return extended(native, {
    find: (filter, options) => ({ toArray: () => lazily(filter, options) }),
    findOne: async (filter, options) => (await lazily(filter, { ...options, singleBatch: true, limit: 1 }))[0] ?? null,
  });
}

/** The same, sending nothing: `record` gets what a find would be made of. */
function planningCollection(native, record) {
  return extended(native, {
    find(filter, options) {
      record(filter, ours(options));
      return { toArray: async () => [] };
    },
  });
}

function extended(object, members) {
  return Object.create(object, Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, { value, writable: true, configurable: true }]),
  ));
}

module.exports = { nativeCollection, lazyCollection, planningCollection };

'use strict';
// What a query of Mongoose's calls as its collection. It is Mongoose's own, which waits for the connection, prints what
// `debug` is to print and tells listeners; only the driver's collection that it looks up for that has reads of ours. Their
// arguments come from Mongoose, cast and complete, and are those of the official driver.

const { FindCursor } = require('../../cursor/find-cursor.js');
const { AggregationCursor } = require('../../cursor/aggregation-cursor.js');
const { apiError } = require('../../errors.js');

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

/** Mongoose's collection with the reads of ours. */
function nativeCollection(wrapper, source) {
  const Find = cursorClass(FindCursor, source.failed);
  const Aggregation = cursorClass(AggregationCursor, source.failed);
  return withReads(wrapper, source, (collection, official) => {
    const read = (name, optionsAt, run) => (...args) => {
      const options = args[optionsAt];
      return staysOfficial(options) ? officially(official, name, args) : run(ours(options), ...args);
    };
    const value = (name, optionsAt) => read(name, optionsAt, (options, ...args) => {
      args[optionsAt] = options;
      return collection[name](...args).catch(source.failed);
    });
    return {
      find: read('find', 1, (options, filter) => new Find(collection, filter, options)),
      aggregate: read('aggregate', 1, (options, ...args) => (writes(args[0])
        ? officially(official, 'aggregate', args)
        : new Aggregation(collection, collection.fullNamespace, args[0], options))),
      findOne: value('findOne', 1),
      countDocuments: value('countDocuments', 1),
      estimatedDocumentCount: value('estimatedDocumentCount', 0),
      distinct: value('distinct', 2),
    };
  });
}

function officially(official, name, args) {
  if (official === null) throw apiError(`This ${name}() is for Mongoose's driver (it has a session, a timeoutMS or writes), whose connection is not open`);
  return official[name](...args);
}

/** The same, giving lazy documents. */
function lazyCollection(wrapper, source) {
  return patiently(source, withReads(wrapper, source, (collection) => {
    const lazily = async (filter, options) => await collection.findLazy(filter, ours(options)).catch(source.failed);
    return {
      find: (filter, options) => ({ toArray: () => lazily(filter, options) }),
      findOne: async (filter, options) => (await lazily(filter, { ...options, singleBatch: true, limit: 1 }))[0] ?? null,
    };
  }));
}

/** The same, sending nothing: `record` gets what a find would be made of. */
function planningCollection(wrapper, source, record) {
  return patiently(source, withReads(wrapper, source, () => ({
    find(filter, options) {
      record(filter, ours(options));
      return { toArray: async () => [] };
    },
  })));
}

/** @param {(collection, official) => object} readsOf official: the driver's collection, null while there is none */
function withReads(wrapper, source, readsOf) {
  let known = {};
  return extended(wrapper, {
    _getCollection() {
      const collection = source.now();
      if (collection === null) return null;
      const official = wrapper._getCollection();
      if (known.collection !== collection || known.official !== official) {
        known = { collection, official, reading: extended(official, readsOf(collection, official)) };
      }
      return known.reading;
    },
    ...(source.independent ? { buffer: false } : {}),
  });
}

/** Reads that no other collection can do wait for the connection before Mongoose keeps them for the one it has. */
function patiently(source, collection) {
  const waiting = (name) => async (...args) => {
    await source.wait();
    return await collection[name](...args);
  };
  return extended(collection, { find: waiting('find'), findOne: waiting('findOne') });
}

function extended(object, members) {
  return Object.create(object, Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, { value, writable: true, configurable: true }]),
  ));
}

module.exports = { nativeCollection, lazyCollection, planningCollection };

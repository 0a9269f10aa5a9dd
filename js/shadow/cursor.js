'use strict';
// Puts a lane beside an official cursor. The cursor stays the driver's own object and does all the reading, with the methods
// the driver has for it; here they only tell the lane what came out. Only public members are used.

const { Lane } = require('./lane.js');
const { snapshot, tolerantSnapshot } = require('./snapshot.js');
const { warn } = require('./report.js');

// What changes the query. Both cursors get the call.
const SETTERS = [
  'filter', 'sort', 'limit', 'skip', 'project', 'hint', 'collation', 'comment', 'min', 'max', 'returnKey', 'showRecordId',
  'maxTimeMS', 'maxAwaitTimeMS', 'allowDiskUse', 'addQueryModifier', 'batchSize', 'addCursorFlag', 'withReadPreference',
  'withReadConcern', 'addStage', 'match', 'group', 'out', 'lookup', 'redact', 'unwind', 'geoNear',
];

/**
 * @param {import('./shadowing.js').Shadowing} shadowing
 * @param {object} cursor the official one
 * @param {{ operation: string, query: object, signal?: AbortSignal, create: () => object, rules: object, calls?: unknown[][] }} read
 *   create: makes our cursor; rules: { sorted(cursor, query), refused(cursor, query), limit(query) }; calls: setters that
 *   were called before, for the reports
 * @returns {object} the same cursor
 */
function shadowCursor(shadowing, cursor, read) {
  const calls = []; // of setters
  let native = attempt(read.create);
  const asked = () => {
    const all = [...(read.calls ?? []), ...calls];
    return all.length === 0 ? read.query : { ...read.query, calls: all };
  };
  const newLane = () => new Lane(shadowing, {
    operation: read.operation,
    query: asked,
    native: () => native,
    sorted: () => read.rules.sorted(cursor, asked()),
    refusal: () => read.rules.refused(cursor, asked()),
  });
  let lane = newLane();
  let raw = null; // copies of what a transform got, once there is one
  let pending = []; // documents that left without a promise to wait for
  let taken = 0; // by the caller
  let inside = 0; // methods of the driver at work: what they call is theirs, not the caller's
  let wholeArray = false;
  let closedInside = false;

  const official = {};
  const put = (name, make) => {
    if (typeof cursor[name] !== 'function') return;
    official[name] = cursor[name];
    Object.defineProperty(cursor, name, { value: make(official[name]), writable: true, configurable: true, enumerable: false });
  };

  const flush = async (docs = []) => {
    const all = pending.concat(raw === null ? docs : raw.splice(0));
    pending = [];
    taken += all.length;
    if (all.length > 0) await lane.observe(all);
  };

  const finish = async () => {
    await flush();
    // The driver closes the cursor itself when it has as many as the limit says.
    if (closedInside && taken !== Math.abs(read.rules.limit(asked()))) lane.leave();
    else await lane.end();
  };

  /** Runs a method of the driver that waits for documents. */
  const reading = async (method, args, take) => {
    if (!lane.begin()) return await method.apply(cursor, args);
    const began = performance.now();
    inside++;
    let result;
    try {
      result = await method.apply(cursor, args);
    } catch (error) {
      lane.officialMs += performance.now() - began;
      await quietly(() => failed(error));
      throw error;
    } finally {
      inside--;
    }
    lane.officialMs += performance.now() - began;
    await quietly(() => take(result));
    return result;
  };

  const failed = async (error) => {
    // A transform's own error says nothing about the read.
    const transforms = raw !== null && raw.length > 0;
    await flush();
    if (transforms || read.signal?.aborted) lane.leave();
    else await lane.officialFailed(error);
  };

  const tookOne = async (doc) => {
    await flush(doc === null ? [] : [doc]);
    // The driver's loops do not ask again when they see that it is closed.
    if (doc === null || cursor.closed) await finish();
  };

  put('next', (method) => function next(...args) {
    return reading(method, args, tookOne);
  });
  put('tryNext', (method) => function tryNext(...args) {
    return reading(method, args, async (doc) => {
      if (doc !== null || cursor.closed) await tookOne(doc);
    });
  });
  put('hasNext', (method) => function hasNext(...args) {
    return reading(method, args, async (more) => {
      if (more) await flush();
      else await finish();
    });
  });
  put('readBufferedDocuments', (method) => function readBufferedDocuments(...args) {
    const began = performance.now();
    const docs = method.apply(this, args);
    if (lane.over || docs.length === 0) return docs;
    lane.officialMs += performance.now() - began; // the driver makes them here
    if (!wholeArray) pending = pending.concat(docs.map(snapshot));
    else if (raw === null) pending = pending.concat(docs); // nobody has them before the array is complete
    return docs;
  });

  put('toArray', (method) => async function toArray(...args) {
    if (!lane.begin()) return await method.apply(this, args);
    wholeArray = true;
    let docs;
    try {
      docs = await method.apply(this, args); // through next() and readBufferedDocuments()
    } catch (error) {
      if (!lane.over) await quietly(() => failed(error));
      throw error;
    } finally {
      wholeArray = false;
    }
    if (!lane.over) await quietly(finish);
    return docs;
  });

  put('map', (method) => function map(transform) {
    if (typeof transform !== 'function' || raw !== null) return method.call(this, transform);
    const result = method.call(this, (doc) => {
      if (!lane.over) raw.push(snapshot(doc)); // before it may be changed
      return transform(doc);
    });
    raw = []; // not when it is too late for a transform, and the driver throws
    return result;
  });

  put('close', (method) => function close(...args) {
    if (inside > 0) closedInside = true;
    else lane.leave();
    return method.apply(this, args);
  });

  put('rewind', (method) => function rewind(...args) {
    const result = method.apply(this, args);
    if (!lane.begun || cursor.closed) return result; // one that was closed unread stays so
    lane.leave();
    native = attempt(() => chained(read.create(), calls));
    lane = newLane();
    [pending, taken, closedInside] = [[], 0, false];
    if (raw !== null) raw.length = 0;
    return result;
  });

  put('clone', (method) => function clone(...args) {
    const copy = method.apply(this, args);
    if (!shadowing.sample()) return copy;
    const { cursor: ours, error } = native;
    const create = () => {
      if (ours === null) throw error;
      return ours.clone();
    };
    return shadowCursor(shadowing, copy, { ...read, create, calls: asked().calls });
  });

  put('count', (method) => function count(...args) {
    const { cursor: ours, error } = native;
    const nativeCall = async () => {
      if (ours === null) throw error;
      return await ours.count(...args);
    };
    return shadowing.value({ operation: `${read.operation}().count`, query: asked, refused: read.rules.refused(cursor, asked()) }, () => method.apply(this, args), nativeCall);
  });

  let setting = false; // a setter may be made of others
  for (const name of SETTERS) {
    put(name, (method) => function set(...args) {
      if (setting) return method.apply(this, args);
      setting = true;
      let result;
      try {
        result = method.apply(this, args);
      } finally {
        setting = false;
      }
      calls.push([name, ...tolerantSnapshot(args)]);
      if (native.cursor !== null) native = attempt(() => chained(native.cursor, [[name, ...args]]));
      return result;
    });
  }

  return cursor;
}

/** A mistake in here is not the caller's. */
async function quietly(work) {
  try {
    await work();
  } catch (error) {
    warn('the comparison', error);
  }
}

function chained(cursor, calls) {
  for (const [name, ...args] of calls) cursor[name](...args);
  return cursor;
}

/** Our cursor, or the error that takes its place: both are for the comparison. */
function attempt(make) {
  try {
    return { cursor: make(), error: undefined };
  } catch (error) {
    return { cursor: null, error };
  }
}

module.exports = { shadowCursor };

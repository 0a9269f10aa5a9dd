'use strict';
// Which methods of official clients, databases and collections run on a transport.

const { adoptCursor } = require('./cursors.js');
const { makeLayer } = require('./layers.js');

// Where each read takes its options. Everything else stays as it is.
const COLLECTION_READS = { find: 1, findOne: 1, aggregate: 1, countDocuments: 1, count: 1, distinct: 2, estimatedDocumentCount: 0 };
const DB_READS = { aggregate: 1 };
const RETURNS_CURSOR = new Set(['find', 'aggregate']);

/**
 * A read of an object, run by the driver on a view of the object whose client is the transport's. What belongs to a session
 * stays with the client that the session is of.
 */
function read(acceleration, next, name, optionsAt) {
  return function accelerated(...args) {
    if (!acceleration.active) return acceleration.release(this)[name](...args);
    if (args[optionsAt]?.session != null) return next()[name].apply(this, args);
    const { client } = acceleration.transport;
    const view = this.client === client ? this : Object.create(this, { client: { value: client } });
    const result = next()[name].apply(view, args);
    return RETURNS_CURSOR.has(name) ? adoptCursor(result, acceleration.readAhead) : result;
  };
}

const reads = (acceleration, next, table) => Object.fromEntries(
  Object.entries(table).map(([name, optionsAt]) => [name, read(acceleration, next, name, optionsAt)]),
);

const collectionLayer = (official, acceleration) => makeLayer(official, (next) => {
  const methods = reads(acceleration, next, COLLECTION_READS);
  return { ...methods, findOne: findOne(acceleration, methods.findOne) };
});

function findOne(acceleration, theLongWay) {
  return async function accelerated(...args) {
    const found = acceleration.active ? acceleration.transport.findOne(this, args[0], args[1]) : null;
    return await (found ?? theLongWay.apply(this, args));
  };
}

const dbLayer = (official, acceleration) => makeLayer(official, (next) => ({
  ...reads(acceleration, next, DB_READS),
  collection(...args) {
    if (!acceleration.active) return acceleration.release(this).collection(...args);
    return acceleration.collection(next().collection.apply(this, args));
  },
  async collections(...args) {
    if (!acceleration.active) return await acceleration.release(this).collections(...args);
    const collections = await next().collections.apply(this, args);
    return collections.map((collection) => acceleration.collection(collection));
  },
}));

const clientLayer = (official, acceleration) => makeLayer(official, (next) => ({
  db(...args) {
    if (!acceleration.active) return acceleration.release(this).db(...args);
    return acceleration.db(next().db.apply(this, args));
  },
}));

/** Of every client that something is accelerated of. */
const closingLayer = (official, transport) => makeLayer(official, (next) => ({
  async close(...args) {
    // The official client first closes its cursors, through the connection that is closed here.
    const closing = next().close.apply(this, args);
    try {
      return await closing;
    } finally {
      await transport.connection.close();
    }
  },
}));

module.exports = { collectionLayer, dbLayer, clientLayer, closingLayer };

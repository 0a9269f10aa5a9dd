'use strict';

// rumongo 0.1.1. Its values are Extended JSON objects, so its documents are compared by their keys.

const { touch, Stream } = require('./touch');

async function open({ uri, database, collection: name, fields }, all) {
  const { MongoClient } = require('rumongo');
  const client = await MongoClient.connect(uri);
  const collection = client.collection(database, name);
  return {
    all: (options, pick) => all(collection, options, fields, pick),
    // It has no findOne but its Model's, which does this.
    one: async (filter) => (await collection.find(filter, { limit: 1 }))[0] ?? null,
    extendedJSON: true,
    bson: require('mongodb').BSON,
    close: () => client.close()
  };
}

const rumongo = {
  rumongo: {
    title: 'rumongo find',
    kind: 'eager',
    check: 'keys',
    optional: true,
    open: (parameters) => open(parameters, async (collection, options) => {
      const documents = await collection.find({}, options);
      return { length: documents.length, documents };
    })
  },

  rumongoLazy: {
    title: 'rumongo findLazy, 2 fields',
    kind: 'lazy',
    check: 'keys',
    optional: true,
    open: (parameters) => open(parameters, async (collection, options, fields) => {
      const documents = await collection.findLazy({}, options);
      return { length: documents.length, seen: touch(documents, fields), documents };
    })
  },

  rumongoCursor: {
    title: 'rumongo findCursor, 2 fields',
    kind: 'cursor',
    check: 'keys',
    optional: true,
    open: (parameters) => open(parameters, async (collection, options, fields, pick) => {
      const stream = new Stream(fields, pick);
      const cursor = await collection.findCursor({}, options);
      for (let batch; (batch = await cursor.nextBatch()) !== null;) stream.batch(batch);
      return stream;
    })
  }
};

module.exports = rumongo;

'use strict';

const path = require('node:path');
const { touch, Stream } = require('./touch');

async function open({ uri, database, collection: name, fields, clientOptions }, all) {
  const { MongoClient } = require(path.join(__dirname, '..', '..'));
  const client = await MongoClient.connect(uri, clientOptions);
  const collection = client.db(database).collection(name);
  return {
    all: (options, pick) => all(collection, options, fields, pick),
    one: (filter) => collection.findOne(filter),
    bson: require('mongodb').BSON,
    close: () => client.close()
  };
}

async function batches(collection, options, fields, pick) {
  const stream = new Stream(fields, pick);
  const cursor = await collection.findCursor({}, options);
  for (let batch; (batch = await cursor.nextBatch()) !== null;) stream.batch(batch);
  return stream;
}

module.exports = {
  find: {
    title: 'rumongo-go find',
    kind: 'eager',
    check: 'same',
    open: (parameters) => open(parameters, async (collection, options) => {
      const documents = await collection.find({}, options);
      return { length: documents.length, documents };
    })
  },

  findLazy: {
    title: 'rumongo-go findLazy, 2 fields',
    kind: 'lazy',
    check: 'same',
    open: (parameters) => open(parameters, async (collection, options, fields) => {
      const documents = await collection.findLazy({}, options);
      return { length: documents.length, seen: touch(documents, fields), documents };
    })
  },

  findCursor: {
    title: 'rumongo-go findCursor, 2 fields',
    kind: 'cursor',
    check: 'same',
    open: (parameters) => open(parameters, batches)
  },

  findCursorEager: {
    title: 'rumongo-go findCursor, plain objects',
    kind: 'cursor',
    check: 'same',
    open: (parameters) => open(parameters, (collection, options, ...rest) => batches(collection, { ...options, lazy: false }, ...rest))
  },

  forAwait: {
    title: 'rumongo-go for await',
    kind: 'cursor',
    check: 'same',
    open: (parameters) => open(parameters, async (collection, options, fields, pick) => {
      const stream = new Stream(fields, pick);
      for await (const document of collection.find({}, options)) stream.document(document);
      return stream;
    })
  }
};

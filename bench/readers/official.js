'use strict';

const { Stream } = require('./touch');

async function open({ uri, database, collection: name, fields }, all) {
  const { MongoClient, BSON } = require('mongodb');
  const client = await MongoClient.connect(uri);
  const collection = client.db(database).collection(name);
  return {
    all: (options, pick) => all(collection, options, fields, pick),
    one: (filter) => collection.findOne(filter),
    bson: BSON,
    close: () => client.close()
  };
}

const official = {
  official: {
    title: 'mongodb find().toArray()',
    kind: 'eager',
    check: 'same',
    open: (parameters) => open(parameters, async (collection, options) => asArray(await collection.find({}, options).toArray()))
  },

  officialCursor: {
    title: 'mongodb for await',
    kind: 'cursor',
    check: 'same',
    open: (parameters) => open(parameters, async (collection, options, fields, pick) => {
      const stream = new Stream(fields, pick);
      for await (const document of collection.find({}, options)) stream.document(document);
      return stream;
    })
  },

  officialRaw: {
    title: 'mongodb raw: true',
    kind: 'eager',
    check: 'bytes',
    open: (parameters) => open(parameters, async (collection, options) =>
      asArray(await collection.find({}, { ...options, raw: true }).toArray()))
  }
};

const asArray = (documents) => ({ length: documents.length, documents });

module.exports = official;

'use strict';

const { Stream } = require('./touch');

/** @param prepare what is done to the client before it reads */
async function open({ uri, database, collection: name, fields }, all, prepare = (client) => client) {
  const { MongoClient, BSON } = require('mongodb');
  const client = prepare(await MongoClient.connect(uri));
  const collection = client.db(database).collection(name);
  return {
    all: (options, pick) => all(collection, options, fields, pick),
    one: (filter) => collection.findOne(filter),
    bson: BSON,
    close: () => client.close()
  };
}

const accelerated = (client) => require('../../js/index.js').accelerate(client);

const toArray = async (collection, options) => asArray(await collection.find({}, options).toArray());

async function forAwait(collection, options, fields, pick) {
  const stream = new Stream(fields, pick);
  for await (const document of collection.find({}, options)) stream.document(document);
  return stream;
}

const official = {
  official: {
    title: 'mongodb find().toArray()',
    kind: 'eager',
    check: 'same',
    open: (parameters) => open(parameters, toArray)
  },

  officialCursor: {
    title: 'mongodb for await',
    kind: 'cursor',
    check: 'same',
    open: (parameters) => open(parameters, forAwait)
  },

  accelerated: {
    title: 'mongodb accelerated, toArray()',
    kind: 'eager',
    check: 'same',
    open: (parameters) => open(parameters, toArray, accelerated)
  },

  acceleratedCursor: {
    title: 'mongodb accelerated, for await',
    kind: 'cursor',
    check: 'same',
    open: (parameters) => open(parameters, forAwait, accelerated)
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

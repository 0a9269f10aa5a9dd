'use strict';

// Every reader of the speed check. open({ uri, database, collection, fields }) connects and returns { read, close }.
// read() resolves when the reader's work is done, with what must stay alive until the clock has stopped.
//
// kind: eager (an array of plain objects), lazy (an array of lazy documents, two fields of each read) or
// cursor (documents seen batch by batch and dropped).
// checked: the documents must equal the official driver's; the other library has values of its own.

const path = require('node:path');
const { checkDocuments } = require('./check');

const contenders = {
  official: {
    title: 'mongodb find().toArray()',
    kind: 'eager',
    checked: false, // it is the measure itself
    async open({ uri, database, collection: name }) {
      const { MongoClient } = require('mongodb');
      const client = await MongoClient.connect(uri);
      const collection = client.db(database).collection(name);
      return { read: () => collection.find().toArray(), close: () => client.close() };
    }
  },

  rumongo: {
    title: 'rumongo find',
    kind: 'eager',
    checked: false, // Extended JSON: no ObjectId or Date objects to compare
    optional: true,
    async open(parameters) {
      const { client, collection } = await openRumongo(parameters);
      return { read: () => collection.find({}, {}), close: () => client.close() };
    }
  },

  rumongoLazy: {
    title: 'rumongo findLazy, 2 fields',
    kind: 'lazy',
    checked: false,
    optional: true,
    async open({ fields, ...parameters }) {
      const { client, collection } = await openRumongo(parameters);
      return {
        async read() {
          const documents = await collection.findLazy({}, {});
          return touch(documents, fields);
        },
        close: () => client.close()
      };
    }
  },

  find: {
    title: 'rumongo-go find',
    kind: 'eager',
    checked: true,
    async open(parameters) {
      const { client, collection } = await openOurs(parameters);
      return { read: () => collection.find().toArray(), close: () => client.close() };
    }
  },

  findLazy: {
    title: 'rumongo-go findLazy, 2 fields',
    kind: 'lazy',
    checked: true,
    async open({ fields, ...parameters }) {
      const { client, collection } = await openOurs(parameters);
      return {
        async read() {
          const documents = await collection.findLazy();
          return touch(documents, fields);
        },
        close: () => client.close()
      };
    }
  },

  findCursor: {
    title: 'rumongo-go findCursor, 2 fields',
    kind: 'cursor',
    checked: true,
    open: (parameters) => openCursor(parameters, {})
  },

  findCursorEager: {
    title: 'rumongo-go findCursor, plain objects',
    kind: 'cursor',
    checked: true,
    open: (parameters) => openCursor(parameters, { lazy: false })
  }
};

async function openRumongo({ uri, database, collection: name }) {
  const { MongoClient } = require('rumongo');
  const client = await MongoClient.connect(uri);
  return { client, collection: client.collection(database, name) };
}

async function openOurs({ uri, database, collection: name }) {
  const { MongoClient } = require(path.join(__dirname, '..'));
  const client = await MongoClient.connect(uri);
  return { client, collection: client.db(database).collection(name) };
}

async function openCursor({ fields, ...parameters }, options) {
  const { client, collection } = await openOurs(parameters);
  const batches = async (each) => {
    const cursor = await collection.findCursor({}, options);
    for (;;) {
      const batch = await cursor.nextBatch();
      if (batch === null) return;
      each(batch);
    }
  };
  return {
    async read() {
      let length = 0;
      let seen = 0;
      await batches((batch) => {
        length += batch.length;
        seen += touch(batch, fields).seen;
      });
      return { length, seen };
    },
    async collect() {
      const documents = [];
      await batches((batch) => { for (const document of batch) documents.push(document); });
      return documents;
    },
    close: () => client.close()
  };
}

// Reads two fields of each document; the count keeps the engine from leaving the reads out.
function touch(documents, [first, second]) {
  let seen = 0;
  for (const document of documents) {
    if (document[first] !== undefined) seen++;
    if (document[second] !== undefined) seen++;
  }
  return { length: documents.length, seen, documents };
}

/** Throws where a result is not the official driver's documents. */
function compare({ kind }, result, expected) {
  checkDocuments(Array.isArray(result) ? result : result.documents, expected, { plain: kind === 'eager' });
}

module.exports = { contenders, compare };

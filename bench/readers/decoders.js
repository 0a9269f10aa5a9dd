'use strict';

// Bytes in and objects out, no socket: js-bson and deserialize() decode the documents one by one, deserializeMany() all of
// them with the core's help, the materializer what the Go encoder made of them before (tools/framedump).

const path = require('node:path');

async function bytesOf({ uri, database, collection: name }) {
  const { MongoClient } = require('mongodb');
  const client = await MongoClient.connect(uri);
  try {
    return (await client.db(database).collection(name).find({}, { raw: true }).toArray()).map((bytes) => Buffer.from(bytes));
  } finally {
    await client.close();
  }
}

module.exports = {
  jsBson: {
    title: 'js-bson deserialize',
    kind: 'eager',
    check: 'same',
    async open(parameters) {
      const { BSON } = require('mongodb');
      const documents = await bytesOf(parameters);
      return {
        async all() {
          const out = documents.map((bytes) => BSON.deserialize(bytes));
          return { length: out.length, documents: out };
        },
        bson: BSON,
        async close() {}
      };
    }
  },

  deserialize: {
    title: 'rumongo-go deserialize',
    kind: 'eager',
    check: 'same',
    async open(parameters) {
      const { deserialize } = require('../..');
      const { BSON } = require('mongodb');
      const documents = await bytesOf(parameters);
      return {
        async all() {
          const out = documents.map((bytes) => deserialize(bytes));
          return { length: out.length, documents: out };
        },
        bson: BSON,
        async close() {}
      };
    }
  },

  deserializeMany: {
    title: 'rumongo-go deserializeMany',
    kind: 'eager',
    check: 'same',
    async open(parameters) {
      const { deserializeMany } = require('../..');
      const { BSON } = require('mongodb');
      const bytes = Buffer.concat(await bytesOf(parameters));
      return {
        async all() {
          const documents = await deserializeMany(bytes);
          return { length: documents.length, documents };
        },
        bson: BSON,
        async close() {}
      };
    }
  },

  frames: {
    title: 'rumongo-go, frames to objects',
    kind: 'eager',
    check: 'same',
    async open(parameters) {
      const root = path.join(__dirname, '..', '..');
      const { frameDump } = require(path.join(root, '__tests__', 'support', 'frame-dump'));
      const { Materializer } = require(path.join(root, 'js', 'frames', 'materialize'));
      const { BSON } = require('mongodb');
      // Warm: the shapes have settled, as they have in a service that has read the collection before.
      const { chunks, bridge } = frameDump(Buffer.concat(await bytesOf(parameters)), ['-warm', '1']);
      const materializer = new Materializer({ ...BSON, BSON, version: 7 }, {}, bridge);
      return {
        async all() {
          const documents = [];
          for (const { bytes } of chunks) materializer.decode(bytes, documents);
          return { length: documents.length, documents };
        },
        bson: BSON,
        async close() {}
      };
    }
  }
};

'use strict';

// The contenders of the worker-pool table: the same reduction on the main thread and in the two pools.
// open({ uri, database, collection, size, reading }) -> { read, close }; read() resolves with { length, acc }.

const path = require('node:path');

/** The reductions, by how much they read of a document. Source text goes to the workers: no outside names. */
const reducers = {
  one: (acc, doc) => {
    acc.sum += doc.quantity;
    acc.count++;
    return acc;
  },
  five: (acc, doc) => {
    acc.sum += doc.quantity + doc.points + doc.total + doc.views;
    if (doc.status === 'shipped') acc.sum++;
    acc.count++;
    return acc;
  },
  all: (acc, doc) => {
    for (const key in doc) {
      const value = doc[key];
      if (typeof value === 'number') acc.sum += value;
    }
    acc.count++;
    return acc;
  }
};

const init = () => ({ sum: 0, count: 0 });

function direct(title, connect) {
  return {
    title,
    checked: true,
    async open({ uri, database, collection, reading }) {
      const { find, close } = await connect(uri, database, collection);
      return {
        async read() {
          const acc = (await find()).reduce(reducers[reading], init());
          return { length: acc.count, acc };
        },
        close
      };
    }
  };
}

function pool(title, load, options, more = {}) {
  return {
    title,
    checked: true,
    ...more,
    async open({ uri, database, collection, size, reading }) {
      const workers = await load().WorkerPool.create({ uri, size });
      return {
        async read() {
          const { acc, count } = await workers.reduce(database, collection, {}, options, reducers[reading], init());
          return { length: count, acc };
        },
        close: () => workers.close()
      };
    }
  };
}

const ours = () => require(path.join(__dirname, '..'));

const contenders = {
  official: direct('mongodb toArray, main thread', async (uri, database, name) => {
    const { MongoClient } = require('mongodb');
    const client = await MongoClient.connect(uri);
    const collection = client.db(database).collection(name);
    return { find: () => collection.find().toArray(), close: () => client.close() };
  }),
  find: direct('rumongo-go find, main thread', async (uri, database, name) => {
    const client = await ours().MongoClient.connect(uri);
    const collection = client.db(database).collection(name);
    return { find: () => collection.find().toArray(), close: () => client.close() };
  }),
  rumongoPool: pool('rumongo WorkerPool.reduce', () => require('rumongo'), {}, { optional: true }),
  pool: pool('rumongo-go WorkerPool.reduce', ours, {}),
  poolEager: pool('the same, lazy: false', ours, { lazy: false }, { extra: true }),
  poolLazy: pool('the same, lazy: true', ours, { lazy: true }, { extra: true })
};

/** Throws where a reduction is not the official driver's. The order of documents is the same, so the sums are. */
function compare(_, { acc }, { acc: expected }) {
  if (acc.sum !== expected.sum || acc.count !== expected.count) {
    throw new Error(`{ sum: ${acc.sum}, count: ${acc.count} } instead of { sum: ${expected.sum}, count: ${expected.count} }`);
  }
}

module.exports = { contenders, compare, readings: Object.keys(reducers) };

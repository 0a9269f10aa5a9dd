'use strict';

// The same reduction on the main thread and in the worker pools of both libraries. A source's reduce() gives
// { length, acc }.

const path = require('node:path');

/** The reductions, by how much they read of a document. Source text goes to the workers: no outside names. */
const reductions = {
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

const combine = (a, b) => ({ sum: a.sum + b.sum, count: a.count + b.count });
const init = () => ({ sum: 0, count: 0 });

function direct(title, load) {
  return {
    title,
    kind: 'reducer',
    check: 'sum',
    async open({ uri, database, collection: name, work: { reading } }) {
      const client = await load().MongoClient.connect(uri);
      const collection = client.db(database).collection(name);
      return {
        async reduce() {
          const acc = (await collection.find().toArray()).reduce(reductions[reading], init());
          return { length: acc.count, acc };
        },
        close: () => client.close()
      };
    }
  };
}

function pool(title, load, options, { settings, ...more } = {}) {
  return {
    title,
    kind: 'reducer',
    check: 'sum',
    ...more,
    async open({ uri, database, collection, work: { size, reading } }) {
      const workers = await load().WorkerPool.create({ uri, size });
      return {
        async reduce() {
          const { acc, count } = await workers.reduce(database, collection, {}, options, reductions[reading], init(), settings);
          return { length: count, acc };
        },
        close: () => workers.close()
      };
    }
  };
}

const ours = () => require(path.join(__dirname, '..', '..'));

module.exports = {
  mainOfficial: direct('mongodb toArray, main thread', () => require('mongodb')),
  mainFind: direct('rumongo-go find, main thread', ours),
  rumongoPool: pool('rumongo WorkerPool.reduce', () => require('rumongo'), {}, { optional: true }),
  pool: pool('rumongo-go WorkerPool.reduce', ours, {}),
  poolCombine: pool('the same, spread over all workers', ours, {}, { settings: { combine }, check: 'sum', anyOrder: true }),
  poolLazy: pool('the same, lazy: true', ours, { lazy: true })
};

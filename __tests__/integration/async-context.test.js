'use strict';
// Whatever calls the application's code does so in the async context of the call: AsyncLocalStorage works.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { MongoClient, WorkerPool, Model, shadow } = require('../..');
const { startFixture } = require('../support/fixture-server.js');

const storage = new AsyncLocalStorage();
const store = () => storage.getStore();

let fixture;
let client;
let people;
before(async () => {
  fixture = await startFixture({ delayMS: 1 }); // replies come when their caller has long gone on
  await fixture.load('app.people', 'mixed45', 120);
  client = await MongoClient.connect(fixture.uri, { monitorCommands: true });
  people = client.db('app').collection('people');
});
after(async () => {
  await client?.close();
  await fixture?.stop();
});

const batches = { batchSize: 15 };

/** Each runs the application's code and returns the stores it saw. */
const WAYS = {
  'find().toArray()': async () => {
    await people.find({}, batches).toArray();
    return [store()];
  },
  'await find()': async () => {
    await people.find({}, batches);
    return [store()];
  },
  'find().then()': () => new Promise((resolve, reject) => {
    people.find({}, batches).then(() => resolve([store()]), reject);
  }),
  'findOne().then()': () => people.findOne({}).then(() => [store()]),
  'find().finally()': () => new Promise((resolve) => {
    people.find({}, batches).finally(() => resolve([store()]));
  }),
  'for await': async () => {
    const seen = [];
    for await (const doc of people.find({}, batches)) if (doc) seen.push(store());
    return seen;
  },
  'forEach': async () => {
    const seen = [];
    await people.find({}, batches).forEach(() => { seen.push(store()); });
    return seen;
  },
  'map with toArray': async () => {
    const seen = [];
    await people.find({}, batches).map((doc) => { seen.push(store()); return doc; }).toArray();
    return seen;
  },
  'map with for await': async () => {
    const seen = [];
    for await (const doc of people.find({}, batches).map((one) => { seen.push(store()); return one; })) if (doc) seen.push(store());
    return seen;
  },
  "stream 'data' and 'end'": () => new Promise((resolve, reject) => {
    const seen = [];
    people.find({}, batches).stream()
      .on('data', () => seen.push(store()))
      .on('end', () => resolve([...seen, store()]))
      .on('error', reject);
  }),
  'findCursor().nextBatch()': async () => {
    const seen = [];
    const cursor = await people.findCursor({}, batches);
    while (await cursor.nextBatch() !== null) seen.push(store());
    return seen;
  },
  'findLazy': async () => {
    await people.findLazy({});
    return [store()];
  },
  'a model': async () => {
    await Model.define(people, { _id: Number }).find({});
    return [store()];
  },
  'an error': async () => {
    try {
      await people.findOne({ $fails: 1 });
    } catch {
      return [store()];
    }
    return ['no error'];
  },
  'a callback of a promise that fails': () => people.find({ $fails: 1 }).toArray().catch(() => [store()]),
  'onDivergence of shadow': () => new Promise((resolve) => {
    shadow(() => people.findOne({}), async () => 'something else', () => resolve([store()]));
  }),
};

for (const [name, way] of Object.entries(WAYS)) {
  test(`${name}: the caller's context, also of reads at the same time`, async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const seen = await Promise.all(names.map((own) => storage.run(own, way)));
    seen.forEach((stores, i) => {
      assert.ok(stores.length > 0);
      assert.deepEqual([...new Set(stores)], [names[i]]);
    });
  });
}

test('listeners to commands run in the context of the read they are about', async () => {
  const seen = [];
  const listener = ({ name, commandName }) => seen.push(`${store()} ${name} ${commandName}`);
  for (const name of ['commandStarted', 'commandSucceeded', 'commandFailed']) client.on(name, listener);
  try {
    await Promise.all([
      storage.run('a', () => people.find({}, { batchSize: 60, limit: 120 }).toArray()),
      storage.run('b', () => people.findOne({ $fails: 1 }).catch(() => {})),
      storage.run('c', () => client.db('app').command({ ping: 1 })),
    ]);
  } finally {
    client.removeAllListeners();
  }
  assert.deepEqual([...new Set(seen)].sort(), ['a commandStarted find', 'a commandStarted getMore', 'a commandSucceeded find',
    'a commandSucceeded getMore', 'b commandFailed find', 'b commandStarted find', 'c commandStarted ping', 'c commandSucceeded ping']);
});

test('a client that connects by itself keeps the context of the read', async () => {
  const lazy = new MongoClient(fixture.uri);
  try {
    const seen = await storage.run('first', async () => {
      const stores = [];
      await lazy.db('app').collection('people').find({}, batches).map((doc) => { stores.push(store()); return doc; }).toArray();
      return [...stores, store()];
    });
    assert.deepEqual([...new Set(seen)], ['first']);
  } finally {
    await lazy.close();
  }
});

test('pool: its promises', async () => {
  const pool = await WorkerPool.create({ uri: fixture.uri, size: 1 });
  try {
    const seen = await Promise.all(['a', 'b'].map((own) => storage.run(own, async () => {
      await pool.reduce('app', 'people', {}, {}, (count) => count + 1, 0);
      const first = store();
      await pool.find('app', 'people', {}, { limit: 5 });
      return [first, store()];
    })));
    assert.deepEqual(seen, [['a', 'a'], ['b', 'b']]);
  } finally {
    await pool.close();
  }
});

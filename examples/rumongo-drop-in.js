'use strict';
// A program written for rumongo 0.1: everything that package offers, in its own names. To move it to rumongo-go, one line
// was changed, the next one. Run it with a server's address in MONGODB_URI; it fills a small collection first.

const { MongoClient, Model, Schema, WorkerPool, shadow, deepEqual } = require('rumongo-go');

const uri = process.env.MONGODB_URI ?? 'mongodb://127.0.0.1:27017';
const dbName = process.env.EXAMPLE_DB ?? 'rumongo_example';

const print = (what, value) => console.log(`${what}: ${JSON.stringify(value)}`);

async function main() {
  const official = await fill();
  const client = await MongoClient.connect(uri, {
    maxPoolSize: 20,
    minPoolSize: 1,
    connectTimeoutMs: 5000,
    serverSelectionTimeoutMs: 5000,
    appName: 'drop-in',
  });
  const users = client.collection(dbName, 'users');

  // Plain objects, options in one object.
  print('active users, oldest first', await users.find({ active: true }, { sort: { age: -1, name: 1 }, limit: 5 }));
  print('a page', await users.find({}, { sort: { name: 1 }, skip: 10, limit: 3, projection: { name: 1, born: 1 } }));
  print('none', await users.find({ name: 'nobody' }));
  print('all', (await users.find()).length);

  // Extended JSON says which BSON type is meant.
  print('by id', await users.find({ _id: { $oid: id(3) } }));
  print('by date', await users.find({ born: { $lt: { $date: '2001-09-11T00:00:00Z' } } }, { sort: { born: 1 }, projection: { born: 1 } }));

  // Documents that parse a field when it is read.
  const lazy = await users.findLazy({ age: { $gte: 30 } }, { sort: { age: 1 }, limit: 4 });
  print('names', lazy.map((doc) => doc.name));
  print('its keys', Object.keys(lazy[0]));
  print('has', ['name' in lazy[0], 'nothing' in lazy[0], lazy[0].nothing === undefined]);
  print('whole', lazy[0].toObject());
  print('spread', { ...lazy[1], extra: true });
  print('as JSON', lazy[2]);

  // Batch by batch, and one by one.
  const cursor = await users.findCursor({}, { sort: { name: 1 }, batchSize: 12 });
  let seen = 0;
  let batch;
  while ((batch = await cursor.nextBatch()) !== null) {
    for (const doc of batch) seen += doc.age;
  }
  print('sum of ages by batches', seen);
  let iterated = 0;
  for await (const doc of await users.findCursor({ active: true }, { batchSize: 7 })) iterated += doc.age;
  print('sum of ages of the active', iterated);

  // A model: its fields are the projection.
  const User = Model.define(users, { name: 1, age: 1 });
  print('projection', User.getProjection());
  print('schema', new Schema({ name: 1, age: 1 }).fields);
  print('model find', await User.find({ age: { $gte: 18 } }, { sort: { age: 1, name: 1 }, limit: 3 }));
  print('model findOne', await User.findOne({ name: 'Ann' }));
  print('model findById', await User.findById(id(5)));
  print('model, nothing there', await User.findById('f'.repeat(24)));

  // Work in threads.
  const pool = await WorkerPool.create({ uri, size: 2 });
  print('reduced', await pool.reduce(dbName, 'users', { active: true }, {}, (sum, doc) => sum + doc.age, 0));
  print('grouped', await pool.reduce(dbName, 'users', {}, { sort: { name: 1 } }, (groups, doc) => {
    groups[doc.team] = (groups[doc.team] ?? 0) + 1;
    return groups;
  }, {}));
  print('found by a worker', await pool.find(dbName, 'users', { name: 'Ann' }, { projection: { name: 1, age: 1 } }));
  await pool.close();

  // The official driver answers, this one is compared.
  const theirs = official.db(dbName).collection('users');
  const divergences = [];
  const answer = await shadow(
    () => users.find({ age: { $gt: 40 } }, { sort: { name: 1 }, projection: { _id: 0, name: 1, age: 1 } }),
    () => theirs.find({ age: { $gt: 40 } }, { sort: { name: 1 }, projection: { _id: 0, name: 1, age: 1 } }).toArray(),
    (divergence) => divergences.push(divergence),
  );
  print('shadowed', [answer.length, divergences.length]);
  await shadow(
    () => users.find({ name: 'Ann' }, { projection: { _id: 0, age: 1 } }),
    async () => [{ age: -1 }],
    ({ rust, official: expected }) => divergences.push([rust, expected]),
  );
  print('a divergence', divergences);
  print('equal', [deepEqual({ a: 1, b: [2] }, { b: [2], a: 1 }), deepEqual([1], [2])]);

  await client.close();
  await official.close();
}

const id = (n) => String(n).padStart(24, '0');

/** Writes stay with the official driver. */
async function fill() {
  const { MongoClient: Official, ObjectId } = require('mongodb');
  const official = await Official.connect(uri);
  const users = official.db(dbName).collection('users');
  await users.deleteMany({});
  await users.insertMany(Array.from({ length: 60 }, (_, i) => ({
    _id: new ObjectId(id(i)),
    name: i === 7 ? 'Ann' : `user ${String(i).padStart(2, '0')}`,
    age: 18 + ((i * 7) % 60),
    active: i % 3 !== 0,
    team: 'abc'[i % 3],
    born: new Date(1e12 - i * 1e9),
    tags: ['x', i, null],
    address: { city: `city ${i % 4}`, zip: i % 2 ? null : `${10000 + i}` },
    score: i / 8,
  })));
  return official;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});

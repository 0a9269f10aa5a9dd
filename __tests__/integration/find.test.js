'use strict';
// Queries on a real server, each against the official driver's result.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startDevServer } = require('../support/dev-server.js');

const { ObjectId, Long, Timestamp, Binary } = official;
let server;
let theirs;
let ours;
let their;
let our;

const people = Array.from({ length: 300 }, (_, i) => ({
  _id: new ObjectId(`${i}`.padStart(24, '0')),
  n: i,
  name: i % 3 ? `name ${i}` : `имя ${i} 名前`,
  group: 'abc'[i % 3],
  score: i / 7,
  big: Long.fromNumber(2 ** 41 + i),
  at: new Date(1_600_000_000_000 + i * 1000),
  flags: [i % 2 === 0, null, i],
  address: { city: `city ${i % 10}`, zip: i % 4 ? `${10000 + i}` : null, geo: { lat: i / 3, lon: -i } },
  ts: new Timestamp({ t: i, i: 1 }),
  bin: new Binary(Buffer.from(`b${i}`)),
  pattern: /^a.*b$/i,
  ...(i % 5 === 0 ? { extra: i } : {}),
}));

before(async () => {
  server = await startDevServer();
  theirs = await official.MongoClient.connect(server.uri);
  ours = await MongoClient.connect(server.uri);
  their = theirs.db('find_test').collection('people');
  our = ours.db('find_test').collection('people');
  await their.deleteMany({});
  await their.insertMany(people);
});

after(async () => {
  await ours?.close();
  await theirs?.close();
  await server?.stop();
});

const sorted = { sort: { n: 1 } };
const queries = {
  everything: [{}, sorted],
  'no match': [{ n: -1 }, {}],
  'one field': [{ group: 'a' }, sorted],
  operators: [{ n: { $gte: 10, $lt: 50 }, group: { $in: ['a', 'b'] } }, sorted],
  'or and not': [{ $or: [{ n: 1 }, { n: { $gt: 290 } }], group: { $ne: 'c' } }, sorted],
  'a nested field': [{ 'address.city': 'city 3' }, sorted],
  'a date': [{ at: { $gt: new Date(1_600_000_200_000) } }, sorted],
  'a Long': [{ big: Long.fromNumber(2 ** 41 + 7) }, {}],
  'an ObjectId': [{ _id: people[17]._id }, {}],
  'a regular expression': [{ name: /^name 1\d$/ }, sorted],
  'existence': [{ extra: { $exists: true } }, sorted],
  null: [{ 'address.zip': null }, sorted],
  'sort down': [{}, { sort: { n: -1 } }],
  'sort by two': [{}, { sort: [['group', 1], ['n', -1]] }],
  'limit and skip': [{}, { ...sorted, limit: 10, skip: 25 }],
  'negative limit': [{}, { ...sorted, limit: -10 }],
  'limit 0': [{}, { ...sorted, limit: 0 }],
  'projection in': [{}, { ...sorted, projection: { name: 1, 'address.city': 1 } }],
  'projection out': [{}, { ...sorted, projection: { address: 0, _id: 0 } }],
  'batch size 1': [{ n: { $lt: 20 } }, { ...sorted, batchSize: 1 }],
  'batch size 7': [{}, { ...sorted, batchSize: 7 }],
  'batch size above limit': [{}, { ...sorted, batchSize: 50, limit: 20 }],
  'limit no multiple of the batch size': [{}, { ...sorted, batchSize: 2, limit: 5 }],
  'limit that is a multiple of the batch size': [{}, { ...sorted, batchSize: 5, limit: 15 }],
  'single batch': [{}, { ...sorted, batchSize: 5, singleBatch: true }],
  comment: [{ n: 5 }, { comment: 'why' }],
  maxTimeMS: [{ n: 5 }, { maxTimeMS: 5000 }],
  'promoteLongs off': [{ n: { $lt: 5 } }, { ...sorted, promoteLongs: false }],
  'promoteValues off': [{ n: { $lt: 5 } }, { ...sorted, promoteValues: false }],
  useBigInt64: [{ n: { $lt: 5 } }, { ...sorted, useBigInt64: true }],
  promoteBuffers: [{ n: { $lt: 5 } }, { ...sorted, promoteBuffers: true }],
  bsonRegExp: [{ n: { $lt: 5 } }, { ...sorted, bsonRegExp: true }],
  raw: [{ n: { $lt: 5 } }, { ...sorted, raw: true }],
};

for (const [name, [filter, options]] of Object.entries(queries)) {
  test(`find: ${name}`, async () => {
    const expected = await their.find(filter, { ...options }).toArray();
    assert.deepStrictEqual(await our.find(filter, options).toArray(), expected, 'toArray');
    assert.deepStrictEqual(await our.find(filter, options), expected, 'await');
    assert.deepStrictEqual(await our.findLazy(filter, options), expected, 'findLazy');
    const cursor = await our.findCursor(filter, options);
    const docs = [];
    for (let batch; (batch = await cursor.nextBatch()) !== null;) {
      assert.ok(batch.length > 0 && (!options.batchSize || batch.length <= options.batchSize));
      docs.push(...batch);
    }
    assert.deepStrictEqual(docs, expected, 'nextBatch');
    const one = await their.findOne(filter, { ...options });
    assert.deepStrictEqual(await our.findOne(filter, options), one, 'findOne');
  });
}

test('the chain', async () => {
  const chain = (cursor) => cursor.filter({ group: 'b' }).sort('n', -1).skip(3).limit(20).project({ n: 1, group: 1 }).batchSize(6).comment('x').maxTimeMS(5000);
  assert.deepStrictEqual(await chain(our.find()).toArray(), await chain(their.find()).toArray());
  assert.deepStrictEqual(await chain(our.find()).map((d) => d.n).toArray(), await chain(their.find()).map((d) => d.n).toArray());
  const seen = [];
  await chain(our.find()).forEach((d) => { seen.push(d); });
  assert.deepStrictEqual(seen, await chain(their.find()).toArray());
});

test('a chain after find() that waits for later ticks still works', async () => {
  const cursor = our.find();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal((await cursor.sort({ n: 1 }).limit(2)).length, 2);
});

test('findById', async () => {
  const id = people[9]._id;
  const expected = await their.findOne({ _id: id });
  assert.deepStrictEqual(await our.findById(id), expected);
  assert.deepStrictEqual(await our.findById(id.toHexString()), expected);
  assert.deepStrictEqual(await our.findById(id, { projection: { n: 1 } }), { _id: id, n: 9 });
  assert.equal(await our.findById(new ObjectId()), null);
});

test('Extended JSON in a filter', async () => {
  const filter = { _id: { $in: [{ $oid: people[3]._id.toHexString() }, people[4]._id] }, at: { $lt: { $date: '2030-01-01T00:00:00Z' } } };
  assert.deepStrictEqual((await our.find(filter, sorted)).map((d) => d.n), [3, 4]);
  assert.deepStrictEqual(await our.findLazy({ big: { $numberLong: String(2 ** 41 + 7) } }), await their.find({ n: 7 }).toArray());
});

test('a value that was read finds its document, in both drivers', async () => {
  const doc = await our.findOne({ n: 42 });
  assert.equal((await their.findOne({ _id: doc._id, big: doc.big, at: doc.at, bin: doc.bin })).n, 42);
  assert.equal((await our.findOne({ _id: doc._id, big: doc.big, at: doc.at, bin: doc.bin })).n, 42);
  const { modifiedCount } = await their.updateOne({ _id: doc._id }, { $set: { 'address.city': doc.address.city, touched: true } });
  assert.equal(modifiedCount, 1);
  await their.updateOne({ _id: doc._id }, { $unset: { touched: 1 } });
});

test('errors of the server keep class, code, codeName and message', async () => {
  for (const filter of [{ $nope: 1 }, { a: { $nope: 1 } }, { n: { $gt: 1 }, $where: 5 }]) {
    const expected = await their.find(filter).toArray().then(() => null, (error) => error);
    if (expected === null) continue;
    for (const read of [() => our.find(filter).toArray(), () => our.findOne(filter), () => our.findLazy(filter),
      async () => (await our.findCursor(filter)).nextBatch(), () => our.find(filter).next()]) {
      await assert.rejects(read(), (error) => {
        assert.ok(error instanceof official.MongoServerError);
        assert.deepStrictEqual([error.name, error.message, error.code, error.codeName, error.ok], [expected.name, expected.message, expected.code, expected.codeName, expected.ok]);
        assert.deepStrictEqual(error.errorResponse, expected.errorResponse);
        return true;
      });
    }
  }
});

test('many reads at once', async () => {
  const reads = Array.from({ length: 60 }, async (_, i) => {
    switch (i % 4) {
      case 0: return await our.find({ group: 'abc'[i % 3] }, sorted);
      case 1: return await our.findLazy({ group: 'abc'[i % 3] }, sorted);
      case 2: return [await our.findOne({ n: i })];
      default: {
        const docs = [];
        for await (const doc of our.find({ group: 'abc'[i % 3] }, { ...sorted, batchSize: 9 })) docs.push(doc);
        return docs;
      }
    }
  });
  const results = await Promise.all(reads);
  for (const [i, docs] of results.entries()) {
    const filter = i % 4 === 2 ? { n: i } : { group: 'abc'[i % 3] };
    assert.deepStrictEqual(docs, await their.find(filter, { ...sorted }).toArray());
  }
});

test('explain', async () => {
  const plan = await our.find({ n: 5 }).explain('queryPlanner').then((p) => p, (error) => error);
  const expected = await their.find({ n: 5 }).explain('queryPlanner').then((p) => p, (error) => error);
  assert.equal(plan instanceof Error, expected instanceof Error);
  if (!(plan instanceof Error)) assert.deepStrictEqual(Object.keys(plan), Object.keys(expected));
});

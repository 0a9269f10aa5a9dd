'use strict';
// Every reading method against the dev server: the official driver's values.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const { setTimeout: delay } = require('node:timers/promises');
const bson = require('bson');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startDevServer } = require('../support/dev-server.js');
const { startFixture } = require('../support/fixture-server.js');
const { assertSame } = require('../support/same.js');

let server;
let ours;
let theirs;
const NAME = `reads_${process.pid}`;

before(async () => {
  server = await startDevServer();
  theirs = await official.MongoClient.connect(server.uri);
  ours = await MongoClient.connect(server.uri);
  const db = theirs.db(NAME);
  await db.collection('people').insertMany(Array.from({ length: 250 }, (_, i) => ({
    _id: i, name: `n${i % 40}`, age: i % 90, city: ['Rome', 'Oslo', 'Lima'][i % 3], tags: ['a', i % 2 ? 'b' : 'c'], big: bson.Long.fromNumber(2 ** 40 + i), at: new Date(i * 1000),
  })));
  await db.collection('people').createIndex({ age: 1, name: -1 });
  await db.collection('people').createIndex({ city: 1 }, { name: 'by city' });
  await db.createCollection('capped', { capped: true, size: 1 << 20 });
});

after(async () => {
  await theirs?.db(NAME).dropDatabase();
  await ours?.close();
  await theirs?.close();
  await server?.stop();
});

/** Times and counters of the server move between two calls. */
const keysOf = (reply) => Object.keys(reply).filter((key) => !/^\$/.test(key)).sort();
const byName = (list) => [...list].sort((a, b) => (a.name < b.name ? -1 : 1));

const reads = {
  'aggregate: nothing': (c) => c.aggregate().toArray(),
  'aggregate: $match, $sort, $limit': (c) => c.aggregate([{ $match: { age: { $gt: 50 } } }, { $sort: { age: -1, _id: 1 } }, { $limit: 20 }]).toArray(),
  'aggregate: $group': (c) => c.aggregate([{ $group: { _id: '$city', n: { $count: {} }, sum: { $sum: '$age' } } }, { $sort: { _id: 1 } }]).toArray(),
  'aggregate: $count': (c) => c.aggregate([{ $match: { city: 'Rome' } }, { $count: 'n' }]).toArray(),
  'aggregate: $project and $unwind': (c) => c.aggregate([{ $sort: { _id: 1 } }, { $unwind: '$tags' }, { $project: { tags: 1 } }]).toArray(),
  'aggregate: batches': (c) => c.aggregate([{ $sort: { _id: 1 } }], { batchSize: 7 }).toArray(),
  'aggregate: by the chain': (c) => c.aggregate().match({ city: 'Oslo' }).sort({ _id: -1 }).skip(2).limit(5).project({ name: 1 }).toArray(),
  'aggregate: map': (c) => c.aggregate([{ $sort: { _id: 1 } }]).map(({ _id }) => _id * 2).toArray(),
  'aggregate: next': async (c) => [await c.aggregate([{ $sort: { _id: 1 } }]).next(), await c.aggregate([{ $match: { _id: -1 } }]).next()],
  'aggregate: Longs': (c) => c.aggregate([{ $match: { _id: { $lt: 3 } } }], { promoteLongs: false }).toArray(),
  'aggregate: a stage that does not exist': (c) => c.aggregate([{ $nope: 1 }]).toArray(),
  'countDocuments': (c) => c.countDocuments(),
  'countDocuments: a filter': (c) => c.countDocuments({ age: { $lt: 10 } }),
  'countDocuments: none': (c) => c.countDocuments({ age: -1 }),
  'countDocuments: skip and limit': (c) => c.countDocuments({}, { skip: 10, limit: 50 }),
  'estimatedDocumentCount': (c) => c.estimatedDocumentCount(),
  'count': (c) => c.count({ city: 'Lima' }),
  'distinct': async (c) => (await c.distinct('city')).sort(),
  'distinct: an array': async (c) => (await c.distinct('tags', { _id: { $lt: 9 } })).sort(),
  'distinct: Longs': async (c) => (await c.distinct('big', { _id: { $lt: 3 } }, { promoteLongs: false })).map(String),
  'distinct: nothing': (c) => c.distinct('nope'),
  'indexes': (c) => c.indexes(),
  'indexes, short': (c) => c.indexes({ full: false }),
  'indexInformation': (c) => c.indexInformation(),
  'indexInformation, full': (c) => c.indexInformation({ full: true }),
  'indexExists': async (c) => [await c.indexExists('by city'), await c.indexExists(['by city', 'nope']), await c.indexExists(['_id_', 'age_1_name_-1'])],
  'listIndexes of nothing': (c) => c.db.collection('nope').listIndexes().toArray(),
  'options': async (c) => [await c.options(), keysOf(await c.db.collection('capped').options())],
  'options of nothing': (c) => c.db.collection('nope').options(),
  'isCapped': async (c) => [await c.isCapped(), await c.db.collection('capped').isCapped()],
  'listCollections': async (c) => byName(await c.db.listCollections().toArray()).map(({ name, type }) => [name, type]),
  'listCollections: a filter': (c) => c.db.listCollections({ name: 'people' }, { nameOnly: true }).toArray(),
  'collections': async (c) => byName((await c.db.collections()).map(({ collectionName: name, namespace }) => ({ name, namespace }))),
  'db.stats': async (c) => keysOf(await c.db.stats()),
  'db.command': (c) => c.db.command({ count: 'people', query: { city: 'Rome' } }),
  'db.command that fails': (c) => c.db.command({ find: 5 }),
  'runCursorCommand': (c) => c.db.runCursorCommand({ find: 'people', sort: { _id: 1 }, batchSize: 20 }).setBatchSize(60).toArray(),
  'admin.ping': (c) => c.db.admin().ping(),
  'admin.listDatabases': async (c) => (await c.db.admin().listDatabases()).databases.map(({ name }) => name).filter((name) => name === NAME),
  'admin.listDatabases, names': async (c) => keysOf(await c.db.admin().listDatabases({ nameOnly: true })),
  'admin.buildInfo': async (c) => keysOf(await c.db.admin().buildInfo()),
  'admin.serverInfo': async (c) => (await c.db.admin().serverInfo()).version,
  'admin.serverStatus': async (c) => keysOf(await c.db.admin().serverStatus()),
  'find: explain': async (c) => keysOf(await c.find({ age: 3 }).explain('queryPlanner')),
  'find: option explain': async (c) => (await c.find({ age: 3 }, { explain: 'queryPlanner' }).toArray()).map(keysOf),
  'cursor.count': (c) => c.find({ city: 'Rome' }).count(),
};

const outcome = (read, client) => read(client.db(NAME).collection('people')).then((value) => ({ value }), (error) => ({ error }));

for (const [name, read] of Object.entries(reads)) {
  test(name, async () => {
    const expected = await outcome(read, theirs);
    const actual = await outcome(read, ours);
    if (expected.error === undefined) {
      if (actual.error !== undefined) throw actual.error;
      assertSame(actual.value, expected.value, name);
    } else {
      assert.deepEqual([actual.error.name, actual.error.message, actual.error.code], [expected.error.name, expected.error.message, expected.error.code]);
    }
  });
}

test('a tailable cursor of a capped collection sees what is inserted later', async (t) => {
  const collection = ours.db(NAME).collection('capped');
  const writer = theirs.db(NAME).collection('capped');
  await writer.insertMany([{ _id: 1 }, { _id: 2 }]);
  for (const options of [{ tailable: true, batchSize: 1 }, { tailable: true, batchSize: 1, awaitData: true, maxAwaitTimeMS: 200 }]) {
    const probe = await theirs.db(NAME).collection('capped').find({}, options).tryNext().catch((error) => error);
    if (probe instanceof Error) {
      t.skip(`the server has no such cursors: ${probe.message}`);
      return;
    }
    const known = await writer.countDocuments();
    const cursor = collection.find({}, options);
    for (let _id = 1; _id <= known; _id++) assert.deepEqual(await cursor.next(), { _id });
    assert.equal(await cursor.tryNext(), null);
    const later = cursor.next();
    await writer.insertOne({ _id: known + 1 });
    assert.deepEqual(await later, { _id: known + 1 });
    assert.ok(!cursor.closed);
    await cursor.close();
    assert.ok(cursor.closed && cursor.killed);
  }
});

test('a tailable cursor that nobody asks does not ask the server', async () => {
  const fixture = await startFixture();
  const client = await MongoClient.connect(fixture.uri);
  try {
    await fixture.put('d.c', [1, 2, 3].map((_id) => bson.serialize({ _id })));
    await fixture.faults({ command: 'getMore', times: -1, action: 'empty' });
    const cursor = client.db('d').collection('c').find({}, { tailable: true, awaitData: true, batchSize: 1 });
    assert.deepEqual(await cursor.next(), { _id: 1 });
    const asked = async () => (await fixture.stats()).commands.getMore ?? 0;
    assert.equal(await asked(), 0);
    for (let times = 1; times <= 3; times++) {
      assert.equal(await cursor.tryNext(), null);
      await delay(200); // it would have asked within a tenth of a second
      assert.equal(await asked(), times);
    }
    await cursor.close();
  } finally {
    await client.close();
    await fixture.stop();
  }
});

test('countDocuments with raw: true, a stream of undefined', async () => {
  const fixture = await startFixture();
  const client = await MongoClient.connect(fixture.uri);
  try {
    await fixture.put('d.c', [1, 2, 3].map((_id) => bson.serialize({ _id })));
    const collection = client.db('d').collection('c', { raw: true });
    assert.equal(await collection.countDocuments(), 3);
    const seen = [];
    for await (const value of collection.find().map(() => undefined).stream()) seen.push(value);
    assert.deepEqual(seen, [undefined, undefined, undefined]);
  } finally {
    await client.close();
    await fixture.stop();
  }
});

test('the event close, once, however a cursor ends', async () => {
  const collection = ours.db(NAME).collection('people');
  const ways = {
    toArray: (cursor) => cursor.toArray(),
    awaited: async (cursor) => await cursor,
    close: (cursor) => cursor.close(),
    break: async (cursor) => { for await (const doc of cursor) if (doc) break; },
    loop: async (cursor) => { while (await cursor.next() !== null); },
    hasNext: async (cursor) => { while (await cursor.hasNext()) await cursor.next(); },
    failure: (cursor) => cursor.filter({ $nope: 1 }).toArray().catch(() => {}),
    stream: async (cursor) => { for await (const doc of cursor.stream()) assert.ok(doc); },
  };
  for (const [name, read] of Object.entries(ways)) {
    const cursor = collection.find();
    let closes = 0;
    cursor.on('close', () => closes++);
    await read(cursor);
    await cursor.close();
    assert.equal(closes, 1, name);
  }
});

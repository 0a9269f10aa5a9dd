'use strict';
// Libraries that are written for the official driver or Mongoose, driven by scripts of our own, with and without
// acceleration: the same results on a server, the same commands on the wire.

const test = require('node:test');
const assert = require('node:assert/strict');
const { inspect, promisify } = require('node:util');
const bson = require('bson');
const { MongoClient, ObjectId } = require('mongodb');
const mongoose = require('mongoose');
const { default: Papr, schema, types } = require('papr');
const { MongoStore } = require('connect-mongo');
const { defineAbility } = require('@casl/ability');
const { accessibleBy, accessibleRecordsPlugin } = require('@casl/mongoose');
const paginate = require('mongoose-paginate-v2');
const { accelerate } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { startDevServer } = require('../support/dev-server.js');
const { assertSameCommands } = require('../support/command-parity.js');
const { isOurs } = require('../support/acceleration.js');

const DB = 'libraries_accelerated';
const POSTS = Array.from({ length: 30 }, (_, i) => ({
  _id: new ObjectId(`${i}`.padStart(24, 'e')), title: `post ${String(i).padStart(2, '0')}`, author: i % 3, published: i % 2 === 0, likes: i * 3, at: new Date(1.7e12 + i * 1e7),
}));
const EXPIRES = new Date(4e12);
const SESSIONS = Array.from({ length: 6 }, (_, i) => ({ _id: `sid${i}`, expires: i === 5 ? new Date(0) : EXPIRES, session: JSON.stringify({ cookie: { originalMaxAge: null }, user: i }) }));

/** An official client and a Mongoose connection to one server. */
async function open(uri, fast) {
  const client = await MongoClient.connect(uri);
  const connection = await mongoose.createConnection(uri, { dbName: DB, autoCreate: false, autoIndex: false }).asPromise();
  if (fast) {
    accelerate(client);
    accelerate(connection);
  }
  const posts = new mongoose.Schema({ title: String, author: Number, published: Boolean, likes: Number, at: Date });
  posts.plugin(paginate);
  posts.plugin(accessibleRecordsPlugin);
  return { client, connection, db: client.db(DB), Post: connection.model('Post', posts, 'posts') };
}

const ability = defineAbility((can, cannot) => {
  can('read', 'Post', { published: true });
  can('read', 'Post', { author: 1 });
  cannot('read', 'Post', { likes: { $gt: 60 } });
});

/** [library, script] */
const SCRIPTS = {
  'papr: reads': async ({ db }) => {
    const papr = new Papr();
    papr.initialize(db);
    const Post = papr.model('posts', schema({ title: types.string(), author: types.number(), published: types.boolean(), likes: types.number(), at: types.date() }));
    return [
      await Post.find({ author: 1 }, { sort: { _id: 1 } }), await Post.findOne({ title: 'post 04' }), await Post.findById(POSTS[3]._id),
      await Post.find({}, { projection: { title: 1 }, sort: { likes: -1 }, limit: 3, skip: 1 }), await Post.countDocuments({ published: true }),
      await Post.exists({ title: 'post 01' }), await Post.exists({ title: 'no' }), (await Post.distinct('author')).sort(),
      await Post.aggregate([{ $match: { author: 2 } }, { $sort: { _id: 1 } }, { $limit: 2 }]),
      await readAll(await Post.findCursor({ published: false }, { sort: { _id: 1 }, batchSize: 4 })),
    ];
  },
  'papr: reads of what was written': async ({ db }) => {
    const papr = new Papr();
    papr.initialize(db);
    const Note = papr.model('notes', schema({ text: types.string(), n: types.number() }));
    await Note.deleteMany({});
    await Note.insertMany([{ text: 'a', n: 1 }, { text: 'b', n: 2 }]);
    await Note.updateOne({ text: 'a' }, { $set: { n: 5 } });
    return (await Note.find({}, { sort: { text: 1 }, projection: { _id: 0 } })).map(({ text, n }) => [text, n]);
  },
  'connect-mongo: a store': async ({ client }) => {
    const store = MongoStore.create({ client, dbName: DB, collectionName: 'sessions', autoRemove: 'disabled' });
    const call = (name, ...args) => promisify(store[name].bind(store))(...args);
    return [await call('get', 'sid1'), await call('get', 'none'), await call('get', 'sid5'), (await call('all')).length, await call('length')];
  },
  'connect-mongo: sessions that are written': async ({ client }) => {
    const store = MongoStore.create({ client, dbName: DB, collectionName: 'written', autoRemove: 'disabled' });
    const call = (name, ...args) => promisify(store[name].bind(store))(...args);
    await call('clear').catch(() => {});
    await call('set', 'one', { cookie: { expires: EXPIRES }, user: 'Ada' });
    const read = await call('get', 'one');
    await call('destroy', 'one');
    return [read.user, await call('get', 'one')];
  },
  '@casl/mongoose: accessibleBy with Mongoose': async ({ Post }) => [
    await Post.find(accessibleBy(ability).ofType('Post')).sort({ _id: 1 }).lean(),
    await Post.find({ $and: [accessibleBy(ability, 'read').ofType('Post'), { likes: { $lt: 20 } }] }).sort({ _id: 1 }).lean(),
    await Post.countDocuments(accessibleBy(ability).ofType('Post')),
    (await Post.find().accessibleBy(ability).sort({ _id: 1 })).map(({ title }) => title),
  ],
  '@casl/mongoose: accessibleBy with the driver': async ({ db }) => {
    const posts = db.collection('posts');
    return [await posts.find(accessibleBy(ability).ofType('Post')).sort({ _id: 1 }).toArray(), await posts.countDocuments(accessibleBy(ability).ofType('Post'))];
  },
  'mongoose-paginate-v2': async ({ Post }) => [
    await Post.paginate({ published: true }, { page: 2, limit: 4, sort: { _id: 1 }, lean: true }),
    await Post.paginate({}, { offset: 5, limit: 3, sort: { likes: -1 }, select: 'title', lean: true, leanWithId: false }),
    (await Post.paginate({ author: 1 }, { limit: 2, sort: { _id: 1 } })).docs.map((one) => one.title),
    await Post.paginate({ title: 'none' }, {}),
    await Post.paginate({}, { pagination: false, sort: { _id: 1 }, lean: true }),
  ],
};

async function readAll(cursor) {
  const all = [];
  for await (const one of cursor) all.push(one);
  return all;
}

const text = (value) => inspect(value, { depth: Infinity, maxArrayLength: null });

async function outcome(script, opened) {
  try {
    return text(await script(opened));
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

test('libraries: the same results on a server', async (t) => {
  const server = await startDevServer();
  const plain = await open(server.uri, false);
  const fast = await open(server.uri, true);
  t.after(async () => {
    await Promise.all([plain, fast].flatMap(({ client, connection }) => [client.close(), connection.close()]));
    await server.stop();
  });
  for (const [name, documents] of [['posts', POSTS], ['sessions', SESSIONS]]) {
    await plain.db.collection(name).deleteMany({});
    await plain.db.collection(name).insertMany(documents);
  }
  for (const [name, script] of Object.entries(SCRIPTS)) {
    await t.test(name, async () => {
      const expected = await outcome(script, plain);
      assert.ok(!/^Mongo\w*Error/.test(expected), expected);
      assert.equal(await outcome(script, fast), expected);
    });
  }
  assert.ok(accelerate.status(fast.client).native > 15);
  assert.ok(accelerate.status(fast.connection).native > 8);
  assert.equal(accelerate.status(fast.client).official, 0);
});

test('libraries: the same commands on the wire', async (t) => {
  const fixture = await startFixture();
  for (const [name, documents] of [['posts', POSTS], ['sessions', SESSIONS]]) {
    await fixture.put(`${DB}.${name}`, documents.map((document) => bson.serialize(document)));
  }
  const plain = await open(fixture.uri, false);
  const fast = await open(fixture.uri, true);
  t.after(async () => {
    await Promise.all([plain, fast].flatMap(({ client, connection }) => [client.close(), connection.close()]));
    await fixture.stop();
  });
  const READS = new Set(['find', 'aggregate', 'count', 'distinct', 'getMore', 'killCursors']);
  for (const [name, script] of Object.entries(SCRIPTS)) {
    if (/writ/.test(name)) continue; // new ids and times in each
    await t.test(name, async () => {
      const logged = async (opened) => {
        await fixture.control({ log: true, cursorId: bson.Long.fromNumber(99) });
        return { result: await outcome(script, opened), log: await fixture.takeLog() };
      };
      const expected = await logged(plain);
      const actual = await logged(fast);
      // The store asks for what has not expired now, and the pages are counted and read at the same time.
      const steady = ({ log }) => log.map((entry) => ({ ...entry, command: atNoTime(entry.command) })).sort((a, b) => Buffer.compare(a.command, b.command));
      if (/paginate|connect-mongo/.test(name)) {
        assert.deepEqual(steady(actual).map(readable), steady(expected).map(readable));
      } else {
        assertSameCommands(actual.log, expected.log);
      }
      assert.equal(actual.result, expected.result);
      const reads = actual.log.filter(({ name: command }) => READS.has(command));
      assert.ok(reads.length > 0 && reads.every(isOurs));
      assert.ok(!expected.log.some(isOurs));
    });
  }
});

/** A command without its session and without the time at which it was made. */
function atNoTime(command) {
  const { lsid, $clusterTime, ...rest } = bson.deserialize(command, { promoteValues: false });
  return Buffer.from(bson.serialize(JSON.parse(bson.EJSON.stringify(rest), (key, value) => (key === '$date' ? 0 : value))));
}

const readable = ({ command }) => bson.EJSON.stringify(bson.deserialize(command));

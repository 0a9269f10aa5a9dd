'use strict';
// Connecting, closing, and what happens on either side of them.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const net = require('node:net');
const path = require('node:path');
const { once } = require('node:events');
const { spawnSync } = require('node:child_process');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startDevServer } = require('../support/dev-server.js');

const root = path.resolve(__dirname, '..', '..');
let server;

before(async () => {
  server = await startDevServer();
  const client = await official.MongoClient.connect(server.uri);
  await client.db('connect_test').collection('items').deleteMany({});
  await client.db('connect_test').collection('items').insertOne({ a: 1 });
  await client.close();
});

after(() => server?.stop());

const withPath = (uri, db) => {
  const url = new URL(uri);
  url.pathname = db;
  return url.href;
};

test('the constructor and connect, or connect alone, or neither', async () => {
  const first = await MongoClient.connect(server.uri);
  assert.equal((await first.db('connect_test').collection('items').findOne()).a, 1);
  await first.close();

  const second = new MongoClient(server.uri);
  assert.equal(await second.connect(), second);
  assert.equal((await second.collection('connect_test', 'items').findOne()).a, 1);
  await second.close();

  const third = new MongoClient(withPath(server.uri, 'connect_test'));
  assert.equal((await third.db().collection('items').find())[0].a, 1);
  await third.close();
});

test('connecting twice, at once or later, is connecting once', async () => {
  const client = new MongoClient(server.uri);
  await Promise.all([client.connect(), client.connect(), client.db('connect_test').collection('items').findOne()]);
  await client.connect();
  assert.equal(client.stats().core.clients, 1);
  await client.close();
});

test('after close: reads reject, closing again is nothing, connect() opens again', async () => {
  const client = await MongoClient.connect(server.uri);
  const collection = client.db('connect_test').collection('items');
  const cursor = collection.find();
  await client.close();
  await client.close();
  const closed = { name: 'MongoNotConnectedError', message: /Client must be connected/ };
  await assert.rejects(collection.findOne(), closed);
  await assert.rejects(collection.findLazy(), closed);
  await assert.rejects(collection.findCursor(), closed);
  await assert.rejects(cursor.toArray(), closed);
  await assert.rejects(collection.find().next(), (error) => error instanceof official.MongoNotConnectedError);
  await client.connect();
  assert.equal((await collection.findOne()).a, 1);
  await client.close();
});

test('close gives up an attempt to connect, at once', async () => {
  const client = new MongoClient('mongodb://127.0.0.1:1/', { serverSelectionTimeoutMS: 20_000 });
  for (let round = 0; round < 2; round++) {
    const closed = { name: 'MongoClientClosedError' };
    const waiting = [assert.rejects(client.connect(), closed), assert.rejects(client.connect(), closed)];
    await new Promise((resolve) => setTimeout(resolve, 50 * round));
    const start = Date.now();
    await client.close();
    await Promise.all(waiting);
    assert.ok(Date.now() - start < 5000);
  }
  // As soon as it begins, so that the answer may be under way.
  for (let round = 0; round < 20; round++) {
    const other = new MongoClient(server.uri);
    const connecting = other.connect().catch((error) => assert.equal(error.name, 'MongoClientClosedError'));
    await new Promise((resolve) => setTimeout(resolve, round % 5));
    await other.close();
    await connecting;
    assert.equal(other.stats().core.clients, 0);
  }
});

test('a client closes at the end of a scope', async () => {
  const client = await MongoClient.connect(server.uri);
  await client[Symbol.asyncDispose]();
  await assert.rejects(client.db('connect_test').collection('items').findOne(), { name: 'MongoNotConnectedError' });
});

test('a read from the client of another database of the same process', async () => {
  const clients = await Promise.all([MongoClient.connect(server.uri), MongoClient.connect(server.uri), MongoClient.connect(server.uri, { appName: 'x' })]);
  for (const client of clients) assert.equal((await client.db('connect_test').collection('items').findOne()).a, 1);
  assert.equal(clients[0].stats().core.clients, 3);
  assert.equal(clients[0].stats().core.deployments, 2, 'equal URIs and options share one topology');
  await clients[0].close();
  assert.equal((await clients[1].db('connect_test').collection('items').findOne()).a, 1);
  await Promise.all([clients[1].close(), clients[2].close()]);
});

describe('a server that is not there', () => {
  let port;

  before(async () => {
    const listener = net.createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    ({ port } = listener.address());
    listener.close();
    await once(listener, 'close');
  });

  const refused = () => ({ name: 'MongoServerSelectionError', message: new RegExp(`127\\.0\\.0\\.1:${port}`) });

  test('connect rejects after serverSelectionTimeoutMS and names the address', async () => {
    const start = Date.now();
    await assert.rejects(MongoClient.connect(`mongodb://127.0.0.1:${port}`, { serverSelectionTimeoutMS: 300 }), (error) => {
      assert.ok(error instanceof official.MongoServerSelectionError);
      assert.match(error.message, refused().message);
      return true;
    });
    const took = Date.now() - start;
    assert.ok(took >= 250 && took < 5000, `${took} ms`);
  });

  test('so does a first read, with the caller in its stack', async () => {
    const client = new MongoClient(`mongodb://127.0.0.1:${port}/?serverSelectionTimeoutMS=200`);
    const collection = client.db('d').collection('c');
    for (const read of [() => collection.findOne(), () => collection.find().toArray(), () => collection.findLazy(), () => collection.find().next()]) {
      await assert.rejects(read(), refused());
    }
    const cursor = await collection.findCursor();
    await assert.rejects(cursor.nextBatch(), refused());
    await client.close();
  });

  test('a password does not show', async () => {
    await assert.rejects(MongoClient.connect(`mongodb://user:hunter2@127.0.0.1:${port}`, { serverSelectionTimeoutMS: 100 }), (error) => {
      assert.doesNotMatch(require('node:util').inspect(error, { depth: 9, showHidden: true }), /hunter2/);
      return true;
    });
  });
});

test('import and require, in processes of their own', () => {
  const script = (load) => `${load}
    const client = await MongoClient.connect(process.argv[1]);
    const doc = await client.db('connect_test').collection('items').findOne();
    await client.close();
    if (doc.a !== 1) process.exit(3);`;
  const common = `(async () => { ${script(`const { MongoClient } = require(${JSON.stringify(root)});`)} })();`;
  const modern = script(`import { MongoClient } from ${JSON.stringify(path.join(root, 'js/index.mjs'))};`);
  for (const args of [['-e', common], ['--input-type=module', '-e', modern]]) {
    const { status, stderr } = spawnSync(process.execPath, [...args, server.uri], { encoding: 'utf8', timeout: 20_000 });
    assert.equal(status, 0, stderr);
  }
});

test('RUMONGO_DEBUG=1 logs each read and no values', () => {
  const script = `(async () => {
    const { MongoClient } = require(${JSON.stringify(root)});
    const client = await MongoClient.connect(process.argv[1]);
    const items = client.db('connect_test').collection('items');
    await items.find({ a: 1, secret: null }).toArray();
    await items.findLazy();
    await items.findOne({ $nope: 'secret' }).catch(() => {});
    await client.close();
  })();`;
  const { stderr } = spawnSync(process.execPath, ['-e', script, server.uri], { encoding: 'utf8', env: { ...process.env, RUMONGO_DEBUG: '1' } });
  const lines = stderr.trim().split('\n');
  assert.equal(lines.length, 3, stderr);
  assert.match(lines[0], /^rumongo: connect_test\.items 1 documents \d+ bytes \d+\.\d ms$/);
  assert.match(lines[2], /failed$/);
  assert.doesNotMatch(stderr, /secret/);
});

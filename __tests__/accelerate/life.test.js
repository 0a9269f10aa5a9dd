'use strict';
// From accelerate() to restore() and close(): what is there, and what is left.

const test = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { setTimeout } = require('node:timers/promises');
const bson = require('bson');
const { accelerate, MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { runChild, CLEAN } = require('../support/run-child.js');
const { DRIVERS, isOurs } = require('../support/acceleration.js');

const child = path.join(__dirname, '..', 'fixtures', 'accelerate-child.js');

async function start(t) {
  const fixture = await startFixture();
  await fixture.put('app.docs', Array.from({ length: 8 }, (_, _id) => bson.serialize({ _id })));
  t.after(() => fixture.stop());
  return fixture;
}

async function whoReads(fixture, collection) {
  await fixture.startLog();
  assert.equal((await collection.find().toArray()).length, 8);
  return (await fixture.takeLog()).map((entry) => (isOurs(entry) ? 'ours' : 'official')).join();
}

/** All connections but the fixture's own control are gone. */
async function connectionsGone(fixture) {
  for (let tries = 0; tries < 200; tries++) {
    if ((await fixture.stats()).connections.open === 0) return true;
    await setTimeout(10);
  }
  return false;
}

const snapshot = (object) => ({
  prototype: Object.getPrototypeOf(object),
  keys: Reflect.ownKeys(object),
  events: object.eventNames?.().map((name) => [name, object.listenerCount(name)]),
});

for (const [name, mongodb] of Object.entries(DRIVERS)) {
  test(`${name}: restore leaves no trace`, async (t) => {
    const fixture = await start(t);
    const client = await new mongodb.MongoClient(fixture.uri).connect();
    t.after(() => client.close());
    await client.db('app').collection('docs').findOne();
    const db = client.db('app');
    const collection = db.collection('docs');
    const before = [client, db, collection, client.topology].map(snapshot);
    const open = (await fixture.stats()).connections.open;

    for (const one of [collection, db, client]) {
      assert.equal(accelerate(one), one);
      assert.equal(accelerate(one), one, 'twice is once');
    }
    assert.equal(collection.constructor, mongodb.Collection);
    assert.ok(client instanceof mongodb.MongoClient);
    assert.deepEqual(Object.keys(collection), before[2].keys.filter((key) => typeof key === 'string'));
    const given = client.db('app').collection('docs');
    const other = db.collection('docs');
    assert.equal(await whoReads(fixture, collection), 'ours');
    assert.equal(await whoReads(fixture, given), 'ours');
    assert.equal(await whoReads(fixture, other), 'ours');
    assert.ok((await fixture.stats()).connections.open > open);

    const again = client.db('app').collection('docs');
    for (const one of [collection, db, client]) assert.equal(accelerate.restore(one), one);
    assert.equal(await whoReads(fixture, accelerate(again)), 'ours', 'one that it has handed out');
    accelerate.restore(again);
    assert.deepEqual(snapshot(again), before[2]);
    assert.deepEqual([client, db, collection, client.topology].map(snapshot), before);
    for (const one of [collection, given, other]) assert.equal(await whoReads(fixture, one), 'official');
    assert.deepEqual(snapshot(given), snapshot(db.collection('docs')));
    assert.equal(accelerate.restore(collection), collection, 'again');
    // Connections close a moment later; what the official client had is still there.
    for (let tries = 0; tries < 200 && (await fixture.stats()).connections.open > open; tries++) await setTimeout(10);
    assert.ok((await fixture.stats()).connections.open <= open);
    assert.equal(await whoReads(fixture, accelerate(collection)), 'ours');
  });

  test(`${name}: a cursor that is open outlives restore`, async (t) => {
    const fixture = await start(t);
    const client = await new mongodb.MongoClient(fixture.uri).connect();
    t.after(() => client.close());
    const prototype = Object.getPrototypeOf(client);
    const collection = accelerate(client.db('app').collection('docs'));
    const cursor = collection.find({}, { batchSize: 3 });
    await cursor.next();
    accelerate.restore(collection);
    assert.equal((await cursor.toArray()).length, 7);
    for (let tries = 0; tries < 200 && Object.getPrototypeOf(client) !== prototype; tries++) await setTimeout(5);
    assert.equal(Object.getPrototypeOf(client), prototype);
  });

  test(`${name}: close closes both, connect opens both`, async (t) => {
    const fixture = await start(t);
    const client = await new mongodb.MongoClient(fixture.uri).connect();
    const collection = accelerate(client.db('app').collection('docs'));
    const cursor = collection.find({}, { batchSize: 3 });
    await cursor.next();
    await client.close();
    assert.ok(cursor.closed || cursor.killed);
    assert.ok(await connectionsGone(fixture));
    assert.equal((await fixture.stats()).cursors.open, 0);
    const message = /must be connected before running operations/;
    await assert.rejects(collection.findOne(), message);
    await assert.rejects(collection.find().toArray(), message);
    await client.connect();
    assert.equal(await whoReads(fixture, collection), 'ours');
    await client.close();
    assert.ok(await connectionsGone(fixture));
  });

  test(`${name}: a client that is not connected yet connects with the first read`, async (t) => {
    const fixture = await start(t);
    const client = accelerate(new mongodb.MongoClient(fixture.uri));
    const collection = client.db('app').collection('docs');
    assert.equal((await fixture.stats()).connections.open, 0);
    assert.equal(await whoReads(fixture, collection), 'ours');
    assert.notEqual(client.topology, undefined);
    await client.close();
    const nowhere = accelerate(new mongodb.MongoClient('mongodb://127.0.0.1:1', { serverSelectionTimeoutMS: 200 }));
    await assert.rejects(nowhere.db('app').collection('docs').findOne(), (error) => error instanceof mongodb.MongoServerSelectionError);
    await nowhere.close();
  });

  test(`${name}: what was handed out before is not accelerated, until it is given itself`, async (t) => {
    const fixture = await start(t);
    const client = await new mongodb.MongoClient(fixture.uri).connect();
    t.after(() => client.close());
    const early = client.db('app').collection('docs');
    accelerate(client);
    assert.equal(await whoReads(fixture, early), 'official');
    assert.equal(await whoReads(fixture, client.db('app').collection('docs')), 'ours');
    assert.equal(await whoReads(fixture, accelerate(early)), 'ours');
  });

  test(`${name}: changes of the application count`, async (t) => {
    const fixture = await start(t);
    const client = await new mongodb.MongoClient(fixture.uri).connect();
    t.after(() => client.close());
    const collection = accelerate(client.db('app').collection('docs'));
    const { find } = mongodb.Collection.prototype;
    let calls = 0;
    mongodb.Collection.prototype.find = function counted(...args) {
      calls++;
      return find.apply(this, args);
    };
    try {
      await collection.find().toArray();
    } finally {
      mongodb.Collection.prototype.find = find;
    }
    assert.equal(calls, 1);
    collection.findOne = async () => 'mine';
    assert.equal(await collection.findOne(), 'mine');
    delete collection.findOne;
    assert.equal((await collection.findOne())._id, 0);
    collection.hint = { _id: 1 };
    assert.deepEqual(collection.hint, { _id: 1 });
    assert.equal(collection.namespace, 'app.docs');
  });
}

test('native reads use none of the official client\'s connections', async (t) => {
  const fixture = await start(t);
  const client = await DRIVERS['mongodb 7'].MongoClient.connect(fixture.uri);
  t.after(() => client.close());
  const collection = accelerate(client.db('app').collection('docs'));
  let checkedOut = 0;
  client.on('connectionCheckedOut', () => { checkedOut++; });
  await collection.find({}, { batchSize: 3 }).toArray();
  await collection.findOne();
  await collection.distinct('_id');
  assert.equal(checkedOut, 0);
  await collection.listIndexes().toArray().catch(() => {});
  assert.equal(checkedOut, 1);
});

test('a process with accelerated reads ends', async (t) => {
  const fixture = await start(t);
  for (const how of ['closed', 'middle', 'restored', 'hurried']) {
    await t.test(how, async () => {
      assert.deepEqual(await runChild(child, [how, fixture.uri]), CLEAN);
      assert.ok(await connectionsGone(fixture));
    });
  }
});

test('what accelerate() does not take is refused by name', () => {
  const refused = (x, message, options) => assert.throws(() => accelerate(x, options), { name: 'MongoInvalidArgumentError', message });
  refused(undefined, /takes an official Collection, Db or MongoClient, or a Mongoose model or connection, got undefined/);
  refused(null, /got null/);
  refused(5, /got number/);
  refused({}, /got Object/);
  refused(() => {}, /got Function/);
  refused(require('mongoose'), /give it mongoose\.connection, or a model/);
  refused(new MongoClient('mongodb://localhost'), /native already/);
  refused(new MongoClient('mongodb://localhost').db('a').collection('b'), /native already/);
  const client = new DRIVERS['mongodb 7'].MongoClient('mongodb://localhost');
  refused(client, /Option "readahead" of accelerate is not known/, { readahead: true });
  refused(client, /Option "readAhead" must be true or false/, { readAhead: 1 });
  refused(client, /Option "mongodb" must be the exports/, { mongodb: {} });
  refused(client, /Argument "options" of accelerate must be an object/, 5);
  assert.deepEqual(accelerate.status(client), { accelerated: false, reason: 'accelerate() was not called with it', native: 0, official: 0 });
});

test('readAhead: true also for those who take one document after the other', async (t) => {
  const fixture = await start(t);
  const client = await DRIVERS['mongodb 7'].MongoClient.connect(fixture.uri);
  t.after(() => client.close());
  for (const [readAhead, expected] of [[false, 0], [true, 1]]) {
    const collection = accelerate(client.db('app').collection('docs'), { readAhead });
    await collection.findOne();
    await fixture.startLog();
    const cursor = collection.find({}, { batchSize: 3 });
    await cursor.next();
    await setTimeout(200);
    const getMores = (await fixture.takeLog()).filter(({ name }) => name === 'getMore').length;
    assert.equal(getMores > 0 ? 1 : 0, expected);
    assert.equal((await cursor.toArray()).length, 7);
  }
});

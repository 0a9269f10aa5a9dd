'use strict';
// What stays with the official driver, told by who sent the command: the handshake names the driver.

const test = require('node:test');
const assert = require('node:assert/strict');
const dns = require('node:dns');
const path = require('node:path');
const tls = require('node:tls');
const bson = require('bson');
const { accelerate } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { runChild } = require('../support/run-child.js');
const { DRIVERS, isOurs } = require('../support/acceleration.js');

const drain = async (cursor) => cursor.toArray();

async function start(t, { topology } = {}) {
  const fixture = await startFixture({ topology });
  await fixture.put('app.docs', Array.from({ length: 8 }, (_, _id) => bson.serialize({ _id })));
  const clients = [];
  t.after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await fixture.stop();
  });
  return {
    fixture,
    async connect(mongodb, options) {
      const client = new mongodb.MongoClient(fixture.uri, options);
      clients.push(client);
      return await client.connect();
    },
    /** Who has sent the commands of these names during a call: 'official', 'ours' or 'both'. */
    async who(names, run) {
      await fixture.startLog();
      await run().catch(() => {}); // the fixture refuses some of it; what counts is who asked
      const sent = (await fixture.takeLog()).filter(({ name }) => names.includes(name));
      assert.ok(sent.length > 0, `none of ${names} was sent`);
      const ours = sent.filter(isOurs).length;
      return ours === 0 ? 'official' : ours === sent.length ? 'ours' : 'both';
    },
  };
}

/** [command names, (collection, client, mongodb) => Promise] */
const OFFICIAL = {
  'a read in a session': [['find'], (c, client) => client.withSession((session) => drain(c.find({}, { session })))],
  'findOne in a session': [['find'], (c, client) => client.withSession((session) => c.findOne({}, { session }))],
  'aggregate in a session': [['aggregate'], (c, client) => client.withSession((session) => drain(c.aggregate([], { session })))],
  'countDocuments in a session': [['aggregate'], (c, client) => client.withSession((session) => c.countDocuments({}, { session }))],
  'estimatedDocumentCount in a session': [['count'], (c, client) => client.withSession((session) => c.estimatedDocumentCount({ session }))],
  'distinct in a session': [['distinct'], (c, client) => client.withSession((session) => c.distinct('_id', {}, { session }))],
  'db.aggregate in a session': [['aggregate'], (c, client) => client.withSession((session) => drain(client.db('app').aggregate([{ $currentOp: {} }], { session })))],
  'explain': [['explain'], (c) => c.find().explain()],
  'explain of an aggregation': [['explain'], (c) => c.aggregate([]).explain()],
  '$out': [['aggregate'], (c) => drain(c.aggregate([{ $match: {} }, { $out: 'x' }]))],
  '$merge': [['aggregate'], (c) => drain(c.aggregate([{ $match: {} }, { $merge: 'x' }]))],
  '$changeStream': [['aggregate'], (c) => c.aggregate([{ $changeStream: {} }]).next()],
  'a change stream': [['aggregate'], async (c) => {
    const changes = c.watch();
    try {
      await changes.tryNext();
    } finally {
      await changes.close();
    }
  }],
  'tailable': [['find'], async (c) => {
    const cursor = c.find({}, { tailable: true });
    await cursor.next();
    await cursor.close();
  }],
  'rawData': [['find'], (c) => drain(c.find({}, { rawData: true }))],
  'insertOne': [['insert'], (c) => c.insertOne({ a: 1 })],
  'updateOne': [['update'], (c) => c.updateOne({}, { $set: { a: 1 } })],
  'deleteMany': [['delete'], (c) => c.deleteMany({ _id: -1 })],
  'findOneAndUpdate': [['findAndModify'], (c) => c.findOneAndUpdate({}, { $set: { a: 1 } })],
  'bulkWrite': [['insert'], (c) => c.bulkWrite([{ insertOne: { document: { a: 1 } } }])],
  'listIndexes': [['listIndexes'], (c) => drain(c.listIndexes())],
  'listCollections': [['listCollections'], (c, client) => drain(client.db('app').listCollections())],
  'a command': [['count'], (c, client) => client.db('app').command({ count: 'docs' })],
  'GridFS': [['find'], async (c, client, { GridFSBucket }) => new GridFSBucket(client.db('app')).find().toArray(), 'of files'],
};

for (const [name, mongodb] of Object.entries(DRIVERS)) {
  test(`${name}: what is not for the core`, async (t) => {
    const { connect, who } = await start(t, { topology: 'mongos' });
    const client = accelerate(await connect(mongodb));
    const collection = client.db('app').collection('docs');
    assert.equal(await who(['find'], () => drain(collection.find())), 'ours');
    for (const [what, [names, run, note]] of Object.entries(OFFICIAL)) {
      // A bucket takes its collections from the database, which is accelerated.
      const expected = note === 'of files' ? 'ours' : 'official';
      await t.test(what, async () => {
        assert.equal(await who(names, () => run(collection, client, mongodb)), expected);
      });
    }
    assert.equal(await who(['find'], () => drain(collection.find())), 'ours');
  });

  test(`${name}: a transaction`, async (t) => {
    const { connect, fixture } = await start(t, { topology: 'mongos' });
    const client = accelerate(await connect(mongodb));
    const collection = client.db('app').collection('docs');
    await collection.findOne();
    await fixture.startLog();
    const session = client.startSession();
    session.startTransaction();
    await collection.findOne({}, { session });
    await drain(collection.find({}, { session, batchSize: 3 }));
    await collection.countDocuments({}, { session });
    const log = await fixture.takeLog();
    assert.ok(log.length >= 4);
    for (const entry of log) {
      const command = bson.deserialize(entry.command);
      assert.equal(isOurs(entry), false, entry.name);
      assert.equal(command.autocommit, false);
      assert.ok(command.txnNumber !== undefined && command.lsid !== undefined);
    }
    await session.abortTransaction().catch(() => {});
    await session.endSession();
  });
}

test('timeoutMS, where it has an effect', async (t) => {
  const { connect, who } = await start(t);
  const collection = accelerate((await connect(DRIVERS['mongodb 6.20, of Mongoose 8'])).db('app').collection('docs'));
  await collection.findOne();
  assert.equal(await who(['find'], () => drain(collection.find({}, { timeoutMS: 5000 }))), 'official');
  assert.equal(await who(['find'], () => collection.findOne({}, { timeoutMS: 5000 })), 'official');
  assert.equal(await who(['aggregate'], () => collection.countDocuments({}, { timeoutMS: 5000 })), 'official');
  const timed = accelerate((await connect(DRIVERS['mongodb 6.20, of Mongoose 8'], { timeoutMS: 5000 })).db('app').collection('docs'));
  assert.equal(await who(['find'], () => timed.findOne()), 'official');
  assert.equal(await who(['find'], () => timed.findOne()), 'official');
});

test('options that contradict each other fail as they do without acceleration', async (t) => {
  const { connect } = await start(t);
  const collection = accelerate((await connect(DRIVERS['mongodb 7'])).db('app').collection('docs'));
  await assert.rejects(drain(collection.find({}, { useBigInt64: true, promoteLongs: false })), { name: 'BSONError' });
  assert.deepEqual(await drain(collection.find({ _id: -1 }, { useBigInt64: true, promoteLongs: false })), []);
});

/** Options of clients that are left alone, and what is said of them. A function makes the client, when it cannot connect. */
const CLIENTS = {
  'pkFactory': [{ pkFactory: { createPk: () => 5 } }, /pkFactory/],
  'lookup': [{ lookup: dns.lookup }, /lookup/],
  'checkServerIdentity': [{ checkServerIdentity: () => false }, /checkServerIdentity/],
  'secureContext': [{ secureContext: tls.createSecureContext() }, /secureContext/],
  'a local address': [{ localAddress: '127.0.0.1' }, /localAddress/],
  'an OIDC callback': [{ authMechanism: 'MONGODB-OIDC', authMechanismProperties: { OIDC_CALLBACK: async () => ({ accessToken: 'x' }) } }, /OIDC_CALLBACK/, 'not connected'],
  'a human OIDC callback': [{ authMechanism: 'MONGODB-OIDC', authMechanismProperties: { OIDC_HUMAN_CALLBACK: async () => ({ accessToken: 'x' }) } }, /OIDC_HUMAN_CALLBACK/, 'not connected'],
  'credentials of AWS': [{ authMechanism: 'MONGODB-AWS' }, /MONGODB-AWS/, 'not connected'],
};

test('clients that are left to the official driver', async (t) => {
  const { connect, fixture, who } = await start(t);
  for (const [what, [options, reason, connected]] of Object.entries(CLIENTS)) {
    await t.test(what, async () => {
      const mongodb = DRIVERS['mongodb 7'];
      const client = connected ? new mongodb.MongoClient(fixture.uri, options) : await connect(mongodb, options);
      const prototype = Object.getPrototypeOf(client);
      const collection = accelerate(client).db('app').collection('docs');
      assert.match(accelerate.status(client).reason, reason);
      assert.equal(accelerate.status(client).accelerated, false);
      assert.equal(Object.getPrototypeOf(client), prototype);
      if (!connected) assert.equal(await who(['find'], () => drain(collection.find())), 'official');
    });
  }
  await t.test('autoEncryption', async () => {
    // The package it needs is not installed: this is what the driver's own check leaves of it.
    const client = await connect(DRIVERS['mongodb 7']);
    Object.defineProperty(client.options, 'autoEncryption', { value: { keyVaultNamespace: 'a.b' }, enumerable: true });
    const collection = accelerate(client.db('app').collection('docs'));
    assert.match(accelerate.status(collection).reason, /autoEncryption/);
    assert.equal(await who(['find'], () => drain(collection.find())), 'official');
  });
  await t.test('an option of a driver that is newer than this package', async () => {
    const client = await connect(DRIVERS['mongodb 7']);
    client.options.useTelepathy = true;
    const collection = accelerate(client.db('app').collection('docs'));
    assert.match(accelerate.status(collection).reason, /useTelepathy/);
    assert.equal(await who(['find'], () => drain(collection.find())), 'official');
  });
  await t.test('a driver whose servers take something else than operations', async () => {
    const client = await connect(DRIVERS['mongodb 7']);
    const collection = accelerate(client.db('app').collection('docs'));
    const server = [...client.topology.s.servers.values()][0];
    const { command } = server;
    server.command = function old(...args) { return command.apply(this, args); };
    assert.equal(await who(['find'], () => drain(collection.find())), 'official');
    assert.equal(await who(['find'], () => collection.findOne()), 'official');
  });
});

test('where rumongo-go cannot connect, the official driver reads', async (t) => {
  const { connect, who } = await start(t);
  const mongodb = DRIVERS['mongodb 7'];
  const broken = async (serverSelectionTimeoutMS) => {
    const client = await connect(mongodb, { serverSelectionTimeoutMS });
    client.options.hosts = new mongodb.MongoClient('mongodb://127.0.0.1:1').options.hosts;
    return accelerate(client.db('app').collection('docs'));
  };
  const refused = await broken(300);
  assert.equal(await who(['find'], () => drain(refused.find())), 'official');
  assert.match(accelerate.status(refused).reason, /cannot connect/);
  assert.equal(await who(['find'], () => refused.findOne()), 'official');
  const slow = await broken(30000);
  assert.equal(await who(['find'], () => drain(slow.find())), 'official');
});

test('one line says why, without the password', async (t) => {
  const { fixture } = await start(t);
  const { stderr, code } = await runChild(path.join(__dirname, '..', 'fixtures', 'accelerate-child.js'), ['reasons', fixture.uri], { env: { RUMONGO_DEBUG: '1' } });
  assert.equal(code, 0, stderr);
  const lines = stderr.split('\n').filter((line) => line.startsWith('rumongo:'));
  assert.equal(lines.filter((line) => /left to the official driver: it has a pkFactory/.test(line)).length, 1);
  assert.equal(lines.filter((line) => /find by the official driver: tailable/.test(line)).length, 1);
  assert.ok(lines.some((line) => /^rumongo: app\.docs 8 documents/.test(line)), stderr);
});

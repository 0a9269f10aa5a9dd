'use strict';
// Listeners to the commands of an official client hear the same with and without acceleration, whoever sends them.

const test = require('node:test');
const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const bson = require('bson');
const { accelerate } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { DRIVERS, isOurs } = require('../support/acceleration.js');
const { storyOf, withoutIds } = require('../support/event-recorder.js');

const COMMANDS = ['commandStarted', 'commandSucceeded', 'commandFailed'];
const CURSOR = bson.Long.fromString('7000000000000000001');
// A server that was lost is looked for again soon; version 6 leaves a timer behind, as long as the selection may take.
const CLIENT = { monitorCommands: true, minHeartbeatFrequencyMS: 20, heartbeatFrequencyMS: 1000, serverSelectionTimeoutMS: 3000 };

async function start(t, uriOf = ({ uri }) => uri) {
  const fixture = await startFixture();
  await fixture.put('app.docs', Array.from({ length: 8 }, (_, _id) => bson.serialize({ _id, long: bson.Long.fromString('9007199254740993') })));
  const clients = [];
  t.after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await fixture.stop();
  });
  return {
    fixture,
    async connect(mongodb, options) {
      const client = new mongodb.MongoClient(uriOf(fixture), options);
      clients.push(client);
      return await client.connect();
    },
  };
}

function listen(emitter, record = []) {
  for (const name of COMMANDS) emitter.on(name, (event) => record.push({ name, event }));
  return record;
}

/** Reads by name. */
const READS = {
  toArray: (c) => c.find({}, { batchSize: 3, comment: { at: new Date(0), d: 1.5, n: null, r: /x/i, list: [1, 'a'] } }).toArray(),
  findAll: (c) => c.find().toArray(),
  'one by one': async (c) => {
    for await (const { _id } of c.find({}, { batchSize: 3 })) assert.ok(_id >= 0);
  },
  'closed early': async (c) => {
    const cursor = c.find({}, { batchSize: 3 });
    await cursor.next();
    await cursor.close();
  },
  findOne: (c) => c.findOne({}, { projection: { _id: 1 } }),
  'findOne with a read concern': (c) => c.findOne({}, { readConcern: { level: 'majority' } }),
  aggregate: (c) => c.aggregate([{ $match: {} }], { batchSize: 3 }).toArray(),
  countDocuments: (c) => c.countDocuments(),
  estimatedDocumentCount: (c) => c.estimatedDocumentCount(),
  distinct: (c) => c.distinct('_id'),
  'useBigInt64': (c) => c.find({}, { useBigInt64: true }).toArray(),
  'promoteLongs: false': (c) => c.find({}, { promoteLongs: false }).toArray(),
  raw: (c) => c.find({}, { raw: true }).toArray(),
  insertOne: (c) => c.insertOne({ _id: 1 }),
};

const plainly = (value) => JSON.stringify(withoutIds(value), (_, one) => (typeof one === 'bigint' ? `${one}n` : one));

for (const [name, mongodb] of Object.entries(DRIVERS)) {
  test(`${name}: the same events with the same fields`, async (t) => {
    const { connect, fixture } = await start(t);
    const [plain, fast] = await Promise.all([connect(mongodb, CLIENT), connect(mongodb, CLIENT)]);
    accelerate(fast);
    const records = [listen(plain), listen(fast)];
    await fast.db('app').collection('docs').findOne();
    await plain.db('app').collection('docs').findOne();
    for (const [what, read] of Object.entries(READS)) {
      await t.test(what, async () => {
        records.forEach((record) => record.splice(0));
        const senders = [];
        for (const client of [plain, fast]) {
          await fixture.control({ log: true, cursorId: CURSOR });
          await read(client.db('app').collection('docs')).catch(() => {});
          senders.push((await fixture.takeLog()).map(isOurs));
        }
        assert.ok(senders[0].length > 0 && !senders[0].includes(true));
        assert.ok(what === 'insertOne' || !senders[1].includes(false), 'read by rumongo-go');
        const [theirs, ours] = records;
        assert.ok(theirs.length >= 2);
        assert.deepEqual(storyOf(ours), storyOf(theirs));
        theirs.forEach(({ name: kind, event }, i) => {
          const mine = ours[i].event;
          const Class = mongodb[`${kind[0].toUpperCase()}${kind.slice(1)}Event`];
          assert.ok(mine instanceof Class);
          assert.equal(mine.constructor, Class);
          assert.deepEqual(Object.keys(mine), Object.keys(event));
          assert.equal(mine.hasServiceId, event.hasServiceId);
          assert.equal(plainly(mine), plainly(event));
          assert.equal(typeof mine.requestId, 'number');
          assert.equal(mine.requestId, ours[i - (kind === 'commandStarted' ? 0 : 1)].event.requestId);
        });
      });
    }
  });

  test(`${name}: events of reads that fail, and are tried again`, async (t) => {
    const { connect, fixture } = await start(t);
    const [plain, fast] = await Promise.all([connect(mongodb, CLIENT), connect(mongodb, CLIENT)]);
    accelerate(fast);
    for (const client of [plain, fast, fast]) await client.db('app').collection('docs').findOne();
    const records = [listen(plain), listen(fast)];
    for (const [what, fault] of Object.entries({
      'a server error': { action: 'error', code: 2, codeName: 'BadValue', errmsg: 'no' },
      'a retryable error, once': { action: 'error', code: 11600, codeName: 'InterruptedAtShutdown' },
      'a connection that closes, once': { action: 'close' },
      'a connection that closes, twice': { action: 'close', times: 2 },
    })) {
      for (const read of ['toArray', 'findOne']) {
        await t.test(`${what}: ${read}`, async () => {
          records.forEach((record) => record.splice(0));
          const errors = [];
          for (const client of [plain, fast]) {
            await fixture.control({ faults: [{ command: 'find', ...fault }] });
            errors.push(await READS[read](client.db('app').collection('docs')).then(() => undefined, (error) => error));
          }
          const [theirs, ours] = records;
          assert.ok(theirs.some(({ name: kind }) => kind === 'commandFailed'));
          assert.deepEqual(storyOf(ours), storyOf(theirs));
          const failures = records.map((record) => record.filter(({ name: kind }) => kind === 'commandFailed').map(({ event }) => event));
          failures[1].forEach((event, i) => {
            const { failure } = failures[0][i];
            assert.ok(event instanceof mongodb.CommandFailedEvent);
            assert.equal(event.failure.constructor, failure.constructor);
            assert.deepEqual(event.failure.errorResponse, failure.errorResponse);
            assert.deepEqual(Object.keys(event), Object.keys(failures[0][i]));
          });
          assert.equal(errors[1]?.name, errors[0]?.name);
        });
      }
    }
  });

  test(`${name}: listeners that come later, or go`, async (t) => {
    const { connect } = await start(t);
    const client = await connect(mongodb, CLIENT);
    const collection = accelerate(client.db('app').collection('docs'));
    await collection.findOne();
    const before = client.eventNames();
    const cursor = collection.find({}, { batchSize: 3 });
    await cursor.next();
    const heard = [];
    const listener = ({ commandName }) => heard.push(commandName);
    client.on('commandStarted', listener);
    await cursor.toArray();
    await collection.findOne();
    assert.deepEqual(heard, ['getMore', 'getMore', 'find']);
    client.off('commandStarted', listener);
    await collection.findOne();
    assert.equal(heard.length, 3);
    assert.deepEqual(client.eventNames(), before);
  });

  test(`${name}: without monitorCommands, and when it is set on a client that is connected`, async (t) => {
    const { connect } = await start(t);
    const told = [];
    for (const prepare of [(client) => client, accelerate]) {
      const client = prepare(await connect(mongodb));
      const record = listen(client);
      const collection = client.db('app').collection('docs');
      await collection.findOne();
      client.monitorCommands = true;
      await collection.findOne();
      await collection.find().toArray();
      told.push(record.length);
    }
    assert.deepEqual(told, [0, 0]);
    const client = new mongodb.MongoClient((await start(t)).fixture.uri);
    t.after(() => client.close());
    client.monitorCommands = true;
    const record = listen(accelerate(client));
    await client.db('app').collection('docs').findOne();
    assert.deepEqual(storyOf(record), ['commandStarted find', 'commandSucceeded find']);
  });

  test(`${name}: requests of both have numbers of their own`, async (t) => {
    const { connect } = await start(t);
    const client = accelerate(await connect(mongodb, CLIENT));
    const record = listen(client);
    const collection = client.db('app').collection('docs');
    for (let i = 0; i < 20; i++) {
      await collection.findOne();
      await client.db('app').command({ ping: 1 });
    }
    const ids = record.filter(({ name: kind }) => kind === 'commandStarted').map(({ event }) => event.requestId);
    assert.equal(ids.length, 40);
    assert.equal(new Set(ids).size, 40);
  });

  test(`${name}: a listener that throws, and its async context`, async (t) => {
    const { connect } = await start(t);
    const storage = new AsyncLocalStorage();
    for (const prepare of [(client) => client, accelerate]) {
      const client = prepare(await connect(mongodb, CLIENT));
      const collection = client.db('app').collection('docs');
      await collection.findOne();
      for (const kind of ['commandStarted', 'commandSucceeded']) {
        for (const read of [READS.findOne, READS.findAll]) {
          const thrown = new Error(`thrown by a listener to ${kind}`);
          client.once(kind, () => { throw thrown; });
          await assert.rejects(read(collection), (error) => error === thrown);
          assert.ok(await collection.findOne());
        }
      }
      const seen = [];
      client.on('commandStarted', () => seen.push(storage.getStore()));
      await Promise.all([1, 2, 3].map((i) => storage.run(i, () => collection.findOne())));
      assert.deepEqual(seen.sort(), [1, 2, 3]);
    }
  });

  test(`${name}: a command that cannot be encoded`, async (t) => {
    const { connect } = await start(t);
    const stories = [];
    for (const prepare of [(client) => client, accelerate]) {
      const client = prepare(await connect(mongodb, CLIENT));
      const collection = client.db('app').collection('docs');
      await collection.findOne();
      const record = listen(client);
      const loop = {};
      loop.loop = loop;
      await assert.rejects(collection.findOne(loop), /circular|recursi/i);
      stories.push(storyOf(record).map((text) => text.split(' ', 2).join(' ')));
    }
    assert.deepEqual(stories, [['commandStarted find', 'commandFailed find'], []]);
  });

  test(`${name}: a listener that throws about a command nobody waits for`, async (t) => {
    const { connect } = await start(t);
    for (const prepare of [(client) => client, accelerate]) {
      const client = prepare(await connect(mongodb, CLIENT));
      const collection = client.db('app').collection('docs');
      const heard = [];
      client.on('commandStarted', ({ commandName }) => {
        if (commandName !== 'killCursors') return;
        heard.push(commandName);
        throw new Error('thrown by a listener'); // an uncaught exception would end this process
      });
      await READS['closed early'](collection);
      assert.deepEqual(heard, ['killCursors']);
      assert.ok(await collection.findOne());
    }
  });

  test(`${name}: close tells what it does without acceleration`, async (t) => {
    const { connect } = await start(t);
    const stories = [];
    for (const prepare of [(client) => client, accelerate]) {
      const client = prepare(await connect(mongodb, CLIENT));
      const record = listen(client);
      await client.db('app').collection('docs').findOne();
      await client.close();
      stories.push(storyOf(record));
    }
    assert.deepEqual(stories[1], stories[0]);
  });

  test(`${name}: pools and servers are those of the official client`, async (t) => {
    const { connect } = await start(t);
    const client = await connect(mongodb, CLIENT);
    const other = [];
    for (const kind of ['connectionCreated', 'connectionCheckedOut', 'serverOpening', 'topologyOpening']) client.on(kind, () => other.push(kind));
    const record = listen(client);
    const collection = accelerate(client.db('app').collection('docs'));
    await collection.findOne();
    await collection.find().toArray();
    assert.deepEqual(other, []);
    assert.equal(record.length, 4);
  });
}

for (const [name, mongoose] of Object.entries({ 'Mongoose 9': require('mongoose'), 'Mongoose 8': require('mongoose8') })) {
  test(`${name}: a connection passes them on, and its debug hook is called`, async (t) => {
    const { fixture } = await start(t);
    const heard = [];
    for (const how of ['plain', 'accelerated']) {
      const instance = new mongoose.Mongoose();
      const debug = [];
      instance.set('debug', (collection, method, ...args) => debug.push([collection, method, args]));
      const connection = await instance.createConnection(fixture.uri, { ...CLIENT, dbName: 'app', autoCreate: false, autoIndex: false }).asPromise();
      t.after(() => connection.close());
      if (how === 'accelerated') accelerate(connection);
      const record = listen(connection);
      const Doc = connection.model('Doc', new instance.Schema({ _id: Number }), 'docs');
      await Doc.find().lean();
      await Doc.findOne();
      await Doc.countDocuments();
      heard.push({ story: storyOf(record), debug });
      assert.ok(record.every(({ event }) => how === 'plain' || event.requestId > 2 ** 31), 'read by rumongo-go');
    }
    assert.equal(heard[0].story.length, 6);
    assert.deepEqual(heard[1], heard[0]);
  });
}

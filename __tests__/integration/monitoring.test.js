'use strict';
// The events of a client against the official driver's: the same reads on the same server give the same events.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const { once } = require('node:events');
const { inspect } = require('node:util');
const official = require('mongodb');
const bson = require('bson');
const { MongoClient } = require('../..');
const { startFixture } = require('../support/fixture-server.js');
const { ScriptedServer } = require('../support/scripted-server.js');
const { recordEvents, storyOf, withoutIds, isCommand, isPool } = require('../support/event-recorder.js');

const MONITORED = { monitorCommands: true };
const isServer = (name) => !isCommand(name) && !isPool(name);

let fixture;
before(async () => {
  fixture = await startFixture();
  await fixture.load('app.people', 'mixed45', 250);
});
after(() => fixture?.stop());

async function bothRecords(uri, options, act) {
  const theirs = await recordEvents(official.MongoClient, uri, options, act);
  return { theirs, ours: await recordEvents(MongoClient, uri, options, act) };
}

function assertSameFields(ours, theirs, families) {
  for (const family of families) {
    const [mine, their] = [ours, theirs].map((record) => record.filter(({ name }) => family(name)));
    assert.equal(mine.length, their.length);
    their.forEach(({ name, event }, i) => {
      assert.equal(mine[i].event.constructor.name, event.constructor.name);
      assert.deepEqual(withoutIds(mine[i].event), withoutIds(event), `${name} (${i})`);
      assert.deepEqual(Object.keys(mine[i].event).sort(), Object.keys(event).sort(), name);
    });
  }
}

async function reads(client) {
  await client.connect();
  const people = client.db('app').collection('people');
  await people.find({}, { batchSize: 100, skip: 1, comment: { long: new bson.Long(3), at: new Date(0) } }).toArray();
  await people.findOne({ id: new bson.ObjectId('00112233445566778899aabb'), at: new Date(0), d: 1.5, r: /x/i });
  const cursor = people.find({}, { batchSize: 10 });
  await cursor.next();
  await cursor.close();
}

test('the same events with the same fields', async () => {
  const { ours, theirs } = await bothRecords(fixture.uri, { ...MONITORED, heartbeatFrequencyMS: 60_000 }, reads);
  const upTo = (record) => record.findIndex(({ name, event }) => name === 'commandStarted' && event.command.batchSize === 10);
  // Of the cursor that is closed early there may be more getMores, and no killCursors after the last of them.
  const [mine, their] = [ours, theirs].map((record) => record.slice(0, upTo(record)));
  for (const family of [isCommand, isPool, isServer]) assert.deepEqual(storyOf(mine, family), storyOf(their, family));
  const betweenReads = (record) => storyOf(record.slice(record.findIndex(({ name }) => name === 'commandStarted') - 2));
  assert.deepEqual(betweenReads(mine), betweenReads(their), 'commands among the events of their connections');
  assertSameFields(mine, their, [isCommand, isPool, (name) => isServer(name) && name !== 'serverHeartbeatSucceeded']);

  const last = (record) => storyOf(record, (name) => !isCommand(name)).slice(-4);
  assert.deepEqual(last(ours), last(theirs));
  assert.deepEqual(last(ours), ['connectionClosed poolClosed', 'connectionPoolClosed', 'serverClosed', 'topologyClosed']);
});

test('a heartbeat says what the core keeps of its reply', async () => {
  const { ours, theirs } = await bothRecords(fixture.uri, {}, (client) => client.connect());
  const [mine, their] = [ours, theirs].map((record) => record.find(({ name }) => name === 'serverHeartbeatSucceeded').event);
  const { localTime, connectionId, ismaster, ...kept } = their.reply;
  assert.deepEqual(mine.reply, kept);
  assert.deepEqual([mine.connectionId, mine.awaited], [their.connectionId, their.awaited]);
});

test('members of a replica set are described as there', async () => {
  const replicaSet = await startFixture({ topology: 'replicaSet' });
  try {
    const { ours, theirs } = await bothRecords(replicaSet.uri, { heartbeatFrequencyMS: 60_000 }, (client) => client.connect());
    const latest = (record, name) => record.findLast((one) => one.name === name).event.newDescription;
    for (const name of ['serverDescriptionChanged', 'topologyDescriptionChanged']) {
      const [mine, their] = [ours, theirs].map((record) => withoutIds(latest(record, name)));
      // The fixture's election id is all zeros, which is how the core stores none.
      for (const one of [mine, their, ...mine.servers?.values() ?? [], ...their.servers?.values() ?? []]) {
        delete one.electionId;
        delete one.maxElectionId;
      }
      assert.deepEqual(mine, their);
    }
    const description = latest(ours, 'topologyDescriptionChanged');
    const [[address, server]] = description.servers;
    assert.ok(description.hasServer(address) && description.hasKnownServers && description.hasDataBearingServers);
    assert.equal(description.error, null);
    assert.ok(server.isReadable && server.isDataBearing && server.isWritable);
    assert.equal(`${server.host}:${server.port}`, address);
    assert.equal(JSON.parse(JSON.stringify(description)).type, description.type);
  } finally {
    await replicaSet.stop();
  }
});

function failing(how) {
  let failures = 0;
  return ScriptedServer.start((command) => {
    if (command.filter?.fail && failures++ < how.times) return how.reply();
    return { cursor: { firstBatch: [{ _id: 1 }], id: bson.Long.ZERO, ns: 'app.people' }, ok: 1 };
  });
}

async function failAndRead(client) {
  await client.connect();
  const people = client.db('app').collection('people');
  await assert.rejects(people.findOne({ fail: true }));
  await people.findOne({});
}

for (const [what, times, reply] of [
  ['an error of the server', 1, () => ({ ok: 0, errmsg: 'no', code: 59, codeName: 'CommandNotFound', extra: 5 })],
  ['a connection that breaks', 2, () => new Error('close')],
]) {
  test(`${what}: the same events`, async () => {
    const records = {};
    for (const [who, Client] of [['theirs', official.MongoClient], ['ours', MongoClient]]) {
      const server = await failing({ times, reply });
      try {
        records[who] = await recordEvents(Client, server.uri, { ...MONITORED, heartbeatFrequencyMS: 60_000 }, failAndRead);
      } finally {
        server.stop();
      }
    }
    for (const family of [isCommand, isPool]) assert.deepEqual(storyOf(records.ours, family), storyOf(records.theirs, family));
    const types = (record) => record.filter(({ name }) => name === 'serverDescriptionChanged').map(({ event }) => event.newDescription.type);
    assert.deepEqual(types(records.ours), types(records.theirs));
    const [mine, their] = [records.ours, records.theirs].map((record) => record.find(({ name }) => name === 'commandFailed').event);
    assert.deepEqual(Object.keys(mine), Object.keys(their));
    assert.ok(mine.failure instanceof their.failure.constructor);
    assert.deepEqual(mine.failure.errorResponse, their.failure.errorResponse);
    assert.equal(mine.failure.code, their.failure.code);
  });
}

test('a server that is not there: failed heartbeats, and everything closes', async () => {
  const options = { serverSelectionTimeoutMS: 300, heartbeatFrequencyMS: 60_000 };
  const { ours, theirs } = await bothRecords('mongodb://127.0.0.1:1/', options,
    (client) => assert.rejects(client.connect(), { name: 'MongoServerSelectionError' }));
  assert.deepEqual(storyOf(ours, isServer), storyOf(theirs, isServer));
  const [mine, their] = [ours, theirs].map((record) => record.find(({ name }) => name === 'serverDescriptionChanged').event);
  assert.equal(mine.newDescription.error.name, their.newDescription.error.name);
  assert.equal(mine.newDescription.type, 'Unknown');
});

test('commands are told only with monitorCommands, which can be set later', async () => {
  const client = new MongoClient(fixture.uri);
  const names = [];
  for (const name of ['commandStarted', 'commandSucceeded']) client.on(name, ({ commandName }) => names.push(`${name} ${commandName}`));
  try {
    await client.connect();
    const people = client.db('app').collection('people');
    await people.findOne({});
    assert.deepEqual(names, []);
    client.monitorCommands = true;
    await people.findOne({});
    assert.deepEqual(names, ['commandStarted find', 'commandSucceeded find']);
    client.monitorCommands = false;
    await people.findOne({});
    assert.equal(names.length, 2);
  } finally {
    await client.close();
  }
  assert.equal(names.length, 2);
  assert.throws(() => new MongoClient(fixture.uri, { monitorCommands: 'maybe' }), /monitorCommands must be either "true" or "false"/);
});

test('listeners come and go; an event nobody listens to is never made', async () => {
  const client = new MongoClient(fixture.uri, MONITORED);
  try {
    await client.connect();
    const people = client.db('app').collection('people');
    assert.equal(client.eventMask, 0);
    const first = once(client, 'commandSucceeded');
    await people.findOne({});
    const [event] = await first;
    assert.equal(event.commandName, 'find');
    assert.equal(client.eventMask, 0, 'once() has gone');

    const started = [];
    const listener = (e) => started.push(e.commandName);
    client.on('commandStarted', listener).addListener('connectionCheckedOut', listener).prependListener('serverClosed', listener);
    await people.findOne({});
    assert.equal(started.length, 2);
    client.off('commandStarted', listener).removeListener('serverClosed', listener);
    await people.findOne({});
    assert.equal(started.length, 3);
    client.removeAllListeners();
    await people.findOne({});
    assert.equal(started.length, 3);
    assert.deepEqual(client.eventNames(), []);
  } finally {
    await client.close();
  }
});

test('clients that share a topology hear its events each, and only their own commands', async () => {
  const heard = { a: [], b: [] };
  const clients = {};
  for (const name of ['a', 'b']) {
    const client = (clients[name] = new MongoClient(fixture.uri, MONITORED));
    for (const event of ['commandStarted', 'connectionCheckedOut']) client.on(event, () => heard[name].push(event));
    await client.connect();
  }
  try {
    heard.a.length = heard.b.length = 0;
    await clients.a.db('app').collection('people').findOne({});
    await clients.b.db('app').collection('people').findOne({});
    assert.deepEqual(heard.a.sort(), ['commandStarted', 'connectionCheckedOut', 'connectionCheckedOut']);
    assert.deepEqual(heard.b.sort(), ['commandStarted', 'connectionCheckedOut', 'connectionCheckedOut']);
    await clients.a.close();
    const before = heard.a.length;
    await clients.b.db('app').collection('people').findOne({});
    assert.equal(heard.a.length, before, 'nothing after close()');
  } finally {
    await clients.a.close();
    await clients.b.close();
  }
});

test('a client that joins a topology is told its opening, and its closing when it leaves before the others', async () => {
  const replicaSet = await startFixture({ topology: 'replicaSet' });
  const options = { heartbeatFrequencyMS: 60_000 };
  const told = (record) => record.filter(({ name }) => /^(server(Opening|Closed|Desc)|topology|connectionPool)/.test(name));
  const last = new MongoClient(replicaSet.uri, options);
  try {
    const first = await recordEvents(MongoClient, replicaSet.uri, options, (client) => client.connect());
    await last.connect();
    const joined = await recordEvents(MongoClient, replicaSet.uri, options, (client) => client.connect());
    assert.deepEqual(storyOf(told(joined)), storyOf(told(first)));
    told(joined).forEach(({ event }, i) => assert.deepEqual(withoutIds(event), withoutIds(told(first)[i].event)));
    assert.ok(await last.db('app').command({ ping: 1 }));
  } finally {
    await last.close();
    await replicaSet.stop();
  }
});

test('a listener that throws: the read rejects with its error, as there; others go on', async () => {
  for (const Client of [official.MongoClient, MongoClient]) {
    for (const name of ['commandStarted', 'commandSucceeded']) {
      const client = new Client(fixture.uri, MONITORED);
      const thrown = new Error(`thrown by a listener to ${name}`);
      try {
        await client.connect();
        const people = client.db('app').collection('people');
        client.once(name, () => { throw thrown; });
        await assert.rejects(people.findOne({}), (error) => error === thrown);
        assert.ok(await people.findOne({}));
      } finally {
        await client.close();
      }
    }
  }
});

test('a reply is decoded with the options of its read, when it is looked at', async () => {
  const long = bson.Long.fromString('9007199254740993');
  await fixture.put('app.longs', [bson.serialize({ _id: 1, long })]);
  const client = new MongoClient(fixture.uri, MONITORED);
  try {
    await client.connect();
    const replies = [];
    client.on('commandSucceeded', (event) => replies.push(event));
    const longs = client.db('app').collection('longs');
    await longs.find({}, { useBigInt64: true }).toArray();
    await longs.find({}, { raw: true }).toArray();
    const [big, raw] = replies;
    assert.equal(typeof Object.getOwnPropertyDescriptor(big, 'reply').get, 'function', 'not decoded yet');
    assert.match(inspect(big, { depth: null }), /^CommandSucceededEvent \{[^]*9007199254740993n/);
    assert.equal(big.reply.cursor.firstBatch[0].long, 9007199254740993n);
    assert.equal(JSON.parse(JSON.stringify({ ...raw, serverConnectionId: 0 })).reply.ok, 1);
    assert.ok(raw.reply.cursor.firstBatch[0] instanceof Uint8Array);
    assert.ok(big instanceof official.CommandSucceededEvent);
  } finally {
    await client.close();
  }
});

test('sensitive commands are told without what they say', () => {
  const { makeEvent } = require('../../js/monitoring/events.js');
  const { EVENTS } = require('../../js/monitoring/names.js');
  const client = new MongoClient('mongodb://h/');
  const numbers = new Uint8Array(new Float64Array([1, 2, 3, NaN]).buffer);
  const info = new Uint8Array(Buffer.concat([numbers, Buffer.alloc(12), Buffer.from('h:1\0admin\0saslStart')]));
  const make = (name) => makeEvent(EVENTS.indexOf(name), info.slice(), new Uint8Array(0), client); // the core leaves the body out
  const started = make('commandStarted');
  assert.deepEqual([started.command, started.commandObj, started.serverConnectionId], [{}, { saslStart: true }, null]);
  assert.deepEqual(make('commandSucceeded').reply, {});
  assert.deepEqual(make('commandFailed').failure, {});
});

test('open', async () => {
  const client = new MongoClient(fixture.uri);
  const opened = [];
  client.on('open', (one) => opened.push(one));
  await client.connect();
  await client.connect();
  assert.deepEqual(opened, [client]);
  await client.close();
});

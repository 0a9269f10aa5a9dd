'use strict';
// Servers that are not there, go away, come back, or hand over to another.

const { test, describe } = require('node:test');
const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { readers, isIncremental, notStuck } = require('../support/fault-readers.js');

const COUNT = 100;
const ids = (docs) => docs.map(({ _id }) => _id);

async function withFixtures(topologies, body) {
  const fixtures = [];
  try {
    for (const topology of topologies) {
      const fixture = await startFixture({ topology });
      fixtures.push(fixture);
      await fixture.load('t.m', 'mixed45', COUNT);
    }
    await body(...fixtures);
  } finally {
    for (const fixture of fixtures) await fixture.stop();
  }
}

const hostOf = (fixture) => new URL(fixture.uri).host;

/** Two fixtures as the two members of a set; the first is the primary. */
async function introduce(a, b, term = 1) {
  const hosts = [hostOf(a), hostOf(b)].sort();
  await b.control({ member: { hosts, primary: false, primaryHost: hostOf(a), term } });
  await a.control({ member: { hosts, primary: true, term } });
}

describe('servers', { concurrency: 4 }, () => {
  test('connection refused: connect fails in time, with the official driver\'s class', async () => {
    await withFixtures([undefined], async (fixture) => {
      await fixture.control({ refuse: true });
      for (const Client of [MongoClient, official.MongoClient]) {
        const start = Date.now();
        const error = await notStuck(Client.connect(fixture.uri, { serverSelectionTimeoutMS: 300 }).then(() => null, (e) => e), 'connect');
        assert.equal(error?.name, 'MongoServerSelectionError');
        assert.match(error.message, /ECONNREFUSED|connection refused/);
        assert.ok(error.message.includes(hostOf(fixture)), error.message);
        assert.ok(Date.now() - start < 3000);
      }
      await fixture.control({ refuse: false });
      const client = await MongoClient.connect(fixture.uri);
      assert.equal((await client.db('t').collection('m').find()).length, COUNT);
      await client.close();
    });
  });

  test('a server that goes down between reads and comes back', async () => {
    await withFixtures([undefined], async (fixture) => {
      const client = await MongoClient.connect(fixture.uri, { serverSelectionTimeoutMS: 400, heartbeatFrequencyMS: 500 });
      const collection = client.db('t').collection('m');
      for (const [reader, read] of Object.entries(readers)) {
        await fixture.control({ refuse: true });
        const { ids: got, error } = await notStuck(read(collection, {}), reader);
        assert.ok(['MongoServerSelectionError', 'MongoNetworkError'].includes(error?.name), `${reader}: ${error}`);
        assert.equal(got.length, 0);
        await fixture.control({ refuse: false });
        await sleep(50);
      }
      let docs = [];
      for (let i = 0; i < 20 && docs.length === 0; i++) docs = await collection.find().toArray().catch(() => []);
      assert.equal(docs.length, COUNT);
      await client.close();
    });
  });

  test('a server that goes down in the middle of a cursor: what was there, then a network error', async () => {
    await withFixtures([undefined], async (fixture) => {
      const client = await MongoClient.connect(fixture.uri, { serverSelectionTimeoutMS: 400 });
      await fixture.faults({ command: 'getMore', nth: 3, action: 'never' });
      for (const [reader, read] of Object.entries(readers)) {
        if (!isIncremental(reader)) continue;
        const reading = read(client.db('t').collection('m'), { batchSize: 10 });
        await sleep(100);
        await fixture.control({ refuse: true });
        const { ids: got, error } = await notStuck(reading, reader);
        assert.equal(error?.name, 'MongoNetworkError', reader);
        assert.equal(got.length, 30, reader);
        await fixture.control({ refuse: false, faults: [{ command: 'getMore', nth: 3, action: 'never' }] });
        let docs = null;
        for (let i = 0; i < 20 && docs === null; i++) docs = await client.db('t').collection('m').findOne().catch(() => null);
        assert.notEqual(docs, null);
      }
      await client.close();
    });
  });

  // The reads are on their way when the primary dies. The official driver fails them: one with the bare EPIPE of the socket
  // it writes to, the others with ECONNREFUSED.
  test('fail-over to the other member', async () => {
    await withFixtures(['replicaSet', 'secondary'], async (a, b) => {
      await introduce(a, b);
      const client = await MongoClient.connect(`mongodb://${hostOf(a)},${hostOf(b)}/?replicaSet=rs`, { heartbeatFrequencyMS: 500, serverSelectionTimeoutMS: 5000 });
      const collection = client.db('t').collection('m');
      const all = ids(await collection.find().toArray());
      assert.equal(all.length, COUNT);
      assert.ok((await a.stats()).commands.find > 0);

      // The primary dies; the other is elected a moment later. A read in between waits and gets everything.
      // Before the client knows, one may be sent on a connection that is breaking, and then has one retry: the test below.
      const known = new Promise((resolve) => {
        client.on('serverDescriptionChanged', ({ address, newDescription }) => {
          if (address === hostOf(a) && newDescription.type === 'Unknown') resolve();
        });
      });
      await a.control({ refuse: true });
      await notStuck(known, 'the news');
      const reading = Promise.all(Array.from({ length: 5 }, () => collection.find({}, { batchSize: 30 }).toArray()));
      await sleep(100);
      await introduce(b, a, 2);
      for (const docs of await notStuck(reading, 'the reads')) assert.deepEqual(ids(docs), all);
      assert.ok((await b.stats()).commands.find >= 5);

      // The old one comes back as a secondary, and a primary that steps down says so in an error: one retry finds the new.
      await a.control({ refuse: false });
      await b.faults({ command: 'find', action: 'error', code: 10107, codeName: 'NotWritablePrimary' });
      await introduce(a, b, 3);
      const before = (await a.stats()).commands.find ?? 0;
      assert.deepEqual(ids(await notStuck(collection.find().toArray(), 'the read')), all);
      assert.ok((await a.stats()).commands.find > before, 'the new primary answered');
      await client.close();
    });
  });

  // The same script for both drivers: what each member is asked, and what the reader gets.
  test('fail-over as the official driver does it, command by command', async () => {
    const told = [];
    for (const Client of [MongoClient, official.MongoClient]) {
      await withFixtures(['replicaSet', 'secondary'], async (a, b) => {
        await introduce(a, b);
        const client = await Client.connect(`mongodb://${hostOf(a)},${hostOf(b)}/?replicaSet=rs`, { heartbeatFrequencyMS: 500, serverSelectionTimeoutMS: 10_000 });
        const collection = client.db('t').collection('m');
        const steps = [];
        const step = async (name, read) => {
          const outcome = await notStuck(read().then((docs) => docs.length, (error) => error.name), name);
          const commands = [];
          for (const fixture of [a, b]) {
            const { find = 0, getMore = 0 } = (await fixture.stats()).commands;
            commands.push({ find, getMore });
          }
          steps.push({ name, outcome, commands });
        };
        const all = (options) => collection.find({}, { batchSize: 30, ...options }).toArray();

        await step('from the primary', () => all());
        await step('from the secondary', () => all({ readPreference: 'secondary' }));
        await a.faults({ command: 'find', action: 'close' });
        await step('a connection that ends: once more', () => all());
        await a.faults({ command: 'getMore', action: 'error', code: 189, codeName: 'PrimarySteppedDown' });
        await step('stepped down in a getMore: an error', () => all());
        await a.faults();

        // While nothing is read: both know the new primary before the next read.
        await a.control({ refuse: true });
        await introduce(b, a, 2);
        await all({ readPreference: 'primaryPreferred' }).catch(() => {});
        for (let i = 0, found = false; i < 60 && !found; i++, await sleep(50)) found = await collection.find().limit(1).toArray().then(() => true, () => false);
        await Promise.all([a.control({ refuse: false, reset: true }), b.control({ reset: true })]);
        await introduce(b, a, 2);
        await step('from the new primary', () => all());
        await b.faults({ command: 'find', action: 'error', code: 10107, codeName: 'NotWritablePrimary' });
        await introduce(a, b, 3);
        await step('not the primary any more: once more, from the other', () => all());
        await b.faults({ command: 'find', action: 'error', code: 13, codeName: 'Unauthorized' });
        await step('another error of the secondary', () => all({ readPreference: 'secondary' }));
        told.push(steps);
        await client.close();
      });
    }
    assert.deepEqual(told[0], told[1]);
    assert.deepEqual(told[0].map(({ outcome }) => outcome), [COUNT, COUNT, COUNT, 'MongoServerError', COUNT, COUNT, 'MongoServerError']);
  });

  test('no primary: primary reads fail in time, secondary reads go on', async () => {
    await withFixtures(['replicaSet', 'secondary'], async (a, b) => {
      await introduce(a, b);
      const client = await MongoClient.connect(`mongodb://${hostOf(a)},${hostOf(b)}/?replicaSet=rs`, { heartbeatFrequencyMS: 500, serverSelectionTimeoutMS: 700 });
      await a.control({ refuse: true });
      await sleep(50);
      const collection = client.db('t').collection('m');
      await assert.rejects(notStuck(collection.find().toArray(), 'the read'), (error) => error instanceof official.MongoServerSelectionError || error instanceof official.MongoNetworkError);
      assert.equal((await collection.find({}, { readPreference: 'secondary' }).toArray()).length, COUNT);
      // Until the next heartbeat the server that is down may be chosen.
      let docs = [];
      for (let i = 0; i < 40 && docs.length === 0; i++) {
        docs = await collection.find({}, { readPreference: 'primaryPreferred' }).toArray().catch(() => []);
        await sleep(25);
      }
      assert.equal(docs.length, COUNT);
      await client.close();
    });
  });
});

'use strict';
// Events and the life of the process: they never hold it, never grow without bound, and end with their client.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { MongoClient } = require('../..');
const { startFixture } = require('../support/fixture-server.js');
const { runChild } = require('../support/run-child.js');

const CHILD = path.join(__dirname, '..', 'fixtures', 'monitoring-child.js');

let fixture;
before(async () => {
  fixture = await startFixture();
  await fixture.load('app.people', 'mixed45', 500);
});
after(() => fixture?.stop());

async function child(step) {
  const { stdout, stderr, code, signal } = await runChild(CHILD, [step, fixture.uri]);
  assert.deepEqual([code, signal, stderr], [0, null, ''], step);
  return stdout;
}

test('a client that is listened to and not closed lets the process end', async () => {
  assert.equal(await child('idle'), 'done');
});

test('a listener that throws outside of reads is an uncaught exception, and nothing else', async () => {
  assert.deepEqual(JSON.parse(await child('throw')), { caught: ['from a listener'], found: true });
});

test('threads that are terminated while their events arrive', async () => {
  assert.equal(await child('workers'), 'done');
});

test('while the thread is stuck the oldest events are dropped and counted, and reads lose nothing', async () => {
  const DOCUMENTS = 12_000; // 14 MB: two replies are within the bound of 32 MB, five are not
  const READS = 5;
  await fixture.load('app.large', 'mixed45', DOCUMENTS);
  const client = await MongoClient.connect(fixture.uri, { monitorCommands: true });
  try {
    const told = [];
    for (const name of ['commandStarted', 'commandSucceeded']) client.on(name, ({ commandName }) => told.push(`${name} ${commandName}`));
    const large = client.db('app').collection('large');
    const before = client.stats().droppedEvents;
    const reads = Array.from({ length: READS }, () => large.find({}, { batchSize: DOCUMENTS + 1 }).toArray());
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
    for (const documents of await Promise.all(reads)) assert.equal(documents.length, DOCUMENTS);
    const dropped = client.stats().droppedEvents - before;
    assert.ok(dropped > 0, 'some were dropped');
    assert.equal(told.length + dropped, 2 * READS);
    assert.equal(told.at(-1), 'commandSucceeded find', 'the latest are there');
  } finally {
    await client.close();
  }
});

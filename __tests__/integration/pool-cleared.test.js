'use strict';
// One connection that breaks clears the pool, which fails every operation that waits for a connection. They were not sent:
// only the read whose connection it was may notice.

const { test, before, after, beforeEach } = require('node:test');
const assert = require('node:assert/strict');
const { MongoClient } = require('../..');
const { startFixture } = require('../support/fixture-server');

const COUNT = 2000;
let fixture;
let client;
let docs;

before(async () => {
  fixture = await startFixture();
  await fixture.load('t.docs', 'mixed45', COUNT);
  client = await MongoClient.connect(fixture.uri, { maxPoolSize: 5 });
  docs = client.db('t').collection('docs');
});
after(async () => {
  await client.close();
  await fixture.stop();
});
beforeEach(() => fixture.reset());

test('50 reads at a time and one connection that breaks: every read succeeds', async () => {
  for (const action of ['close', 'reset', 'half']) {
    await fixture.faults({ command: 'find', action, nth: 12 });
    const results = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => docs.find({}, { limit: 10 + i }).toArray()));
    assert.deepEqual(results.filter(({ status }) => status === 'rejected').map(({ reason }) => reason.message), [], action);
    results.forEach(({ value }, i) => assert.equal(value.length, 10 + i));
  }
});

test('cursors that are open meanwhile go on, and none stays open on the server', async () => {
  const lengths = Array.from({ length: 20 }, async () => (await docs.find({}, { batchSize: 200 })).length);
  await fixture.faults({ command: 'getMore', action: 'reset', nth: 30 });
  const results = await Promise.allSettled(lengths);
  const failed = results.filter(({ status }) => status === 'rejected');
  assert.ok(failed.length <= 1, failed.map(({ reason }) => reason.message).join('\n'));
  for (const { reason } of failed) assert.equal(reason.name, 'MongoNetworkError');
  for (const { value } of results) assert.ok(value === undefined || value === COUNT);
  for (let i = 0; i < 200 && (await fixture.stats()).cursors.open > 0; i++) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal((await fixture.stats()).cursors.open, 0);
});

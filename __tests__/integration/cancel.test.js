'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { setTimeout: sleep } = require('node:timers/promises');
const { startFixture } = require('../support/fixture-server');
const { MongoClient } = require('../..');

let fixture;
let client;

test.before(async () => {
  fixture = await startFixture();
  await fixture.load('app.docs', 'mixed45', 2000);
  client = await MongoClient.connect(fixture.uri);
});
test.after(async () => {
  await client.close();
  await fixture.stop();
});

// The reply to the first command names a cursor that only its number can close, so it has to be waited for.
test('a cursor closed while its first command is under way leaves none open on the server', async () => {
  const docs = client.db('app').collection('docs');
  await fixture.control({ delayMS: 8 });
  for (let round = 0; round < 15; round++) {
    const cursor = await docs.findCursor({}, { batchSize: 10 });
    await sleep(round % 12);
    await cursor.close();
  }
  await fixture.control({ delayMS: 0 });
  const { cursors } = await fixture.stats();
  assert.strictEqual(cursors.open, 0);
  assert.ok(cursors.opened >= 10, `${cursors.opened} cursors were opened`);
  assert.strictEqual((await docs.find({}, { limit: 3 })).length, 3);
});

test('aborted at once, closed on the server a moment later', async () => {
  const docs = client.db('app').collection('docs');
  await fixture.control({ delayMS: 30 });
  const controller = new AbortController();
  const read = docs.find({}, { batchSize: 10, signal: controller.signal }).toArray();
  await sleep(5);
  controller.abort(new Error('enough'));
  await assert.rejects(read, { message: 'enough' });
  await fixture.control({ delayMS: 0 });
  let open = Infinity;
  for (let i = 0; i < 100 && open > 0; i++) {
    await sleep(20);
    ({ cursors: { open } } = await fixture.stats());
  }
  assert.strictEqual(open, 0);
});

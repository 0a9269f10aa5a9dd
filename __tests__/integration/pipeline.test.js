'use strict';
// Read-ahead: the next getMore is on the wire before anybody asks for its documents, and never without bound.

const { test, before, after, beforeEach } = require('node:test');
const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const { startFixture } = require('../support/fixture-server.js');
const { MongoClient } = require('../..');

let fixture;
let client;
let small; // 4 MB
let large; // 73 MB

before(async () => {
  fixture = await startFixture();
  await fixture.load('app.small', 'mixed45', 3_000);
  await fixture.load('app.large', 'mixed45', 60_000);
  client = await MongoClient.connect(fixture.uri);
  small = client.collection('app', 'small');
  large = client.collection('app', 'large');
});
after(async () => {
  await client?.close();
  await fixture?.stop();
});
beforeEach(() => fixture.reset());

const commands = async () => {
  const { commands: counted } = await fixture.stats();
  return { find: 0, getMore: 0, killCursors: 0, ...counted };
};

async function settled(of) {
  let before = await of();
  for (let i = 0; i < 100; i++) {
    await sleep(30);
    const now = await of();
    if (JSON.stringify(now) === JSON.stringify(before)) return now;
    before = now;
  }
  return before;
}

test('the fetch runs ahead of a cursor that is not being read', async () => {
  const cursor = await small.findCursor({}, { batchSize: 250 });
  assert.equal((await cursor.nextBatch()).length, 250);
  const ahead = await settled(commands);
  assert.equal(ahead.find, 1);
  assert.ok(ahead.getMore >= 3, `${ahead.getMore} getMore commands ahead of the reader`);
  let length = 250;
  for (let batch; (batch = await cursor.nextBatch()) !== null;) length += batch.length;
  assert.equal(length, 3_000);
  assert.equal((await commands()).killCursors, 0, 'the end was reached');
});

test('one command at a time: getMore by getMore, never more than the result needs', async () => {
  assert.equal((await small.find({}, { batchSize: 250 })).length, 3_000);
  const { find, getMore, killCursors } = await commands();
  assert.deepEqual([find, killCursors], [1, 0]);
  assert.ok(getMore === 11 || getMore === 12, `${getMore}`); // a server may find out about the end with one more
});

test('read-ahead stops: a reader that stops reading is not sent the collection', async () => {
  const cursor = await large.findCursor({}, { batchSize: 500 });
  await cursor.nextBatch();
  const { getMore } = await settled(commands);
  const most = 40e6 / (500 * 1217); // bytes of a batch
  assert.ok(getMore < most, `${getMore} batches fetched for one that was read`);
  assert.ok(client.stats().core.bytesUnderWay < 64e6);
  await cursor.close();
  assert.equal((await settled(async () => (await fixture.stats()).cursors)).open, 0);
  assert.equal((await commands()).killCursors, 1);
  await settled(async () => client.stats().core.bytesUnderWay);
  assert.equal(client.stats().core.bytesUnderWay, 0);
});

test('work and round trips overlap', async () => {
  const turns = 12;
  const timed = async (step) => {
    const begin = performance.now();
    for (let i = 0; i < turns; i++) await step();
    return performance.now() - begin;
  };
  await fixture.control({ delayMS: 25 });
  const work = () => sleep(25);
  const worked = await timed(work);
  const travelled = await timed(() => small.findOne());
  const cursor = await small.findCursor({}, { batchSize: 250 });
  const both = await timed(async () => {
    await cursor.nextBatch();
    await work();
  });
  await cursor.close();
  assert.ok(both < worked + travelled * 0.7, `${both.toFixed(0)} ms for ${worked.toFixed(0)} of work and ${travelled.toFixed(0)} of round trips`);
});

test('many cursors under way share one bound', async () => {
  const cursors = await Promise.all(Array.from({ length: 12 }, () => large.findCursor({}, { batchSize: 500 })));
  await Promise.all(cursors.map((cursor) => cursor.nextBatch()));
  await settled(commands);
  assert.ok(client.stats().core.bytesUnderWay < 400e6, `${client.stats().core.bytesUnderWay} bytes`);
  await Promise.all(cursors.map((cursor) => cursor.close()));
  assert.equal((await settled(async () => (await fixture.stats()).cursors)).open, 0);
});

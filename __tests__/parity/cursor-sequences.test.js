'use strict';
// The same calls on a cursor of each driver, one after the other: each gives the same value or error, and leaves the cursor in
// the same state.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { kinds, outcome, isLeftOut, numbers } = require('../support/cursor-steps.js');

const COUNT = 7;

let fixture;
let collections;
const clients = [];

before(async () => {
  fixture = await startFixture();
  await fixture.put('d.numbers', Array.from({ length: COUNT }, (_, _id) => bson.serialize({ _id })));
  clients.push(await MongoClient.connect(fixture.uri), await official.MongoClient.connect(fixture.uri));
  collections = clients.map((client) => client.db('d').collection('numbers'));
});

after(async () => {
  for (const client of clients) await client.close();
  await fixture?.stop();
});

/** What the outside sees of a cursor. Its number is a matter of its own. */
const stateOf = (cursor) => ({ closed: cursor.closed, killed: cursor.killed, buffered: cursor.bufferedCount() });

/** Steps that close the cursor. With documents still buffered the drivers differ, on purpose (DIVERGENCES.md). */
const CLOSING = /close|dispose|one|two|throws|rejects|null/;

async function play(kind, batchSize, names) {
  if (isLeftOut(names)) return;
  const [ours, theirs] = collections.map((collection) => kind.make(collection, batchSize));
  const closes = [0, 0];
  ours.on('close', () => closes[0]++);
  theirs.on('close', () => closes[1]++);
  const told = [];
  let mayClose = false;
  try {
    for (const name of names) {
      const step = kind.steps[name];
      const expected = await outcome(step, theirs);
      const actual = await outcome(step, ours);
      told.push(`${name}: ${JSON.stringify(expected.value ?? expected.error?.message)}`);
      assert.deepEqual(actual, expected, told.join('\n'));
      // A map that fails in toArray() has had everything read before.
      if (expected.error !== undefined && names.some((one) => one.startsWith('map '))) return;
      mayClose ||= CLOSING.test(name);
      if (mayClose && (theirs.bufferedCount() > 0 || ours.bufferedCount() > 0)) return;
      // Where a batch ends with the last document, only who has read ahead knows that nothing follows.
      if (ours.closed && !theirs.closed) return void assert.equal(await theirs.next(), null);
      if (theirs.killed && !ours.killed) return void assert.ok(ours.closed); // nothing was left to kill
      assert.deepEqual(stateOf(ours), stateOf(theirs), `the state after\n${told.join('\n')}`);
    }
  } finally {
    await ours.close();
    await theirs.close();
  }
  assert.deepEqual(closes.map((n) => n > 0), [true, true], 'the event close');
}

for (const [name, kind] of Object.entries(kinds)) {
  const all = Object.keys(kind.steps);
  for (const batchSize of [undefined, 1, 3, COUNT]) {
    test(`${name}, batches of ${batchSize ?? 'any size'}: each step by itself, and after each other one`, async () => {
      for (const first of all) {
        for (const second of all) await play(kind, batchSize, [first, second, 'state']);
      }
    });

    test(`${name}, batches of ${batchSize ?? 'any size'}: longer sequences`, async () => {
      const random = numbers(batchSize ?? 99);
      for (let i = 0; i < 250; i++) {
        const length = 3 + Math.floor(random() * 6);
        await play(kind, batchSize, Array.from({ length }, () => all[Math.floor(random() * all.length)]));
      }
    });
  }
}

test('a cursor that fails', async () => {
  for (const [name, kind] of Object.entries(kinds)) {
    for (const first of Object.keys(kind.steps).filter((step) => !/^map (to null|throws|rejects)/.test(step))) {
      const told = [];
      for (const collection of collections) {
        await fixture.reset();
        await fixture.faults({ command: name, times: 1, action: 'error', code: 8, codeName: 'UnknownError', errmsg: 'no' });
        const cursor = kind.make(collection);
        told.push([]);
        for (const step of [first, 'next', 'hasNext', 'toArray', 'rewind', 'toArray']) {
          told.at(-1).push([step, await outcome(kind.steps[step], cursor), step === first ? null : stateOf(cursor)]);
        }
        await cursor.close();
      }
      assert.deepEqual(told[0], told[1], `${name}, ${first} first`);
    }
  }
  await fixture.reset();
});

'use strict';
// Every combination of the decoding options, over the wire, against the official driver: documents at the edges of BSON
// once each, and often enough in a row that eager reads use compiled functions.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const official = require('mongodb');
const bson = require('bson');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { assertSameOutcome } = require('../support/same.js');
const { wellFormed } = require('../support/edge-documents.js');
const { readers, outcomeOf, optionCombinations } = require('../support/readers.js');

const COPIES = 60; // compiled from 48 on
const LIGHT = 20_000; // bytes of documents that are cheap to compare some thousand times

let fixture;
let theirs;
let ours;
let documents;
let bad; // those that js-bson refuses with some options

function throwsWithSome(bytes) {
  return [{}, { bsonRegExp: true }, { validation: { utf8: false } }].some((options) => {
    try {
      bson.deserialize(bytes, options);
      return false;
    } catch {
      return true;
    }
  });
}

before(async () => {
  fixture = await startFixture();
  theirs = (await official.MongoClient.connect(fixture.uri)).db('options');
  ours = (await MongoClient.connect(fixture.uri)).db('options');
  const light = wellFormed(bson).map(({ bytes }) => bytes).filter((bytes) => bytes.length < LIGHT);
  documents = light.filter((bytes) => !throwsWithSome(bytes));
  bad = light.filter(throwsWithSome);
  assert.ok(documents.length > 80 && bad.length > 20);
  await fixture.put('options.once', documents);
  await fixture.put('options.often', documents.flatMap((bytes) => Array(COPIES).fill(bytes)));
  for (const [i, bytes] of bad.entries()) await fixture.put(`options.bad${i}`, [bson.serialize({ first: 1 }), bytes]);
});

after(async () => {
  await ours?.client.close();
  await theirs?.client.close();
  await fixture?.stop();
});

const combinations = optionCombinations();
assert.equal(new Set(combinations.map((options) => JSON.stringify(options))).size, 128);

for (const options of combinations) {
  const name = JSON.stringify(options);
  test(name, async () => {
    const expected = await outcomeOf(() => theirs.collection('once').find({}, options).toArray());
    if (options.useBigInt64 && (options.promoteLongs === false || options.promoteValues === false) && !options.raw) {
      assert.ok(expected.error instanceof bson.BSONError, 'refused');
    } else {
      assert.equal(expected.value?.length, documents.length, expected.error?.stack);
    }
    for (const [reader, read] of Object.entries(readers)) {
      const actual = await outcomeOf(() => read(ours.collection('once'), options));
      const wanted = reader === 'findOne' && expected.value ? { value: expected.value.slice(0, 1) } : expected;
      assertSameOutcome(actual, wanted, `${reader}, ${name}`);
    }
    const often = await outcomeOf(() => ours.collection('often').find({}, options).toArray());
    if (often.value) often.value = documents.flatMap((_, i) => [often.value[i * COPIES], often.value[(i + 1) * COPIES - 1]]);
    const twice = expected.value ? { value: expected.value.flatMap((doc) => [doc, doc]) } : expected;
    assertSameOutcome(often, twice, `compiled, ${name}`);
    for (const i of bad.keys()) {
      const outcome = await outcomeOf(() => theirs.collection(`bad${i}`).find({}, options).toArray());
      for (const reader of ['find, toArray', 'find, for await', 'findLazy', 'findLazy, toObject', 'findCursor, lazy documents', 'findCursor, eager batches']) {
        assertSameOutcome(await outcomeOf(() => readers[reader](ours.collection(`bad${i}`), options)), outcome, `${reader}, ${name}, bad document ${i}`);
      }
    }
  });
}

test('they were compiled', async () => {
  const { compiled } = ours.client.stats().documents;
  assert.ok(compiled > 20_000, `${compiled} documents`);
});

'use strict';
// The BSON corpus over the wire: every valid document reads as js-bson decodes it, every broken one is an error.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { bsonCorpus } = require('../support/bson-corpus.js');
const { assertSameOutcome, outcome } = require('../support/same.js');
const { readers, outcomeOf } = require('../support/readers.js');

const corpus = bsonCorpus();
const skip = corpus.skip ?? false;
const optionSets = [{}, { promoteValues: false, bsonRegExp: true }, { useBigInt64: true, promoteBuffers: true }, { enableUtf8Validation: false, promoteLongs: false }];

let fixture;
let db;

before(async () => {
  if (skip) return;
  fixture = await startFixture();
  db = (await MongoClient.connect(fixture.uri)).db('corpus');
});

after(async () => {
  await db?.client.close();
  await fixture?.stop();
});

/** The options of bson.deserialize for those of a read. */
const exact = ({ enableUtf8Validation = true, ...options }) => ({ ...options, validation: { utf8: enableUtf8Validation } });

test('it is the whole corpus', { skip }, () => {
  assert.ok(corpus.valid.length > 700, `${corpus.valid.length} valid cases`);
  assert.ok(corpus.decodeErrors.length > 60, `${corpus.decodeErrors.length} broken cases`);
});

for (const options of optionSets) {
  test(`valid documents, ${JSON.stringify(options)}`, { skip }, async () => {
    const expected = corpus.valid.map(({ bytes }) => outcome(() => bson.deserialize(bytes, exact(options))));
    const good = corpus.valid.filter((_, i) => expected[i].error === undefined);
    await fixture.put('corpus.valid', good.map(({ bytes }) => bytes));
    const values = expected.filter(({ error }) => error === undefined).map(({ value }) => value);
    for (const [reader, read] of Object.entries(readers)) {
      const actual = await outcomeOf(() => read(db.collection('valid'), options));
      if (actual.error) throw new Error(`${reader}: ${actual.error.stack}`);
      assert.equal(actual.value.length, reader === 'findOne' ? 1 : values.length);
      actual.value.forEach((value, i) => assertSameOutcome({ value }, { value: values[i] }, `${reader}: ${good[i].name}`));
    }
    // Often enough to be compiled.
    await fixture.put('corpus.often', good.flatMap(({ bytes }) => Array(50).fill(bytes)));
    const often = await db.collection('often').find({}, options).toArray();
    values.forEach((value, i) => assertSameOutcome({ value: often[i * 50 + 49] }, { value }, `compiled: ${good[i].name}`));
    // Valid ones that js-bson refuses: patterns that are no JavaScript.
    for (const [i, { name, bytes }] of corpus.valid.entries()) {
      if (expected[i].error === undefined) continue;
      await fixture.put('corpus.refused', [bytes]);
      for (const [reader, read] of Object.entries(readers)) {
        assertSameOutcome(await outcomeOf(() => read(db.collection('refused'), options)), expected[i], `${reader}: ${name}`);
      }
    }
  });
}

test('broken documents', { skip }, async (t) => {
  for (const { name, bytes } of corpus.decodeErrors) {
    await t.test(name, async () => {
      await fixture.put('corpus.broken', [bson.serialize({ before: 1 }), bytes]);
      for (const [reader, read] of Object.entries(readers)) {
        const { error } = await outcomeOf(() => read(db.collection('broken'), {}));
        if (reader === 'findOne') assert.equal(error, undefined);
        else assert.ok(error instanceof bson.BSONError, `${reader}: ${error?.stack ?? 'no error'}; js-bson: ${outcome(() => bson.deserialize(bytes)).error}`);
      }
      assert.deepEqual(await db.collection('broken').findOne(), { before: 1 });
    });
  }
});

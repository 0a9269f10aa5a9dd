'use strict';
// Random collections over the wire: every document reads as js-bson decodes its bytes. At least 10,000 documents a run;
// a failure is shrunk to a small collection. RUMONGO_SEED repeats a run, RUMONGO_DOCUMENTS makes it longer.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fc = require('fast-check');
const bson7 = require('bson');
const bson6 = require('bson6');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { batch, badBatch } = require('../support/arbitrary-bson.js');
const { assertSame, assertSameOutcome, outcome } = require('../support/same.js');
const { readers, optionCombinations, visit } = require('../support/readers.js');

const SEED = Number(process.env.RUMONGO_SEED ?? Date.now() % 1e9);
const DOCUMENTS = Number(process.env.RUMONGO_DOCUMENTS ?? 10_000);
const RUNS = 25; // between two looks at the count

let fixture;
let collections; // by version of bson

before(async () => {
  fixture = await startFixture();
  const open = async (bson) => (await MongoClient.connect(fixture.uri, { bson })).db('property').collection('c');
  collections = { 7: await open(bson7), 6: await open(bson6) };
});

after(async () => {
  for (const { client } of Object.values(collections ?? {})) await client.close();
  await fixture?.stop();
});

const options = fc.constantFrom(...optionCombinations()
  .filter(({ raw, useBigInt64, promoteLongs, promoteValues }) => !raw && !(useBigInt64 && (promoteLongs === false || promoteValues === false))));
const version = fc.constantFrom(7, 7, 7, 6);
const batchSize = fc.constantFrom(undefined, undefined, 3, 40);

/** The options of bson.deserialize for those of a read. */
const exact = ({ enableUtf8Validation = true, ...rest }) => ({ ...rest, validation: { utf8: enableUtf8Validation } });

/** In bson 6 a reference with a field __proto__ has that value, of which no other is the same, as its fields' prototype. */
const ownPrototype = (doc) => doc.includes('__proto__') && doc.includes('$ref');

/** Runs a property until it has seen enough documents. */
async function check(t, arbitrary, wanted, body) {
  let documents = 0;
  t.diagnostic(`RUMONGO_SEED=${SEED}`);
  for (let round = 0; documents < wanted; round++) {
    const property = fc.asyncProperty(arbitrary, options, batchSize, version, async (made, chosen, size, major) => {
      const docs = major === 6 ? made.filter((doc) => !ownPrototype(doc)) : made;
      documents += docs.length;
      await fixture.put('property.c', docs);
      const { deserialize } = major === 6 ? bson6 : bson7;
      const expected = docs.map((bytes) => outcome(() => deserialize(bytes, exact(chosen))));
      await body(collections[major], docs, { ...chosen, ...(size === undefined ? {} : { batchSize: size }) }, expected);
    });
    await fc.assert(property, { seed: (SEED + round) | 0, numRuns: RUNS, reporter });
  }
  t.diagnostic(`${documents} documents`);
}

/** What failed, the documents in hexadecimal, and how to run it again. */
function reporter({ failed, counterexample, seed, numShrinks, errorInstance }) {
  if (!failed) return;
  const [docs, chosen, size, major] = counterexample;
  const cause = errorInstance;
  throw new Error(`RUMONGO_SEED=${SEED} (fast-check seed ${seed}, ${numShrinks} shrinks), options ${JSON.stringify(chosen)}, batchSize ${size}, bson ${major}\n`
    + `${cause?.message}\n${docs.map((doc) => doc.toString('hex')).join('\n')}`, { cause });
}

const CHECKED = ['find, toArray', 'findLazy', 'find, toArray', 'findLazy, toObject', 'findLazy, field by field', 'find, for await', 'findCursor, lazy documents', 'findCursor, eager batches'];

test(`${DOCUMENTS} random documents`, { timeout: 600_000 }, async (t) => {
  await check(t, batch, DOCUMENTS, async (collection, docs, chosen, expected) => {
    const values = expected.map(({ value, error }) => {
      if (error) throw error;
      return value;
    });
    for (const reader of CHECKED) {
      const actual = await readers[reader](collection, chosen);
      assert.equal(actual.length, docs.length, reader);
      for (let i = 0; i < docs.length; i++) assertSame(actual[i], values[i], `${reader}, document ${i}`);
    }
  });
  const { compiled, generic, bson: odd, lazy } = collections[7].client.stats().documents;
  t.diagnostic(JSON.stringify({ compiled, generic, bson: odd, lazy }));
  for (const [way, n] of Object.entries({ compiled, generic, odd, lazy })) assert.ok(n > DOCUMENTS / (way === 'odd' ? 200 : 10), `${way}: ${n} documents`);
});

test('random documents with values that js-bson refuses', { timeout: 600_000 }, async (t) => {
  await check(t, badBatch, DOCUMENTS / 20, async (collection, docs, chosen, expected) => {
    const firstBad = expected.findIndex(({ error }) => error !== undefined);
    const seen = [];
    const end = await (async () => {
      try {
        for await (const doc of collection.find({}, chosen)) seen.push(doc);
        return { value: null };
      } catch (error) {
        return { error };
      }
    })();
    assertSameOutcome(end, firstBad < 0 ? { value: null } : expected[firstBad], 'find, for await');
    const before = firstBad < 0 ? expected : expected.slice(0, firstBad);
    assert.equal(seen.length, before.length, 'documents before the bad one');
    seen.forEach((doc, i) => assertSame(doc, before[i].value, `find, for await, document ${i}`));

    const lazy = await collection.findLazy({}, chosen);
    lazy.forEach((doc, i) => {
      assertSameOutcome(outcome(() => (visit(doc), doc)), expected[i], `findLazy, document ${i}`);
      if (typeof doc.toObject === 'function') assertSameOutcome(outcome(() => doc.toObject()), expected[i], `toObject, document ${i}`);
    });
  });
});

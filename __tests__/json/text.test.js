'use strict';
// JSON text against js-bson: what findJSON() gives is JSON.stringify, or EJSON.stringify, of the documents js-bson makes, to
// the byte, for random, odd and hostile documents under every option. RUMONGO_SEED repeats a run, RUMONGO_DOCUMENTS makes it
// longer.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fc = require('fast-check');
const bson7 = require('bson');
const bson6 = require('bson6');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { batch, badBatch } = require('../support/arbitrary-bson.js');
const { wellFormed, malformed } = require('../support/edge-documents.js');
const { bsonCorpus } = require('../support/bson-corpus.js');

const SEED = Number(process.env.RUMONGO_SEED ?? Date.now() % 1e9);
const DOCUMENTS = Number(process.env.RUMONGO_DOCUMENTS ?? 4000);
const BSON = { 6: bson6, 7: bson7 };

let fixture;
let collections; // by version of bson

before(async () => {
  fixture = await startFixture();
  const open = async (bson) => (await MongoClient.connect(fixture.uri, { bson })).db('json').collection('c');
  collections = { 7: await open(bson7), 6: await open(bson6) };
});

after(async () => {
  for (const { client } of Object.values(collections ?? {})) await client.close();
  await fixture?.stop();
});

/** What JavaScript makes of documents, or the error it throws. */
function theirs({ deserialize, EJSON }, docs, { mode = 'plain', pretty, enableUtf8Validation = true, ...options }) {
  try {
    const values = docs.map((bytes) => deserialize(bytes, { ...options, validation: { utf8: enableUtf8Validation } }));
    const space = pretty ? 2 : undefined;
    return { text: mode === 'plain' ? JSON.stringify(values, null, space) : EJSON.stringify(values, null, space, { relaxed: mode === 'relaxed' }) };
  } catch (error) {
    return { error };
  }
}

async function ours(collection, options) {
  try {
    return { text: (await collection.findJSON({}, options)).toString() };
  } catch (error) {
    return { error };
  }
}

/** That a pattern is none in JavaScript is what the core cannot find out; it writes it. */
const isPattern = ({ error }) => error instanceof SyntaxError && /Invalid regular expression: /.test(error.message);

function assertText(actual, expected, what) {
  if (isPattern(expected) && actual.error === undefined) return;
  if (expected.error !== undefined || actual.error !== undefined) {
    assert.equal(actual.error?.message, expected.error?.message, `${what}\n${actual.text?.slice(0, 500)}`);
    assert.equal(actual.error.name, expected.error.name, what);
    return;
  }
  if (actual.text === expected.text) return;
  let at = 0;
  while (actual.text[at] === expected.text[at]) at++;
  const around = (text) => text.slice(Math.max(0, at - 80), at + 80);
  assert.fail(`${what}: at ${at}\n${around(actual.text)}\ninstead of\n${around(expected.text)}`);
}

const flag = (usual) => fc.constantFrom(usual, usual, !usual);
const anyOptions = fc.record({
  mode: fc.constantFrom('plain', 'plain', 'relaxed', 'canonical'),
  pretty: flag(false),
  promoteLongs: flag(true),
  promoteValues: flag(true),
  promoteBuffers: flag(false),
  bsonRegExp: flag(false),
  enableUtf8Validation: flag(true),
  useBigInt64: flag(false),
}).map((o) => (o.useBigInt64 && !(o.mode !== 'plain' && o.promoteLongs && o.promoteValues) ? { ...o, useBigInt64: false } : o));
const someOptions = ['plain', 'relaxed', 'canonical'].flatMap((mode) => [
  { mode }, { mode, pretty: true }, { mode, promoteValues: false }, { mode, bsonRegExp: true, promoteBuffers: true, promoteLongs: false, enableUtf8Validation: false },
]);

/** In bson 6 a reference with a field __proto__ has that value as its fields' prototype, with all that it inherits. */
const ownPrototype = (doc) => doc.includes('__proto__') && doc.includes('$ref');

async function check(t, arbitrary, wanted, one) {
  let documents = 0;
  t.diagnostic(`RUMONGO_SEED=${SEED}`);
  for (let round = 0; documents < wanted; round++) {
    const property = fc.asyncProperty(arbitrary, anyOptions, fc.constantFrom(undefined, undefined, 3, 40), fc.constantFrom(7, 7, 6), async (made, options, batchSize, version) => {
      const docs = version === 6 ? made.filter((doc) => !ownPrototype(doc)) : made;
      documents += docs.length;
      for (const part of one ? docs.map((doc) => [doc]) : [docs]) {
        await fixture.put('json.c', part);
        assertText(await ours(collections[version], { ...options, batchSize }), theirs(BSON[version], part, options), `${JSON.stringify(options)}, bson ${version}`);
      }
    });
    await fc.assert(property, { seed: (SEED + round) | 0, numRuns: 25, reporter });
  }
  t.diagnostic(`${documents} documents`);
}

function reporter({ failed, counterexample, seed, errorInstance }) {
  if (!failed) return;
  throw new Error(`RUMONGO_SEED=${SEED} (fast-check seed ${seed})\n${errorInstance?.message}\n${counterexample[0].map((doc) => doc.toString('hex')).join('\n')}`, { cause: errorInstance });
}

test(`${DOCUMENTS} random documents`, { timeout: 600_000 }, (t) => check(t, batch, DOCUMENTS, false));

test('random documents with values that js-bson refuses', { timeout: 600_000 }, (t) => check(t, badBatch, DOCUMENTS / 20, true));

for (const version of [7, 6]) {
  test(`documents at the edges, bson ${version}`, async () => {
    const bson = BSON[version];
    const docs = wellFormed(bson);
    assert.ok(docs.length > 80);
    for (const { name, bytes } of docs) {
      await fixture.put('json.c', [bytes]);
      for (const options of someOptions) {
        assertText(await ours(collections[version], options), theirs(bson, [bytes], options), `${name}, ${JSON.stringify(options)}`);
      }
    }
  });
}

const corpus = bsonCorpus();
test('the BSON corpus', { skip: corpus.skip }, async () => {
  for (const { name, bytes } of corpus.valid) {
    await fixture.put('json.c', [bytes]);
    for (const options of someOptions) {
      assertText(await ours(collections[7], options), theirs(bson7, [bytes], options), `${name}, ${JSON.stringify(options)}`);
    }
  }
});

test('malformed documents are refused as eager finds refuse them', async () => {
  const docs = malformed(bson7);
  assert.ok(docs.length > 20);
  for (const { name, bytes } of docs) {
    await fixture.put('json.c', [bson7.serialize({ before: 1 }), bytes]);
    const expected = await collections[7].find().toArray().then(() => ({}), (error) => ({ error }));
    const actual = await ours(collections[7], {});
    assert.ok(actual.error instanceof bson7.BSONError, `${name}: ${actual.error?.stack ?? actual.text}`);
    assert.equal(actual.error.message, expected.error.message, name);
    assert.equal(actual.error.offset, expected.error.offset, name);
  }
});

test('numbers: as JavaScript writes them', async () => {
  const edges = [0, -0, 1, 0.1, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, 123456789.12, 2 ** 53, 1 / 3, 4.35, 1e300, -1e-10, 0.000001, 1e15, 999999999999.99];
  await fc.assert(fc.asyncProperty(fc.array(fc.oneof(fc.double(), fc.integer().map((n) => n / 100), fc.integer().map((n) => n / 1e4), fc.float(), fc.constantFrom(...edges)), { minLength: 500, maxLength: 500 }), async (numbers) => {
    const bytes = bson7.serialize({ d: numbers.map((n) => new bson7.Double(n)) });
    await fixture.put('json.c', [bytes]);
    for (const mode of ['plain', 'canonical']) assertText(await ours(collections[7], { mode }), theirs(bson7, [bytes], { mode }), mode);
  }), { seed: SEED, numRuns: 40 });
});

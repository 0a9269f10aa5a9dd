'use strict';
// deserializeMany() and deserializeManySync() against a loop over bson.deserialize, below and above the size from which
// the core takes part.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const { setImmediate: turn } = require('node:timers/promises');
const fc = require('fast-check');
const bson7 = require('bson');
const bson6 = require('bson6');
const bridge = require('../../js/native/bridge.js');
const { deserializeMany, deserializeManySync } = require('../../js/decoder.js');
const { batch, badBatch } = require('../support/arbitrary-bson.js');
const { random } = require('../support/document-sets');
const { assertSame, assertSameOutcome, outcome } = require('../support/same.js');
const { outcomeOf } = require('../support/readers.js');

const SEED = Number(process.env.RUMONGO_SEED ?? Date.now() % 1e9);
const RUNS = Number(process.env.RUMONGO_RUNS ?? 100);

/** What a loop over bson.deserialize gives. */
function loop(bytes, bson, options) {
  const documents = [];
  for (let at = 0; at < bytes.length;) {
    const size = bytes.length - at < 4 ? 0 : bytes.readInt32LE(at);
    documents.push(bson.deserialize(size < 5 ? bytes.subarray(at) : bytes.subarray(at, at + size), options));
    at += size;
  }
  return documents;
}

async function check(bytes, bson, options, what) {
  const expected = outcome(() => loop(bytes, bson, options));
  assertSameOutcome(outcome(() => deserializeManySync(bytes, { ...options, bson })), expected, `${what}, sync`);
  assertSameOutcome(await outcomeOf(() => deserializeMany(bytes, { ...options, bson })), expected, what);
  return expected;
}

/** So many of the documents again and again that the core is asked. */
const often = (docs, size) => Buffer.concat(Array.from({ length: Math.ceil(size / Math.max(5, Buffer.concat(docs).length)) }, () => docs).flat());

const options = fc.constantFrom({}, {}, { promoteValues: false, bsonRegExp: true }, { useBigInt64: true, promoteBuffers: true },
  { validation: { utf8: false }, promoteLongs: false }, { raw: true }, { fieldsAsRaw: { field1: true } });
/** In bson 6 a reference with a field __proto__ has that value, of which no other is the same, as its fields' prototype. */
const comparable = (docs, bson) => (bson === bson7 ? docs : docs.filter((doc) => !(doc.includes('__proto__') && doc.includes('$ref'))));

for (const [name, arbitrary, runs] of [['documents', batch, RUNS], ['documents, of which js-bson refuses some', badBatch, RUNS / 2]]) {
  test(`random ${name}, seed ${SEED}`, { timeout: 600_000 }, async () => {
    await fc.assert(fc.asyncProperty(arbitrary, options, fc.constantFrom(bson7, bson7, bson6), fc.constantFrom(0, 0, 100_000), async (docs, chosen, bson, size) => {
      const some = comparable(docs, bson);
      const bytes = size === 0 || some.length === 0 ? Buffer.concat(some) : often(some, size);
      await check(bytes, bson, chosen, `options ${JSON.stringify(chosen)}`);
    }), { seed: SEED, numRuns: runs });
  });
}

const document = (n) => bson7.serialize({ _id: new bson7.ObjectId(), n, text: `text ${n} \u00e9`, at: new Date(n), list: [1, 'two', { three: 3 }], nested: { n } });
const large = Buffer.concat(Array.from({ length: 30_000 }, (_, n) => document(n)));

test('many segments keep their order', async () => {
  assert.ok(large.length > 3 << 20);
  const before = bridge.received().frames;
  const documents = await deserializeMany(large);
  assert.ok(bridge.received().frames > before, 'the core takes part');
  assertSame(documents, loop(large, bson7), 'all');
});

test('damaged bytes in the middle of many: the error is that of the first bad document', async () => {
  const rnd = random(SEED);
  for (let n = 0; n < 20; n++) {
    const bytes = Buffer.from(large.subarray(0, 2_500_000));
    const at = Math.floor(rnd() * bytes.length);
    bytes[at] ^= 1 << Math.floor(rnd() * 8);
    await check(bytes.subarray(0, bytes.length - Math.floor(rnd() * 150)), bson7, {}, `RUMONGO_SEED=${SEED}, byte ${at}`);
  }
});

test('what is not whole', async () => {
  for (const size of [70_000, 200]) {
    const bytes = often([document(1)], size);
    for (const cut of [1, 4, document(1).length - 3]) await check(bytes.subarray(0, bytes.length - cut), bson7, {}, `${cut} bytes are missing`);
    for (const more of [[0], [1, 2, 3], [4, 0, 0, 0, 0], [255, 255, 255, 255, 0], [255, 255, 255, 127, 0]]) {
      await check(Buffer.concat([bytes, Buffer.from(more)]), bson7, {}, `${more} is behind them`);
    }
  }
  assert.deepEqual(await deserializeMany(Buffer.alloc(0)), []);
});

test('bytes of other kinds, and none', async () => {
  const bytes = new Uint8Array(often([document(1)], 100_000));
  assertSame(await deserializeMany(bytes), loop(Buffer.from(bytes), bson7), 'a Uint8Array');
  assertSame(await deserializeMany(bytes.buffer), loop(Buffer.from(bytes), bson7), 'an ArrayBuffer');
  for (const bad of [undefined, null, 'text', 7, {}]) {
    assert.throws(() => deserializeManySync(bad), bson7.BSONError);
    await assert.rejects(deserializeMany(bad), bson7.BSONError);
  }
});

test('an AbortSignal stops it', async () => {
  const reason = new Error('enough');
  await assert.rejects(deserializeMany(large, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
  const controller = new AbortController();
  const decoding = deserializeMany(large, { signal: controller.signal });
  controller.abort(reason);
  await assert.rejects(decoding, (error) => error === reason);
  await assert.rejects(deserializeMany(large, { signal: {} }), /Option "signal" must be an AbortSignal/);
});

test('the event loop goes on meanwhile', async () => {
  for (const chosen of [{}, { fieldsAsRaw: {} }]) {
    let turns = 0;
    let over = false;
    const counting = (async () => {
      while (!over) {
        await turn();
        turns++;
      }
    })();
    await deserializeMany(large, chosen);
    over = true;
    await counting;
    assert.ok(turns > 3, `${turns} turns, options ${JSON.stringify(chosen)}`);
  }
});

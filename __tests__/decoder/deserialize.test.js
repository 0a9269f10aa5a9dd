'use strict';
// deserialize() against bson.deserialize: values, classes, and errors by class and message, for every option and for bytes
// of any kind. RUMONGO_SEED repeats a run, RUMONGO_DOCUMENTS and RUMONGO_DAMAGED make it longer.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const v8 = require('node:v8');
const vm = require('node:vm');
const fc = require('fast-check');
const bson7 = require('bson');
const bson6 = require('bson6');
const { deserialize } = require('../../js/decoder.js');
const { resolveBson } = require('../../js/bson/classes.js');
const { decoderOf } = require('../../js/decoder/options.js');
const { batch, badBatch } = require('../support/arbitrary-bson.js');
const { bsonCorpus } = require('../support/bson-corpus.js');
const { random } = require('../support/document-sets');
const { wellFormed } = require('../support/edge-documents.js');
const { assertSame, assertSameOutcome, outcome } = require('../support/same.js');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');

const SEED = Number(process.env.RUMONGO_SEED ?? Date.now() % 1e9);
const DOCUMENTS = Number(process.env.RUMONGO_DOCUMENTS ?? 10_000);
const DAMAGED = Number(process.env.RUMONGO_DAMAGED ?? 20_000);

const flag = fc.option(fc.boolean(), { nil: undefined });
const options = fc.oneof(
  { weight: 3, arbitrary: fc.record({
    promoteValues: flag, promoteLongs: flag, promoteBuffers: flag, bsonRegExp: flag, useBigInt64: flag,
    validation: fc.constantFrom(undefined, { utf8: true }, { utf8: false }),
  }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.record({
    promoteValues: fc.constantFrom(true, false, null, 0, 'yes'),
    raw: fc.constantFrom(undefined, null, false, true),
    fieldsAsRaw: fc.constantFrom(undefined, null, {}, { field1: true, field2: true }),
    validation: fc.constantFrom(null, {}, { utf8: {} }, { utf8: { field1: true } }, { utf8: { field1: false, field2: false } }, { utf8: { a: 1 } }, { utf8: { a: true, b: false } }),
    bsonRegExp: fc.constantFrom(1, null, true),
    useBigInt64: fc.constantFrom(null, 1, false),
    allowObjectSmallerThanBufferSize: flag,
  }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.constantFrom(undefined, null, {}, Object.create({ promoteValues: false, raw: true, validation: { utf8: false } })) },
);

/** In bson 6 a reference with a field __proto__ has that value, of which no other is the same, as its fields' prototype. */
const comparable = (bytes, bson) => bson === bson7 || !(bytes.includes('__proto__') && bytes.includes('$ref'));

/** With the classes of one version, as an option. */
const withBson = (chosen, bson) => {
  if (bson === bson7 && (chosen === undefined || chosen === null)) return chosen;
  return Object.assign(Object.create(Object.getPrototypeOf(chosen ?? {})), chosen, { bson });
};

function check(bytes, chosen, bson, what) {
  const expected = outcome(() => bson.deserialize(bytes, chosen ?? undefined));
  const actual = outcome(() => deserialize(bytes, withBson(chosen, bson)));
  assertSameOutcome(actual, expected, `${what}, options ${JSON.stringify(chosen)}, ${bytes.toString('hex')}`);
  return expected.error === undefined;
}

for (const [name, arbitrary, wanted] of [['', batch, DOCUMENTS], [' with values that js-bson refuses', badBatch, DOCUMENTS / 4]]) {
  test(`random documents${name}, seed ${SEED}`, { timeout: 600_000 }, () => {
    let documents = 0;
    for (let round = 0; documents < wanted; round++) {
      fc.assert(fc.property(arbitrary, options, fc.constantFrom(bson7, bson7, bson6), (docs, chosen, bson) => {
        for (const bytes of docs) if (comparable(bytes, bson)) check(bytes, chosen, bson, 'random');
        documents += docs.length;
      }), { seed: (SEED + round) | 0, numRuns: 25 });
    }
  });
}

const corpus = bsonCorpus();

test('the BSON corpus', { skip: corpus.skip ?? false }, () => {
  for (const chosen of [undefined, { promoteValues: false, bsonRegExp: true }, { useBigInt64: true, promoteBuffers: true }, { validation: { utf8: false }, promoteLongs: false }]) {
    for (const { name, bytes } of [...corpus.valid, ...corpus.decodeErrors]) {
      // Often enough to be compiled.
      for (let n = 0; n < 50; n++) check(bytes, chosen, bson7, name);
    }
  }
});

test(`damaged documents, seed ${SEED}`, (t) => {
  const sources = wellFormed(bson7).map(({ bytes }) => bytes).filter((bytes) => bytes.length < 1500 && bytes.length > 5);
  const rnd = random(SEED);
  const pick = (n) => Math.floor(rnd() * n);
  const seen = { read: 0, refused: 0 };
  for (let n = 0; n < DAMAGED; n++) {
    const bytes = Buffer.from(sources[n % sources.length]);
    for (let times = 1 + pick(2); times > 0; times--) {
      const at = pick(bytes.length);
      if (pick(2) === 0) bytes[at] ^= 1 << pick(8);
      else bytes[at] = [0, 1, 2, 3, 4, 5, 8, 0x0b, 0x0c, 0x0f, 0x10, 0x24, 0x7f, 0x80, 0xff, pick(256)][pick(16)];
    }
    const cut = pick(10) === 0 ? bytes.subarray(0, pick(bytes.length)) : bytes;
    const smaller = pick(4) === 0 ? { allowObjectSmallerThanBufferSize: true } : undefined;
    seen[check(cut, smaller, bson7, `RUMONGO_SEED=${SEED}`) ? 'read' : 'refused']++;
  }
  t.diagnostic(JSON.stringify(seen));
  assert.ok(seen.read > DAMAGED / 5 && seen.refused > DAMAGED / 5);
});

test('where in the bytes the document is', () => {
  const document = bson7.serialize({ a: 1, text: 'some', n: { x: [1, 2, { y: null }] } });
  const bytes = Buffer.concat([Buffer.from([1, 2, 3]), document, Buffer.from([9, 9])]);
  for (const index of [undefined, null, 0, 1, 3, 3.5, -1, '3', bytes.length - 3, bytes.length, 1e6, NaN]) {
    for (const allowObjectSmallerThanBufferSize of [undefined, false, true]) {
      check(bytes, { index, allowObjectSmallerThanBufferSize }, bson7, `index ${index}`);
    }
  }
  const view = new Uint8Array(bytes.buffer, bytes.byteOffset + 3, document.length);
  assert.ok(!Buffer.isBuffer(view));
  assertSame(deserialize(view), bson7.deserialize(view), 'a Uint8Array');
  assertSame(deserialize(view.slice().buffer), bson7.deserialize(view.slice().buffer), 'an ArrayBuffer');
  for (const bad of [undefined, null, 'text', 5, {}, [], new DataView(new ArrayBuffer(8)), new Uint16Array(4), Buffer.alloc(0), Buffer.alloc(3)]) {
    assertSameOutcome(outcome(() => deserialize(bad)), outcome(() => bson7.deserialize(bad)), `${bad}`);
  }
});

test('it is not js-bson that does it, but for what is rare', () => {
  const docs = fc.sample(batch, { seed: SEED, numRuns: 200 }).flat();
  const decoder = decoderOf(resolveBson({ bson: bson7 }), {});
  const left = docs.filter((bytes) => decoder.decode(bytes, 0, bytes.length) === undefined);
  assert.ok(left.length < docs.length / 10, `${left.length} of ${docs.length} documents are left to js-bson, RUMONGO_SEED=${SEED}`);
  let calls = 0;
  const counting = { ...bson7, BSON: undefined, deserialize: (...args) => { calls++; return bson7.deserialize(...args); } };
  deserialize(bson7.serialize({}), { bson: counting }); // makes the decoder
  calls = 0;
  const usual = bson7.serialize({ _id: new bson7.ObjectId(), n: 1, x: 1.5, text: 'some', at: new Date(), none: null, yes: true, list: [1, { y: 'z' }], long: 2n ** 60n,
    d: new bson7.Decimal128('1.5'), b: new bson7.Binary(Buffer.alloc(3)), u: new bson7.UUID(), r: /a/i, t: new bson7.Timestamp({ t: 1, i: 2 }), c: new bson7.Code('f()'), max: new bson7.MaxKey() });
  for (let n = 0; n < 100; n++) deserialize(usual, { bson: counting });
  assert.equal(calls, 0);
});

test('keys that are data, wide and deep documents, and key sequences without end', () => {
  const rnd = random(7);
  const word = () => Math.floor(rnd() * 1e9).toString(36);
  for (let n = 0; n < 4000; n++) {
    const byId = Object.fromEntries(Array.from({ length: 12 }, () => [word(), { n, [word()]: 'text' }]));
    check(bson7.serialize({ fixed: n, byId, after: true }), undefined, bson7, 'a map');
  }
  for (const width of [499, 501, 1100]) {
    const wide = bson7.serialize(Object.fromEntries(Array.from({ length: width }, (_, i) => [`key${i}`, i])));
    for (let n = 0; n < 60; n++) check(wide, undefined, bson7, `${width} fields`);
  }
  for (const levels of [99, 100, 101, 102, 5000]) {
    let bytes = bson7.serialize({ end: true });
    for (let n = 0; n < levels; n++) {
      const around = Buffer.alloc(bytes.length + 8);
      around.writeInt32LE(around.length);
      around[4] = 3;
      around[5] = 0x6e;
      Buffer.from(bytes).copy(around, 7);
      bytes = around;
    }
    check(bytes, undefined, bson7, `${levels} levels`);
  }
});

test('binary values view the bytes, as those of js-bson', () => {
  const bytes = Buffer.from(bson7.serialize({ b: new bson7.Binary(Buffer.from([1, 2, 3])) }));
  const { b } = deserialize(bytes);
  assert.equal(b.buffer.buffer, bytes.buffer);
});

test('nothing of a document stays alive after it', async () => {
  const bytes = bson7.serialize({ a: { b: {} }, c: 'x'.repeat(50) });
  const kept = new WeakRef(deserialize(bytes).a);
  for (let n = 0; n < 5 && kept.deref() !== undefined; n++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  assert.equal(kept.deref(), undefined);
});

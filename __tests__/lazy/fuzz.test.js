'use strict';
// Damaged documents: what the core refuses js-bson refuses, what it lets through reads as js-bson reads it or throws.

const test = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const { lazyDump, decodeAll } = require('../support/lazy-dump.js');
const { everyType } = require('../support/every-type.js');

const DAMAGED = Number(process.env.FUZZ_DOCUMENTS ?? 4000);

function random(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Small sources, so that most of their bytes matter. */
function sources() {
  const all = everyType(bson);
  const plain = Object.entries(all).filter(([key]) => !['nested', 'list', 'manyNumbers', 'manyDocuments', 'manyMixed', 'big', 'long'].includes(key));
  const documents = plain.map(([key, value]) => ({ a: 1, [key]: value, z: [value, { [key]: value }] }));
  documents.push(Object.fromEntries(plain), { d: { d: { d: [[[{ e: [] }]]] } } });
  return documents.map((document) => bson.serialize(document, { ignoreUndefined: false }));
}

function damage(bytes, r) {
  const copy = Buffer.from(bytes);
  const times = 1 + r(2);
  for (let i = 0; i < times; i++) {
    const at = 4 + r(copy.length - 4); // the document's own length says where the next begins
    const kind = r(10);
    if (kind < 3) copy[at] = r(256);
    else if (kind < 6) copy[at] ^= 1 << r(8);
    else if (kind < 9) copy[at] = [0, 1, 2, 3, 4, 5, 0x0f, 0x10, 0x24, 0x7f, 0xff][r(11)];
    else copy.copy(copy, at, 4 + r(copy.length - 4), copy.length - r(8));
  }
  return copy;
}

function attempt(act) {
  try {
    return { value: act() };
  } catch (error) {
    return { error };
  }
}

/** deepStrictEqual, but that invalid dates are equal. */
function same(actual, expected) {
  if (expected instanceof Date && Number.isNaN(expected.getTime())) {
    assert.ok(actual instanceof Date && Number.isNaN(actual.getTime()));
  } else if (typeof expected === 'object' && expected !== null && (Array.isArray(expected) || Object.getPrototypeOf(expected) === Object.prototype)) {
    assert.deepStrictEqual(Reflect.ownKeys(actual), Reflect.ownKeys(expected));
    assert.equal(Array.isArray(actual), Array.isArray(expected));
    for (const key of Object.keys(expected)) same(actual[key], expected[key]);
  } else if (typeof expected === 'object' && expected !== null) {
    assert.equal(Object.getPrototypeOf(actual), Object.getPrototypeOf(expected));
    for (const key of Object.keys(expected)) same(actual[key], expected[key]);
    if (expected instanceof Date || expected instanceof RegExp) assert.deepStrictEqual(actual, expected);
  } else {
    assert.ok(Object.is(actual, expected));
  }
}

test(`${DAMAGED} damaged documents`, () => {
  const r = random(20240229);
  const from = sources();
  const damaged = Array.from({ length: DAMAGED }, (_, i) => damage(from[i % from.length], r));
  const dump = lazyDump(damaged, ['-piece', '1']); // one chunk each
  assert.equal(dump.counts.length, DAMAGED);
  const seen = { refused: 0, bad: 0, read: 0 };
  damaged.forEach((bytes, i) => {
    const expected = attempt(() => bson.deserialize(bytes));
    const context = `document ${i}: ${bytes.toString('hex')}: ${expected.error?.stack}`;
    if (dump.counts[i] === 0) {
      assert.ok(expected.error, `refused, but js-bson reads ${context}`);
      seen.refused++;
      return;
    }
    const [lazy] = decodeAll({ chunks: [dump.chunks[i]], bridge: dump.bridge });
    if (expected.error) {
      const actual = attempt(() => lazy.toObject());
      assert.equal(actual.error?.message, expected.error.message, context);
      for (const key of Object.keys(lazy)) attempt(() => JSON.stringify(lazy[key]));
      seen.bad++;
      return;
    }
    try {
      same(lazy, expected.value);
      if (lazy.toObject && !(lazy instanceof bson.DBRef)) same(lazy.toObject(), expected.value);
    } catch (error) {
      error.message += context;
      throw error;
    }
    seen.read++;
  });
  assert.ok(Object.values(seen).every((n) => n > DAMAGED / 100), JSON.stringify(seen));
});

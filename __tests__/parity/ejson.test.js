'use strict';
// Extended JSON, as text and as objects, against EJSON.parse. RUMONGO_SEED repeats a run.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const fc = require('fast-check');
const bson = require('bson');
const bridge = require('../../js/native/bridge.js');
const { resolveBson } = require('../../js/bson/classes.js');
const { convertWrappers } = require('../../js/ejson/convert.js');
const { parseText } = require('../../js/ejson/text.js');
const { wellFormed, anything, losesProto, hasReference } = require('../support/arbitrary-ejson.js');
const { extendedJSONCorpus } = require('../support/bson-corpus.js');

const { EJSON } = bson;
const classes = resolveBson({ bson });
const SEED = Number(process.env.RUMONGO_SEED ?? Date.now() % 1e9);
const RUNS = Number(process.env.RUMONGO_TEXTS ?? 5000);

const bytesOf = (value) => Buffer.from(bson.serialize({ value }, { ignoreUndefined: false })).toString('hex');

/** What EJSON.parse and the serializer make of a text, or null when they refuse it (a TypeError as often as a BSONError). */
function expectedOf(text) {
  try {
    return bytesOf(EJSON.parse(text));
  } catch {
    return null;
  }
}

/** The bytes of the core, or null when it refuses the text. */
function fromCore(text) {
  const answer = Buffer.from(bridge.ejson(Buffer.from(text)));
  return answer.toString('latin1', 5, 10) === 'value' ? answer.toString('hex') : null;
}

/** The same of the text read by JSON.parse and its wrappers replaced. */
function fromObject(text) {
  try {
    return bytesOf(convertWrappers({ value: JSON.parse(text) }, classes, 'filter').value);
  } catch (error) {
    if (error.name === 'MongoInvalidArgumentError' || error.name === 'BSONError') return null;
    throw error;
  }
}

function check(t, arbitrary, property) {
  t.diagnostic(`RUMONGO_SEED=${SEED}`);
  fc.assert(fc.property(arbitrary.filter((text) => !losesProto(text)), property), {
    seed: SEED,
    numRuns: RUNS,
    reporter({ failed, counterexample, numShrinks, errorInstance }) {
      if (failed) throw new Error(`RUMONGO_SEED=${SEED} (${numShrinks} shrinks): ${JSON.stringify(counterexample?.[0])}\n${errorInstance?.message}`, { cause: errorInstance });
    },
  });
}

test('well-formed text gives the bytes of EJSON.parse', (t) => {
  check(t, wellFormed, (text) => {
    const expected = expectedOf(text);
    if (expected === null) {
      assert.match(text, /\$ref/); // which it takes for a DBRef with whatever name
      return;
    }
    if (text.isWellFormed()) assert.equal(fromCore(text), expected);
    assert.equal(bytesOf(parseText(text, bridge, classes, 'filter')), expected);
    if (!hasReference(text)) assert.equal(fromObject(text), expected);
  });
});

/** Damage to a digit can make an integer of 2^53 or more, which EJSON.parse rounds and we keep: see the test below. */
const hasUnsafeInteger = (text) => (text.match(/\d{16,}/g) ?? []).some((digits) => !Number.isSafeInteger(Number(digits)));

test('text that is not well formed is an error or gives the bytes of EJSON.parse', (t) => {
  const count = { taken: 0, refused: 0 };
  check(t, anything, (text) => {
    if (!text.isWellFormed() || hasUnsafeInteger(text)) return;
    const core = fromCore(text);
    const object = fromObject(text);
    const expected = expectedOf(text);
    count[core === null ? 'refused' : 'taken'] += 1;
    if (core !== null) assert.equal(core, expected);
    if (hasReference(text)) return;
    if (object !== null) assert.equal(object, expected);
    if (core !== null) assert.notEqual(object, null, 'text is taken where the object is refused');
  });
  t.diagnostic(`${count.taken} taken, ${count.refused} refused`);
  assert.ok(count.refused > RUNS / 50 && count.taken > RUNS / 5, `${count.taken} taken, ${count.refused} refused`);
});

test('numbers keep every digit that 64 bits can hold', () => {
  const long = (text) => bson.Long.fromString(text);
  for (const [text, value] of [
    ['9223372036854775807', bson.Long.MAX_VALUE], ['-9223372036854775808', bson.Long.MIN_VALUE], ['9007199254740993', long('9007199254740993')],
    ['9007199254740992', long('9007199254740992')], ['9007199254740991', 9007199254740991], ['9223372036854775808', 9223372036854775808],
    ['-9223372036854775809', -9223372036854775809], ['1e18', 1e18], ['9007199254740993.0', 9007199254740992],
    ['{"$numberLong":"9007199254740993"}', long('9007199254740993')],
  ]) {
    assert.equal(fromCore(text), bytesOf(value), text);
    if (text.startsWith('{')) assert.equal(fromObject(text), bytesOf(value));
  }
});

// The specification has these for errors. EJSON.parse takes them, and there is no doubt what they mean.
const TAKEN = new Set([
  'top.json, Bad $regularExpression (missing options field)',
  'top.json, Bad $numberInt (number, not string)',
  'top.json, Bad $numberDouble (number, not string)',
  'top.json, Bad $binary (missing $type)',
  'top.json, Bad $date (number, not string or hash)',
]);

test('the texts of the BSON corpus', async (t) => {
  const { valid, parseErrors, skip } = extendedJSONCorpus();
  if (skip !== undefined) return t.skip(skip);
  for (const { name, text } of valid) {
    // These two EJSON.parse rounds.
    const exact = /^int64\.json, M(in|ax)Value/.exec(name);
    if (exact) assert.equal(fromCore(text), bytesOf({ a: exact[1] === 'in' ? bson.Long.MIN_VALUE : bson.Long.MAX_VALUE }), name);
    else assert.equal(fromCore(text), expectedOf(text), name);
  }
  for (const { name, text } of parseErrors) {
    assert.equal(fromCore(text), TAKEN.has(name) ? expectedOf(text) : null, name);
  }
  assert.ok(valid.length > 1000 && parseErrors.length > 150, `${valid.length} texts, ${parseErrors.length} errors`);
});

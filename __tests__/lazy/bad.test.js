'use strict';
// Malformed structure stops the read, with the documents before it kept. A bad value throws where it is read.

const test = require('node:test');
const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const bson = require('bson');
const { lazyDump, decodeAll, lazyPair } = require('../support/lazy-dump.js');
const raw = require('../support/raw-bson.js');

const good = bson.serialize({ ok: 1 });

const MALFORMED = {
  'string length 0': raw.document(raw.element(0x02, 's', Buffer.concat([raw.int32(0), Buffer.of(0)]))),
  'string length too long': raw.document(raw.element(0x02, 's', Buffer.concat([raw.int32(9), raw.cstring('x')]))),
  'negative string length': raw.document(raw.element(0x02, 's', Buffer.concat([raw.int32(-1), raw.cstring('x')]))),
  'string not terminated': raw.document(raw.element(0x02, 's', Buffer.concat([raw.int32(1), Buffer.of(1)]))),
  'embedded document too long': raw.document(raw.element(0x03, 'd', Buffer.concat([raw.int32(20), Buffer.of(0)]))),
  'embedded document too short': raw.document(raw.element(0x03, 'd', Buffer.concat([raw.int32(4), Buffer.of(0)]))),
  'embedded document ends early': raw.document(raw.element(0x03, 'd', Buffer.concat([raw.int32(9), Buffer.from([0, 0, 0, 0, 0])]))),
  'array not terminated': raw.document(raw.element(0x04, 'a', Buffer.concat([raw.int32(5), Buffer.of(1)]))),
  'unknown type': raw.document(raw.element(0x55, 'u', Buffer.alloc(4))),
  'unknown type far inside': raw.document(raw.embedded('a', raw.array('b', raw.embedded('0', raw.element(0x14, 'u'))))),
  'binary too long': raw.document(raw.binary('b', 0, Buffer.from([1]), 50)),
  'negative binary': raw.document(raw.binary('b', 0, Buffer.from([1]), -1)),
  'int32 cut off': raw.document(raw.element(0x10, 'i', Buffer.from([1, 2]))),
  'regular expression without end': raw.document(raw.element(0x0b, 'r', Buffer.from('ab'))),
  'name without end': Buffer.concat([raw.int32(9), Buffer.from([0x10, 0x61, 0x61, 0x61]), Buffer.of(0)]),
  'code with scope, total too short': raw.document(raw.element(0x0f, 'c', Buffer.concat([raw.int32(14), raw.int32(1), Buffer.of(0), raw.int32(5), Buffer.of(0), Buffer.of(0)]))),
  'code with scope, scope malformed': raw.document(raw.element(0x0f, 'c', Buffer.concat([raw.int32(14 + 3), raw.int32(1), Buffer.of(0), raw.int32(8), Buffer.from([0x55, 0x61, 0, 0])]))),
  'end before the end': Buffer.concat([raw.int32(12), Buffer.from([0x0a, 0x61, 0, 0, 0, 0, 0, 0])])
};

for (const [what, bytes] of Object.entries(MALFORMED)) {
  test(`malformed: ${what}`, () => {
    assert.throws(() => bson.deserialize(bytes), bson.BSONError, 'js-bson refuses it too');
    const dump = lazyDump([good, good, bytes, good]);
    assert.equal(dump.counts[0], 2);
    assert.equal(dump.faults.length, 1);
    assert.match(dump.faults[0].message, /^malformed BSON: /);
    assert.ok(dump.faults[0].offset >= 2 * (good.length + 3) && dump.faults[0].offset < 2 * (good.length + 3) + 3 + bytes.length, `offset ${dump.faults[0].offset}`);
    assert.deepStrictEqual(decodeAll(dump), [{ ok: 1 }, { ok: 1 }]);
  });
}

const BAD_VALUES = {
  'regular expression JS cannot compile': [raw.regex('bad', '(?i)a', ''), SyntaxError],
  'regular expression with a flag twice': [raw.regex('bad', 'a', 'ii'), SyntaxError],
  'invalid UTF-8': [raw.string('bad', Buffer.from([0x61, 0xff, 0x62])), bson.BSONError],
  'invalid UTF-8, long': [raw.string('bad', Buffer.concat([Buffer.alloc(100, 0x61), Buffer.from([0xc3])])), bson.BSONError],
  'boolean 2': [raw.element(0x08, 'bad', Buffer.of(2)), bson.BSONError],
  'old binary, inner length too long': [raw.binary('bad', 2, Buffer.concat([raw.int32(3), Buffer.from([1, 2])])), bson.BSONError],
  'old binary, inner length too short': [raw.binary('bad', 2, Buffer.concat([raw.int32(1), Buffer.from([1, 2])])), bson.BSONError],
  'old binary, inner length negative': [raw.binary('bad', 2, Buffer.concat([raw.int32(-1), Buffer.from([1, 2])])), bson.BSONError],
  'old binary without inner length': [raw.binary('bad', 2, Buffer.from([1])), bson.BSONError],
  'invalid UTF-8 in code': [raw.string('bad', Buffer.from([0xff]), 0x0d), bson.BSONError],
  'invalid UTF-8 in a symbol': [raw.string('bad', Buffer.from([0xff]), 0x0e), bson.BSONError]
};

function errorOf(act) {
  try {
    act();
  } catch (error) {
    return error;
  }
  return assert.fail('it did not throw');
}

for (const [what, [element, Class]] of Object.entries(BAD_VALUES)) {
  test(`bad value: ${what}`, () => {
    const bytes = raw.document(raw.int('before', 1), element, raw.embedded('in', raw.int('x', 1), element), raw.array('list', element, raw.int('1', 2)), raw.int('after', 2));
    const expected = errorOf(() => bson.deserialize(raw.document(element)));
    assert.ok(expected instanceof Class);
    for (const [kind, lazy] of [{}, { smallArray: 0 }].flatMap((how) => Object.entries(lazyPair(bytes, how)))) {
      assert.equal(lazy.before, 1, kind);
      assert.equal(lazy.after, 2);
      assert.equal(lazy.in.x, 1);
      assert.equal(lazy.list.length, 2);
      assert.equal(lazy.list[1], 2);
      assert.deepStrictEqual(Object.keys(lazy), ['before', 'bad', 'in', 'list', 'after']);
      assert.ok('bad' in lazy);
      for (const act of [() => lazy.bad, () => lazy.in.bad, () => lazy.list[0], () => ({ ...lazy }), () => JSON.stringify(lazy.in), () => Object.values(lazy), () => lazy.toObject(), () => Object.freeze(lazy)]) {
        const error = errorOf(act);
        assert.equal(error.constructor, expected.constructor, `${kind} ${act}`);
        assert.equal(error.message, expected.message);
      }
      const bad = `<${expected.name}: ${expected.message}>`;
      assert.equal(inspect(lazy, { depth: 5 }).replaceAll(/\s+/g, ' '), `{ before: 1, bad: ${bad}, in: { x: 1, bad: ${bad} }, list: [ ${bad}, 2 ], after: 2 }`, kind);
      lazy.bad = 'mended';
      lazy.in.bad = 'mended';
      lazy.list[0] = 'mended';
      assert.deepStrictEqual(lazy, { before: 1, bad: 'mended', in: { x: 1, bad: 'mended' }, list: ['mended', 2], after: 2 });
      assert.equal(inspect(lazy), inspect({ ...lazy }));
    }
  });
}

test('a bad value can be deleted, and what an option allows is no bad value', () => {
  const bytes = raw.document(raw.int('a', 1), raw.regex('bad', '(?i)a', ''), raw.string('text', Buffer.from([0xff])));
  for (const lazy of Object.values(lazyPair(bytes))) {
    delete lazy.bad;
    delete lazy.text;
    assert.deepStrictEqual(Object.freeze(lazy), { a: 1 });
  }
  for (const lazy of Object.values(lazyPair(bytes, { options: { bsonRegExp: true, enableUtf8Validation: false } }))) {
    assert.deepStrictEqual(lazy, bson.deserialize(bytes, { bsonRegExp: true, validation: { utf8: false } }));
  }
});

test('dates out of range, null dates and the like are values', () => {
  const bytes = raw.document(raw.date('a', 8640000000000001n), raw.date('b', -(2n ** 63n)), raw.date('c', 8640000000000000n), raw.date('d', 2n ** 63n - 1n));
  for (const lazy of Object.values(lazyPair(bytes))) {
    assert.ok(Object.values(lazy).every((date) => date instanceof Date)); // invalid ones equal nothing
    assert.equal(JSON.stringify(lazy), '{"a":null,"b":null,"c":"+275760-09-13T00:00:00.000Z","d":null}');
  }
});

test('contradicting options are refused before anything is decoded', () => {
  for (const options of [{ useBigInt64: true, promoteLongs: false }, { useBigInt64: true, promoteValues: false }]) {
    assert.throws(() => lazyPair(good, { options }), { name: 'BSONError', message: /bigint or Long/ });
  }
});

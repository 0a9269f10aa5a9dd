'use strict';
// The reader of single values against js-bson, for every type, option and supported version.

const test = require('node:test');
const assert = require('node:assert/strict');
const bson7 = require('bson');
const bson6 = require('bson6');
const { resolveBson } = require('../../js/bson/classes.js');
const { ValueReader } = require('../../js/bson/values.js');
const { valueEnd, nameEnd } = require('../../js/bson/walk.js');
const { utf8 } = require('../../js/bson/text.js');
const { everyType } = require('../support/every-type.js');
const raw = require('../support/raw-bson.js');

const BOOLEANS = ['promoteValues', 'promoteLongs', 'promoteBuffers', 'useBigInt64', 'bsonRegExp', 'enableUtf8Validation'];

/** Every combination of the options that js-bson accepts. */
function* combinations() {
  for (let bits = 0; bits < 1 << BOOLEANS.length; bits++) {
    const options = Object.fromEntries(BOOLEANS.map((name, i) => [name, Boolean(bits & (1 << i))]));
    if (options.useBigInt64 && !(options.promoteLongs && options.promoteValues)) continue;
    yield options;
  }
}

const eager = (bson, bytes, { enableUtf8Validation, ...rest } = {}) => bson.deserialize(bytes, { ...rest, validation: { utf8: enableUtf8Validation !== false } });

/** [name, type, offset of the value] of a document's elements; the document does not begin at 0. */
function elements(bytes) {
  const buf = Buffer.concat([Buffer.alloc(3, 0xee), bytes, Buffer.alloc(3, 0xee)]);
  const found = [];
  for (let at = 3 + 4; buf[at] !== 0;) {
    const end = nameEnd(buf, at + 1);
    found.push([buf.toString('utf8', at + 1, end), buf[at], end + 1]);
    at = valueEnd(buf, buf[at], end + 1);
  }
  assert.equal(found.length === 0 || valueEnd(buf, found.at(-1)[1], found.at(-1)[2]), 3 + bytes.length - 1);
  return { buf, found };
}

for (const [version, bson] of [[7, bson7], [6, bson6]]) {
  test(`every type under every option, bson ${version}`, () => {
    const bytes = bson.serialize(everyType(bson), { ignoreUndefined: false });
    const { buf, found } = elements(bytes);
    for (const options of combinations()) {
      const reader = new ValueReader(resolveBson({ bson }), options);
      const expected = eager(bson, bytes, options);
      for (const [name, type, at] of found) {
        const value = reader.read(buf, type, at);
        assert.deepStrictEqual(value, expected[name], `${name} ${JSON.stringify(options)}`);
        if (typeof value === 'number') assert.ok(Object.is(value, expected[name]), name);
      }
      assert.deepStrictEqual(reader.document(buf, 3), expected);
    }
  });
}

test('types that only old servers hold', () => {
  const bytes = raw.document(
    raw.string('symbol', 'sym', 0x0e),
    raw.element(0x0c, 'pointer', Buffer.concat([raw.int32(4), raw.cstring('a.b'), Buffer.alloc(12, 7)])),
    raw.element(0x06, 'undefined'),
    raw.element(0x0f, 'scope', Buffer.concat([raw.int32(4 + 4 + 2 + 5), raw.int32(2), raw.cstring('f'), raw.document()]))
  );
  for (const bson of [bson7, bson6]) {
    const { buf, found } = elements(bytes);
    const expected = eager(bson, bytes);
    for (const [name, type, at] of found) {
      assert.deepStrictEqual(new ValueReader(resolveBson({ bson }), {}).read(buf, type, at), expected[name]);
    }
  }
});

test('doubles keep their bits, dates out of range are invalid dates', () => {
  const doubles = [0, -0, 1 / 3, NaN, Infinity, -Infinity, Number.MIN_VALUE, Number.MAX_VALUE, 2 ** 53];
  const bytes = bson7.serialize(Object.fromEntries(doubles.map((d, i) => [`k${i}`, new bson7.Double(d)])));
  const reader = new ValueReader(resolveBson({ bson: bson7 }), {});
  const { buf, found } = elements(bytes);
  found.forEach(([, type, at], i) => assert.ok(Object.is(reader.read(buf, type, at), doubles[i])));
  const dates = elements(raw.document(raw.date('a', 8640000000000001n), raw.date('b', -(2n ** 63n)), raw.date('c', -1n)));
  assert.deepStrictEqual(dates.found.map(([, type, at]) => reader.read(dates.buf, type, at).getTime()), [NaN, NaN, -1]);
});

test('int64 at the edges of what promotion keeps exact', () => {
  for (const value of [2n ** 53n, 2n ** 53n + 1n, 2n ** 53n - 1n, -(2n ** 53n), -(2n ** 53n) - 1n, -1n, 0n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 32n, -(2n ** 32n), 2n ** 31n]) {
    const bytes = raw.document(raw.long('k', value));
    const { buf, found: [[, type, at]] } = elements(bytes);
    for (const options of [{}, { promoteLongs: false }, { useBigInt64: true }]) {
      assert.deepStrictEqual(new ValueReader(resolveBson({ bson: bson7 }), options).read(buf, type, at), eager(bson7, bytes, options).k, `${value}`);
    }
  }
});

test('text of every length, ASCII or not', () => {
  for (let n = 0; n < 40; n++) {
    for (const text of ['x'.repeat(n), `${'y'.repeat(Math.max(0, n - 1))}\u00e9`, `\u65e5${'z'.repeat(n)}`, `${'a'.repeat(n >> 1)}\u0080${'b'.repeat(n >> 1)}`]) {
      const buf = Buffer.from(`>${text}<`);
      assert.equal(utf8(buf, 1, buf.length - 1), text);
    }
  }
  for (const bad of [[0xff], [0x61, 0xc3], [0xe6, 0x97], [0xed, 0xa0, 0x80], Array(30).fill(0x80)]) {
    const buf = Buffer.from(bad);
    assert.equal(utf8(buf, 0, buf.length), buf.toString('utf8'));
  }
});

test('values do not view the bytes they were read from', () => {
  const { Binary, UUID, Decimal128, ObjectId } = bson7;
  for (const bson of [bson7, bson6]) {
    for (const value of [new Binary(Buffer.from([1, 2])), new Binary(Buffer.alloc(9000)), new UUID(), Decimal128.fromString('1.5'), new ObjectId()]) {
      const bytes = bson7.serialize({ k: value });
      const { buf, found: [[, type, at]] } = elements(bytes);
      for (const options of [{}, { promoteBuffers: true }]) {
        const read = new ValueReader(resolveBson({ bson }), options).read(buf, type, at);
        const before = bson7.EJSON.stringify({ read: JSON.stringify(read) });
        const again = Buffer.from(buf);
        buf.fill(0x55);
        assert.equal(bson7.EJSON.stringify({ read: JSON.stringify(read) }), before);
        again.copy(buf);
      }
    }
  }
});

test('errors are js-bson\'s', () => {
  for (const element of [raw.string('k', Buffer.from([0xff])), raw.element(0x08, 'k', Buffer.of(9)), raw.regex('k', '(', ''), raw.regex('k', 'a', 'mm'), raw.binary('k', 2, Buffer.from([5, 0, 0, 0, 1]))]) {
    const bytes = raw.document(element);
    const { buf, found: [[, type, at]] } = elements(bytes);
    for (const bson of [bson7, bson6]) {
      let expected;
      try {
        eager(bson, bytes);
      } catch (error) {
        expected = error;
      }
      assert.throws(() => new ValueReader(resolveBson({ bson }), {}).read(buf, type, at), { name: expected.name, message: expected.message });
    }
  }
  const unsupported = raw.document(raw.regex('k', 'a', 'qq'));
  const { buf, found: [[, type, at]] } = elements(unsupported);
  assert.throws(() => new ValueReader(resolveBson({ bson: bson7 }), { bsonRegExp: true }).read(buf, type, at), bson7.BSONError);
});

'use strict';
// Arbitraries of fast-check for BSON: documents as bytes, so that whatever the wire can carry can come up, also what no
// serializer would write. A value is { type, bytes }.

const fc = require('fast-check');
const raw = require('./raw-bson');

const { int32, int64, cstring, element, document } = raw;

const value = (type) => (bytes) => ({ type, bytes });
const sized = (bytes) => Buffer.concat([int32(bytes.length + 1), bytes, Buffer.of(0)]);

// ---- text

const words = ['', 'a', 'active', 'abcdefghijkl', 'abcdefghijklm', 'a longer text that comes up again', '\u00e9t\u00e9', '\u00ff'.repeat(14), '\u65e5\u672c\u8a9e', '\ud83d\ude00', '\0', 'a\0b', '\ufeff', '\ufffd', '\u0100'.repeat(13)];
// Text with lone surrogates becomes replacement characters, as in any encoder.
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words) },
  { weight: 3, arbitrary: fc.string({ maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...words, 'x'), fc.nat(3000)).map(([word, n]) => word.repeat(Math.ceil(n / (word.length + 1)))) },
).map((s) => Buffer.from(s));
const badText = fc.constantFrom('ff', 'c3', '61ff62', 'eda080', 'c0af', 'f4908080').map((hex) => Buffer.from(hex, 'hex'));

const noNul = (bytes) => Buffer.from(bytes.filter((byte) => byte !== 0));
const specialKeys = ['', '__proto__', 'constructor', 'toJSON', 'then', 'length', 'toObject', 'hasOwnProperty', '0', '1', '17', '4294967294', '4294967295', '-1', 'a.b', '$x', '\u00e9', '\u65e5\u672c', '_id', 'key with spaces', '"\\\n\u2028'];
const plainKeys = Array.from({ length: 30 }, (_, i) => `field${i}`);
const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...plainKeys) },
  { weight: 2, arbitrary: fc.constantFrom(...specialKeys) },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
).map((s) => noNul(Buffer.from(s)));
const randomKey = fc.oneof(fc.nat(400).map((n) => `r${n}`), fc.string({ minLength: 1, maxLength: 8 })).map((s) => noNul(Buffer.from(s)));
const referenceKey = fc.constantFrom('$ref', '$id', '$db', '$ref', '$id', 'x', '$banana').map((s) => Buffer.from(s));

// ---- scalars

const bytesOf = (n) => fc.uint8Array({ minLength: n, maxLength: n }).map((b) => Buffer.from(b));
const someInt64 = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, 2n ** 31n, -(2n ** 31n) - 1n, 2n ** 53n, 2n ** 53n - 1n, 2n ** 53n + 1n, -(2n ** 53n), -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n), 8640000000000000n, 8640000000000001n),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.integer().map(BigInt),
  fc.maxSafeInteger().map(BigInt),
);
const doubleBytes = (v) => { const b = Buffer.alloc(8); b.writeDoubleLE(v); return b; };
const binary = (subType) => (bytes) => ({ type: 5, bytes: Buffer.concat([int32(bytes.length), Buffer.of(subType), bytes]) });
const flags = fc.subarray(['i', 'l', 'm', 's', 'u', 'x']).map((list) => list.join(''));

const scalars = {
  null: fc.constant({ type: 0x0a, bytes: Buffer.alloc(0) }),
  boolean: fc.boolean().map((v) => value(8)(Buffer.of(v ? 1 : 0))),
  int32: fc.oneof(fc.integer(), fc.integer({ min: -3, max: 1000 })).map((v) => value(0x10)(int32(v))),
  double: fc.oneof(fc.double(), fc.constantFrom(-0, 0, NaN, Infinity, -Infinity), fc.integer(), bytesOf(8)).map((v) => value(1)(typeof v === 'number' ? doubleBytes(v) : v)),
  string: text.map((v) => value(2)(sized(v))),
  date: fc.oneof(fc.date({ noInvalidDate: true }).map((d) => BigInt(d.getTime())), someInt64).map((v) => value(9)(int64(v))),
  objectId: bytesOf(12).map(value(7)),
  int64: someInt64.map((v) => value(0x12)(int64(v))),
  decimal: bytesOf(16).map(value(0x13)),
  binary: fc.oneof(
    fc.tuple(fc.constantFrom(0, 1, 3, 4, 5, 6, 7, 8, 9, 127, 128, 255), fc.uint8Array({ maxLength: 40 })).map(([t, b]) => binary(t)(Buffer.from(b))),
    bytesOf(16).map(binary(4)),
    fc.uint8Array({ maxLength: 40 }).map((b) => binary(2)(Buffer.concat([int32(b.length), b]))),
  ),
  timestamp: bytesOf(8).map(value(0x11)),
  regex: fc.tuple(fc.constantFrom('', 'a', '^b+$', 'c/d', '[\u00e9-\u00ff]', '\u65e5'), flags).map(([source, f]) => value(0x0b)(Buffer.concat([cstring(source), cstring(f)]))),
  undefined: fc.constant({ type: 6, bytes: Buffer.alloc(0) }),
  symbol: text.map((v) => value(0x0e)(sized(v))),
  code: text.map((v) => value(0x0d)(sized(v))),
  pointer: fc.tuple(fc.constantFrom('a.b', 'c', '', 'a.b.c'), bytesOf(12)).map(([ns, id]) => value(0x0c)(Buffer.concat([sized(Buffer.from(ns)), id]))),
  minKey: fc.constant({ type: 0xff, bytes: Buffer.alloc(0) }),
  maxKey: fc.constant({ type: 0x7f, bytes: Buffer.alloc(0) }),
};
const common = ['null', 'boolean', 'int32', 'double', 'string', 'date', 'objectId', 'int64'];
const anyScalar = fc.oneof(...Object.values(scalars));

/** Values that js-bson refuses, all of sound structure. */
const badValue = fc.oneof(
  badText.map((v) => value(2)(sized(v))),
  badText.map((v) => value(0x0e)(sized(v))),
  badText.map((v) => value(0x0d)(sized(v))),
  fc.integer({ min: 2, max: 255 }).map((v) => value(8)(Buffer.of(v))),
  fc.constantFrom('(?i)a', '[', '*').map((v) => value(0x0b)(Buffer.concat([cstring(v), cstring('')]))),
  fc.constantFrom('ii', 'mim').map((v) => value(0x0b)(Buffer.concat([cstring('a'), cstring(v)]))),
  fc.integer({ min: -5, max: 5 }).filter((n) => n !== 1).map((n) => binary(2)(Buffer.concat([int32(n), Buffer.of(7)]))),
);

// ---- containers

const toDocument = (fields) => document(...fields.map(([name, { type, bytes }]) => element(type, name, bytes)));
const embed = (fields) => ({ type: 3, bytes: toDocument(fields) });
const list = (items) => ({ type: 4, bytes: document(...items.map(({ type, bytes }, i) => element(type, String(i), bytes))) });
/** Nobody reads the keys of an array. */
const oddList = (items) => ({ type: 4, bytes: document(...items.map(({ type, bytes }, i) => element(type, ['7', 'x', '', '__proto__', '0'][i % 5], bytes))) });

const uniqueKeys = (fields) => {
  const seen = new Set();
  return fields.filter(([name]) => !seen.has(String(name)) && seen.add(String(name)));
};

/** Values of any kind and any depth. */
const { anything } = fc.letrec((tie) => ({
  anything: fc.oneof({ maxDepth: 4, depthSize: 'small' }, anyScalar, tie('document'), tie('array'), tie('scoped')),
  document: fc.array(fc.tuple(fc.oneof(key, key, key, referenceKey), tie('anything')), { maxLength: 6 }).map(embed),
  array: fc.tuple(fc.array(tie('anything'), { maxLength: 6 }), fc.nat(9)).map(([items, n]) => (n === 0 ? oddList(items) : list(items))),
  scoped: fc.tuple(text, tie('document')).map(([code, scope]) => {
    const body = Buffer.concat([sized(code), scope.bytes]);
    return { type: 0x0f, bytes: Buffer.concat([int32(body.length + 4), body]) };
  }),
}));

// ---- documents that have something in common: a slot is an arbitrary of the values of one field

const scalarSlot = fc.oneof(fc.constantFrom(...common), fc.constantFrom(...Object.keys(scalars))).map((name) => scalars[name]);
const variedSlot = fc.array(scalarSlot, { minLength: 2, maxLength: 4 }).map((slots) => fc.oneof(...slots));

/** This in about so many cases of 20, else null. */
const sometimes = (n, arbitrary) => fc.oneof({ weight: 20 - n, arbitrary: fc.constant(null) }, { weight: n, arbitrary });

/** Documents of a sequence of fields, some of them optional; now and then one has a field of its own. */
function rowOf(fields, loose) {
  const columns = fields.map(({ name, slot, presence }) => {
    const field = slot.map((v) => [name, v]);
    return presence === 'always' ? field : sometimes(presence === 'rarely' ? 1 : 10, field);
  });
  const own = loose ? sometimes(10, fc.tuple(randomKey, anyScalar)) : fc.constant(null);
  return fc.tuple(...columns, own).map((row) => row.filter((field) => field !== null));
}

const { fields } = fc.letrec((tie) => ({
  slot: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { weight: 6, arbitrary: scalarSlot },
    { weight: 2, arbitrary: variedSlot },
    { weight: 2, arbitrary: fc.tuple(tie('fields'), fc.nat(5)).map(([f, n]) => rowOf(f, n === 0).map(embed)) },
    { weight: 1, arbitrary: fc.tuple(tie('fields'), tie('fields')).map(([f, g]) => fc.oneof(rowOf(f, false).map(embed), rowOf(g, false).map(embed), scalars.null)) },
    { weight: 2, arbitrary: fc.tuple(tie('slot'), fc.constantFrom(1, 3, 12)).map(([s, n]) => fc.array(s, { maxLength: n, size: 'max' }).map(list)) },
    { weight: 1, arbitrary: fc.constant(anything) },
  ),
  fields: fc.array(fc.record({ name: key, slot: tie('slot'), presence: fc.constantFrom('always', 'always', 'always', 'always', 'often', 'rarely') }), { maxLength: 10, size: 'max' })
    .map((f) => f.filter(({ name }, i) => f.findIndex((other) => other.name.equals(name)) === i)),
}));

/** How the documents of a collection relate to each other. */
const collection = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fields, fc.nat(6)).map(([f, n]) => rowOf(f, n === 0)) },
  { weight: 2, arbitrary: fc.array(fields, { minLength: 2, maxLength: 5 }).map((all) => fc.oneof(...all.map((f) => rowOf(f, false)))) },
  { weight: 1, arbitrary: fc.constant(fc.array(fc.tuple(randomKey, anyScalar), { maxLength: 20 }).map(uniqueKeys)) },
  { weight: 1, arbitrary: fc.constant(fc.array(fc.tuple(key, anything), { maxLength: 8 })) }, // duplicates too
);

/** Batches of documents as bytes, all of which js-bson decodes. */
const batch = collection.chain((row) => fc.array(row.map(toDocument), { minLength: 1, maxLength: 150, size: 'max' }));

/** Batches in which some documents have values that js-bson refuses, at any depth. */
const badBatch = collection.chain((row) => fc.array(
  fc.tuple(row, sometimes(4, fc.tuple(badValue, fc.nat(3), fc.nat(20)))).map(([content, bad]) => {
    if (bad === null) return toDocument(content);
    const [wrong, depth, place] = bad;
    let field = [Buffer.from('wrong'), wrong];
    for (let d = 0; d < depth; d++) field = [Buffer.from(`at${d}`), d % 2 ? list([{ type: 0x0a, bytes: Buffer.alloc(0) }, field[1]]) : embed([field])];
    return toDocument([...content.slice(0, place), field, ...content.slice(place)]);
  }),
  { minLength: 1, maxLength: 30, size: 'max' },
));

module.exports = { batch, badBatch };

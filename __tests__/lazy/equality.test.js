'use strict';
// A lazy document against the one js-bson makes of the same bytes.

const test = require('node:test');
const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const bson7 = require('bson');
const bson6 = require('bson6');
const { lazyPair, lazyDump, decodeAll } = require('../support/lazy-dump.js');
const { everyType } = require('../support/every-type.js');

const OPTIONS = [
  {}, { promoteValues: false }, { promoteLongs: false }, { promoteBuffers: true }, { useBigInt64: true }, { bsonRegExp: true },
  { promoteValues: false, bsonRegExp: true, promoteBuffers: true }, { enableUtf8Validation: false }
];

const serialize = (bson, document) => bson.serialize(document, { ignoreUndefined: false });
const deserialize = (bson, bytes, { enableUtf8Validation, ...rest }) => bson.deserialize(bytes, { ...rest, validation: { utf8: enableUtf8Validation !== false } });

for (const [version, bson] of [[7, bson7], [6, bson6]]) {
  for (const options of OPTIONS) {
    test(`every type, bson ${version}, ${JSON.stringify(options)}`, () => {
      const bytes = serialize(bson, everyType(bson));
      const eager = deserialize(bson, bytes, options);
      const fresh = () => [{}, { smallArray: 0 }].flatMap((how) => Object.entries(lazyPair(bytes, { bson, options, ...how })));

      for (const [kind, lazy] of fresh()) assert.deepStrictEqual(lazy, eager, kind);
      for (const [kind, lazy] of fresh()) assert.deepStrictEqual(eager, lazy, kind);
      for (const [kind, lazy] of fresh()) assert.deepStrictEqual({ ...lazy }, eager, kind);
      for (const [kind, lazy] of fresh()) assert.deepStrictEqual(Object.entries(lazy), Object.entries(eager), kind);
      for (const [kind, lazy] of fresh()) assert.deepStrictEqual(lazy.toObject(), eager, kind);
      for (const [kind, lazy] of fresh()) {
        void lazy.nested.deeper.references;
        void lazy.manyDocuments[3].list;
        assert.deepStrictEqual(lazy.toObject(), eager, `${kind}, after reading`);
      }
      if (!options.useBigInt64) {
        for (const [kind, lazy] of fresh()) assert.equal(JSON.stringify(lazy), JSON.stringify(eager), kind);
      }
      for (const [kind, lazy] of fresh()) assert.equal(inspect(lazy, { depth: 20 }), inspect(eager, { depth: 20 }), kind);
      for (const [kind, lazy] of fresh()) assert.equal(inspect(lazy), inspect(eager), kind);
      for (const [kind, lazy] of fresh()) {
        assert.equal(inspect({ lazy: [{ lazy }] }, { compact: false, sorted: true }), inspect({ lazy: [{ lazy: eager }] }, { compact: false, sorted: true }), kind);
      }
      for (const [kind, lazy] of fresh()) assertSameShape(lazy, eager, kind);
    });
  }
}

/** Own keys, descriptors and prototypes, all the way down. */
function assertSameShape(actual, expected, path) {
  if (typeof expected !== 'object' || expected === null) {
    assert.ok(Object.is(actual, expected), `${path}: ${String(actual)} is ${String(expected)}`);
    return;
  }
  assert.equal(Object.getPrototypeOf(actual), Object.getPrototypeOf(expected), path);
  assert.equal(Array.isArray(actual), Array.isArray(expected), path);
  assert.deepEqual(Reflect.ownKeys(actual), Reflect.ownKeys(expected), path);
  assert.deepEqual(Object.keys(actual), Object.keys(expected), path);
  const inherited = (object) => {
    const names = [];
    for (const name in object) names.push(name);
    return names;
  };
  assert.deepEqual(inherited(actual), inherited(expected), path);
  if (ArrayBuffer.isView(expected) || (Object.getPrototypeOf(expected) !== Object.prototype && !Array.isArray(expected))) return;
  for (const key of Reflect.ownKeys(expected)) {
    const { value: _, ...attributes } = Object.getOwnPropertyDescriptor(actual, key);
    const { value: __, ...wanted } = Object.getOwnPropertyDescriptor(expected, key);
    assert.deepEqual(attributes, wanted, `${path}.${String(key)}`);
    assert.ok(key in actual);
    assert.ok(Object.hasOwn(actual, key));
    assertSameShape(actual[key], expected[key], `${path}.${String(key)}`);
  }
}

test('values are of the classes of the bson that was asked for', () => {
  for (const bson of [bson7, bson6]) {
    const { shaped } = lazyPair(serialize(bson, everyType(bson)), { bson });
    assert.ok(shaped._id instanceof bson.ObjectId);
    assert.ok(shaped.uuid instanceof bson.UUID);
    assert.ok(shaped.decimal instanceof bson.Decimal128);
    assert.ok(shaped.past53 instanceof bson.Long);
    assert.ok(shaped.references.a instanceof bson.DBRef);
    assert.ok(shaped.nested.deeper.timestamp instanceof bson.Timestamp);
  }
});

test('a document that is itself a reference is what js-bson makes of it', () => {
  for (const document of [{ $ref: 'c', $id: 1 }, { $id: 2, $ref: 'c', $db: 'd', x: 1 }, { $ref: 'c' }, { $ref: 'c', $id: 1, $other: 1 }]) {
    const bytes = bson7.serialize(document);
    const eager = bson7.deserialize(bytes);
    for (const [kind, lazy] of Object.entries(lazyPair(bytes))) assert.deepStrictEqual(lazy, eager, kind);
  }
});

test('many documents of different shapes, over several chunks, keep their order', () => {
  const documents = Array.from({ length: 3000 }, (_, i) => {
    const document = { _id: i };
    for (let k = 0; k < 6; k++) if ((i * 7919 >> k) & 1) document[`k${k}`] = { i, k };
    return document;
  });
  const dump = lazyDump(documents.map((d) => bson7.serialize(d)), ['-piece', '10000']);
  assert.ok(dump.chunks.length > 5);
  assert.deepEqual(dump.faults, []);
  const out = decodeAll(dump);
  assert.equal(out.length, documents.length);
  assert.deepStrictEqual(out, documents);
});

test('documents with ever different keys cost no definitions', () => {
  const documents = Array.from({ length: 2000 }, (_, i) => ({ [`a${i}`]: 1, [`b${i}`]: { [`c${i}`]: [{ [`d${i}`]: i }] } }));
  const dump = lazyDump(documents.map((d) => bson7.serialize(d)));
  assert.deepStrictEqual(decodeAll(dump), documents);
  assert.equal(dump.bridge.asked, 0);
});

test('when the core no longer knows a shape, the bytes do', () => {
  const document = { a: 1, b: { c: [1, { d: 2 }] } };
  const bytes = bson7.serialize(document);
  const dump = lazyDump([bytes, bytes, bytes, bytes]);
  dump.bridge.definition = () => null;
  assert.deepStrictEqual(decodeAll(dump), [document, document, document, document]);
});

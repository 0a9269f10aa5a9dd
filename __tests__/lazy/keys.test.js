'use strict';
// Field names that are special to objects, to promises, to proxies or to us.

const test = require('node:test');
const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const bson = require('bson');
const { lazyPair } = require('../support/lazy-dump.js');
const raw = require('../support/raw-bson.js');

/** check(lazy, eager) for the document at the top and nested, with and without a shape. */
function each(bytes, check) {
  const nested = raw.document(raw.element(0x03, 'in', bytes));
  for (const [kind, lazy] of Object.entries(lazyPair(bytes))) check(lazy, bson.deserialize(bytes), kind);
  for (const [kind, lazy] of Object.entries(lazyPair(nested))) check(lazy.in, bson.deserialize(nested).in, `${kind}, nested`);
}

function same(bytes) {
  each(bytes, (lazy, eager, kind) => {
    assert.deepStrictEqual(Reflect.ownKeys(lazy), Reflect.ownKeys(eager), kind);
    for (const key of Reflect.ownKeys(eager)) {
      assert.ok(key in lazy, kind);
      assert.deepStrictEqual(lazy[key], eager[key], kind);
      assert.deepStrictEqual(lazy.getField === undefined ? undefined : Object.getOwnPropertyDescriptor(lazy, key), Object.getOwnPropertyDescriptor(eager, key), kind);
    }
    assert.deepStrictEqual(lazy, eager, kind);
    assert.deepStrictEqual({ ...lazy }, { ...eager }, kind);
    assert.equal(inspect(lazy), inspect(eager), kind);
  });
}

test('__proto__ is a field like any other', () => {
  const bytes = raw.document(raw.embedded('__proto__', raw.int('x', 1)), raw.int('b', 2));
  same(bytes);
  each(bytes, (lazy) => {
    assert.deepStrictEqual(Object.keys(lazy), ['__proto__', 'b']);
    assert.equal(Object.getPrototypeOf(lazy), Object.prototype);
    assert.equal(lazy.x, undefined);
    assert.equal(lazy.__proto__.x, 1);
    assert.equal(JSON.stringify(lazy), '{"__proto__":{"x":1},"b":2}');
    const copy = lazy.getField ? lazy.toObject() : null;
    assert.deepStrictEqual(Object.keys(copy), ['__proto__', 'b']);
    lazy.__proto__ = 5; // assigns the field
    assert.equal(lazy.__proto__, 5);
    delete lazy.__proto__;
    assert.equal(lazy.__proto__, Object.prototype);
    Object.freeze(lazy);
    assert.deepStrictEqual(Object.keys(lazy), ['b']);
  });
});

test('a name that comes twice has the last value and the first place', () => {
  const bytes = raw.document(raw.int('a', 1), raw.int('b', 2), raw.int('a', 3));
  same(bytes);
  each(bytes, (lazy) => {
    assert.equal(JSON.stringify(lazy), '{"a":3,"b":2}');
    lazy.a = 4;
    assert.equal(JSON.stringify(lazy), '{"a":4,"b":2}');
    delete lazy.a;
    assert.deepStrictEqual(Object.keys(lazy), ['b']);
  });
  same(raw.document(raw.int('__proto__', 1), raw.int('__proto__', 2), raw.int('1', 1), raw.string('1', 'one')));
});

test('names of methods and protocols are data', () => {
  const names = ['toJSON', 'then', 'length', 'constructor', 'hasOwnProperty', 'toString', 'valueOf', 'inspect', 'keys', 'getField',
    'toObject', 'toBSON', '_bsontype', 'prototype', 'catch', 'finally', 'size', 'get', 'set', '__defineGetter__', 'isPrototypeOf'];
  same(raw.document(...names.map((name, i) => raw.int(name, i))));
  each(raw.document(raw.int('keys', 1), raw.int('toObject', 2), raw.int('then', 3)), (lazy) => {
    assert.equal(lazy.keys, 1);
    assert.equal(lazy.toObject, 2);
    assert.equal(lazy.getField('keys'), 1);
    delete lazy.keys;
    assert.deepStrictEqual(lazy.keys(), ['toObject', 'then']);
  });
});

test('a stored field called then is data, and awaiting still works', async () => {
  const { shaped } = lazyPair(raw.document(raw.int('then', 5)));
  assert.equal((await shaped).then, 5);
});

test('empty, numeric, odd and undecodable names', () => {
  same(raw.document(raw.int('', 1), raw.int('b', 2)));
  same(raw.document(raw.int('b', 1), raw.int('10', 2), raw.int('9', 3), raw.int('01', 4), raw.int('-1', 5), raw.int('4294967294', 6), raw.int('4294967295', 7), raw.int('1.5', 8)));
  same(raw.document(raw.int('\u00e4', 1), raw.int('\u65e5\u672c', 2), raw.int('a.b', 3), raw.int('$x', 4), raw.int('\u{1f600}'.repeat(20), 5), raw.int('k'.repeat(300), 6)));
  same(raw.document(raw.int(Buffer.from([0xff]), 1), raw.int(Buffer.from([0xfe]), 2), raw.int('\ufffd', 3)));
  same(raw.document(raw.int('k', 1), raw.embedded('', raw.embedded('', raw.int('', 1)))));
});

test('undecodable names next to each other in many documents', () => {
  for (const name of [Buffer.from([0xff]), Buffer.from([0xfe]), Buffer.from([0xc3]), '\ufffd']) {
    const bytes = raw.document(raw.array('list', ...[name, Buffer.from([0xfd]), '\ufffd'].map((n, i) => raw.embedded(String(i), raw.int(n, i), raw.int('k', 1)))));
    same(bytes);
  }
});

test('empty and very wide documents', () => {
  same(raw.document());
  const wide = raw.document(...Array.from({ length: 3000 }, (_, i) => raw.int(`field ${i}`, i)));
  each(wide, (lazy, eager) => {
    assert.equal(lazy['field 2999'], 2999);
    assert.deepStrictEqual(lazy, eager);
  });
});

test('very deep documents', () => {
  let bytes = raw.document(raw.int('leaf', 1));
  for (let i = 0; i < 180; i++) bytes = raw.document(raw.element(i % 5 === 0 ? 0x04 : 0x03, i % 5 === 0 ? '0' : 'd', bytes));
  each(bytes, (lazy, eager) => assert.deepStrictEqual(lazy, eager));
  for (const depth of [10_000, 50_000]) {
    const inner = raw.document(raw.int('x', 1));
    const total = depth * 8 + inner.length;
    const deep = Buffer.concat([...Array.from({ length: depth }, (_, i) => [raw.int32(total - i * 8), Buffer.from([3, 0x64, 0])]).flat(), inner, Buffer.alloc(depth)]);
    const { loose, shaped } = lazyPair(deep);
    for (const lazy of [loose, shaped]) {
      let level = lazy;
      for (let i = 0; i < depth; i++) level = level.d;
      assert.deepStrictEqual(level, { x: 1 });
    }
  }
});

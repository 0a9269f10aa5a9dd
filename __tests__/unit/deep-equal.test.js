'use strict';

const test = require('node:test');
const assert = require('node:assert');
const bson = require('bson');
const bson6 = require('bson6');
const { deepEqual, firstDifference, DifferenceWalk } = require('../../js/deep-equal');

const id = '65f0a1b2c3d4e5f60718293a';

const equal = [
  ['NaN', NaN, NaN],
  ['key order', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['dates', new Date(5), new Date(5)],
  ['invalid dates', new Date(NaN), new Date(NaN)],
  ['regular expressions', /a/gi, /a/gi],
  ['ObjectIds', new bson.ObjectId(id), new bson.ObjectId(id)],
  ['ObjectIds of bson 6', new bson6.ObjectId(id), new bson6.ObjectId(id)],
  ['Decimal128', bson.Decimal128.fromString('1.10'), bson.Decimal128.fromString('1.10')],
  ['Long', bson.Long.fromString('9223372036854775807'), bson.Long.fromString('9223372036854775807')],
  ['Binary', new bson.Binary(Buffer.from('ab'), 5), new bson.Binary(Buffer.from('ab'), 5)],
  ['Buffers', Buffer.from('ab'), Buffer.from('ab')],
  ['an own __proto__', JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
  ['a proxy and its target', new Proxy({ a: { b: [1] } }, {}), { a: { b: [1] } }],
];
for (const [name, a, b] of equal) {
  test(`equal: ${name}`, () => {
    assert.strictEqual(firstDifference(a, b), null);
    assert.strictEqual(deepEqual([{ v: a }], [{ v: b }]), true);
  });
}

const different = [
  ['-0 and 0', -0, 0, '', 'value'],
  ['number and bigint', 1, 1n, '', 'type'],
  ['null and undefined', null, undefined, '', 'type'],
  ['null and an object', { a: null }, { a: {} }, 'a', 'type'],
  ['undefined and absent', { a: undefined }, {}, 'a', 'missing in the second'],
  ['absent and present', {}, { a: 1 }, 'a', 'missing in the first'],
  ['array and object', [], {}, '', 'class'],
  ['two versions of a class', new bson.ObjectId(id), new bson6.ObjectId(id), '', 'class'],
  ['class and its JSON form', { _id: new bson.ObjectId(id) }, { _id: { $oid: id } }, '_id', 'class'],
  ['a deep value', [{ a: { 'b-c': [1, { d: 1 }] } }], [{ a: { 'b-c': [1, { d: 2 }] } }], '[0].a["b-c"][1].d', 'value'],
  ['lengths', { a: [1, 2] }, { a: [1] }, 'a', 'length'],
  ['Binary subtypes', new bson.Binary(Buffer.from('ab'), 5), new bson.Binary(Buffer.from('ab'), 0), 'sub_type', 'value'],
  ['Binary bytes', new bson.Binary(Buffer.from('ab')), new bson.Binary(Buffer.from('ac')), 'buffer', 'value'],
  ['dates', new Date(1), new Date(2), '', 'value'],
  ['flags', /a/g, /a/i, '', 'value'],
];
for (const [name, a, b, path, reason] of different) {
  test(`different: ${name}`, () => {
    const difference = firstDifference(a, b);
    assert.strictEqual(difference?.reason, reason);
    assert.strictEqual(difference.path, path);
    assert.strictEqual(deepEqual(a, b), false);
  });
}

test('the first difference in document order is the one named', () => {
  const difference = firstDifference([{ a: 1, b: 1 }, { a: 1 }], [{ a: 1, b: 2 }, { a: 2 }]);
  assert.deepStrictEqual({ path: difference.path, a: difference.a, b: difference.b }, { path: '[0].b', a: 1, b: 2 });
});

test('100,000 levels are compared without using up the stack, and cycles end', () => {
  const nest = (leaf) => {
    let value = { leaf };
    for (let i = 0; i < 100_000; i++) value = { x: value };
    return value;
  };
  assert.strictEqual(deepEqual(nest(1), nest(1)), true);
  assert.strictEqual(firstDifference(nest(1), nest(2)).a, 1);
  const cycle = () => {
    const value = {};
    value.self = value;
    return value;
  };
  assert.strictEqual(deepEqual(cycle(), cycle()), true);
});

test('parts that are shared again and again do not multiply', () => {
  const shared = (leaf) => {
    let value = { leaf };
    for (let i = 0; i < 100; i++) value = { x: value, y: value };
    return value;
  };
  assert.strictEqual(deepEqual(shared(1), shared(1)), true);
  const knot = (period) => {
    const nodes = Array.from({ length: period }, () => ({}));
    nodes.forEach((node, i) => Object.assign(node, { x: node, y: nodes[(i + 1) % period] }));
    return nodes[0];
  };
  assert.strictEqual(deepEqual(knot(2), knot(3)), true);
});

test('a stored field called _bsontype makes no ObjectId', () => {
  assert.strictEqual(deepEqual({ _bsontype: 'ObjectId', a: 1 }, { _bsontype: 'ObjectId', a: 1 }), true);
  assert.strictEqual(deepEqual({ _bsontype: 'ObjectId', a: 1 }, { _bsontype: 'ObjectId', a: 2 }), false);
});

test('a comparison in parts finds what one in a whole does', () => {
  const make = (last) => Array.from({ length: 50 }, (_, i) => ({ a: [i, { b: i === 49 ? last : i }] }));
  const inParts = (a, b) => {
    const walk = new DifferenceWalk(a, b);
    for (let parts = 1; ; parts++) {
      const found = walk.run(10);
      if (found !== undefined) return { found, parts };
    }
  };
  const equal = inParts(make(1), make(1));
  assert.ok(equal.found === null && equal.parts > 10);
  const different = inParts(make(1), make(2));
  assert.deepStrictEqual(different.found, firstDifference(make(1), make(2)));
  assert.strictEqual(different.found.path, '[49].a[1].b');
});

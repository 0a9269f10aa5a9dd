'use strict';
// What crosses between threads, and what is refused because it would arrive as something else.

const test = require('node:test');
const assert = require('node:assert');
const bson = require('bson');
const { pack, unpack } = require('../../js/pool/values.js');
const { packFailure, unpackFailure, WorkerFailure } = require('../../js/pool/failure.js');
const { sourceOf, compile, hintFor } = require('../../js/pool/reducer.js');
const { resolveBson } = require('../../js/bson/classes.js');

const classes = resolveBson({});
const { ObjectId, Long, Decimal128, Binary, UUID, Timestamp } = bson;
const round = (value) => unpack(pack(value, 'init', classes), classes);

test('values arrive as themselves', () => {
  const shared = { x: 1 };
  for (const value of [
    0, -0, 1.5, NaN, Infinity, 2 ** 53, '', 'é😀\0', true, null, undefined, [], {}, [[], [{}]], [null, 1],
    new Date(0), new Date(-1), /a.c/gim, 5n, -(1n << 63n), new ObjectId(), Long.MAX_VALUE, new Timestamp({ t: 1, i: 2 }),
    Decimal128.fromString('1.10'), new Binary(Buffer.from('x'), 128), new UUID(), Buffer.from('bytes'),
    { __proto__: null, a: 1 }, JSON.parse('{"__proto__": {"x": 1}, "constructor": 2, "": 3, "a.b": 4, "$c": 5}'),
    { twice: [shared, shared] }, new bson.MinKey(), new bson.Code('x'), { then: 1, toJSON: 2, length: 3 },
  ]) {
    const back = round(value);
    if (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === null) assert.deepEqual(back, value);
    else assert.deepStrictEqual(back, value);
  }
  const view = new Uint8Array([1, 2, 3]).subarray(1);
  assert.deepStrictEqual(round({ view }), { view: Buffer.from([2, 3]) });
});

test('what would arrive as something else is refused, with its path', () => {
  class Throws { get bad() { throw new RangeError('from a getter'); } }
  const cyclic = { a: [{ b: {} }] };
  cyclic.a[0].b.c = cyclic.a;
  for (const [value, message] of [
    [() => 1, /^init is a function/],
    [{ a: { b: [0, () => 1] } }, /^init\.a\.b\[1\] is a function/],
    [[Symbol('s')], /^init\[0\] is a symbol/],
    [{ m: new Map() }, /^init\.m is a Map/],
    [[new Set()], /^init\[0\] is a Set/],
    [{ d: new Date(NaN) }, /^init\.d is an invalid Date/],
    [new Float64Array(2), /^init is binary/],
    [{ b: new ArrayBuffer(2) }, /^init\.b is binary/],
    [{ e: new Error('x') }, /^init\.e is an Error/],
    [{ p: Promise.resolve() }, /^init\.p is a Promise/],
    [[Object(1n)], /^init\[0\] is a wrapped primitive/],
    [{ n: [1n << 63n] }, /^init\.n\[0\] is a BigInt of more than 64 bits/],
    [/a/u, /^init is a regular expression with flags "u"/],
    [[1n, Long.ONE], /BigInts and Longs/],
    [[Buffer.from('a'), new Binary(Buffer.from('a'))], /Buffers and Binaries/],
    [cyclic, /^init\.a\[0\]\.b\.c refers to what it is in/],
    [{ _bsontype: 'Nonsense' }, /^init cannot be sent/],
    [{ 'a\0b': 1 }, /^init cannot be sent/],
  ]) {
    assert.throws(() => pack(value, 'init', classes), { name: 'MongoInvalidArgumentError', message }, String(message));
  }
  assert.throws(() => pack(new Throws(), 'init', classes).bytes.x.y, /undefined/, 'a getter of a prototype is no field');
  const own = Object.defineProperty({}, 'bad', { enumerable: true, get() { throw new RangeError('from a getter'); } });
  assert.throws(() => pack({ own }, 'init', classes), { name: 'RangeError', message: 'from a getter' });
});

test('depth and size: a value or an error, quickly', () => {
  const nested = (levels) => {
    let value = {};
    for (let i = 0; i < levels; i++) value = { v: value };
    return value;
  };
  assert.deepStrictEqual(round(nested(150)), nested(150));
  try {
    assert.strictEqual(typeof round(nested(200_000)).v, 'object'); // the newest bson has no limit
  } catch (error) {
    assert.match(error.message, /^init cannot be sent.*nested too deeply/);
  }
  const wide = Array.from({ length: 200_000 }, (_, i) => ({ i, at: new Date(i) }));
  assert.strictEqual(round(wide).length, wide.length);
  const large = { text: 'x'.repeat(40e6) };
  assert.strictEqual(round(large).text.length, 40e6);
});

test('errors of any shape cross', () => {
  const cross = (error, hint) => unpackFailure(new WorkerFailure(structuredClone(packFailure(error, hint))), classes);
  const revoked = Proxy.revocable(new Error('x'), {});
  revoked.revoke();
  const cyclic = new Error('outer');
  cyclic.cause = cyclic;
  const evil = new Error('evil');
  for (const key of ['stack', 'name', 'message', 'code', 'cause']) {
    Object.defineProperty(evil, key, { get() { throw new Error('getter'); } });
  }
  const odd = Object.assign(new Error('odd'), { name: Symbol('n'), code: () => 1, cause: 5, stack: {} });
  const noString = { toString: null, valueOf: null };
  for (const [thrown, message] of [
    [null, 'the reducer threw null'], [undefined, 'the reducer threw undefined'], ['text', 'the reducer threw text'],
    [Symbol('s'), 'the reducer threw Symbol(s)'], [{}, 'the reducer threw [object Object]'], [Object.create(null), 'the reducer threw a object'],
    [noString, 'the reducer threw a object'], [revoked.proxy, 'the reducer threw a object'],
    [evil, ''], [odd, 'odd'], [Object.freeze(new TypeError('frozen')), 'frozen'], [cyclic, 'outer'],
    [new AggregateError([new Error('a')], 'several'), 'several'],
  ]) {
    const error = cross(thrown);
    assert.ok(error instanceof Error);
    assert.strictEqual(error.message, message);
  }
  const coded = Object.assign(new RangeError('r', { cause: new SyntaxError('s') }), { code: 'E_X' });
  const back = cross(coded);
  assert.ok(back instanceof RangeError && back.cause instanceof SyntaxError);
  assert.strictEqual(back.code, 'E_X');
  assert.match(back.stack, /in the worker:\nRangeError: r/);
  assert.strictEqual(cross(Object.assign(new Error('m'), { name: 'Own' })).name, 'Own');
  assert.strictEqual(cross(Object.assign(new Error('m'), { name: 'hasOwnProperty' })).name, 'hasOwnProperty');
  assert.match(cross(new ReferenceError('x is not defined'), hintFor).message, /put what it needs into init/);
  const withFault = cross(Object.assign(new Error('user'), { fault: 'mine' }));
  assert.strictEqual(withFault.message, 'user');
});

test('reducers: every kind of function, compiled strictly', () => {
  const add = { add(acc, doc) { return acc + doc; }, async later(acc, doc) { return acc + doc; }, 'odd name'(acc, doc) { return acc + doc; } };
  const sources = [
    (acc, doc) => acc + doc,
    function (acc, doc) { return acc + doc; },
    function named(acc, doc) { return acc + doc; },
    add.add,
    add['odd name'],
    (acc, doc) => { return acc + doc; // a comment at the end
    },
    (acc, doc) => acc /* a */ + /* ) */ doc,
  ];
  for (const fn of sources) assert.strictEqual(compile(sourceOf(fn))(1, 2), 3, fn.toString());
  assert.ok(compile(sourceOf(add.later))(1, 2) instanceof Promise);
  const sloppy = new Function('acc', 'doc', 'total = acc + doc; return total');
  assert.throws(() => compile(sourceOf(sloppy))(1, 2), /total is not defined/);
  assert.strictEqual(globalThis.total, undefined);
  assert.throws(() => compile('this is no function'), SyntaxError);
  for (const [bad, message] of [
    [null, /must be a function/], ['x => x', /must be a function/], [Math.max, /built-in/], [sources[0].bind(null), /built-in/],
    [class A {}, /is a class/], [function* gen() {}, /is a generator/], [async function* gen() {}, /is a generator/],
    [{ *gen() {} }.gen, /is a generator/],
  ]) {
    assert.throws(() => sourceOf(bad), { name: 'MongoInvalidArgumentError', message });
  }
});

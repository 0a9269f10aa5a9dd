'use strict';
// What crosses between threads, and what is refused because it would arrive as something else.

const test = require('node:test');
const assert = require('node:assert');
const bson = require('bson');
const { pack, unpack } = require('../../js/pool/values.js');
const { packFailure, unpackFailure, WorkerFailure } = require('../../js/pool/failure.js');
const { portable, load, hintFor } = require('../../js/pool/portable.js');
const { transferable, send, receive } = require('../../js/pool/transferables.js');
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
    [null, 'the function threw null'], [undefined, 'the function threw undefined'], ['text', 'the function threw text'],
    [Symbol('s'), 'the function threw Symbol(s)'], [{}, 'the function threw [object Object]'], [Object.create(null), 'the function threw a object'],
    [noString, 'the function threw a object'], [revoked.proxy, 'the function threw a object'],
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

const sent = (fn) => portable(fn, 'reducer', '(acc, doc) => acc');

test('functions: every kind, compiled strictly', async () => {
  const key = 'computed';
  const add = {
    add(acc, doc) { return acc + doc; }, async later(acc, doc) { return acc + doc; }, 'odd name'(acc, doc) { return acc + doc; },
    get get() { return 1; }, viaSuper(acc, doc) { return super.add(acc, doc); }, [key](acc, doc) { return acc + doc; },
    async(acc, doc) { return acc + doc; },
  };
  class Own {
    #one = 1;
    add(acc) { return acc + this.#one; }
  }
  const plain = (acc, doc) => acc + doc;
  for (const fn of [
    plain,
    function (acc, doc) { return acc + doc; },
    function named(acc, doc) { return acc + doc; },
    add.add,
    add['odd name'],
    add.async,
    (acc, doc) => {
      return acc + doc; // a comment at the end
    },
    (acc, doc) => acc /* a */ + /* ) */ doc,
  ]) assert.strictEqual((await load(sent(fn), 'reducer'))(1, 2), 3, fn.toString());
  assert.ok((await load(sent(add.later), 'reducer'))(1, 2) instanceof Promise);
  const sloppy = await load(sent(new Function('acc', 'doc', 'total = acc + doc; return total')), 'reducer');
  assert.throws(() => sloppy(1, 2), /total is not defined/);
  assert.strictEqual(globalThis.total, undefined);
  await assert.rejects(load(sent(add.computed), 'reducer'), (error) => /key is not defined/.test(error.message) && hintFor(error) !== '');
  for (const [bad, message] of [
    [null, /must be a function .*or { module, export }/], ['x => x', /must be a function/], [{}, /must be a function/],
    [Math.max, /built-in/], [plain.bind(null), /bound/],
    [class A {}, /is a class/], [function* gen() {}, /is a generator/], [async function* gen() {}, /is a generator/],
    [{ *gen() {} }.gen, /is a generator/], [new Own().add, /private name/],
  ]) {
    assert.throws(() => sent(bad), { name: 'MongoInvalidArgumentError', message }, String(message));
  }
});

test('modules: absolute paths and file URLs only', () => {
  const href = require('node:url').pathToFileURL(__filename).href;
  assert.deepStrictEqual(sent({ module: __filename, export: 'x' }), { module: href, export: 'x' });
  assert.deepStrictEqual(sent({ module: new URL(href) }), { module: href, export: 'default' });
  assert.deepStrictEqual(sent({ module: href }), { module: href, export: 'default' });
  for (const [bad, message] of [
    [{ module: './a.js' }, /"reducer\.module" is no absolute path.*require\.resolve/], [{ module: 'lodash' }, /require\.resolve/],
    [{ module: new URL('https://example.org/a.js') }, /file: URL/], [{ module: 5 }, /got number/],
    [{ module: __filename, export: '' }, /reducer\.export/], [{ module: __filename, export: 5 }, /reducer\.export/],
    [{ module: __filename, name: 'x' }, /unknown property "name"/],
  ]) assert.throws(() => sent(bad), { name: 'MongoInvalidArgumentError', message });
});

test('binary values: what is handed over, what is copied, what is refused', () => {
  const whole = new Float64Array([1, 2]);
  const part = new Float64Array([1, 2, 3, 4]).subarray(1, 3);
  const pooled = Buffer.from('pooled');
  const view = new DataView(new ArrayBuffer(8), 2, 3);
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const { value, transfer, binary } = transferable({ whole, list: [whole, part], pooled, view, shared, n: 1n, u: undefined, __proto__: null }, 'it');
  assert.ok(binary);
  assert.strictEqual(value.whole, whole);
  assert.deepStrictEqual([...value.list[1]], [2, 3]);
  assert.notStrictEqual(value.list[1].buffer, part.buffer);
  assert.deepStrictEqual(Buffer.from(value.pooled), pooled);
  assert.notStrictEqual(value.pooled.buffer, pooled.buffer);
  assert.strictEqual(value.view.byteLength, 3);
  assert.deepStrictEqual(new Set(transfer), new Set([whole.buffer, value.list[1].buffer, value.pooled.buffer, value.view.buffer]));
  structuredClone(value, { transfer });
  if ('detached' in ArrayBuffer.prototype) assert.throws(() => transferable([whole], 'it'), /it\[0\] has been handed over before/);

  const inside = [];
  inside.push(inside);
  for (const [bad, message] of [
    [{ a: [new Date()] }, /it\.a\[0\] is an instance of Date/], [new ObjectId(), /instance of ObjectId/], [() => {}, /is a function/],
    [Symbol('x'), /is a symbol/], [new Map(), /instance of Map/], [new Proxy({}, {}), /lazy document/], [inside, /refers to what it is in/],
  ]) assert.throws(() => transferable(bad, 'it'), { name: 'MongoInvalidArgumentError', message });
});

test('values of run(): BSON, unless there is something binary and nothing for BSON alone', () => {
  const cross = (value) => {
    const { sent: message, transfer } = send(value, 'it', classes, () => false);
    return receive(structuredClone(message, { transfer }), classes);
  };
  const id = new ObjectId();
  assert.deepStrictEqual(cross({ id, n: 1 }), { id, n: 1 });
  assert.deepStrictEqual(cross({ id, bytes: Buffer.from('x') }), { id, bytes: Buffer.from('x') });
  assert.deepStrictEqual(cross({ n: 1, at: new Float32Array([1.5]) }), { n: 1, at: new Float32Array([1.5]) });
  assert.deepStrictEqual(cross(new ArrayBuffer(4)), new ArrayBuffer(4));
  assert.strictEqual(cross(undefined), undefined);
  assert.throws(() => cross({ id, at: new Float32Array(1) }), /it\.at is binary but no Buffer/);
  assert.throws(() => cross({ f() {} }), /it\.f is a function/);
});

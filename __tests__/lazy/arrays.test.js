'use strict';
// Arrays of lazy documents: small ones are decoded at once, large ones element by element. Both are arrays.

const test = require('node:test');
const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const bson = require('bson');
const { lazyPair } = require('../support/lazy-dump.js');

const SIZES = [0, 3, 400];
const documents = (n) => Array.from({ length: n }, (_, i) => ({ i, name: `n${i}`, list: [i, { x: i }] }));
const numbers = (n) => Array.from({ length: n }, (_, i) => (i * 7) % 101);

/** check(lazy array, plain array), each time fresh. */
function each(make, check) {
  for (const n of SIZES) {
    const bytes = bson.serialize({ a: make(n) });
    for (const [kind, lazy] of Object.entries(lazyPair(bytes, { smallArray: 500 }))) check(lazy.a, bson.deserialize(bytes).a, `${kind} ${n}`);
  }
}

/** act(array, its document) on both, comparing result and array after. */
function both(make, act) {
  each(make, (lazy, plain, kind) => {
    const outcome = (array) => {
      try {
        return act(array);
      } catch (error) {
        return error.constructor.name; // proxies word their errors differently
      }
    };
    const expected = outcome(plain);
    assert.deepStrictEqual(outcome(lazy), expected, `${kind} ${act}`);
    assert.deepStrictEqual(lazy, plain, `${kind} ${act}, after`);
    assert.deepStrictEqual(Reflect.ownKeys(lazy), Reflect.ownKeys(plain));
  });
}

test('they are arrays', () => {
  for (const make of [documents, numbers]) {
    each(make, (lazy, plain) => {
      assert.ok(Array.isArray(lazy));
      assert.ok(lazy instanceof Array);
      assert.equal(lazy.constructor, Array);
      assert.equal(Object.getPrototypeOf(lazy), Array.prototype);
      assert.equal(lazy.length, plain.length);
      assert.equal(Object.prototype.toString.call(lazy), '[object Array]');
      assert.deepStrictEqual([...lazy], plain);
      assert.deepStrictEqual(Reflect.ownKeys(lazy), Reflect.ownKeys(plain));
    });
    each(make, (lazy, plain) => assert.equal(inspect(lazy), inspect(plain)));
    each(make, (lazy, plain) => assert.equal(inspect(lazy, { depth: 0 }), inspect(plain, { depth: 0 })));
    each(make, (lazy, plain) => assert.equal(inspect(lazy, { depth: -1 }), inspect(plain, { depth: -1 })));
    each(make, (lazy, plain) => assert.equal(JSON.stringify(lazy), JSON.stringify(plain)));
  }
});

test('every method gives what it gives on the plain array', () => {
  const acts = [
    (a) => a.at(-1), (a) => a.concat([1], a), (a) => [0].concat(a), (a) => a.copyWithin(0, 1), (a) => [...a.entries()], (a) => a.every((x) => x !== 5),
    (a) => a.fill(9, 1, 2), (a) => a.filter((x, i) => i % 2), (a) => a.find((x) => x === 7 || x?.i === 2), (a) => a.findLast((x) => x === 7 || x?.i === 2),
    (a) => a.flat(2), (a) => a.flatMap((x) => [x, 1]), (a) => { const seen = []; a.forEach((x, i) => seen.push([x, i])); return seen; },
    (a) => a.includes(7), (a) => a.indexOf(7), (a) => a.join(), (a) => [...a.keys()], (a) => a.lastIndexOf(7), (a) => a.map((x) => [x]),
    (a) => a.pop(), (a) => a.push(1, 2), (a) => a.reduce((s, x) => s + JSON.stringify(x), ''), (a) => a.reduceRight((s, x) => s + JSON.stringify(x), ''),
    (a) => a.reverse(), (a) => a.shift(), (a) => a.slice(1, 3), (a) => a.some((x) => x === 7), (a) => a.sort(), (a) => a.sort((x, y) => (y.i ?? y) - (x.i ?? x)),
    (a) => a.splice(1, 1, 'in', 'serted'), (a) => a.toString(), (a) => a.unshift('first'), (a) => [...a.values()], (a) => Object.entries(a),
    (a) => ({ ...a }), (a) => Array.from(a), (a) => Math.max(...a), (a) => { const [first, ...rest] = a; return [first, rest]; },
    (a) => { const names = []; for (const i in a) names.push(i); return names; }, (a) => Object.assign([], a), (a) => structuredClone(a.map(String)),
    (a) => { a.length = 1; return a.length; }, (a) => { a.length = 1000; return a[999]; }, (a) => { a[2] = 'set'; return 2 in a; },
    (a) => { a[a.length + 3] = 'far'; return a.length; }, (a) => { delete a[1]; return 1 in a; }, (a) => { a.extra = 1; return Object.keys(a); },
    (a) => Object.getOwnPropertyDescriptors(a), (a) => Object.defineProperty(a, 0, { get: () => 4 })[0], (a) => Object.defineProperty(a, 0, { value: 4, enumerable: false }),
    (a) => Object.defineProperty(a, 'length', { writable: false }).length, (a) => Object.isFrozen(Object.freeze(a)), (a) => { Object.seal(a); a.push(1); },
    (a) => { Object.preventExtensions(a); a[5000] = 1; }, (a) => [0 in a, '0' in a, '01' in a, -1 in a, 1e9 in a, 'map' in a, 'nothing' in a],
    (a) => Object.hasOwn(a, 2), (a) => a[-1] ?? a['1.0'] ?? a.nothing, (a) => Reflect.set(a, 1, 'x', {}), (a) => Object.getPrototypeOf(Object.setPrototypeOf(a, null))
  ];
  if (Array.prototype.toSorted) acts.push((a) => a.toSorted(), (a) => a.toReversed(), (a) => a.toSpliced(0, 1), (a) => a.length > 1 && a.with(1, 0));
  for (const act of acts) {
    both(documents, act);
    both(numbers, act);
  }
});

test('elements are the same at every read', () => {
  each(documents, (lazy, plain) => {
    if (plain.length === 0) return;
    assert.equal(lazy[1], lazy[1]);
    lazy[1].name = 'changed';
    assert.equal(lazy[1].name, 'changed');
    assert.equal(lazy.find((x) => x.name === 'changed'), lazy[1]);
  });
});

test('an object that inherits from a lazy array is written to, not the array', () => {
  each(numbers, (lazy) => {
    const heir = Object.create(lazy);
    heir[1] = 'heir';
    assert.notEqual(lazy[1], 'heir');
    assert.deepStrictEqual(Object.keys(heir), ['1']);
  });
});

test('a huge array gives its length and one element without decoding the others', () => {
  const n = 200_000;
  const { shaped } = lazyPair({ a: documents(n) });
  const start = process.hrtime.bigint();
  assert.equal(shaped.a.length, n);
  assert.equal(shaped.a[n - 1].i, n - 1);
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  assert.ok(ms < 500, `took ${ms} ms`);
});

test('arrays in arrays in arrays', () => {
  for (const depth of [30, 60, 5000]) {
    const inner = bson.serialize({ 0: 'leaf' });
    const total = depth * 8 + inner.length;
    const levels = Array.from({ length: depth }, (_, i) => {
      const head = Buffer.from([0, 0, 0, 0, 4, 0x30, 0]);
      head.writeInt32LE(total - i * 8);
      return head;
    });
    const { loose, shaped } = lazyPair(Buffer.concat([...levels, inner, Buffer.alloc(depth)]));
    for (const lazy of [loose, shaped]) {
      let level = lazy;
      for (let i = 0; i < depth; i++) {
        level = level[0];
        assert.ok(Array.isArray(level) && level.length === 1);
      }
      assert.deepStrictEqual(level, ['leaf']);
    }
  }
});

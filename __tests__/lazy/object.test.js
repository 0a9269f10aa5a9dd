'use strict';
// A lazy document is an object: whatever is done to it has the effect it would have on the plain one.

const test = require('node:test');
const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const bson = require('bson');
const { lazyPair } = require('../support/lazy-dump.js');

const SOURCE = { _id: 1, name: 'n', 7: 'seven', sub: { a: 1, b: [1, { c: 2 }] }, date: new Date(5), list: ['x', 'y'], nil: null, 3: 'three' };

function each(document, check) {
  const bytes = bson.serialize(document);
  for (const [kind, lazy] of Object.entries(lazyPair(bytes))) check(lazy, bson.deserialize(bytes), kind);
}

test('objects are the same at every read, and change where they are', () => {
  each(SOURCE, (lazy) => {
    for (const key of ['date', 'sub', 'list']) assert.equal(lazy[key], lazy[key]);
    assert.equal(lazy.sub.b, lazy.sub.b);
    assert.equal(lazy.sub.b[1], lazy.sub.b[1]);
    lazy.date.setTime(9);
    lazy.sub.b[1].c = 3;
    lazy.sub.b.push(4);
    lazy.list.length = 1;
    assert.deepStrictEqual(lazy, { ...SOURCE, date: new Date(9), sub: { a: 1, b: [1, { c: 3 }, 4] }, list: ['x'] });
    assert.equal(Object.values(lazy).at(-4), lazy.sub);
  });
});

test('assignment, new keys and delete keep the engine\'s key order', () => {
  each(SOURCE, (lazy, plain, kind) => {
    for (const o of [lazy, plain]) {
      o.name = 'other';
      o.added = 1;
      o[5] = 'five';
      delete o.nil;
      delete o._id;
      o._id = 2;
      o[Symbol.for('s')] = 's';
      delete o.nothing;
    }
    assert.deepStrictEqual(Reflect.ownKeys(lazy), Reflect.ownKeys(plain), kind);
    assert.deepStrictEqual(lazy, plain, kind);
    assert.equal(JSON.stringify(lazy), JSON.stringify(plain));
    assert.equal(inspect(lazy), inspect(plain));
    assert.deepStrictEqual(Reflect.ownKeys(lazy), Reflect.ownKeys(plain), `${kind}, after inspect`);
    assert.deepStrictEqual(lazy.toObject(), plain);
    assert.equal(lazy.nil, undefined);
    assert.equal('nil' in lazy, false);
  });
});

test('defineProperty, with every kind of descriptor', () => {
  for (const descriptor of [
    { value: 5 }, { enumerable: true }, {}, { writable: false }, { value: 6, writable: true, enumerable: true, configurable: true },
    { enumerable: false }, { value: 7, configurable: false }, { get() { return 8; } }, { get: undefined }, { set() {}, enumerable: true, configurable: true }
  ]) {
    for (const key of ['name', 'fresh', 'sub']) {
      each(SOURCE, (lazy, plain, kind) => {
        for (const o of [lazy, plain]) Object.defineProperty(o, key, descriptor);
        assert.deepStrictEqual(Object.getOwnPropertyDescriptor(lazy, key), Object.getOwnPropertyDescriptor(plain, key), `${kind} ${key}`);
        assert.deepStrictEqual(Reflect.ownKeys(lazy), Reflect.ownKeys(plain));
        for (const o of [lazy, plain]) Reflect.set(o, key, 9);
        assert.deepStrictEqual(lazy[key], plain[key]);
        for (const o of [lazy, plain]) Reflect.deleteProperty(o, key);
        assert.deepStrictEqual(Reflect.ownKeys(lazy), Reflect.ownKeys(plain));
      });
    }
  }
});

test('freeze, seal and preventExtensions', () => {
  for (const method of ['freeze', 'seal', 'preventExtensions']) {
    each(SOURCE, (lazy, plain, kind) => {
      void lazy.sub;
      for (const o of [lazy, plain]) assert.equal(Object[method](o), o);
      for (const is of ['isFrozen', 'isSealed', 'isExtensible']) assert.equal(Object[is](lazy), Object[is](plain), `${kind} ${is}`);
      for (const act of [(o) => { o.name = 2; }, (o) => { o.fresh = 2; }, (o) => { delete o.nil; }, (o) => Object.defineProperty(o, 'z', { value: 1 })]) {
        const outcome = (o) => {
          try {
            act(o);
            return 'done';
          } catch (error) {
            return error.constructor.name;
          }
        };
        assert.equal(outcome(lazy), outcome(plain));
      }
      assert.deepStrictEqual(lazy, plain, kind);
      assert.deepStrictEqual({ ...Object.getOwnPropertyDescriptors(lazy) }, { ...Object.getOwnPropertyDescriptors(plain) });
      assert.equal(inspect(lazy), inspect(plain));
      assert.equal(Object.getPrototypeOf(lazy), Object.prototype);
      assert.throws(() => Object.setPrototypeOf(lazy, {}), TypeError);
      Object.setPrototypeOf(lazy, Object.prototype);
    });
  }
});

test('prototypes', () => {
  each(SOURCE, (lazy, plain, kind) => {
    assert.ok(lazy instanceof Object);
    assert.equal(lazy.constructor, Object);
    assert.equal(lazy.__proto__, Object.prototype);
    assert.equal(lazy.toString(), '[object Object]');
    assert.equal(Object.prototype.toString.call(lazy), '[object Object]');
    assert.equal(lazy.hasOwnProperty('name'), true);
    assert.equal(lazy.propertyIsEnumerable('name'), true);
    assert.equal(Object.prototype.isPrototypeOf.call(lazy, Object.create(lazy)), true);
    const proto = { inherited: 1 };
    for (const o of [lazy, plain]) assert.equal(Object.setPrototypeOf(o, proto), o);
    assert.equal(lazy.inherited, 1);
    assert.equal(lazy instanceof Object, true);
    assert.deepStrictEqual(lazy, plain, kind);
    assert.equal(inspect(lazy), inspect(plain));
    lazy.__proto__ = null;
    assert.equal(Object.getPrototypeOf(lazy), null);
    assert.equal(lazy.name, 'n');
    assert.equal(lazy.inherited, undefined);
  });
});

test('an object that inherits from a lazy document is written to, not the document', () => {
  each(SOURCE, (lazy, plain) => {
    for (const o of [lazy, plain]) {
      const heir = Object.create(o);
      heir.name = 'heir';
      heir.fresh = 1;
      assert.deepStrictEqual(Object.keys(heir), ['name', 'fresh']);
      assert.equal(o.name, 'n');
      assert.equal('fresh' in o, false);
      assert.equal(Reflect.set(o, 'name', 'x', Object.freeze({})), false);
      assert.equal(Reflect.set(o, 'name', 'x', 5), false);
    }
  });
});

test('a proxy around a lazy document sees every operation', () => {
  each(SOURCE, (lazy) => {
    const seen = [];
    const outer = new Proxy(lazy, { defineProperty(target, key, descriptor) {
      seen.push(key);
      return Reflect.defineProperty(target, key, descriptor);
    } });
    outer.fresh = 1;
    assert.equal(lazy.fresh, 1);
    assert.deepEqual(seen, ['fresh']);
  });
});

test('it is no thenable and can be awaited', async () => {
  const { loose, shaped } = lazyPair(SOURCE);
  assert.equal(await loose, loose);
  assert.equal(await (async () => shaped)(), shaped);
});

test('cycles print as those of plain objects', () => {
  each(SOURCE, (lazy, plain) => {
    for (const o of [lazy, plain]) {
      o.self = o;
      o.sub.parent = o;
    }
    assert.equal(inspect(lazy, { depth: 5 }), inspect(plain, { depth: 5 }));
    const copy = lazy.toObject();
    assert.equal(copy.self, copy);
    assert.equal(copy.sub.parent, copy);
    assert.deepStrictEqual(copy, plain);
  });
});

test('depth limits and hidden options of inspect', () => {
  const document = { a: { b: { c: { d: { e: 1 }, list: [1], none: {}, empty: [], many: Array.from({ length: 600 }, (_, i) => ({ i })) } } } };
  for (const options of [{}, { depth: 0 }, { depth: 1 }, { depth: 2 }, { depth: 3 }, { depth: null }, { showHidden: true }, { compact: false, depth: 9 }, { sorted: true, getters: true }]) {
    each(document, (lazy, plain, kind) => assert.equal(inspect(lazy, options), inspect(plain, options), `${kind} ${JSON.stringify(options)}`));
  }
});

test('keys(), getField() and toObject() are answered but are no properties', () => {
  each({ a: 1, sub: { b: 2 } }, (lazy) => {
    assert.deepStrictEqual(lazy.keys(), ['a', 'sub']);
    assert.equal(lazy.getField('a'), 1);
    assert.equal(lazy.getField('nothing'), undefined);
    assert.equal(lazy.getField('toString'), undefined);
    assert.deepStrictEqual(lazy.sub.keys(), ['b']);
    assert.deepStrictEqual(lazy.sub.toObject(), { b: 2 });
    for (const name of ['keys', 'getField', 'toObject']) {
      assert.equal(typeof lazy[name], 'function');
      assert.equal(name in lazy, false);
      assert.equal(Object.hasOwn(lazy, name), false);
    }
    assert.throws(() => lazy.getField(5), /name must be a string/);
    assert.throws(() => (0, lazy.toObject)(), /must be called on a lazy document/);
    lazy.keys = 'mine';
    assert.equal(lazy.keys, 'mine');
  });
});

test('toObject is plain, detached, and has what was changed', () => {
  each(SOURCE, (lazy, plain) => {
    const untouched = lazy.toObject();
    assert.deepStrictEqual(untouched, plain);
    assert.equal(structuredClone(untouched).name, 'n');
    for (const o of [lazy, plain]) {
      o.sub.b[1].c = 'changed';
      o.date.setTime(77);
      o.list = [{ mine: o.sub }];
      delete o.nil;
    }
    const copy = lazy.toObject();
    assert.deepStrictEqual(copy, plain);
    structuredClone(copy); // refuses proxies
    copy.sub.b[1].c = 'copy';
    copy.date.setTime(1);
    assert.deepStrictEqual(lazy, plain);
  });
});

test('structuredClone refuses a lazy document', () => {
  each(SOURCE, (lazy) => assert.throws(() => structuredClone(lazy), { name: 'DataCloneError' }));
});

test('a lazy document serialises as the plain one', () => {
  each(SOURCE, (lazy, plain) => assert.deepEqual(bson.serialize(lazy), bson.serialize(plain)));
});

'use strict';
// Random sequences of operations on a lazy document and on the plain one must be told apart by nothing.

const test = require('node:test');
const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const bson = require('bson');
const { lazyDump, decodeAll } = require('../support/lazy-dump.js');

const SOURCE = {
  _id: 1, b: 'text', 2: 'two', c: { d: 1, e: { f: [1, { g: 2 }] } }, list: [1, { h: 3 }, [4]], date: new Date(7), 1: null,
  long: Array.from({ length: 300 }, (_, i) => ({ i })), __proto__: null
};
const KEYS = ['_id', 'b', '2', 'c', 'list', 'date', '1', 'long', 'd', 'e', '0', '5', 'fresh', 'other', '__proto__', 'toString', 'length', 'i'];

const PATHS = ['c', 'e', 'f', 'list', 'long', '1', '2', 'made'];
const SEQUENCES = 300;
const STEPS = 25;

function random(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

// The same for both: deepStrictEqual compares prototypes and functions by identity.
const PROTO = { inherited: 1 };
const getters = new Map();

function getter(value) {
  if (!getters.has(value)) getters.set(value, () => value);
  return getters.get(value);
}

// The one difference: of an object without a prototype, inspect gives the engine's name for what made it, which also
// changes how it lays out lines.
function printed(object, depth) {
  return inspect(object, { depth })
    .replaceAll('[LazyTarget: null prototype]', '[Object: null prototype]')
    .replaceAll(/\[ArrayTarget(\(\d+\)): null prototype\]/g, '[Array$1: null prototype]')
    .replaceAll(/\s+/g, ' ');
}

const OPERATIONS = [
  (o, key, r) => { o[key] = r; },
  (o, key) => { o[key] = key === '__proto__' ? PROTO : { made: key }; },
  (o, key) => delete o[key],
  (o, key) => key in o,
  (o, key) => Object.hasOwn(o, key),
  (o, key) => o[key],
  (o) => Reflect.ownKeys(o),
  (o) => Object.entries(o),
  (o) => JSON.stringify(o),
  (o) => printed(o, 6),
  (o, key) => Object.getOwnPropertyDescriptor(o, key),
  (o, key, r) => Object.defineProperty(o, key, { value: r }) === o,
  (o, key, r) => Object.defineProperty(o, key, { value: r, configurable: true, enumerable: r % 2 === 0, writable: r % 3 !== 0 }) === o,
  (o, key, r) => Object.defineProperty(o, key, { get: getter(r), configurable: true, enumerable: true }) === o,
  (o, key, r) => Reflect.set(o, key, r, Object.create(o)),
  (o) => ({ ...o }),
  (o) => Object.isFrozen(o) || Object.isExtensible(o),
  (o) => { const names = []; for (const name in o) names.push(name); return names; }
];
const RARE = [
  (o) => Object.freeze(o) === o,
  (o) => Object.seal(o) === o,
  (o) => Object.preventExtensions(o) === o,
  (o) => Object.setPrototypeOf(o, PROTO) === o,
  (o) => Object.setPrototypeOf(o, null) === o
];

/** What an operation gives, errors as text: proxies word theirs differently, so only the class counts. */
function outcome(operation, ...args) {
  try {
    return operation(...args);
  } catch (error) {
    return `throws ${error.constructor.name}`;
  }
}

/** The object at a random path below o: itself, or an object found in it. */
function pick(o, path) {
  for (const key of path) {
    const next = o[key];
    if (typeof next !== 'object' || next === null) break;
    o = next;
  }
  return o;
}

const bytes = bson.serialize(SOURCE);

// Every sequence has a document of its own: an operation changes it.
function manyOf(kind, n) {
  const dump = lazyDump(Array.from({ length: n + 1 }, () => bytes));
  // Documents of a shape the core no longer knows are decoded as those without one.
  if (kind === 'loose') dump.bridge.definition = () => null;
  return decodeAll(dump, { smallArray: 100 }).slice(1);
}

for (const kind of ['loose', 'shaped']) {
  test(`${SEQUENCES} sequences of ${STEPS} operations, ${kind}`, () => {
    const documents = manyOf(kind, SEQUENCES);
    documents.forEach((lazy, seed) => {
      const r = random(seed + 1);
      const plain = bson.deserialize(bytes);
      const log = [`seed ${seed}`];
      for (let step = 0; step < STEPS; step++) {
        const key = KEYS[r(KEYS.length)];
        const path = Array.from({ length: r(4) }, () => PATHS[r(PATHS.length)]);
        const operation = r(20) === 0 ? RARE[r(RARE.length)] : OPERATIONS[r(OPERATIONS.length)];
        const value = r(100);
        log.push(`${path.join('.')} ${key} ${value} ${operation}`);
        const expected = outcome(operation, pick(plain, path), key, value);
        assert.deepStrictEqual(outcome(operation, pick(lazy, path), key, value), expected, log.join('\n'));
      }
      assert.deepStrictEqual(lazy, plain, log.join('\n'));
      assert.equal(printed(lazy, 9), printed(plain, 9), log.join('\n'));
    });
  });
}

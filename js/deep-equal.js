'use strict';
// Structural comparison of two read results. It walks with its own stack, so a document of any depth is compared
// without using up the thread's; and it says where the first difference is, which assert's version cannot.

const { types: { isProxy } } = require('node:util');

// Results from a server are trees. Only past this depth, or this many containers, is a pair remembered: a cycle in a
// caller's own value, or parts that are shared again and again, end the walk then, and ordinary results pay nothing.
const REMEMBER_BELOW = 200;
const REMEMBER_AFTER = 1_000_000;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * @typedef {object} Difference
 * @property {string} path where, as it would be written in code: `[3].address.city`; '' for the values themselves
 * @property {string} reason what differs: 'value', 'type', 'class', 'length', 'missing in the first' or
 *   'missing in the second'
 * @property {unknown} a the first value there
 * @property {unknown} b the second value there
 */

/** The comparison of two values, which may be done in parts. */
class DifferenceWalk {
  #stack;
  #seen = new PairsSeen();

  constructor(a, b) {
    // Frames hold their parent, so a path is only put together for the one difference that is reported.
    this.#stack = [{ a, b, key: null, parent: null, depth: 0 }];
  }

  /**
   * @param {number} [steps] how many pairs of values to look at, at most
   * @returns {Difference | null | undefined} null when they are equal, undefined when there is more to compare
   */
  run(steps = Infinity) {
    const stack = this.#stack;
    for (; stack.length > 0; steps--) {
      if (steps <= 0) return undefined;
      const frame = stack.pop();
      const reason = compareOne(frame, stack, this.#seen);
      if (reason !== null) return { path: pathOf(frame), reason, a: frame.a, b: frame.b };
    }
    return null;
  }
}

/**
 * Finds the first difference of two values. Classes count (an ObjectId equals only an ObjectId of the same class), the
 * order of keys does not, and numbers are compared with Object.is: -0 is not 0, NaN is NaN.
 * @param {unknown} a
 * @param {unknown} b
 * @returns {Difference | null} null when they are equal
 */
function firstDifference(a, b) {
  return new DifferenceWalk(a, b).run();
}

/** Pairs the walk has been at. The first difference ends it, so that none of them has turned out different. */
class PairsSeen {
  count = 0;
  pairs = new Map();

  has({ a, b, depth }) {
    if (depth <= REMEMBER_BELOW && ++this.count <= REMEMBER_AFTER) return false;
    const partners = this.pairs.get(a);
    if (partners === undefined) this.pairs.set(a, new Set([b]));
    else if (partners.has(b)) return true;
    else partners.add(b);
    return false;
  }
}

/**
 * Whether two values are structurally equal: see firstDifference for what counts.
 * @param {unknown} a
 * @param {unknown} b
 */
function deepEqual(a, b) {
  return firstDifference(a, b) === null;
}

function compareOne(frame, stack, seen) {
  const { a, b } = frame;
  if (Object.is(a, b)) return null;
  if (typeof a !== typeof b) return 'type';
  if (typeof a !== 'object' || a === null || b === null) return typeof a === 'function' ? 'value' : (a === null || b === null ? 'type' : 'value');
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b) || Array.isArray(a) !== Array.isArray(b)) return 'class';
  if (seen.has(frame)) return null;
  if (Array.isArray(a)) return compareArrays(frame, stack);
  // A Proxy (a lazy document) has no internal slots: only what its traps answer counts.
  if (!isProxy(a) && !isProxy(b)) {
    const special = compareSpecial(a, b);
    if (special !== undefined) return special;
    if (a instanceof Map) return compareMaps(frame, stack);
  }
  return compareKeys(frame, stack);
}

/** null: equal; a reason: different; undefined: an ordinary object, to be compared by its keys. */
function compareSpecial(a, b) {
  if (a instanceof Date) return Object.is(a.getTime(), b.getTime()) ? null : 'value';
  if (a instanceof RegExp) return String(a) === String(b) && a.lastIndex === b.lastIndex ? null : 'value';
  if (ArrayBuffer.isView(a)) {
    if (a.byteLength !== b.byteLength) return 'length';
    return Buffer.compare(bytesOf(a), bytesOf(b)) === 0 ? null : 'value';
  }
  // Some versions cache the hexadecimal text on the instance: two equal ids may differ in that.
  if (a._bsontype === 'ObjectId' && typeof a.toHexString === 'function') return a.toHexString() === b.toHexString() ? null : 'value';
  if (a instanceof Error) return a.name === b.name && a.message === b.message ? undefined : 'value';
  if (a instanceof Set) return a.size === b.size && [...a].every((member) => b.has(member)) ? null : 'value';
  return undefined;
}

function bytesOf(view) {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

function compareArrays(frame, stack) {
  const { a, b } = frame;
  if (a.length !== b.length) return 'length';
  // Backwards, so that the first element is compared first.
  for (let i = a.length - 1; i >= 0; i--) {
    stack.push({ a: a[i], b: b[i], key: i, parent: frame, depth: frame.depth + 1 });
  }
  return null;
}

function compareMaps(frame, stack) {
  const { a, b } = frame;
  if (a.size !== b.size) return 'length';
  for (const [key, value] of a) {
    if (!b.has(key)) return 'value';
    stack.push({ a: value, b: b.get(key), key: String(key), parent: frame, depth: frame.depth + 1 });
  }
  return null;
}

function compareKeys(frame, stack) {
  const { a, b } = frame;
  const keys = Object.keys(a);
  for (const key of Object.keys(b)) {
    if (!Object.hasOwn(a, key)) return pointAt(frame, key, 'missing in the first');
  }
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = keys[i];
    if (!Object.hasOwn(b, key)) return pointAt(frame, key, 'missing in the second');
    stack.push({ a: a[key], b: b[key], key, parent: frame, depth: frame.depth + 1 });
  }
  return null;
}

/** Makes the frame speak of its child, for a difference that is the child's absence. */
function pointAt(frame, key, reason) {
  const { a, b } = frame;
  frame.parent = { ...frame };
  frame.key = key;
  frame.a = a[key];
  frame.b = b[key];
  return reason;
}

function pathOf(frame) {
  const parts = [];
  for (let at = frame; at.parent !== null; at = at.parent) {
    if (typeof at.key === 'number') parts.push(`[${at.key}]`);
    else parts.push(IDENTIFIER.test(at.key) ? `.${at.key}` : `[${JSON.stringify(at.key)}]`);
  }
  const path = parts.reverse().join('');
  return path.startsWith('.') ? path.slice(1) : path;
}

module.exports = { deepEqual, firstDifference, DifferenceWalk };

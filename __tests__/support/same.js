'use strict';
// Equality as users can observe it: values, classes, prototypes, and the order of keys.

const assert = require('node:assert');
const { inspect } = require('node:util');
const { firstDifference } = require('../../js/deep-equal');

function assertSame(actual, expected, message) {
  // Not assert.deepStrictEqual: to it an invalid Date equals nothing, and the test runner cannot print one in a diff.
  const difference = firstDifference(actual, expected);
  if (difference !== null) {
    const { path, reason, a, b } = difference;
    throw new Error(`${message}: at ${path}, ${reason}: ${inspect(a)} instead of ${inspect(b)}`);
  }
  assertKeyOrder(actual, expected, message ?? '');
}

/** Keys in order, prototypes and descriptors, where values are equal. Deep documents: on a stack of our own. */
function assertKeyOrder(actual, expected, path) {
  const stack = [{ a: actual, b: expected, key: null, parent: null }];
  while (stack.length > 0) {
    const frame = stack.pop();
    const { a, b } = frame;
    if (a === null || typeof a !== 'object' || ArrayBuffer.isView(a)) continue;
    const keys = Reflect.ownKeys(b);
    const own = Reflect.ownKeys(a);
    if (own.length !== keys.length || own.some((key, i) => key !== keys[i])) assert.deepStrictEqual(own, keys, `keys at ${path}${whereOf(frame)}`);
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) assert.fail(`prototype at ${path}${whereOf(frame)}`);
    for (const key of keys) {
      const one = Object.getOwnPropertyDescriptor(a, key);
      const other = Object.getOwnPropertyDescriptor(b, key);
      if (!('value' in one && one.enumerable === other.enumerable && one.writable === other.writable && one.configurable === other.configurable)) {
        assert.deepStrictEqual(one, other, `the property ${path}${whereOf(frame)}.${String(key)}`);
      }
      if (typeof one.value === 'object') stack.push({ a: one.value, b: other.value, key, parent: frame });
    }
  }
}

function whereOf(frame) {
  const parts = [];
  for (let at = frame; at.parent !== null; at = at.parent) parts.push(`.${String(at.key)}`);
  return parts.reverse().join('');
}

/** What a function returns or throws, for comparison. */
function outcome(f) {
  try {
    return { value: f() };
  } catch (error) {
    return { error };
  }
}

function assertSameOutcome(actual, expected, message) {
  if (expected.error !== undefined) {
    assert.ok(actual.error !== undefined, `${message}: js-bson throws ${expected.error}, we return a value`);
    assert.strictEqual(actual.error.name, expected.error.name, message);
    assert.strictEqual(actual.error.message, expected.error.message, message);
    assert.strictEqual(actual.error.constructor, expected.error.constructor, message);
  } else {
    if (actual.error !== undefined) throw new Error(`${message}: ${actual.error.stack}`);
    assertSame(actual.value, expected.value, message);
  }
}

module.exports = { assertSame, assertSameOutcome, outcome };

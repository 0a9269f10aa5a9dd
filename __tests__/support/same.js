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

function assertKeyOrder(actual, expected, path) {
  // Deep documents are compared on a stack of our own.
  const stack = [[actual, expected, path]];
  while (stack.length > 0) {
    const [a, b, where] = stack.pop();
    if (a === null || typeof a !== 'object' || ArrayBuffer.isView(a)) continue;
    const keys = Reflect.ownKeys(b);
    assert.deepStrictEqual(Reflect.ownKeys(a), keys, `keys at ${where}`);
    assert.strictEqual(Object.getPrototypeOf(a), Object.getPrototypeOf(b), `prototype at ${where}`);
    for (const key of keys) {
      const own = Object.getOwnPropertyDescriptor(a, key);
      assert.ok('value' in own && own.enumerable === Object.getOwnPropertyDescriptor(b, key).enumerable, `${where}.${String(key)} is a data property`);
      stack.push([own.value, b[key], `${where}.${String(key)}`]);
    }
  }
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

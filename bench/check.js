'use strict';

const assert = require('node:assert/strict');
const util = require('node:util');

/**
 * Throws at the first document that is not what the official driver returned. For plain documents also: no
 * Proxy anywhere, and each field an own data property.
 */
function checkDocuments(actual, expected, { plain }) {
  assert.equal(actual.length, expected.length, 'number of documents');
  for (let i = 0; i < expected.length; i++) {
    // The whole-array comparison of assert would spend minutes on the difference of 30,000 documents.
    if (!util.isDeepStrictEqual(actual[i], expected[i])) {
      assert.deepStrictEqual(actual[i], expected[i], undefined);
      throw new Error(`document ${i} differs`);
    }
    if (plain) checkPlain(actual[i], expected[i], `document ${i}`);
  }
}

function checkPlain(value, expected, where) {
  assert.ok(!util.types.isProxy(value), `${where} is a Proxy`);
  if (expected === null || typeof expected !== 'object') return;
  const isContainer = Array.isArray(expected) || Object.getPrototypeOf(expected) === Object.prototype;
  if (!isContainer) return;
  for (const key of Object.keys(expected)) {
    const property = Object.getOwnPropertyDescriptor(value, key);
    assert.ok(property && 'value' in property && property.enumerable, `${where}: ${key} is no own data property`);
    checkPlain(property.value, expected[key], `${where}.${key}`);
  }
}

module.exports = { checkDocuments };

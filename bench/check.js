'use strict';

const assert = require('node:assert/strict');
const util = require('node:util');

/**
 * Throws where a document is not what the official driver returns.
 * @param {object} actual
 * @param {object} expected made from the document's bytes by the official driver's own BSON
 * @param {string} where for messages
 * @param {{ check: string, kind: string }} reader see readers/index.js
 * @param {{ bson: object, extendedJSON?: boolean, convert?: Function, bytes: Buffer }} how
 */
function checkDocument(actual, expected, where, { check, kind }, { bson, extendedJSON, convert, bytes }) {
  assert.ok(actual !== undefined && actual !== null, `${where} is not there`);
  if (check === 'count') return;
  if (check === 'bytes') {
    assert.ok(Buffer.from(actual).equals(bytes), `${where} has other bytes`);
    return;
  }
  if (check === 'keys') {
    const document = convert === undefined ? actual : convert(actual);
    const id = extendedJSON ? bson.EJSON.deserialize({ id: document._id }).id : document._id;
    assert.equal(String(id), String(expected._id), `${where}: _id`); // a lazy one is text
    assert.deepStrictEqual(Object.keys(document).sort(), Object.keys(expected).sort(), `${where}: keys`);
    return;
  }
  if (!util.isDeepStrictEqual(actual, expected)) {
    assert.deepStrictEqual(actual, expected, undefined);
    throw new Error(`${where} differs`);
  }
  if (kind === 'eager') checkPlain(actual, expected, where);
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

module.exports = { checkDocument };

'use strict';
// A short text that two values share when deep-equal.js finds no difference: how a document is found again in another order
// without being kept.

const { createHash } = require('node:crypto');
const { types: { isProxy } } = require('node:util');

// More than a document of 16 MB can have; what leads back to itself ends here.
const MOST_PARTS = 4_000_000;

const numbers = new WeakMap(); // prototype -> its number
let classes = 0;

function classNumber(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null) return 0;
  let number = numbers.get(prototype);
  if (number === undefined) {
    number = ++classes;
    numbers.set(prototype, number);
  }
  return number;
}

/** A part of the text, among values that have still to be written. */
class Written {
  constructor(text) {
    this.text = text;
  }
}

/**
 * @param {unknown} value
 * @returns {{ hash: string, size: number } | null} size: about its bytes; null when there is no end to it
 */
function fingerprint(value) {
  const parts = [];
  let size = 0;
  const stack = [value];
  while (stack.length > 0) {
    if (parts.length > MOST_PARTS) return null;
    const part = partOf(stack.pop(), stack);
    size += part.length;
    parts.push(part);
  }
  return { hash: createHash('sha256').update(parts.join('')).digest('base64'), size };
}

/** What a value begins with; its children are left on the stack. Lengths come first, so that no two values share a text. */
function partOf(value, stack) {
  switch (typeof value) {
    case 'string': return `s${value.length}:${value}`;
    case 'number': return Object.is(value, -0) ? 'n-0,' : `n${value},`;
    case 'object': return value === null ? 'N' : objectPart(value, stack);
    default: return `${typeof value} ${String(value)},`;
  }
}

function objectPart(value, stack) {
  if (value instanceof Written) return value.text;
  const number = classNumber(value);
  if (Array.isArray(value)) {
    for (let i = value.length - 1; i >= 0; i--) stack.push(value[i]);
    return `a${number},${value.length}[`;
  }
  if (!isProxy(value)) {
    const special = specialPart(value);
    if (special !== null) return `c${number},${special.length}:${special}`;
    if (value instanceof Map) return keysPart(value, number, [...value.keys()], (key) => value.get(key), stack);
  }
  return keysPart(value, number, Object.keys(value), (key) => value[key], stack);
}

/** As in deep-equal.js. */
function specialPart(value) {
  if (value instanceof Date) return String(value.getTime());
  if (value instanceof RegExp) return String(value);
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
  if (value._bsontype === 'ObjectId' && typeof value.toHexString === 'function') return value.toHexString();
  return null;
}

function keysPart(value, number, keys, get, stack) {
  keys.sort(); // their order does not count
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = String(keys[i]);
    stack.push(get(keys[i]), new Written(`k${key.length}:${key}`));
  }
  return `o${number},${keys.length}{`;
}

module.exports = { fingerprint };

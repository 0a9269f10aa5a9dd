'use strict';
// Values that cross between threads: as BSON, so that an ObjectId, Decimal128, Long or Date arrives as itself, which a
// structured clone would strip of its class. What BSON would change silently is refused, with its path.

const { types: { isBoxedPrimitive, isNativeError, isPromise, isAnyArrayBuffer, isProxy } } = require('node:util');
const { invalidArgument } = require('../errors.js');

const INT64 = 1n << 63n;

/**
 * @typedef {object} Packed
 * @property {Uint8Array | null} bytes null for undefined; memory of its own, to be transferred
 * @property {boolean} bigints int64 values are to become BigInts, not Longs
 * @property {boolean} buffers generic binary values are to become Buffers, not Binaries
 */

/**
 * @param {unknown} value anything BSON can hold. Int32 and Double arrive as numbers, instances of other classes as
 *   plain objects; fields that are undefined are left out
 * @param {string} what how an error calls it
 * @param {object} bsonClasses
 * @returns {Packed}
 * @throws {MongoInvalidArgumentError} when it holds what would arrive as something else, with its path
 */
function pack(value, what, bsonClasses) {
  if (value === undefined) return { bytes: null, bigints: false, buffers: false };
  const found = inspect(value, what);
  const { BSON } = bsonClasses;
  const document = { v: value };
  try {
    // serialize() writes into a buffer of 17 MB unless told of more, and does not notice what does not fit. Copied: the
    // result may lie in memory that it shares with others.
    const bytes = new Uint8Array(BSON.serialize(document, { minInternalBufferSize: BSON.calculateObjectSize(document) }));
    return { bytes, bigints: found.bigint, buffers: found.buffer };
  } catch (cause) {
    const why = cause instanceof RangeError && /call stack/.test(cause.message) ? 'it is nested too deeply' : cause?.message;
    throw invalidArgument(`${what} cannot be sent to another thread as BSON: ${why}`, { cause });
  }
}

/** @param {Packed} packed */
function unpack(packed, bsonClasses) {
  if (packed.bytes === null) return undefined;
  return bsonClasses.BSON.deserialize(packed.bytes, {
    useBigInt64: packed.bigints,
    promoteLongs: packed.bigints,
    promoteBuffers: packed.buffers,
  }).v;
}

/** Walks with its own stack; a path is only put together for an error. */
function inspect(root, what) {
  const found = { bigint: false, long: false, buffer: false, binary: false };
  const fail = (frame, why) => {
    throw invalidArgument(`${what}${pathOf(frame)} ${why}`);
  };
  const seen = new Set();
  const top = { value: root, key: null, parent: null };
  const stack = [];
  const look = (value, key, parent) => {
    if (value === null || typeof value === 'number' || typeof value === 'string') return;
    if (isLeaf(value, found)) return;
    const frame = parent === null ? top : { value, key, parent };
    const why = refusal(value);
    if (why !== null) fail(frame, why);
    if (typeof value === 'object' && typeof value.toBSON !== 'function') stack.push(frame);
  };
  look(root, null, null);
  while (stack.length > 0) {
    const frame = stack.pop();
    const { value } = frame;
    if (seen.has(value)) {
      if (isInside(frame)) fail(frame, 'refers to what it is in, which BSON cannot hold');
      continue;
    }
    seen.add(value);
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) look(value[i], i, frame);
    } else {
      for (const key of Object.keys(value)) look(value[key], key, frame);
    }
  }
  if (found.bigint && found.long) throw invalidArgument(`${what} holds BigInts and Longs: use one of them, both are int64 in BSON`);
  if (found.buffer && found.binary) throw invalidArgument(`${what} holds Buffers and Binaries: use one of them, both are binary in BSON`);
  return found;
}

/** Whether a value arrives as itself and has nothing inside; notes which classes of int64 and binary there are. */
function isLeaf(value, found) {
  switch (typeof value) {
    case 'boolean':
    case 'undefined':
      return true;
    case 'bigint':
      found.bigint = true;
      return value >= -INT64 && value < INT64;
    case 'object':
      break;
    default:
      return false;
  }
  if (value instanceof Uint8Array) {
    found.buffer = true;
    return true;
  }
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  if (value._bsontype === undefined) return false;
  if (value._bsontype === 'Long') found.long = true;
  else if (value._bsontype === 'Binary') found.binary = true;
  return true;
}

/** Why a value cannot cross, or null. */
function refusal(value) {
  const type = typeof value;
  if (type === 'function' || type === 'symbol') return `is a ${type}, which BSON cannot hold`;
  if (type === 'bigint') return 'is a BigInt of more than 64 bits, which BSON cannot hold';
  if (isProxy(value)) return null; // of a lazy document; its class is what its keys say
  if (value instanceof Map || value instanceof Set) {
    return `is a ${value.constructor.name}, which would arrive as an object: use an object or an array`;
  }
  if (value instanceof Date) return 'is an invalid Date, which would arrive as 1970';
  if (value instanceof RegExp) {
    return /[^gim]/.test(value.flags) ? `is a regular expression with flags "${value.flags}", of which BSON keeps g, i and m` : null;
  }
  if (ArrayBuffer.isView(value) || isAnyArrayBuffer(value)) return 'is binary but no Buffer or Uint8Array: make it one, or an array of numbers';
  if (isNativeError(value)) return 'is an Error, which would arrive empty: use its message';
  if (isPromise(value)) return 'is a Promise: await it in the reducer';
  if (isBoxedPrimitive(value)) return 'is a wrapped primitive, which would arrive as an object';
  return null;
}

/** Whether a frame's value is also one of those that hold it. */
function isInside(frame) {
  for (let at = frame.parent; at !== null; at = at.parent) {
    if (at.value === frame.value) return true;
  }
  return false;
}

function pathOf(frame) {
  const parts = [];
  for (let at = frame; at.parent !== null; at = at.parent) {
    parts.push(typeof at.key === 'number' ? `[${at.key}]` : `.${at.key}`);
  }
  return parts.reverse().join('');
}

module.exports = { pack, unpack };

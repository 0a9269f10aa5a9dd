'use strict';
// Values that cross between threads: as BSON, so that an ObjectId, Decimal128, Long or Date arrives as itself, which a
// structured clone would strip of its class.

const { invalidArgument } = require('../errors.js');

/**
 * @typedef {object} Packed
 * @property {Uint8Array | null} bytes null for undefined
 * @property {boolean} bigints int64 values are to become BigInts, not Longs
 * @property {boolean} buffers generic binary values are to become Buffers, not Binaries
 */

/**
 * @param {unknown} value anything BSON can hold
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
    throw invalidArgument(`${what} cannot be sent to another thread as BSON: ${cause.message}`, { cause });
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

/** Walks with its own stack; BSON itself refuses cycles, by depth, later. */
function inspect(value, what) {
  const found = { bigint: false, long: false, buffer: false, binary: false };
  const seen = new Set();
  const stack = [{ value, path: what }];
  while (stack.length > 0) {
    const { value: at, path } = stack.pop();
    note(at, path, found);
    if (typeof at !== 'object' || at === null || at._bsontype || at instanceof Date || ArrayBuffer.isView(at)) continue;
    if (seen.has(at)) continue;
    seen.add(at);
    for (const key of Object.keys(at)) {
      stack.push({ value: at[key], path: Array.isArray(at) ? `${path}[${key}]` : `${path}.${key}` });
    }
  }
  if (found.bigint && found.long) throw invalidArgument(`${what} holds BigInts and Longs: use one of them, both are int64 in BSON`);
  if (found.buffer && found.binary) throw invalidArgument(`${what} holds Buffers and Binaries: use one of them, both are binary in BSON`);
  return found;
}

function note(value, path, found) {
  const type = typeof value;
  if (type === 'bigint') found.bigint = true;
  else if (type === 'function' || type === 'symbol') throw invalidArgument(`${path} is a ${type}, which BSON cannot hold`);
  else if (value instanceof Map || value instanceof Set) {
    throw invalidArgument(`${path} is a ${value.constructor.name}, which would arrive as an object: use an object or an array`);
  } else if (ArrayBuffer.isView(value)) found.buffer = true;
  else if (value?._bsontype === 'Long') found.long = true;
  else if (value?._bsontype === 'Binary') found.binary = true;
}

module.exports = { pack, unpack };

'use strict';
// How each BSON type becomes a JavaScript value under given options and classes: exactly as js-bson does it. Both the
// compiled functions and the generic reader call what is made here.

const { makersFor } = require('../bson/instances');

const TWO_32 = 4294967296;
const UUID_BYTES = 16;
const UUID_SUBTYPE = 4;

/** The options js-bson knows, with the driver's spelling of UTF-8 validation. */
function deserializeOptions(options) {
  const { promoteLongs = true, promoteValues = true, promoteBuffers = false, useBigInt64 = false, bsonRegExp = false } = options;
  const validation = options.validation ?? { utf8: options.enableUtf8Validation !== false };
  return { promoteLongs, promoteValues, promoteBuffers, useBigInt64, bsonRegExp, validation };
}

/** bson 7 reads 12 bytes at an offset; bson 6 wants a buffer of its own, which it keeps. */
function readsAtOffset(ObjectId) {
  try {
    const bytes = Buffer.alloc(16, 1);
    bytes[3] = 2;
    return new ObjectId(bytes, 3).toHexString() === bytes.toString('hex', 3, 15);
  } catch {
    return false;
  }
}

// A value's bytes are its own to write to and to keep, so they never view a block of ours. They are cut out of a copy of
// the part of the chunk around them, in Node's own Buffer pool: that is safe to hand out, as it is never reused and
// refuses to be transferred, and one copy for some 200 values costs less than one for each. (16 bytes: 31 ns instead of
// 46, 40 bytes: 33 instead of 55.)
const SLAB = 4088; // Node takes less than half of its 8 KB from the pool; two of these fill one

/** A Buffer of its own with bytes of the reader's chunk; within a chunk, at does not go back. */
function bytesOf(r, at, size) {
  if (at + size > r.slabEnd) {
    const n = Math.min(SLAB, r.endB - at);
    if (size > n || n >= Buffer.poolSize >>> 1) return copyOf(r.b, at, size);
    r.slab = copyOf(r.b, at, n);
    r.slabAt = at;
    r.slabEnd = at + n;
  }
  const from = at - r.slabAt;
  return subarray.call(r.slab, from, from + size);
}

const { subarray } = Buffer.prototype;

function copyOf(bytes, at, size) {
  const copy = Buffer.allocUnsafe(size);
  if (size <= 24) {
    for (let k = 0; k < size; k++) copy[k] = bytes[at + k]; // a call to set() costs more than a few bytes
  } else {
    copy.set(bytes.subarray(at, at + size));
  }
  return copy;
}

function numberToLong(Long, value) {
  return new Long(value | 0, Math.floor(value / TWO_32));
}

function regExpFlags(options) {
  let flags = '';
  for (let k = 0; k < options.length; k++) {
    const c = options[k];
    if (c === 'm' || c === 'i') flags += c;
    else if (c === 's') flags += 'g'; // as js-bson does
  }
  return flags;
}

/** @returns constructors and conversions by name; the generated code refers to them by these names */
function makeValues(bson, userOptions) {
  const options = deserializeOptions(userOptions);
  const { ObjectId, Long, Double, Int32, BSONRegExp, BSONSymbol, MinKey, MaxKey } = bson;
  const { Binary, UUID, Decimal128, Timestamp, Code } = makersFor(bson);
  const { deserialize } = bson.BSON;
  const promote = options.promoteValues !== false;
  const promoteLongs = options.promoteLongs && options.promoteValues === true;
  const asBuffer = options.promoteBuffers && options.promoteValues;
  const big = options.useBigInt64;
  const offset = readsAtOffset(ObjectId);
  return {
    options,
    offset,
    promote,
    longs: big ? 'bigint' : promoteLongs ? 'number' : 'long',
    ObjectId,
    objectId: offset ? (b, at) => new ObjectId(b, at) : (b, at) => new ObjectId(copyOf(b, at, 12)),
    int32: promote ? (v) => v : (v) => new Int32(v),
    double: promote ? (v) => v : (v) => new Double(v),
    long32: big ? BigInt : promoteLongs ? (v) => v : (v) => new Long(v, v < 0 ? -1 : 0),
    longSafe: big ? BigInt : promoteLongs ? (v) => v : (v) => numberToLong(Long, v),
    longBig: big ? (low, high) => BigInt(high) * 4294967296n + BigInt(low >>> 0) : (low, high) => new Long(low, high),
    decimal: (r, at) => new Decimal128(bytesOf(r, at, 16)),
    binary(r, at, size, subtype) {
      const bytes = bytesOf(r, at, size);
      if (asBuffer) return bytes;
      return subtype === UUID_SUBTYPE && size === UUID_BYTES ? new UUID(bytes) : new Binary(bytes, subtype);
    },
    timestamp: (low, high) => new Timestamp(low, high),
    code: (text) => new Code(text),
    symbol: promote ? (text) => text : (text) => new BSONSymbol(text),
    regex: options.bsonRegExp === true
      ? (pattern, flags) => new BSONRegExp(pattern, flags)
      : (pattern, flags) => new RegExp(pattern, regExpFlags(flags)),
    minKey: () => new MinKey(),
    maxKey: () => new MaxKey(),
    /** A whole document. js-bson keeps views of what it is given, so it gets a copy. */
    oddDocument: (b, at, size) => deserialize(Buffer.from(b.subarray(at, at + size)), options),
    /** The one value of a document {'': value}. */
    oddValue: (b, at, size) => deserialize(Buffer.from(b.subarray(at, at + size)), options)[''],
  };
}

module.exports = { makeValues };

'use strict';
// How each BSON type becomes a JavaScript value under given options and classes: exactly as js-bson does it. Both the
// compiled functions and the generic reader call what is made here.

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

function copyOf(bytes, at, size) {
  // Buffer's own pool is safe to hand out: unlike a block of ours it is never reused, and it refuses to be transferred.
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
  const { ObjectId, Long, Double, Int32, Decimal128, Binary, Timestamp, BSONRegExp, MinKey, MaxKey } = bson;
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
    decimal: (b, at) => new Decimal128(copyOf(b, at, 16)),
    binary(b, at, size, subtype) {
      const copy = copyOf(b, at, size);
      if (asBuffer) return copy;
      const value = new Binary(copy, subtype);
      return subtype === UUID_SUBTYPE && size === UUID_BYTES ? value.toUUID() : value;
    },
    timestamp: (i, t) => new Timestamp({ i: i >>> 0, t: t >>> 0 }),
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

module.exports = { copyOf, makeValues };

'use strict';
// One BSON value at an offset to the JS value js-bson would give: same classes, same options, same errors. Types that
// are rare, and values that are wrong, go through bson.deserialize itself on a document of that one field.
//
// What is returned never views the bytes it was read from: users write to binaries and transfer them.

const { int32, nameEnd, valueEnd } = require('./walk');
const { utf8 } = require('./text');

const REPLACEMENT = '\ufffd';
const BINARY_BYTE_ARRAY = 2;
const BINARY_UUID = 4;
const EMPTY_DOCUMENT = Buffer.from([5, 0, 0, 0, 0]);

const float64 = new Float64Array(1);
const float64Bytes = new Uint8Array(float64.buffer);
const LITTLE = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** The options of bson.deserialize that a read with these BSON options uses. */
function deserializeOptions(options) {
  return {
    promoteLongs: options?.promoteLongs ?? true,
    promoteValues: options?.promoteValues ?? true,
    promoteBuffers: options?.promoteBuffers ?? false,
    useBigInt64: options?.useBigInt64 ?? false,
    bsonRegExp: typeof options?.bsonRegExp === 'boolean' ? options.bsonRegExp : false,
    validation: { utf8: options?.enableUtf8Validation !== false }
  };
}

/** Reads values under one set of classes and options. */
class ValueReader {
  constructor(bson, options) {
    const exact = deserializeOptions(options);
    // Options that contradict each other are js-bson's to refuse, now and not at the first value.
    bson.BSON.deserialize(EMPTY_DOCUMENT, exact);
    this.bson = bson;
    this.options = exact;
    this.promoteValues = exact.promoteValues;
    this.promoteLongs = exact.promoteLongs && exact.promoteValues === true;
    this.promoteBuffers = exact.promoteBuffers && exact.promoteValues;
    this.useBigInt64 = exact.useBigInt64;
    this.bsonRegExp = exact.bsonRegExp;
    this.validateUtf8 = exact.validation.utf8;
    this.objectIdTakesOffset = takesOffset(bson.ObjectId);
  }

  /** The value of this type at buf[at]. buf is a Buffer of validated BSON. */
  read(buf, type, at) {
    switch (type) {
      case 0x01: return this.double(buf, at);
      case 0x02: return this.string(buf, type, at);
      case 0x05: return this.binary(buf, at);
      case 0x06: return undefined;
      case 0x07: return this.objectId(buf, at);
      case 0x08: return buf[at] <= 1 ? buf[at] === 1 : this.fallback(buf, type, at);
      case 0x09: return new Date(int32(buf, at + 4) * 4294967296 + (int32(buf, at) >>> 0));
      case 0x0a: return null;
      case 0x0b: return this.regExp(buf, at);
      case 0x0e: return this.promoteValues ? this.string(buf, type, at) : this.fallback(buf, type, at);
      case 0x10: return this.promoteValues === false ? new this.bson.Int32(int32(buf, at)) : int32(buf, at);
      case 0x11: return new this.bson.Timestamp({ i: int32(buf, at) >>> 0, t: int32(buf, at + 4) >>> 0 });
      case 0x12: return this.long(buf, at);
      case 0x13: return new this.bson.Decimal128(copy(buf, at, at + 16));
      default: return this.fallback(buf, type, at);
    }
  }

  double(buf, at) {
    for (let i = 0; i < 8; i++) float64Bytes[LITTLE ? i : 7 - i] = buf[at + i];
    const value = float64[0];
    return this.promoteValues === false ? new this.bson.Double(value) : value;
  }

  string(buf, type, at) {
    const start = at + 4;
    const text = utf8(buf, start, start + int32(buf, at) - 1);
    if (this.validateUtf8 && text.includes(REPLACEMENT)) return this.fallback(buf, type, at);
    return text;
  }

  objectId(buf, at) {
    const { ObjectId } = this.bson;
    return this.objectIdTakesOffset ? new ObjectId(buf, at) : new ObjectId(copy(buf, at, at + 12));
  }

  long(buf, at) {
    const low = int32(buf, at);
    const high = int32(buf, at + 4);
    if (this.useBigInt64) return (BigInt(high) << 32n) | BigInt(low >>> 0);
    // From -2^53 to 2^53, both included, which a sum of doubles could not tell from the next integer.
    if (this.promoteLongs && ((high >= -0x200000 && high < 0x200000) || (high === 0x200000 && low === 0))) {
      return high * 4294967296 + (low >>> 0);
    }
    return new this.bson.Long(low, high);
  }

  binary(buf, at) {
    const { Binary, UUID } = this.bson;
    const size = int32(buf, at);
    const subType = buf[at + 4];
    let start = at + 5;
    if (subType === BINARY_BYTE_ARRAY) {
      // The old subtype repeats its length inside.
      if (size < 4 || int32(buf, start) !== size - 4) return this.fallback(buf, 0x05, at);
      start += 4;
    }
    const bytes = copy(buf, start, at + 5 + size);
    if (this.promoteBuffers) return bytes;
    const value = new Binary(bytes, subType);
    return subType === BINARY_UUID && UUID.isValid(value) ? value.toUUID() : value;
  }

  regExp(buf, at) {
    const end = nameEnd(buf, at);
    const optionsEnd = nameEnd(buf, end + 1);
    const source = utf8(buf, at, end);
    const options = utf8(buf, end + 1, optionsEnd);
    if (this.bsonRegExp) return new this.bson.BSONRegExp(source, options);
    // The server's "s" becomes "g" in js-bson; every other letter but i and m is dropped.
    let flags = '';
    for (const letter of options) {
      if (letter === 'i' || letter === 'm') flags += letter;
      else if (letter === 's') flags += 'g';
    }
    return new RegExp(source, flags);
  }

  /** A document as bson.deserialize makes it, deep and detached from buf. */
  document(buf, at) {
    return this.bson.BSON.deserialize(copy(buf, at, at + int32(buf, at)), this.options);
  }

  /** js-bson's own answer, value or error, for the value at buf[at]. */
  fallback(buf, type, at) {
    const end = valueEnd(buf, type, at);
    const size = 4 + 3 + (end - at) + 1;
    const wrapped = Buffer.allocUnsafe(size);
    wrapped.writeInt32LE(size, 0);
    wrapped[4] = type;
    wrapped[5] = 0x76; // "v"
    wrapped[6] = 0;
    buf.copy(wrapped, 7, at, end);
    wrapped[size - 1] = 0;
    return this.bson.BSON.deserialize(wrapped, this.options).v;
  }
}

/** Whether this ObjectId constructor reads 12 bytes at an offset, which spares a copy (bson 7.3 and later). */
function takesOffset(ObjectId) {
  try {
    const bytes = Buffer.from('ff0102030405060708090a0b0c', 'hex');
    return new ObjectId(bytes, 1).toHexString() === '0102030405060708090a0b0c' && keepsNothingOf(new ObjectId(bytes, 1));
  } catch {
    return false;
  }
}

function keepsNothingOf(id) {
  return Reflect.ownKeys(id).every((key) => typeof id[key] !== 'object');
}

/** A copy. Small ones come from Node's own pool, which is never used twice; large ones have memory to themselves. */
function copy(buf, start, end) {
  const bytes = Buffer.allocUnsafe(end - start);
  buf.copy(bytes, 0, start, end);
  return bytes;
}

module.exports = { ValueReader, deserializeOptions };

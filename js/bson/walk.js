'use strict';
// Hops over BSON that is known to be well formed (the core has validated it): where values end and names stop.

const int32 = (buf, at) => buf[at] | (buf[at + 1] << 8) | (buf[at + 2] << 16) | (buf[at + 3] << 24);

// Sizes of the types that have one; -1 for the others and for bytes that are no type.
const SIZES = new Int8Array(256).fill(-1);
for (const [type, size] of [
  [0x01, 8], [0x06, 0], [0x07, 12], [0x08, 1], [0x09, 8], [0x0a, 0], [0x10, 4], [0x11, 8], [0x12, 8], [0x13, 16],
  [0x7f, 0], [0xff, 0]
]) SIZES[type] = size;

/** The offset of the NUL that ends the name (or other C string) at `at`. */
function nameEnd(buf, at) {
  while (buf[at] !== 0) at++;
  return at;
}

/** The offset past the value of this type at `at`. */
function valueEnd(buf, type, at) {
  const size = SIZES[type];
  if (size >= 0) return at + size;
  switch (type) {
    case 0x02: case 0x0d: case 0x0e: return at + 4 + int32(buf, at);
    case 0x03: case 0x04: case 0x0f: return at + int32(buf, at);
    case 0x05: return at + 5 + int32(buf, at);
    case 0x0b: return nameEnd(buf, nameEnd(buf, at) + 1) + 1;
    case 0x0c: return at + 4 + int32(buf, at) + 12;
    default: throw new RangeError(`unknown BSON type ${type} at offset ${at}`);
  }
}

module.exports = { int32, nameEnd, valueEnd };

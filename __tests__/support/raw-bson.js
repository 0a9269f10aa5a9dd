'use strict';
// BSON that no serialiser would write: duplicate keys, wrong lengths, bad values.

const cstring = (text) => Buffer.concat([Buffer.isBuffer(text) ? text : Buffer.from(text), Buffer.of(0)]);

function int32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function int64(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}

/** [type, name, value bytes] */
const element = (type, name, value = Buffer.alloc(0)) => Buffer.concat([Buffer.of(type), cstring(name), value]);

function document(...elements) {
  const body = Buffer.concat(elements);
  return Buffer.concat([int32(body.length + 5), body, Buffer.of(0)]);
}

const raw = {
  cstring, int32, int64, element, document,
  int: (name, value) => element(0x10, name, int32(value)),
  long: (name, value) => element(0x12, name, int64(value)),
  date: (name, value) => element(0x09, name, int64(value)),
  string: (name, value, type = 0x02) => {
    const bytes = cstring(value);
    return element(type, name, Buffer.concat([int32(bytes.length), bytes]));
  },
  embedded: (name, ...elements) => element(0x03, name, document(...elements)),
  array: (name, ...elements) => element(0x04, name, document(...elements)),
  regex: (name, source, options) => element(0x0b, name, Buffer.concat([cstring(source), cstring(options)])),
  binary: (name, subType, bytes, size = bytes.length) => element(0x05, name, Buffer.concat([int32(size), Buffer.of(subType), bytes]))
};

module.exports = raw;

'use strict';
// bson.deserialize, faster.

const { resolveBson } = require('./bson/classes.js');
const { int32 } = require('./bson/walk.js');
const { BSONFileCursor, readBSON } = require('./decoder/bson-file.js');
const { deserializeMany, deserializeManySync } = require('./decoder/many.js');
const { decoderOf } = require('./decoder/options.js');

/**
 * A drop-in for bson.deserialize: the same options, values and errors.
 *
 * @param {Uint8Array} bytes
 * @param {object} [options] those of js-bson; `bson`: the classes of values, as for a client
 */
function deserialize(bytes, options) {
  const bson = resolveBson(options);
  if (bytes instanceof Uint8Array) {
    const decoder = decoderOf(bson, options);
    if (decoder !== null) {
      const { length } = bytes;
      const at = options?.index || 0;
      const size = length - at >= 5 && Number.isInteger(at) && at >= 0 ? int32(bytes, at) : 0;
      if (size >= 5 && (size === length || options?.allowObjectSmallerThanBufferSize) && at + size <= length && bytes[at + size - 1] === 0) {
        const document = decoder.decode(bufferOf(bytes), at, at + size);
        if (document !== undefined) return document;
      }
    }
  }
  return bson.BSON.deserialize(bytes, options);
}

function bufferOf(bytes) {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

module.exports = { BSONFileCursor, deserialize, deserializeMany, deserializeManySync, readBSON };

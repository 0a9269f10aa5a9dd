'use strict';
// One decoder per BSON classes, decoding options and kind of chunk: decoders keep what they have
// compiled, so every client of the environment shares them.

const { Materializer } = require('./materialize.js');
const { LazyDecoder } = require('./lazy.js');

const byClasses = new WeakMap();
const DECODING = ['promoteLongs', 'promoteValues', 'promoteBuffers', 'useBigInt64', 'bsonRegExp', 'enableUtf8Validation', 'raw'];

/**
 * @param {object} bridge asked for definitions
 * @param {object} bsonClasses
 * @param {object} bsonOptions complete, see bson-options.js
 * @param {'frames'|'lazy'} mode
 */
function decoderFor(bridge, bsonClasses, bsonOptions, mode) {
  let known = byClasses.get(bsonClasses);
  if (known === undefined) {
    known = { byOptions: new WeakMap(), byKey: new Map() };
    byClasses.set(bsonClasses, known);
  }
  // Options objects are frozen and shared down from the client, so identity finds most of them.
  let pair = known.byOptions.get(bsonOptions);
  if (pair === undefined) {
    const key = DECODING.map((name) => Number(Boolean(bsonOptions[name]))).join('');
    pair = known.byKey.get(key);
    if (pair === undefined) {
      pair = { frames: null, lazy: null };
      known.byKey.set(key, pair);
    }
    known.byOptions.set(bsonOptions, pair);
  }
  pair[mode] ??= make(bridge, bsonClasses, bsonOptions, mode);
  return pair[mode];
}

function make(bridge, bsonClasses, bsonOptions, mode) {
  const { useBigInt64, promoteLongs, promoteValues } = bsonOptions;
  if (useBigInt64 && !(promoteLongs && promoteValues)) {
    throw new bsonClasses.BSONError('Must either request bigint or Long for int64 deserialization');
  }
  const Decoder = mode === 'lazy' ? LazyDecoder : Materializer;
  return new Decoder(bsonClasses, bsonOptions, bridge);
}

module.exports = { decoderFor };

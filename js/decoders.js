'use strict';
// One decoder per BSON classes, decoding options and kind of chunk: decoders keep what they have
// compiled, so every client of the environment shares them.

const { Materializer } = require('./frames/materialize.js');
const { LazyDecoder, lazyStats } = require('./lazy.js');

const byClasses = new WeakMap();
const materializers = [];
const lazyDecoders = [];
const DECODING = ['promoteLongs', 'promoteValues', 'promoteBuffers', 'useBigInt64', 'bsonRegExp', 'enableUtf8Validation', 'raw'];

/**
 * @param {object} bridge asked for definitions
 * @param {object} bsonClasses
 * @param {object} bsonOptions complete, see bson/options.js
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
  const { raw, useBigInt64, promoteLongs, promoteValues } = bsonOptions;
  // js-bson would say so with the first document; documents that stay raw are never decoded.
  if (!raw && useBigInt64 && !(promoteLongs && promoteValues)) {
    throw new bsonClasses.BSONError('Must either request bigint or Long for int64 deserialization');
  }
  if (mode === 'lazy') {
    const decoder = new LazyDecoder(bsonClasses, bsonOptions, bridge);
    lazyDecoders.push(decoder);
    return decoder;
  }
  const materializer = new Materializer(bsonClasses, bsonOptions, bridge);
  materializers.push(materializer);
  return materializer;
}

/**
 * Documents made in this environment by the way they went, the shapes it knows and has compiled, and what lazy documents
 * hold on to: blocks, which the addon counts, and small batches.
 */
function decoderStats(blocks) {
  const documents = { compiled: 0, generic: 0, bson: 0, lazy: 0 };
  for (const { compiled, generic, bson } of materializers) {
    documents.compiled += compiled;
    documents.generic += generic;
    documents.bson += bson;
  }
  const { documents: lazy, batches, bytes } = lazyStats();
  documents.lazy = lazy;
  return { documents, shapes: shapeStats(), lazy: { batches: batches + blocks.batches, bytes: bytes + blocks.bytes } };
}

function shapeStats() {
  const shapes = { known: 0, compiled: 0, lazy: 0 };
  for (const variant of new Set(materializers.map((materializer) => materializer.variant))) {
    shapes.known += variant.shapes.size;
    shapes.compiled += variant.compiled.size;
  }
  for (const { context } of lazyDecoders) if (context !== null) shapes.lazy += context.handlers.size;
  return shapes;
}

module.exports = { decoderFor, decoderStats };

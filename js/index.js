'use strict';
// What is public.

const { MongoClient } = require('./client.js');
const { Db } = require('./database.js');
const { Collection } = require('./collection.js');
const { Admin } = require('./admin.js');
const { AbstractCursor } = require('./cursor/abstract-cursor.js');
const { ExplainableCursor } = require('./cursor/explainable-cursor.js');
const { FindCursor } = require('./cursor/find-cursor.js');
const { AggregationCursor } = require('./cursor/aggregation-cursor.js');
const { ListCollectionsCursor, ListIndexesCursor } = require('./cursor/list-cursors.js');
const { RunCommandCursor } = require('./cursor/run-command-cursor.js');
const { BatchCursor } = require('./cursor/batch-cursor.js');
const { Model, Schema } = require('./model.js');
const { accelerate } = require('./accelerate/index.js');
const { shadow, shadowCollection, ShadowSummary } = require('./shadow/index.js');
const { BSONFileCursor, deserialize, deserializeMany, deserializeManySync, readBSON } = require('./decoder.js');
const { deepEqual } = require('./deep-equal.js');
const { WorkerPool } = require('./pool/pool.js');
const { ReadPreference, ReadConcern } = require('./reads/read-preference.js');
const enums = require('./enums.js');
const { REFUSED_CLASSES } = require('./out-of-scope.js');
const { resolveBson, CLASSES } = require('./bson/classes.js');
const { errors, NAMES } = require('./errors.js');
const { version } = require('../package.json');

module.exports = {
  MongoClient,
  Db,
  Collection,
  Admin,
  AbstractCursor,
  ExplainableCursor,
  FindCursor,
  AggregationCursor,
  ListCollectionsCursor,
  ListIndexesCursor,
  RunCommandCursor,
  BatchCursor,
  BSONFileCursor,
  Model,
  Schema,
  WorkerPool,
  accelerate,
  shadow,
  shadowCollection,
  ShadowSummary,
  deepEqual,
  deserialize,
  deserializeMany,
  deserializeManySync,
  readBSON,
  ReadPreference,
  ReadConcern,
  ...enums,
  ...REFUSED_CLASSES,
  version,
};

// Error classes are the application's own, found when first asked for.
for (const name of NAMES) {
  Object.defineProperty(module.exports, name, { enumerable: true, get: () => errors()[name] });
}

/** undefined where there is no bson: a client says what to do about that. */
function fromBson(pick) {
  try {
    return pick(resolveBson());
  } catch {
    return undefined;
  }
}

// So are the classes of values.
Object.defineProperty(module.exports, 'BSON', { enumerable: true, get: () => fromBson((found) => found.namespace) });
for (const name of CLASSES) {
  Object.defineProperty(module.exports, name, { enumerable: true, get: () => fromBson((found) => found[name]) });
}

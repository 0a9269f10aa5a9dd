'use strict';
// What is public.

const { MongoClient } = require('./client.js');
const { Db } = require('./database.js');
const { Collection } = require('./collection.js');
const { FindCursor } = require('./cursor/find-cursor.js');
const { BatchCursor } = require('./cursor/batch-cursor.js');
const { Model, Schema } = require('./model.js');
const { shadow } = require('./shadow.js');
const { deepEqual } = require('./deep-equal.js');
const { WorkerPool } = require('./pool/pool.js');
const { ReadPreference } = require('./read-preference.js');
const { errors, NAMES } = require('./errors.js');
const { version } = require('../package.json');

module.exports = {
  MongoClient,
  Db,
  Collection,
  FindCursor,
  BatchCursor,
  Model,
  Schema,
  WorkerPool,
  shadow,
  deepEqual,
  ReadPreference,
  version,
};

// Error classes are the application's own, found when first asked for.
for (const name of NAMES) {
  Object.defineProperty(module.exports, name, { enumerable: true, get: () => errors()[name] });
}

'use strict';
// A collection's reads.

const { FindCursor } = require('./cursor/find-cursor.js');
const { BatchCursor } = require('./cursor/batch-cursor.js');
const { AggregationCursor } = require('./cursor/aggregation-cursor.js');
const { ListIndexesCursor, ListSearchIndexesCursor } = require('./cursor/list-cursors.js');
const {
  MODES, checkReadOptions, refuseExplain, withGetMoreComment, bareParent, settledOptions, prepareFind, openReader, readAll,
} = require('./reads/read.js');
const { countByPipeline } = require('./reads/aggregate.js');
const { sendCount, sendEstimate } = require('./reads/count.js');
const { distinct } = require('./reads/distinct.js');
const { findJSON, aggregateJSON, streamJSON, streamAggregateJSON } = require('./json/reads.js');
const { findColumns, streamColumns, aggregateColumns, streamAggregateColumns } = require('./columns/reads.js');
const { formatHint } = require('./reads/command.js');
const { MongoDBNamespace } = require('./namespace.js');
const { inheritBsonOptions } = require('./bson/options.js');
const { readPreferenceOf, readConcernOf } = require('./reads/read-preference.js');
const { refuse } = require('./out-of-scope.js');
const { invalidArgument, apiError, tailableWith } = require('./errors.js');

const HEX24 = /^[0-9a-fA-F]{24}$/;
const NO_OPTIONS = Object.freeze({});

class Collection {
  #hint;

  /** Made by Db.collection() and MongoClient.collection(). */
  constructor(db, name, options) {
    if (typeof name !== 'string' || name === '') {
      throw invalidArgument(`Argument "name" must be a collection name (a string that is not empty), got ${name === '' ? 'an empty string' : typeof name}`);
    }
    const given = checkReadOptions(options);
    this.db = db;
    this.client = db.client;
    this.collectionName = name;
    this.bsonOptions = inheritBsonOptions(given, db.bsonOptions);
    this.readPreference = readPreferenceOf(given) ?? db.readPreference;
    this.readConcern = readConcernOf(given) ?? db.readConcern;
    // paramsCache: parameters of reads by what varies in them, see reads/read.js.
    Object.defineProperties(this, { fullNamespace: { value: new MongoDBNamespace(db.databaseName, name) }, paramsCache: { value: new Map() } });
  }

  get dbName() {
    return this.db.databaseName;
  }

  get namespace() {
    return `${this.db.databaseName}.${this.collectionName}`;
  }

  /** Kept for the application, as in the official driver: reads take theirs from their options. */
  get hint() {
    return this.#hint;
  }

  set hint(value) {
    this.#hint = formatHint(value);
  }

  // ---- documents

  find(filter, options) {
    return new FindCursor(this, filter, options);
  }

  async findOne(filter = {}, options = NO_OPTIONS) {
    const one = { ...checkReadOptions(options), singleBatch: true, limit: 1 };
    if (one.tailable) throw tailableWith('limit');
    const docs = await readAll(this.client, prepareFind(this, filter, one, MODES.EAGER), one.signal);
    return docs.length > 0 ? docs[0] : null;
  }

  async findById(id, options) {
    return await this.findOne({ _id: this.#toObjectId(id) }, options);
  }

  async findLazy(filter = {}, options = NO_OPTIONS) {
    const read = withGetMoreComment(refuseExplain(checkReadOptions(options)));
    return await readAll(this.client, prepareFind(this, filter, read, MODES.LAZY), read.signal);
  }

  async findCursor(filter = {}, options = NO_OPTIONS) {
    const { lazy = true, ...read } = withGetMoreComment(refuseExplain(checkReadOptions(options)));
    if (typeof lazy !== 'boolean') throw invalidArgument('Option "lazy" must be true or false');
    const prepared = prepareFind(this, filter, read, lazy ? MODES.LAZY : MODES.EAGER);
    return new BatchCursor(openReader(this.client, prepared, read.signal), read.signal, read.batchSize);
  }

  aggregate(pipeline, options) {
    return new AggregationCursor(this, this.fullNamespace, pipeline, options);
  }

  // ---- JSON

  async findJSON(filter, options) {
    return await findJSON(this, filter, options);
  }

  async aggregateJSON(pipeline, options) {
    return await aggregateJSON(this, this.fullNamespace, pipeline, options);
  }

  streamJSON(filter, options) {
    return streamJSON(this, filter, options);
  }

  streamAggregateJSON(pipeline, options) {
    return streamAggregateJSON(this, this.fullNamespace, pipeline, options);
  }

  // ---- columns

  async findColumns(filter, options) {
    return await findColumns(this, filter, options);
  }

  async aggregateColumns(pipeline, options) {
    return await aggregateColumns(this, this.fullNamespace, pipeline, options);
  }

  streamColumns(filter, options) {
    return streamColumns(this, filter, options);
  }

  streamAggregateColumns(pipeline, options) {
    return streamAggregateColumns(this, this.fullNamespace, pipeline, options);
  }

  // ---- numbers and values

  async countDocuments(filter = {}, options = NO_OPTIONS) {
    return await countByPipeline(this, filter, checkReadOptions(options));
  }

  async estimatedDocumentCount(options) {
    return await sendEstimate(this, options);
  }

  /** Deprecated, as in the official driver: countDocuments() counts what a find would give. */
  async count(filter = {}, options = NO_OPTIONS) {
    return await sendCount(this, filter, options);
  }

  async distinct(key, filter = {}, options = NO_OPTIONS) {
    return await distinct(this, key, filter, options);
  }

  // ---- about the collection

  listIndexes(options) {
    return new ListIndexesCursor(this, options);
  }

  async indexes(options) {
    const list = await this.listIndexes(options).toArray();
    if (options?.full ?? true) return list;
    return Object.fromEntries(list.map(({ name, key }) => [name, Object.entries(key)]));
  }

  async indexInformation(options) {
    return await this.indexes({ ...options, full: options?.full ?? false });
  }

  async indexExists(names, options) {
    const list = await this.listIndexes(options).toArray();
    const known = new Set(list.map(({ name }) => name));
    return (Array.isArray(names) ? names : [names]).every((name) => known.has(name));
  }

  listSearchIndexes(name, options) {
    const [wanted, given] = typeof name === 'object' ? [null, name ?? options] : [name, options];
    return new ListSearchIndexesCursor(bareParent(this.client), this.fullNamespace, wanted, given);
  }

  async options(options) {
    const read = { ...settledOptions(this, checkReadOptions(options)), nameOnly: false };
    const [found] = await this.db.listCollections({ name: this.collectionName }, read).toArray();
    if (found?.options == null) throw apiError(`collection ${this.namespace} not found`);
    return found.options;
  }

  async isCapped(options) {
    const { capped } = await this.options(options);
    return Boolean(capped);
  }

  #toObjectId(id) {
    if (id !== null && typeof id === 'object' && id._bsontype === 'ObjectId') return id;
    if (typeof id === 'string' && HEX24.test(id)) return new this.client.bsonClasses.ObjectId(id);
    const got = typeof id === 'string' ? JSON.stringify(id.slice(0, 40)) : id === null ? 'null' : typeof id;
    throw invalidArgument(`Argument "id" must be an ObjectId or a string of 24 hexadecimal characters, got ${got}; use findOne({ _id }) for other ids`);
  }
}

refuse(Collection, 'collection', {
  async: [
    'insertOne', 'insertMany', 'bulkWrite', 'updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany', 'rename', 'drop',
    'findOneAndDelete', 'findOneAndReplace', 'findOneAndUpdate', 'createIndex', 'createIndexes', 'dropIndex', 'dropIndexes',
    'createSearchIndex', 'createSearchIndexes', 'dropSearchIndex', 'updateSearchIndex',
  ],
  sync: ['watch', 'initializeOrderedBulkOp', 'initializeUnorderedBulkOp'],
});

module.exports = { Collection };

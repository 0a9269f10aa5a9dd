'use strict';
// A collection's reads.

const { FindCursor } = require('./cursor/find-cursor.js');
const { BatchCursor } = require('./cursor/batch-cursor.js');
const { WANT } = require('./cursor/reader.js');
const { MODES, checkReadOptions, withGetMoreComment, prepareFind, openReader } = require('./read.js');
const { inheritBsonOptions } = require('./bson-options.js');
const { readPreferenceOf, readConcernOf } = require('./read-preference.js');
const { invalidArgument, tailableWith } = require('./errors.js');

const HEX24 = /^[0-9a-fA-F]{24}$/;
const NO_OPTIONS = Object.freeze({});

class Collection {
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
    // Parameters of reads by what varies in them, see read.js.
    Object.defineProperty(this, 'paramsCache', { value: new Map() });
  }

  get dbName() {
    return this.db.databaseName;
  }

  get namespace() {
    return `${this.db.databaseName}.${this.collectionName}`;
  }

  find(filter, options) {
    return new FindCursor(this, filter, options);
  }

  async findOne(filter = {}, options = NO_OPTIONS) {
    const one = { ...checkReadOptions(options), singleBatch: true, limit: 1 };
    if (one.tailable) throw tailableWith('limit');
    const reader = openReader(this.client, prepareFind(this, filter, one, MODES.EAGER), one.signal);
    await reader.until(WANT.ALL);
    reader.throwIfFailed();
    return reader.buffered > 0 ? reader.shift() : null;
  }

  async findById(id, options) {
    return await this.findOne({ _id: this.#toObjectId(id) }, options);
  }

  async findLazy(filter = {}, options = NO_OPTIONS) {
    const read = withGetMoreComment(checkReadOptions(options));
    const reader = openReader(this.client, prepareFind(this, filter, read, MODES.LAZY), read.signal);
    await reader.until(WANT.ALL);
    reader.throwIfFailed();
    return reader.takeDocs();
  }

  async findCursor(filter = {}, options = NO_OPTIONS) {
    const { lazy = true, ...read } = withGetMoreComment(checkReadOptions(options));
    if (typeof lazy !== 'boolean') throw invalidArgument('Option "lazy" must be true or false');
    const prepared = prepareFind(this, filter, read, lazy ? MODES.LAZY : MODES.EAGER);
    return new BatchCursor(openReader(this.client, prepared, read.signal), read.signal);
  }

  #toObjectId(id) {
    if (id !== null && typeof id === 'object' && id._bsontype === 'ObjectId') return id;
    if (typeof id === 'string' && HEX24.test(id)) return new this.client.bsonClasses.ObjectId(id);
    const got = typeof id === 'string' ? JSON.stringify(id.slice(0, 40)) : id === null ? 'null' : typeof id;
    throw invalidArgument(`Argument "id" must be an ObjectId or a string of 24 hexadecimal characters, got ${got}; use findOne({ _id }) for other ids`);
  }
}

module.exports = { Collection };

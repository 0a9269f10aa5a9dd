'use strict';
// What a cursor is about and how it is to be read: the options of the call, and the setters that all cursors have.
//
// Options live in two places, as in the official driver, because they win over each other in that
// order on the wire: `_options` of the call and most setters, and `_late`, which overrides them.
// Members with an underscore are for subclasses.

const { EventEmitter } = require('node:events');
const { checkReadOptions } = require('../reads/read.js');
const { inheritBsonOptions } = require('../bson/options.js');
const { cursorReadPreference, readPreferenceOf, readConcernOf } = require('../reads/read-preference.js');
const { CURSOR_FLAGS } = require('../enums.js');
const { invalidArgument, tailableWith } = require('../errors.js');

/** A subclass has _checkFresh(), which throws once reading has begun. */
class CursorSettings extends EventEmitter {
  /**
   * @param parent the collection or database whose defaults it inherits
   * @param {import('../namespace.js').MongoDBNamespace} namespace
   * @param {object} [options]
   */
  constructor(parent, namespace, options) {
    super();
    this._parent = parent;
    this._namespace = namespace;
    this._options = { ...checkReadOptions(options) };
    // Bad ones throw here, at find(), not when the cursor is read.
    const readPreference = readPreferenceOf(options);
    if (readPreference !== undefined) this._options.readPreference = readPreference;
    readConcernOf(options);
    this._late = {};
    const { batchSize, comment, maxTimeMS, maxAwaitTimeMS } = this._options;
    if (typeof batchSize === 'number') this._late.batchSize = batchSize;
    if (comment !== undefined) this._late.comment = comment;
    if (typeof maxTimeMS === 'number') this._late.maxTimeMS = maxTimeMS;
    if (typeof maxAwaitTimeMS === 'number') this._late.maxAwaitTimeMS = maxAwaitTimeMS;
  }

  /** The options as they go on the wire. */
  _settled() {
    const { comment, maxAwaitTimeMS } = this._late;
    return { ...this._options, ...this._late, getMoreComment: comment, maxAwaitTimeMS };
  }

  _set(name, value) {
    this._checkFresh();
    this._options[name] = value;
    return this;
  }

  // ---- what it is

  get client() {
    return this._parent.client;
  }

  get namespace() {
    return this._namespace;
  }

  get readPreference() {
    return this._late.readPreference ?? this._options.readPreference ?? this._parent.readPreference;
  }

  get readConcern() {
    return readConcernOf(this._late) ?? readConcernOf(this._options) ?? this._parent.readConcern;
  }

  get loadBalanced() {
    return Boolean(this.client.settings.core.loadBalanced);
  }

  /** What the official driver's cursors keep under this name. */
  get cursorOptions() {
    const { tailable, awaitData } = this._options;
    const bsonOptions = inheritBsonOptions(this._options, this._parent.bsonOptions);
    const out = { readPreference: this.readPreference, ...bsonOptions, tailable, awaitData, ...this._late };
    if (this.readConcern !== undefined) out.readConcern = this.readConcern;
    return out;
  }

  // ---- how to read

  batchSize(value) {
    this._checkFresh();
    if (this._late.tailable ?? this._options.tailable) throw tailableWith('batchSize');
    if (typeof value !== 'number') throw invalidArgument('Operation "batchSize" requires an integer');
    this._late.batchSize = value;
    return this;
  }

  addCursorFlag(flag, value) {
    this._checkFresh();
    if (!CURSOR_FLAGS.includes(flag)) throw invalidArgument(`Flag ${flag} is not one of ${CURSOR_FLAGS}`);
    if (typeof value !== 'boolean') throw invalidArgument(`Flag ${flag} must be a boolean value`);
    this._late[flag] = value;
    return this;
  }

  maxTimeMS(value) {
    this._checkFresh();
    if (typeof value !== 'number') throw invalidArgument('Argument for maxTimeMS must be a number');
    this._late.maxTimeMS = value;
    return this;
  }

  withReadPreference(value) {
    this._checkFresh();
    this._late.readPreference = cursorReadPreference(value);
    return this;
  }

  withReadConcern(value) {
    this._checkFresh();
    const concern = readConcernOf({ readConcern: value });
    if (concern !== undefined) this._late.readConcern = concern;
    return this;
  }
}

module.exports = { CursorSettings };

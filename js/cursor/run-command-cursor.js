'use strict';
// The cursor of db.runCursorCommand(): a command of the user's own that answers with a cursor.

const { AbstractCursor } = require('./abstract-cursor.js');
const { MODES, settle, prepareCursor } = require('../reads/read.js');
const { checkReadCommand, checkCommandBytes } = require('../reads/read-only.js');
const { MongoDBNamespace } = require('../namespace.js');
const { apiError } = require('../errors.js');

class RunCommandCursor extends AbstractCursor {
  #getMore = {};

  /** @param parent what it inherits from; not the database, as in the official driver */
  constructor(parent, db, command, options) {
    super(parent, new MongoDBNamespace(db.databaseName), options);
    checkReadCommand(command);
    this.command = Object.freeze({ ...command });
  }

  get getMoreOptions() {
    return this.#getMore;
  }

  setComment(comment) {
    this.#getMore.comment = comment;
    return this;
  }

  setMaxTimeMS(maxTimeMS) {
    this.#getMore.maxAwaitTimeMS = maxTimeMS;
    return this;
  }

  setBatchSize(batchSize) {
    this.#getMore.batchSize = batchSize;
    return this;
  }

  _prepare() {
    const { comment, ...more } = this.#getMore;
    const options = { ...this._settled(), limit: undefined, ...more };
    if ('comment' in this.#getMore) options.getMoreComment = comment;
    const built = { command: this.command, ...settle(this._parent, options) };
    const prepared = prepareCursor(this._parent, this._namespace, built, { ...options, explain: undefined }, MODES.EAGER);
    checkCommandBytes(prepared.command);
    return prepared;
  }

  clone() {
    throw apiError('Clone not supported, create a new cursor with db.runCursorCommand');
  }

  withReadConcern() {
    throw apiError('RunCommandCursor does not support readConcern it must be attached to the command being run');
  }

  addCursorFlag() {
    throw apiError('RunCommandCursor does not support cursor flags, they must be attached to the command being run');
  }

  maxTimeMS() {
    throw apiError('maxTimeMS must be configured on the command document directly, to configure getMore.maxTimeMS use cursor.setMaxTimeMS()');
  }

  batchSize() {
    throw apiError('batchSize must be configured on the command document directly, to configure getMore.batchSize use cursor.setBatchSize()');
  }
}

module.exports = { RunCommandCursor };

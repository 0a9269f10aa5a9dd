'use strict';
// The cursor of collection.find(): the official driver's FindCursor, which can also be awaited.

const { ExplainableCursor } = require('./explainable-cursor.js');
const { formatSort } = require('../reads/sort.js');
const { MODES, prepareFind } = require('../reads/read.js');
const { sendCount } = require('../reads/count.js');
const { invalidArgument, tailableWith } = require('../errors.js');

let warned = false;

/** The official driver's warning, once per process. */
function warnOfCount() {
  if (warned) return;
  warned = true;
  process.emitWarning('cursor.count is deprecated and will be removed in the next major version, please use `collection.estimatedDocumentCount` or `collection.countDocuments` instead ');
}

function requireNumber(value, message) {
  if (typeof value !== 'number') throw invalidArgument(message);
}

class FindCursor extends ExplainableCursor {
  #filter;

  constructor(collection, filter = {}, options) {
    super(collection, collection.fullNamespace, options);
    this.#filter = filter;
    if (this._options.sort != null) this._options.sort = formatSort(this._options.sort);
  }

  _prepare(options = this._settled()) {
    return prepareFind(this._parent, this.#filter, options, MODES.EAGER);
  }

  filter(filter) {
    this._checkFresh();
    this.#filter = filter;
    return this;
  }

  sort(sort, direction) {
    this._checkFresh();
    if (this._options.tailable) throw tailableWith('sorting');
    this._options.sort = formatSort(sort, direction);
    return this;
  }

  limit(value) {
    this._checkFresh();
    if (this._options.tailable) throw tailableWith('limit');
    requireNumber(value, 'Operation "limit" requires an integer');
    return this._set('limit', value);
  }

  skip(value) {
    this._checkFresh();
    if (this._options.tailable) throw tailableWith('skip');
    requireNumber(value, 'Operation "skip" requires an integer');
    return this._set('skip', value);
  }

  project(value) {
    return this._set('projection', value);
  }

  hint(value) {
    return this._set('hint', value);
  }

  collation(value) {
    return this._set('collation', value);
  }

  comment(value) {
    return this._set('comment', value);
  }

  min(value) {
    return this._set('min', value);
  }

  max(value) {
    return this._set('max', value);
  }

  returnKey(value) {
    return this._set('returnKey', value);
  }

  showRecordId(value) {
    return this._set('showRecordId', value);
  }

  maxTimeMS(value) {
    this._checkFresh();
    requireNumber(value, 'Argument for maxTimeMS must be a number');
    return this._set('maxTimeMS', value);
  }

  maxAwaitTimeMS(value) {
    this._checkFresh();
    requireNumber(value, 'Argument for maxAwaitTimeMS must be a number');
    return this._set('maxAwaitTimeMS', value);
  }

  allowDiskUse(allow = true) {
    this._checkFresh();
    if (!this._options.sort) throw invalidArgument('Option "allowDiskUse" requires a sort specification');
    return this._set('allowDiskUse', Boolean(allow));
  }

  addQueryModifier(name, value) {
    this._checkFresh();
    switch (name) {
      case '$comment': case '$explain': case '$hint': case '$max': case '$maxTimeMS': case '$min': case '$returnKey':
        return this._set(name.slice(1), value);
      case '$showDiskLoc':
        return this._set('showRecordId', value);
      case '$orderby':
        return this._set('sort', formatSort(value));
      case '$query':
        this.#filter = value;
        return this;
      default:
        throw invalidArgument(String(name).startsWith('$') ? `Invalid query modifier: ${name}` : `${name} is not a valid query modifier`);
    }
  }

  /** A fresh cursor with the options of the call and most setters; as in the official driver, not with the late ones. */
  clone() {
    return new FindCursor(this._parent, this.#filter, this._options);
  }

  /** The command count with the query, hint, limit and skip of the cursor; deprecated in the official driver, too. */
  async count(options) {
    warnOfCount();
    if (typeof options === 'boolean') throw invalidArgument('Invalid first parameter to count');
    return await sendCount(this._parent, this.#filter, { ...this._options, ...this._late, ...options });
  }
}

module.exports = { FindCursor };

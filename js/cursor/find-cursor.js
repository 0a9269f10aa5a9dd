'use strict';
// The cursor of collection.find(): the official driver's FindCursor, which can also be awaited.
//
// Options live in two places, as in the official driver, because they win over each other in that
// order on the wire: `options` of the call and most setters, and `late`, which overrides them.

const { WANT } = require('./reader.js');
const { CursorStream } = require('./stream.js');
const { watchRelease } = require('./release.js');
const { formatSort } = require('../sort.js');
const { MODES, checkReadOptions, prepareFind, openReader } = require('../read.js');
const { explainFind } = require('../explain.js');
const { toReadPreference, readConcernOf } = require('../read-preference.js');
const { errors, invalidArgument, apiError } = require('../errors.js');

const FLAGS = ['tailable', 'oplogReplay', 'noCursorTimeout', 'awaitData', 'exhaust', 'partial'];

function requireNumber(value, message) {
  if (typeof value !== 'number') throw invalidArgument(message);
}

class FindCursor {
  #collection;
  #filter;
  #options;
  #late = {};
  #transform = null;
  #reader = null;
  #promise = null; // of `then`: awaiting a cursor twice gives the same array
  #closed = false;
  #killed = false;
  #failed = false;

  constructor(collection, filter = {}, options) {
    this.#collection = collection;
    this.#filter = filter;
    this.#options = { ...checkReadOptions(options) };
    if (this.#options.sort != null) this.#options.sort = formatSort(this.#options.sort);
    const { batchSize, comment, maxTimeMS, maxAwaitTimeMS } = this.#options;
    if (typeof batchSize === 'number') this.#late.batchSize = batchSize;
    if (comment !== undefined) this.#late.comment = comment;
    if (typeof maxTimeMS === 'number') this.#late.maxTimeMS = maxTimeMS;
    if (typeof maxAwaitTimeMS === 'number') this.#late.maxAwaitTimeMS = maxAwaitTimeMS;
  }

  // ---- what it is

  get namespace() {
    return this.#collection.namespace;
  }

  get readPreference() {
    return this.#late.readPreference ?? this.#options.readPreference ?? this.#collection.readPreference;
  }

  get readConcern() {
    return readConcernOf(this.#late) ?? readConcernOf(this.#options) ?? this.#collection.readConcern;
  }

  /** The server's number stays in the core: undefined while open, 0 once the server has no more. */
  get id() {
    if (this.#reader === null || !(this.#reader.ended || this.#killed)) return undefined;
    return new this.#collection.client.bsonClasses.Long(0);
  }

  get closed() {
    return this.#closed || (this.#reader !== null && this.#reader.exhausted);
  }

  /** close() stopped a read the server had more for. */
  get killed() {
    return this.#killed;
  }

  bufferedCount() {
    return this.#reader?.buffered ?? 0;
  }

  readBufferedDocuments(count) {
    if (this.bufferedCount() === 0) return [];
    return this.#reader.takeDocs(count ?? Infinity);
  }

  // ---- the chain

  filter(filter) {
    this.#checkFresh();
    this.#filter = filter;
    return this;
  }

  sort(sort, direction) {
    this.#checkFresh();
    if (this.#options.tailable) throw this.#notTailable('sorting');
    this.#options.sort = formatSort(sort, direction);
    return this;
  }

  limit(value) {
    this.#checkFresh();
    if (this.#options.tailable) throw this.#notTailable('limit');
    requireNumber(value, 'Operation "limit" requires an integer');
    return this.#set('limit', value);
  }

  skip(value) {
    this.#checkFresh();
    if (this.#options.tailable) throw this.#notTailable('skip');
    requireNumber(value, 'Operation "skip" requires an integer');
    return this.#set('skip', value);
  }

  project(value) {
    return this.#set('projection', value);
  }

  batchSize(value) {
    this.#checkFresh();
    if (this.#late.tailable ?? this.#options.tailable) throw this.#notTailable('batchSize');
    requireNumber(value, 'Operation "batchSize" requires an integer');
    this.#late.batchSize = value;
    return this;
  }

  hint(value) {
    return this.#set('hint', value);
  }

  collation(value) {
    return this.#set('collation', value);
  }

  comment(value) {
    return this.#set('comment', value);
  }

  min(value) {
    return this.#set('min', value);
  }

  max(value) {
    return this.#set('max', value);
  }

  returnKey(value) {
    return this.#set('returnKey', value);
  }

  showRecordId(value) {
    return this.#set('showRecordId', value);
  }

  maxTimeMS(value) {
    this.#checkFresh();
    requireNumber(value, 'Argument for maxTimeMS must be a number');
    return this.#set('maxTimeMS', value);
  }

  maxAwaitTimeMS(value) {
    this.#checkFresh();
    requireNumber(value, 'Argument for maxAwaitTimeMS must be a number');
    return this.#set('maxAwaitTimeMS', value);
  }

  allowDiskUse(allow = true) {
    this.#checkFresh();
    if (!this.#options.sort) throw invalidArgument('Option "allowDiskUse" requires a sort specification');
    return this.#set('allowDiskUse', Boolean(allow));
  }

  addCursorFlag(flag, value) {
    this.#checkFresh();
    if (!FLAGS.includes(flag)) throw invalidArgument(`Flag ${flag} is not one of ${FLAGS}`);
    if (typeof value !== 'boolean') throw invalidArgument(`Flag ${flag} must be a boolean value`);
    this.#late[flag] = value;
    return this;
  }

  addQueryModifier(name, value) {
    this.#checkFresh();
    switch (name) {
      case '$comment': case '$hint': case '$max': case '$maxTimeMS': case '$min': case '$returnKey':
        return this.#set(name.slice(1), value);
      case '$showDiskLoc':
        return this.#set('showRecordId', value);
      case '$orderby':
        return this.#set('sort', formatSort(value));
      case '$query':
        this.#filter = value;
        return this;
      default:
        throw invalidArgument(String(name).startsWith('$') ? `Invalid query modifier: ${name}` : `${name} is not a valid query modifier`);
    }
  }

  withReadPreference(value) {
    this.#checkFresh();
    this.#late.readPreference = toReadPreference(value);
    return this;
  }

  withReadConcern(value) {
    this.#checkFresh();
    const concern = readConcernOf({ readConcern: value });
    if (concern !== undefined) this.#late.readConcern = concern;
    return this;
  }

  map(transform) {
    this.#checkFresh();
    if (typeof transform !== 'function') throw invalidArgument('Argument "transform" must be a function');
    const before = this.#transform;
    this.#transform = before === null ? transform : (doc) => transform(before(doc));
    return this;
  }

  #set(name, value) {
    this.#checkFresh();
    this.#options[name] = value;
    return this;
  }

  #checkFresh() {
    if (this.#reader !== null) throw new (errors().MongoCursorInUseError)();
  }

  #notTailable(what) {
    return new (errors().MongoTailableCursorError)(`Tailable cursor does not support ${what}`);
  }

  // ---- the array

  then(fulfilled, rejected) {
    this.#promise ??= this.toArray();
    return this.#promise.then(fulfilled, rejected);
  }

  catch(rejected) {
    return this.then(undefined, rejected);
  }

  finally(settled) {
    this.#promise ??= this.toArray();
    return this.#promise.finally(settled);
  }

  /** Every document not handed out yet. */
  async toArray() {
    this.#options.signal?.throwIfAborted();
    if (this.#closed || this.#failed) return [];
    const reader = this.#open(false);
    await reader.until(WANT.ALL);
    const failure = this.#failure(reader);
    if (failure !== null) throw failure.error;
    const docs = reader.takeDocs();
    this.#closed = true;
    if (this.#transform === null) return docs;
    const mapped = [];
    for (const doc of docs) mapped.push(await this.#map(doc));
    return mapped;
  }

  // ---- one by one

  async next() {
    return await this.#next(WANT.DOCUMENT);
  }

  async tryNext() {
    return await this.#next(WANT.TURN);
  }

  async #next(level) {
    this.#options.signal?.throwIfAborted();
    if (this.#killed) throw new (errors().MongoCursorExhaustedError)();
    if (this.#closed || this.#failed) return null;
    const reader = this.#open(true);
    while (reader.buffered === 0) {
      if (reader.exhausted || reader.stopped) return this.#finish(reader);
      await reader.until(level);
      if (level === WANT.TURN && reader.buffered === 0 && !reader.ended && !reader.stopped) return null;
    }
    const doc = reader.shift();
    return this.#transform === null ? doc : await this.#map(doc);
  }

  async hasNext() {
    this.#options.signal?.throwIfAborted();
    if (this.#closed || this.#failed) return false;
    const reader = this.#open(true);
    while (reader.buffered === 0) {
      if (reader.exhausted || reader.stopped) {
        this.#finish(reader);
        return false;
      }
      await reader.until(WANT.DOCUMENT);
    }
    return true;
  }

  async forEach(callback) {
    this.#options.signal?.throwIfAborted();
    if (typeof callback !== 'function') throw invalidArgument('Argument "iterator" must be a function');
    for await (const doc of this) {
      if (callback(doc) === false) break;
    }
  }

  [Symbol.asyncIterator]() {
    return {
      // Documents that are decoded already cost one promise each, and no async frame.
      next: () => {
        const reader = this.#reader;
        if (reader !== null && reader.buffered > 0 && this.#transform === null && !this.#options.signal?.aborted) {
          return Promise.resolve({ value: reader.shift(), done: false });
        }
        return this.#step();
      },
      return: async (value) => {
        await this.close();
        return { value, done: true };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async #step() {
    if (this.#killed) return { value: undefined, done: true };
    const value = await this.#next(WANT.DOCUMENT);
    return value === null ? { value: undefined, done: true } : { value, done: false };
  }

  stream() {
    return new CursorStream(this, this.#options.signal);
  }

  async #map(doc) {
    try {
      const value = this.#transform(doc);
      if (value === null) {
        throw apiError('Cursor returned a `null` document, but the cursor is not exhausted.  Mapping documents to `null` is not supported in the cursor transform.');
      }
      return await value;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  // ---- its life

  #open(registered) {
    if (this.#reader === null) {
      this.#reader = openReader(this.#collection.client, this.#prepare(), this.#options.signal);
    }
    if (registered && !this.#reader.watched) watchRelease(this, this.#reader);
    return this.#reader;
  }

  #prepare() {
    const options = { ...this.#options, ...this.#late };
    options.getMoreComment = this.#late.comment;
    options.maxAwaitTimeMS = this.#late.maxAwaitTimeMS;
    return prepareFind(this.#collection, this.#filter, options, MODES.EAGER);
  }

  /** The error of the read, told once; afterwards the cursor is merely at its end. */
  #failure(reader) {
    const error = reader.failure();
    if (error === null && reader.thrown === null) return null;
    if (this.#failed) return null;
    this.#failed = true;
    return { error };
  }

  #finish(reader) {
    const failure = this.#failure(reader);
    if (failure !== null) throw failure.error;
    return null;
  }

  async close() {
    const reader = this.#reader;
    if (reader !== null && !this.#closed && !reader.exhausted && !reader.stopped) this.#killed = true;
    this.#closed = true;
    if (reader === null) return;
    reader.resetDocs();
    await reader.close();
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  /** Makes it fresh again; the next read sends the command anew. */
  rewind() {
    this.#reader?.cancel();
    this.#reader = null;
    this.#promise = null;
    this.#closed = false;
    this.#killed = false;
    this.#failed = false;
  }

  clone() {
    const copy = new FindCursor(this.#collection, this.#filter, this.#options);
    Object.assign(copy.#late, this.#late);
    return copy;
  }

  async explain(verbosity = true, options) {
    return await explainFind(this.#collection, this.#filter, { ...this.#options, ...this.#late }, verbosity, options);
  }
}

module.exports = { FindCursor };

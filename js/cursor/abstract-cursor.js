'use strict';
// What all cursors that give eager documents share: reading.

const { CursorSettings } = require('./cursor-settings.js');
const { iterate } = require('./iterate.js');
const { WANT } = require('./reader.js');
const { CursorStream } = require('./stream.js');
const { watchRelease } = require('./release.js');
const { openReader } = require('../reads/read.js');
const { errors, invalidArgument, apiError } = require('../errors.js');

/** A subclass has _prepare(), which gives the read as openReader() takes it. */
class AbstractCursor extends CursorSettings {
  static CLOSE = 'close';

  #transform = null;
  #reader = null;
  #promise = null; // of `then`: awaiting a cursor twice gives the same array
  #closed = false;
  #killed = false;
  #failed = false;
  #told = false; // the event

  _checkFresh() {
    if (this.#reader !== null) throw new (errors().MongoCursorInUseError)();
  }

  // ---- what it is

  /** The number of the server's cursor: undefined before the first reply, 0 once the core has read to the end. */
  get id() {
    if (this.#reader === null) return undefined;
    const { Long } = this.client.bsonClasses;
    if (this.#reader.ended || this.#killed) return new Long(0);
    const cursor = this.#reader.request?.cursor;
    return cursor == null ? undefined : new Long(cursor.low, cursor.high);
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

  map(transform) {
    this._checkFresh();
    if (typeof transform !== 'function') throw invalidArgument('Argument "transform" must be a function');
    const before = this.#transform;
    this.#transform = before === null ? transform : (doc) => transform(before(doc));
    return this;
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
    this._options.signal?.throwIfAborted();
    if (this.#closed || this.#failed) return [];
    const reader = this.#open(false);
    await reader.until(WANT.ALL);
    const failure = this.#failure(reader);
    const docs = reader.takeDocs();
    // Not when rewound meanwhile.
    if (this.#reader === reader) {
      this.#closed = true;
      this.#emitClose();
    }
    if (failure !== null) throw failure.error;
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
    this._options.signal?.throwIfAborted();
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
    this._options.signal?.throwIfAborted();
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
    this._options.signal?.throwIfAborted();
    if (typeof callback !== 'function') throw invalidArgument('Argument "iterator" must be a function');
    for await (const doc of this) {
      if (callback(doc) === false) break;
    }
  }

  [Symbol.asyncIterator]() {
    return iterate(this, () => {
      // Documents that are decoded already cost one promise each, and no async frame.
      const reader = this.#reader;
      if (reader !== null && reader.buffered > 0 && this.#transform === null && !this._options.signal?.aborted) {
        return Promise.resolve({ value: reader.shift(), done: false });
      }
      return this.#step();
    });
  }

  async #step() {
    if (this.#killed) return { value: undefined, done: true };
    const value = await this.#next(WANT.DOCUMENT);
    return value === null ? { value: undefined, done: true } : { value, done: false };
  }

  stream() {
    return new CursorStream(this, this._options.signal);
  }

  async #map(doc) {
    let value;
    try {
      value = this.#transform(doc);
      if (value === null) {
        throw apiError('Cursor returned a `null` document, but the cursor is not exhausted.  Mapping documents to `null` is not supported in the cursor transform.');
      }
    } catch (error) {
      await this.close();
      throw error;
    }
    // A promise that rejects does not close it, as in the official driver.
    return await value;
  }

  // ---- its life

  #open(registered) {
    if (this.#reader === null) {
      this.#reader = openReader(this.client, this._prepare(), this._options.signal);
    }
    if (registered && !this.#reader.watched) watchRelease(this, this.#reader);
    return this.#reader;
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
    this.#emitClose();
    if (failure !== null) throw failure.error;
    return null;
  }

  #emitClose() {
    if (this.#told) return;
    this.#told = true;
    this.emit('close');
  }

  async close() {
    const reader = this.#reader;
    if (reader !== null && !this.#closed && !reader.exhausted && !reader.stopped) this.#killed = true;
    this.#closed = true;
    if (reader !== null) {
      if (reader.wait === null) reader.resetDocs(); // else whoever waits gets what there is
      await reader.close();
    }
    if (this.#reader === reader) this.#emitClose();
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  /** Makes it fresh again; the next read sends the command anew. */
  rewind() {
    if (this.#reader === null) return;
    this.#reader.cancel();
    this.#reader = null;
    this.#promise = null;
    this.#closed = false;
    this.#killed = false;
    this.#failed = false;
    this.#told = false;
  }
}

module.exports = { AbstractCursor };

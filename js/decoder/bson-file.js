'use strict';
// readBSON(): the documents of a .bson file, as mongodump writes it.

const { resolveBson } = require('../bson/classes.js');
const { iterate } = require('../cursor/iterate.js');
const { invalidArgument } = require('../errors.js');
const { FileBytes } = require('./file-bytes.js');
const { AHEAD, Plan, Segment } = require('./segments.js');

/** What reads the file. It does not refer to the cursor, so that one nobody holds is collected and the file closed. */
class FileReader {
  constructor(bytes, plan) {
    this.bytes = bytes;
    this.plan = plan;
    this.ahead = []; // promises of { segment, at }, { error } or null at the end
    this.last = Promise.resolve();
    this.reading = null; // the segment whose documents are next
    this.documents = [];
    this.given = 0;
    this.filling = null;
    this.over = false; // nothing comes any more
    this.failure = null; // { error }, to be thrown once documents are handed out
    this.closing = null;
  }

  get buffered() { return this.documents.length - this.given; }

  /** Resolves when there are documents or the file is over. */
  fill() {
    return this.filling ??= this.more().finally(() => { this.filling = null; });
  }

  async more() {
    while (!this.over && this.buffered === 0) {
      while (this.ahead.length < AHEAD) this.ahead.push(this.last = this.last.then(() => this.load()));
      const next = await this.ahead.shift();
      if (next === null) this.end(null);
      else if ('error' in next) this.end(next);
      else await this.read(next);
    }
    await this.closing; // who is told of the end finds the file closed
  }

  /** Never rejects. */
  async load() {
    try {
      const next = this.over ? null : await this.bytes.next();
      return next === null || this.over ? null : { segment: new Segment(this.plan, next.bytes), at: next.at };
    } catch (error) {
      return { error };
    }
  }

  async read({ segment, at }) {
    if (this.over) {
      segment.cancel();
      return;
    }
    this.reading = segment;
    const { documents, error } = await segment.read();
    this.reading = null;
    if (this.over) return;
    this.documents = documents;
    this.given = 0;
    if (error !== null) this.end({ error: this.bytes.locate(error, at + segment.at) });
  }

  take() {
    const { documents, given } = this;
    this.documents = [];
    this.given = 0;
    return given === 0 ? documents : documents.slice(given);
  }

  shift() {
    const document = this.documents[this.given];
    this.documents[this.given++] = undefined;
    return document;
  }

  end(failure) {
    if (this.over) return;
    this.over = true;
    this.failure = failure;
    this.close();
  }

  /** Throws what the file ended with, once. */
  finish() {
    const { failure } = this;
    this.failure = null;
    if (failure !== null) throw failure.error;
  }

  /** Stops without documents. */
  abort(reason) {
    this.end({ error: reason });
    this.take();
  }

  close() {
    this.over = true;
    this.reading?.cancel();
    for (const loading of this.ahead.splice(0)) loading.then((next) => next?.segment?.cancel());
    return this.closing ??= this.bytes.close();
  }
}

const released = new FinalizationRegistry((reader) => reader.close());

class BSONFileCursor {
  #reader;
  #off = null;

  constructor(reader, signal) {
    this.#reader = reader;
    released.register(this, reader, reader);
    if (signal != null) {
      const abort = () => reader.abort(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      this.#off = () => signal.removeEventListener('abort', abort);
      if (signal.aborted) abort();
    }
  }

  get closed() { return this.#reader.over && this.#reader.buffered === 0; }

  /** The next documents, some thousand at most of small ones, or null at the end. */
  async nextBatch() {
    const reader = this.#reader;
    while (reader.buffered === 0) {
      if (reader.over) return this.#finish(null);
      await reader.fill();
    }
    return reader.take();
  }

  [Symbol.asyncIterator]() {
    return iterate(this, () => {
      const reader = this.#reader;
      return reader.buffered > 0 ? Promise.resolve({ value: reader.shift(), done: false }) : this.#step();
    });
  }

  async #step() {
    const reader = this.#reader;
    while (reader.buffered === 0) {
      if (reader.over) return this.#finish({ value: undefined, done: true });
      await reader.fill();
    }
    return { value: reader.shift(), done: false };
  }

  #finish(nothing) {
    this.#off?.();
    this.#reader.finish();
    return nothing;
  }

  /** Resolves when the file is closed. */
  async close() {
    this.#off?.();
    this.#reader.take();
    this.#reader.failure = null;
    await this.#reader.close();
  }

  async [Symbol.asyncDispose]() { await this.close(); }
}

/**
 * The documents of a .bson file, also one compressed with gzip (or zstd, where Node.js knows it). Opened when it is first
 * read; memory stays bounded, whatever its size.
 *
 * @param {string | Buffer | URL} path
 * @param {object} [options] those of js-bson; `lazy: true` for lazy documents; `signal`; `bson`
 */
function readBSON(path, options) {
  if (typeof path !== 'string' && !Buffer.isBuffer(path) && !(path instanceof URL)) {
    throw invalidArgument('Argument "path" must be the path of a .bson file: a string, Buffer or URL; for bytes there is deserializeMany()');
  }
  const { lazy, signal } = options ?? {};
  if (lazy != null && typeof lazy !== 'boolean') throw invalidArgument('Option "lazy" must be true or false');
  if (signal != null && !(typeof signal.addEventListener === 'function' && 'aborted' in signal)) {
    throw invalidArgument('Option "signal" must be an AbortSignal');
  }
  const bson = resolveBson(options);
  return openBSON(path, new Plan(bson, options, lazy ? 'lazy' : 'frames'), signal);
}

/** The same for any plan. */
function openBSON(path, plan, signal) {
  return new BSONFileCursor(new FileReader(new FileBytes(path, plan.bson.BSONError), plan), signal);
}

module.exports = { BSONFileCursor, openBSON, readBSON };

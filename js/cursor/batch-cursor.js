'use strict';
// The cursor of collection.findCursor(): whole batches as the server sent them, or document by document.

const { iterate } = require('./iterate.js');
const { WANT } = require('./reader.js');
const { watchRelease } = require('./release.js');

/**
 * A batch of more documents comes in parts, of whole chunks. Where ten thousand are made at once nearly all survive V8's
 * young collections; it then makes documents of that shape in its old generation from the start (allocation site
 * pretenuring), and cursors take up to three times the CPU time and 100 MB more. The server's own batches, without a
 * batchSize, come chunk by chunk.
 */
const LARGE_BATCH = 1000;

class BatchCursor {
  #reader;
  #signal;
  #closed = false;

  /**
   * @param {import('./reader.js').Reader} reader already open
   * @param {AbortSignal} [signal]
   * @param {number} [batchSize] as the user gave it
   */
  constructor(reader, signal, batchSize) {
    this.#reader = reader;
    this.#signal = signal;
    reader.partDocs = batchSize > 0 ? LARGE_BATCH : 1;
    watchRelease(this, reader);
  }

  get closed() {
    return this.#closed || this.#reader.exhausted;
  }

  /** The next batch, or null at the end. A batch partly read by the iterator gives its rest. */
  async nextBatch() {
    const reader = this.#reader;
    this.#signal?.throwIfAborted();
    while (!this.#closed) {
      const atEnd = reader.exhausted || reader.stopped || (reader.ended && !reader.pending);
      if (reader.buffered > 0 && (reader.batchComplete || atEnd)) return reader.takeDocs();
      if (atEnd) return this.#finish();
      await reader.until(WANT.BATCH);
    }
    return null;
  }

  #finish() {
    this.#reader.throwIfFailed();
    return null;
  }

  [Symbol.asyncIterator]() {
    return iterate(this, () => {
      if (this.#reader.buffered > 0 && !this.#closed && !this.#signal?.aborted) {
        return Promise.resolve({ value: this.#reader.shift(), done: false });
      }
      return this.#step();
    });
  }

  async #step() {
    const reader = this.#reader;
    this.#signal?.throwIfAborted();
    while (!this.#closed) {
      if (reader.buffered > 0) return { value: reader.shift(), done: false };
      if (reader.exhausted || reader.stopped) {
        this.#finish();
        break;
      }
      await reader.until(WANT.DOCUMENT);
    }
    return { value: undefined, done: true };
  }

  /** Resolves when the server's cursor is closed. Documents not handed out yet are dropped. */
  async close() {
    this.#closed = true;
    this.#reader.resetDocs();
    await this.#reader.close();
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }
}

module.exports = { BatchCursor };

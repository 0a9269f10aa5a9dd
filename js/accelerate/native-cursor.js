'use strict';
// The server's cursor behind an official one, seen by the batch.

const { WANT } = require('../cursor/reader.js');
const { watchRelease } = require('../cursor/release.js');
const { NativeBatch } = require('./batch.js');

let opened = 0;

// By the number that stands for it: an official cursor hands that back, the same object, to read on or to close.
const byId = new WeakMap();

/** @returns the native cursor of the number an operation names, undefined when it is an official one's */
const nativeCursor = (id) => (id !== null && typeof id === 'object' ? byId.get(id) : undefined);

class NativeCursor {
  /**
   * @param {Reader} reader of a submitted request
   * @param {Function} Long the driver's own
   * @param {(reader: Reader) => {error: any}|null} failureOf the error a read ended with
   */
  constructor(reader, Long, failureOf) {
    this.reader = reader;
    this.Long = Long;
    this.failureOf = failureOf;
    this.id = null;
  }

  /** The next batch. Rejects with what the read ended with; an error of one document is that of the batch's place. */
  async batch() {
    const { reader } = this;
    await reader.until(WANT.BATCH);
    const docs = reader.takeDocs();
    const over = reader.stopped || (reader.ended && !reader.pending);
    if (!over) return new NativeBatch(this.number(), docs, null);
    const failure = this.failureOf(reader);
    if (failure === null) return new NativeBatch(this.Long.fromBigInt(0n), docs, null);
    // An error that follows whole batches belongs to the one that follows them.
    if (docs.length === 0) throw failure.error;
    if (reader.batchComplete) return new NativeBatch(this.number(), docs, null);
    return new NativeBatch(this.Long.fromBigInt(0n), docs, failure);
  }

  /** One for all batches. It cannot be the server's, which stays in the core. */
  number() {
    if (this.id === null) {
      this.id = this.Long.fromNumber(++opened);
      byId.set(this.id, this);
      // A cursor that was rewound, or that nobody holds any more, has one on the server.
      watchRelease(this.id, this.reader);
    }
    return this.id;
  }

  async close() {
    await this.reader.close();
  }
}

module.exports = { NativeCursor, nativeCursor };

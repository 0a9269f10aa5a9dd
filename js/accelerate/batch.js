'use strict';
// What a native read gives an official cursor in place of the driver's CursorResponse: a batch of documents, which are made
// already, and the number of its cursor.

class NativeBatch {
  /**
   * @param {import('bson').Long} id zero: nothing follows
   * @param {any[]} docs
   * @param {{error: any}|null} failure of the document behind the last one
   */
  constructor(id, docs, failure) {
    this.id = id;
    this.ns = null; // the cursor keeps its namespace
    this.batchSize = docs.length + (failure === null ? 0 : 1);
    this.docs = docs;
    this.taken = 0;
    this.failure = failure;
  }

  get length() {
    return this.batchSize - this.taken;
  }

  shift() {
    const { docs, taken } = this;
    if (taken < docs.length) {
      const doc = docs[taken];
      docs[taken] = undefined;
      this.taken++;
      return doc;
    }
    if (taken === this.batchSize) return null;
    this.taken++;
    throw this.failure.error;
  }

  clear() {
    this.docs = [];
    this.taken = this.batchSize;
  }
}

module.exports = { NativeBatch };

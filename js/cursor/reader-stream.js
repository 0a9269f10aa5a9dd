'use strict';
// A read as a stream of what its decoder makes: parts of a text, or batches.

const { Readable } = require('node:stream');
const { Caller } = require('./caller.js');
const { WANT } = require('./reader.js');
const { watchRelease } = require('./release.js');

class ReaderStream extends Readable {
  #open;
  #caller;
  #reader = null;

  /**
   * @param {() => import('./reader.js').Reader} open sends the command; called at the first read
   * @param {Function} method that was called for it
   * @param {import('node:stream').ReadableOptions} [options]
   */
  constructor(open, method, options = {}) {
    // One part at a time: what is buffered when an error comes would be lost.
    super({ ...options, highWaterMark: 1 });
    this.#open = open;
    this.#caller = new Caller(method);
  }

  async _read() {
    try {
      if (this.#reader === null) {
        this.#reader = this.#open();
        watchRelease(this, this.#reader);
      }
      const reader = this.#reader;
      while (reader.buffered === 0) {
        if (reader.exhausted || reader.stopped) {
          reader.throwIfFailed();
          if (!this.destroyed) this.push(null);
          return;
        }
        await reader.until(WANT.DOCUMENT);
      }
      if (!this.destroyed) this.push(reader.shift());
    } catch (error) {
      // Not before the call of read() that led here has handed out its part.
      queueMicrotask(() => this.destroy(this.#caller.mark(error)));
    }
  }

  /** Resolves when the server's cursor is closed. */
  _destroy(error, callback) {
    const reader = this.#reader;
    if (reader === null) {
      callback(error);
      return;
    }
    reader.resetDocs();
    reader.close().then(() => callback(error));
  }

  /** The same as a web stream, which asks for more when its reader does. */
  toWeb() {
    return Readable.toWeb(this);
  }
}

module.exports = { ReaderStream };

'use strict';
// A cursor as a Readable of documents.

const { Readable } = require('node:stream');
const { Caller } = require('./caller.js');

class CursorStream extends Readable {
  #cursor;
  #caller;
  #reading = false;

  constructor(cursor, signal) {
    super({ objectMode: true, highWaterMark: 16 });
    this.#cursor = cursor;
    this.#caller = new Caller(cursor.stream);
    if (signal != null) this.#watch(signal);
  }

  #watch(signal) {
    const abort = () => this.destroy(signal.reason);
    if (signal.aborted) {
      process.nextTick(abort);
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    this.once('close', () => signal.removeEventListener('abort', abort));
  }

  _read() {
    if (this.#reading) return;
    this.#reading = true;
    this.#fill();
  }

  async #fill() {
    try {
      for (;;) {
        // next() would throw; a stream of a cursor that was closed is merely at its end.
        const doc = this.#cursor.killed ? null : await this.#cursor.next();
        if (this.destroyed) return;
        if (doc === null) {
          this.push(null);
          return;
        }
        if (!this.push(doc)) return;
      }
    } catch (error) {
      this.destroy(this.#caller.mark(error));
    } finally {
      this.#reading = false;
    }
  }

  _destroy(error, callback) {
    this.#cursor.close().then(() => callback(error), (closing) => callback(error ?? closing));
  }
}

module.exports = { CursorStream };

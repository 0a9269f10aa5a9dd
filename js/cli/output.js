'use strict';

/** Writes to stdout at the pace of its reader, who may leave, as `head` does: that is no error. */
class Output {
  #stream;
  #wake = null;
  #error = null;

  constructor(stream) {
    this.#stream = stream;
    this.closed = false;
    // For as long as the process lives: what is buffered may fail when all is done here.
    stream.on('error', (error) => {
      if (error.code !== 'EPIPE') this.#error = error;
      this.#leave();
    });
    stream.once('close', () => this.#leave());
  }

  async write(bytes) {
    if (!this.closed && !this.#stream.write(bytes)) {
      await new Promise((resolve) => {
        this.#wake = resolve;
        this.#stream.once('drain', resolve);
      });
    }
    if (this.#error !== null) throw this.#error;
  }

  #leave() {
    this.closed = true;
    this.#wake?.();
  }
}

module.exports = { Output };

'use strict';

const EVERY_MS = 100;
const PLAIN_EVERY_MS = 5000; // where lines are not replaced

/** What is being done, on stderr: one line that is written over on a terminal, else a line now and then. */
class Progress {
  #stream;
  #title = '';
  #shown = 0;
  #open = false;

  constructor(stream) {
    this.#stream = stream;
  }

  start(title) {
    this.done();
    this.#title = title;
    this.#shown = performance.now();
    this.#write('');
  }

  /**
   * @param {number} count
   * @param {number} [total] where it is known
   * @param {() => string} [more] what else there is to say
   */
  update(count, total, more) {
    const now = performance.now();
    if (now - this.#shown < (this.#stream.isTTY ? EVERY_MS : PLAIN_EVERY_MS)) return;
    this.#shown = now;
    this.#write(`: ${count.toLocaleString('en')}${total > 0 ? ` of ${total.toLocaleString('en')}` : ''}${more?.() ?? ''}`);
  }

  #write(detail) {
    if (this.#stream.isTTY) this.#stream.write(`\r\x1b[2K${this.#title}${detail}`);
    else this.#stream.write(`${this.#title}${detail} ...\n`);
    this.#open = true;
  }

  done() {
    if (this.#open && this.#stream.isTTY) this.#stream.write('\r\x1b[2K');
    this.#open = false;
  }
}

module.exports = { Progress };

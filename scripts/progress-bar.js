'use strict';

const width = 30;

/** A bar that is redrawn in place on a terminal; elsewhere one line for each quarter. */
class ProgressBar {
  #title;
  #total;
  #stream;
  #begin = performance.now();
  #quarter = 0;

  constructor(title, total, stream = process.stdout) {
    this.#title = title;
    this.#total = total;
    this.#stream = stream;
  }

  update(done) {
    const share = done / this.#total;
    const seconds = (performance.now() - this.#begin) / 1000;
    const text = `${this.#title} ${done.toLocaleString('en')} of ${this.#total.toLocaleString('en')}, ${seconds.toFixed(1)} s`;
    if (this.#stream.isTTY) {
      const full = Math.round(share * width);
      this.#stream.write(`\r\x1b[2K[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${text}${share === 1 ? '\n' : ''}`);
    } else if (Math.floor(share * 4) > this.#quarter) {
      this.#quarter = Math.floor(share * 4);
      this.#stream.write(`${text}\n`);
    }
  }
}

module.exports = { ProgressBar };

'use strict';
// How far an export is, how fast, and how long it may take.

const { Progress } = require('../progress.js');

const WIDTH = 20;

const integer = (value) => Math.round(value).toLocaleString('en');

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 1)} MB`;
}

function duration(seconds) {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

class ExportProgress {
  #line;
  #tty;
  #began = performance.now();
  #first;
  total = 0; // 0: not known

  /** @param stderr @param {string} title @param {number} first documents that were there already */
  constructor(stderr, title, first) {
    this.#line = new Progress(stderr);
    this.#tty = stderr.isTTY;
    this.#first = first;
    this.#line.start(title);
  }

  update(documents, bytes) {
    this.#line.update(documents, this.total, () => this.#more(documents, bytes));
  }

  #more(documents, bytes) {
    const perSecond = this.#rate(documents);
    const known = this.total > 0;
    const share = known ? Math.min(1, documents / this.total) : 0;
    const bar = known && this.#tty ? ` [${'='.repeat(Math.round(share * WIDTH)).padEnd(WIDTH)}]` : '';
    const left = known && perSecond > 0 ? `, ${duration(Math.max(0, this.total - documents) / perSecond)} left` : '';
    return `${known ? ` (${Math.floor(share * 100)} %)` : ''}${bar}, ${integer(perSecond)}/s, ${megabytes(bytes)}${left}`;
  }

  #rate(documents) {
    const seconds = (performance.now() - this.#began) / 1000;
    return seconds > 0 ? (documents - this.#first) / seconds : 0;
  }

  done() {
    this.#line.done();
  }

  /** The last word. */
  summary(documents, bytes) {
    const seconds = (performance.now() - this.#began) / 1000;
    const resumed = this.#first > 0 ? `, ${integer(documents - this.#first)} of them now` : '';
    return `${integer(documents)} documents${resumed}, ${megabytes(bytes)} in ${seconds.toFixed(1)} s (${integer(this.#rate(documents))}/s)`;
  }
}

module.exports = { ExportProgress, duration };

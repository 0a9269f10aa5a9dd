'use strict';
// How long the reads take, and how long they keep the event loop from turning. Round by round, so that what else the machine
// does meets all of them.

const { setTimeout: sleep, setImmediate: nextTurn } = require('node:timers/promises');

/**
 * @param {object[]} readers with run()
 * @returns {Promise<{ name: string, note?: string, against?: string, ms: number, delayMs: number }[]>} medians
 */
async function measureReaders(readers, rounds, progress) {
  progress.start('measuring');
  const samples = readers.map(() => []);
  // Round 0 compiles code and fills the server's caches.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, reader] of readers.entries()) {
      const sample = await measure(reader.run);
      if (round > 0) samples[i].push(sample);
      progress.update(round * readers.length + i, (rounds + 1) * readers.length);
    }
  }
  return readers.map(({ name, note, against }, i) => ({
    name, note, against, ms: median(samples[i].map(({ ms }) => ms)), delayMs: median(samples[i].map(({ delayMs }) => delayMs)),
  }));
}

async function measure(run) {
  globalThis.gc?.();
  const gaps = new LoopGaps();
  await sleep(5);
  gaps.longest = 0;
  try {
    const began = performance.now();
    const result = await run();
    const ms = performance.now() - began;
    await nextTurn(); // the turn that ends with the read counts too
    return { ms, delayMs: gaps.stop(), result: result === undefined }; // it is alive until here
  } finally {
    gaps.stop(); // after an error too: a chain of timers keeps the process
  }
}

/** The gaps between the turns of the loop, seen by a chain of 1 ms timers. */
class LoopGaps {
  longest = 0;
  #last = performance.now();
  #timer;

  constructor() {
    const tick = () => {
      this.#note();
      this.#timer = setTimeout(tick, 1);
    };
    this.#timer = setTimeout(tick, 1);
  }

  #note() {
    const now = performance.now();
    this.longest = Math.max(this.longest, now - this.#last);
    this.#last = now;
  }

  stop() {
    clearTimeout(this.#timer);
    this.#note();
    return this.longest;
  }
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

module.exports = { measureReaders };

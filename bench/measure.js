'use strict';

const { monitorEventLoopDelay } = require('node:perf_hooks');
const { setTimeout: sleep, setImmediate: nextTurn } = require('node:timers/promises');

/**
 * Runs one read and measures it: wall time until read() resolves, CPU of all threads, and the longest time
 * the event loop did not turn, the turn after the read included. Garbage of earlier reads is collected
 * before the clock starts. The result comes back too, so it is alive until everything is measured.
 */
async function measure(read) {
  globalThis.gc?.();
  await sleep(20);
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  const watch = new LoopWatch();
  await sleep(5);
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const result = await read();
  const wallMs = performance.now() - begin;
  await nextTurn();
  await sleep(3);
  const { user, system } = process.cpuUsage(cpu);
  histogram.disable();
  const ownDelayMs = watch.stop();
  return {
    result,
    wallMs,
    cpuMs: (user + system) / 1000,
    // Two clocks: the histogram misses a block that its own timer was not armed for.
    delayMs: Math.max(histogram.max / 1e6, ownDelayMs),
    rssMB: process.memoryUsage.rss() / 1048576
  };
}

// The longest gap between two turns, seen by a chain of 1 ms timers.
class LoopWatch {
  #longest = 0;
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
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }

  stop() {
    clearTimeout(this.#timer);
    this.#note();
    return this.#longest;
  }
}

module.exports = { measure };

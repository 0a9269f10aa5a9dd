'use strict';

const fs = require('node:fs');
const { monitorEventLoopDelay, PerformanceObserver } = require('node:perf_hooks');
const { setTimeout: sleep, setImmediate: nextTurn } = require('node:timers/promises');

/**
 * Runs one read and measures it: wall time until read() resolves, CPU of all threads, how long the event loop did not
 * turn (the turn after the read included), the collector's time and the most memory the process had. Garbage of earlier
 * reads is collected before the clock starts. The result comes back too, so it is alive until everything is measured.
 */
async function measure(read) {
  globalThis.gc?.();
  await sleep(20);
  const collector = new CollectorWatch();
  resetPeakMemory();
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
  const gaps = watch.stop();
  return {
    result,
    wallMs,
    cpuMs: (user + system) / 1000,
    // Two clocks: the histogram misses a block that its own timer was not armed for.
    delayMs: Math.max(histogram.max / 1e6, ...gaps.slice(-1)),
    gaps,
    ...collector.stop(),
    rssMB: peakMemory()
  };
}

// The gaps between two turns, in ms and ascending, seen by a chain of 1 ms timers.
class LoopWatch {
  #gaps = [];
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
    this.#gaps.push(now - this.#last);
    this.#last = now;
  }

  stop() {
    clearTimeout(this.#timer);
    this.#note();
    return this.#gaps.sort((a, b) => a - b);
  }
}

// What V8's collector takes of the JavaScript thread.
class CollectorWatch {
  #pauses = [];
  #observer = new PerformanceObserver((list) => this.#note(list.getEntries()));

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  #note(entries) {
    for (const { duration } of entries) this.#pauses.push(duration);
  }

  stop() {
    this.#note(this.#observer.takeRecords());
    this.#observer.disconnect();
    return { gcMs: this.#pauses.reduce((sum, ms) => sum + ms, 0), gcPauseMs: Math.max(0, ...this.#pauses) };
  }
}

// Linux keeps the most memory a process ever had, and forgets it when asked. Elsewhere it is that of the whole life.
function resetPeakMemory() {
  try {
    fs.writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // not Linux, or not allowed
  }
}

function peakMemory() {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(fs.readFileSync('/proc/self/status', 'latin1'))[1]) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}

/** CPU time of the JavaScript thread in ms, as the scheduler of Linux counts it; NaN elsewhere. */
function threadTime() {
  try {
    return Number(fs.readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return NaN;
  }
}

module.exports = { measure, threadTime };

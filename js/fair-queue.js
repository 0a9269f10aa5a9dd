'use strict';
// One queue for everything that makes objects: jobs of different requests take turns, and after a short time the event
// loop gets its turn, so ten readers of a hundred megabytes leave timers and sockets running.

const TURN_MS = 2;
// What else the loop may do before a turn of the queue, which otherwise lets timers run first.
const PATIENCE_MS = 4;

class FairQueue {
  /**
   * @param {object} [options]
   * @param {number} [options.turnMs] how long the queue works in one turn of the event loop
   * @param {() => number} [options.now] milliseconds
   * @param {(fn: () => void) => void} [options.later] runs fn once timers and sockets had their turn
   */
  constructor({ turnMs = TURN_MS, now = () => performance.now(), later = setImmediate } = {}) {
    this.turnMs = turnMs;
    this.now = now;
    this.later = later;
    this.ring = []; // jobs waiting, from head on
    this.head = 0;
    this.scheduled = false;
    this.since = 0; // when the next turn was asked for
    this.waited = false; // it has let others go first once
    this.turn = () => this.run();
  }

  /** How many jobs are waiting. */
  get length() {
    return this.ring.length - this.head;
  }

  /**
   * Adds a job. It is called later, never from push, again and again until it returns true; each call should do one
   * slice of about a millisecond at most. A job catches its own errors: only its owner knows whom to tell. It restores
   * its own async context, if its owner needs one.
   * @param {() => boolean} job
   */
  push(job) {
    this.ring.push(job);
    if (!this.scheduled) {
      this.scheduled = true;
      this.schedule();
    }
  }

  schedule() {
    this.since = this.now();
    this.later(this.turn);
  }

  run() {
    const begin = this.now();
    // V8 collects its young generation in a task of its own, just before this in the same turn of the loop: what is as
    // long as several turns of ours should not be made longer by one. Once only, or a busy loop would stop all reads.
    if (begin - this.since > PATIENCE_MS && !this.waited) {
      this.waited = true;
      this.schedule();
      return;
    }
    this.waited = false;
    const end = begin + this.turnMs;
    try {
      do {
        const job = this.ring[this.head];
        this.ring[this.head++] = undefined;
        if (!job()) this.ring.push(job);
      } while (this.head < this.ring.length && this.now() < end);
    } finally {
      // An error that escaped from a job surfaces as an uncaught one, as it should; the other jobs go on.
      this.shrink();
      this.scheduled = this.head < this.ring.length;
      if (this.scheduled) this.schedule();
    }
  }

  shrink() {
    if (this.head === this.ring.length) {
      this.ring.length = this.head = 0;
    } else if (this.head > 1024 && this.head * 2 > this.ring.length) {
      this.ring.splice(0, this.head);
      this.head = 0;
    }
  }
}

/** The queue of this environment. */
const fairQueue = new FairQueue();

/** @param {() => boolean} job see FairQueue.push */
function push(job) {
  fairQueue.push(job);
}

module.exports = { FairQueue, fairQueue, push };

'use strict';
// An abort signal and a time limit as one signal, for one task.

const { invalidArgument } = require('../errors.js');

const MAX_MS = 2 ** 31 - 1;

/** The reason of an abort by the clock. The error is made by whoever throws it to the caller, for the stack. */
class TimedOut {
  constructor(ms) {
    this.ms = ms;
  }
}

function checkTimeout(timeoutMS) {
  if (timeoutMS == null) return;
  if (!(Number.isInteger(timeoutMS) && timeoutMS > 0 && timeoutMS <= MAX_MS)) {
    throw invalidArgument(`Option "timeoutMS" must be a whole number of milliseconds from 1 to ${MAX_MS}`);
  }
}

/**
 * @param {AbortSignal | null} [signal]
 * @param {number | null} [timeoutMS]
 * @returns {{ signal?: AbortSignal, done(): void }} done: to be called when the task has settled
 */
function limitOf(signal, timeoutMS) {
  if (timeoutMS == null) return { signal: signal ?? undefined, done() {} };
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => controller.abort(new TimedOut(timeoutMS)), timeoutMS);
  return {
    signal: controller.signal,
    done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

module.exports = { limitOf, checkTimeout, TimedOut };

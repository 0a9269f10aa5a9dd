'use strict';
// Two functions beside each other, and whether their results are the same.

const { DifferenceWalk } = require('../deep-equal.js');
const { SequenceComparison } = require('./sequence.js');
const { inSlices } = require('./slices.js');
const { divergence, whereOf } = require('./report.js');

const STEPS = 1000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @typedef {{ threw: boolean, value: unknown, error: unknown, ms: number }} Outcome */

/** A function's outcome as data; a synchronous throw counts like a rejection. @returns {Promise<Outcome>} */
async function settle(fn) {
  const began = performance.now();
  try {
    const value = await fn();
    return { threw: false, value, error: undefined, ms: performance.now() - began };
  } catch (error) {
    return { threw: true, value: undefined, error, ms: performance.now() - began };
  }
}

/**
 * The outcome, or null when it has not come by then. The timer keeps the process alive: somebody waits for the official
 * result.
 */
async function within(outcome, limitMS) {
  if (limitMS > LONGEST_TIMER_MS) return await outcome; // setTimeout takes that for 1 ms
  let timer;
  const expired = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMS, null);
  });
  try {
    return await Promise.race([outcome, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {(signal: AbortSignal) => unknown} nativeFn its signal aborts when it has run for too long
 * @param {() => unknown} officialFn
 * @param {number} limitMS how long the native one may run on after the official outcome
 * @returns {Promise<{ native: Outcome | null, official: Outcome, settled: Promise<unknown> }>} settled: when ours is over
 */
async function sideBySide(nativeFn, officialFn, limitMS) {
  const controller = new AbortController();
  const settled = settle(() => nativeFn(controller.signal));
  const official = await settle(officialFn);
  const native = await within(settled, limitMS);
  if (native === null) controller.abort(new Error(`shadow: not done ${limitMS} ms after the official read`));
  return { native, official, settled };
}

/**
 * @param {Outcome | null} native null: it took too long
 * @param {Outcome} official
 * @returns {Promise<object | null>} a divergence; never rejects, or our side would have made the caller's error
 */
async function divergenceOf(native, official) {
  try {
    return await compare(native, official);
  } catch (error) {
    // A lazy document may throw when a malformed value is read for the first time, and an error may have getters.
    return { ...divergence('native threw', { native: native?.value, official: official.value }), error };
  }
}

async function compare(native, official) {
  const results = { native: native?.value, official: official.value };
  if (native === null) return divergence('native timed out', results);
  if (native.threw && official.threw) {
    // Both refused: the same refusal is parity.
    return sameError(native.error, official.error) ? null
      : { ...divergence('native threw', results), error: native.error, officialError: official.error };
  }
  if (native.threw) return { ...divergence('native threw', results), error: native.error };
  if (official.threw) return { ...divergence('official threw', results), error: official.error };
  return await compareValues(native.value, official.value);
}

async function compareValues(native, official) {
  const results = { native, official };
  const found = Array.isArray(native) && Array.isArray(official) ? await compareArrays(native, official) : await compareWhole(native, official);
  if (found === null) return null;
  const { reason, a, b, ...where } = found;
  return divergence(reason, results, { ...whereOf(where), a, b });
}

async function compareArrays(native, official) {
  const sequence = new SequenceComparison();
  sequence.load(native, official);
  await inSlices((deadline) => sequence.step(deadline));
  return sequence.finish();
}

async function compareWhole(native, official) {
  const walk = new DifferenceWalk(native, official);
  let found;
  await inSlices((deadline) => {
    do found = walk.run(STEPS);
    while (found === undefined && performance.now() < deadline);
    return found !== undefined;
  });
  return found;
}

const sameError = (a, b) => a?.name === b?.name && a?.code === b?.code;

module.exports = { settle, within, sideBySide, divergenceOf, sameError };

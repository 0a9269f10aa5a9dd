'use strict';
// Shadow mode: the official driver answers, ours runs beside it and is compared. Whatever ours does, the caller gets
// exactly what the official function gave, its error included.

const { firstDifference } = require('./deep-equal.js');
const { invalidArgument } = require('./errors.js');

const DEFAULT_LIMIT_MS = 5000;

/**
 * @typedef {object} Divergence
 * @property {string} reason 'value', 'type', 'class', 'length', 'missing in the first' (native), 'missing in the
 *   second' (official), 'native threw', 'official threw' or 'native timed out'
 * @property {string} path the first differing path, '' for the whole result or where one side has no result
 * @property {unknown} native our result; undefined when there is none
 * @property {unknown} official the official result; undefined when it threw
 * @property {unknown} [nativeValue] our value at `path`
 * @property {unknown} [officialValue] the official value at `path`
 * @property {unknown} [error] what was thrown, by the side that threw
 */

/**
 * Runs both functions side by side, compares, reports a difference, and gives the official outcome.
 *
 * It waits for ours before it resolves, so that a caller who changes the result does not disturb the comparison, but
 * never longer than `limitMS` after the official outcome.
 * @template T
 * @param {() => unknown} nativeFn the rumongo-go read
 * @param {() => PromiseLike<T> | T} officialFn the official read; what it gives or throws is what the caller gets
 * @param {(divergence: Divergence) => void} onDivergence called at most once; what it throws becomes a process warning
 * @param {{ limitMS?: number }} [options] limitMS: how long, in ms, ours may run on after the official outcome before
 *   that is a divergence of its own (default 5000)
 * @returns {Promise<T>}
 * @throws {MongoInvalidArgumentError} when an argument is no function, or limitMS no number of ms
 */
async function shadow(nativeFn, officialFn, onDivergence, options = {}) {
  for (const [name, value] of Object.entries({ nativeFn, officialFn, onDivergence })) {
    if (typeof value !== 'function') {
      throw invalidArgument(`shadow: ${name} must be a function, got ${value === null ? 'null' : typeof value}`);
    }
  }
  const limitMS = options?.limitMS ?? DEFAULT_LIMIT_MS;
  if (typeof limitMS !== 'number' || !(limitMS >= 0)) {
    throw invalidArgument('shadow: limitMS must be a number of milliseconds, 0 or more');
  }

  const nativeOutcome = settle(nativeFn);
  const official = await settle(officialFn);
  const native = await within(nativeOutcome, limitMS);
  report(divergenceOf(native, official), onDivergence);
  if (official.threw) throw official.error;
  return official.value;
}

/** A function's outcome as data; a synchronous throw counts like a rejection. */
async function settle(fn) {
  try {
    return { threw: false, value: await fn(), error: undefined };
  } catch (error) {
    return { threw: true, value: undefined, error };
  }
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

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

/** The difference, if any; never throws, or our side would have made the caller's error. */
function divergenceOf(native, official) {
  try {
    return compare(native, official);
  } catch (error) {
    // A lazy document may throw when a malformed value is read for the first time, and an error may have getters.
    return { reason: 'native threw', native: native?.value, official: official.value, path: '', error };
  }
}

function compare(native, official) {
  const results = { native: native?.value, official: official.value, path: '' };
  if (native === null) return { reason: 'native timed out', ...results };
  if (native.threw && official.threw) {
    // Both refused: the same refusal is parity.
    return sameError(native.error, official.error) ? null : { reason: 'native threw', ...results, error: native.error };
  }
  if (native.threw) return { reason: 'native threw', ...results, error: native.error };
  if (official.threw) return { reason: 'official threw', ...results, error: official.error };
  const difference = firstDifference(native.value, official.value);
  if (difference === null) return null;
  return {
    reason: difference.reason,
    ...results,
    path: difference.path,
    nativeValue: difference.a,
    officialValue: difference.b,
  };
}

function sameError(a, b) {
  return a?.name === b?.name && a?.code === b?.code;
}

function report(divergence, onDivergence) {
  if (divergence === null) return;
  // rumongo calls our side's result `rust`; code written for it goes on working.
  Object.defineProperty(divergence, 'rust', { value: divergence.native ?? [], enumerable: false });
  try {
    const returned = onDivergence(divergence);
    if (typeof returned?.then === 'function') returned.then(undefined, warn);
  } catch (error) {
    warn(error);
  }
}

function warn(error) {
  let why = '';
  try {
    why = String(error?.message ?? error);
  } catch {
    why = 'with what cannot be read';
  }
  process.emitWarning(`shadow: onDivergence failed: ${why}`, 'RumongoGoWarning');
}

module.exports = { shadow };

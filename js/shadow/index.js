'use strict';
// Shadow mode: the official driver answers, ours runs beside it and is compared. Whatever ours does, the caller gets
// exactly what the official function gave, its error included.
//
// The comparison is over before the result is handed out: its owner may change it then, and a copy would cost the thread
// as much as comparing. So the caller waits for the slower of both, and for limitMS at most when that is ours.

const { invalidArgument } = require('../errors.js');
const { sideBySide, divergenceOf } = require('./side-by-side.js');
const { ShadowSummary } = require('./summary.js');
const { shadowCollection } = require('./collection.js');
const { checkOptions, checkLimit, kindOf } = require('./options.js');
const { tell, printable } = require('./report.js');

const DEFAULT_LIMIT_MS = 5000;

/**
 * Runs both functions side by side, compares, reports a difference, and gives the official outcome.
 * @template T
 * @param {(context: { signal: AbortSignal }) => unknown} nativeFn the rumongo-go read; the signal aborts at the time limit
 * @param {() => PromiseLike<T> | T} officialFn the official read; what it gives or throws is what the caller gets
 * @param {(divergence: object) => void} onDivergence called at most once; what it throws becomes a process warning
 * @param {{ limitMS?: number, summary?: ShadowSummary }} [options] limitMS: how long, in ms, ours may run on after the
 *   official outcome before that is a divergence of its own (default 5000)
 * @returns {Promise<T>}
 * @throws {MongoInvalidArgumentError} when an argument is not what it should be
 */
async function shadow(nativeFn, officialFn, onDivergence, options) {
  for (const [name, value] of Object.entries({ nativeFn, officialFn, onDivergence })) {
    if (typeof value !== 'function') throw invalidArgument(`shadow: ${name} must be a function, got ${kindOf(value)}`);
  }
  const { limitMS: limit, summary } = checkOptions('shadow', options, ['limitMS', 'summary']);
  const limitMS = checkLimit('shadow', limit, DEFAULT_LIMIT_MS);
  if (summary !== undefined && !(summary instanceof ShadowSummary)) throw invalidArgument('shadow: summary must be a ShadowSummary');

  summary?._count('reads');
  const { native, official } = await sideBySide((signal) => nativeFn({ signal }), officialFn, limitMS);
  const found = await divergenceOf(native, official);
  const documents = Array.isArray(official.value) ? official.value.length : official.threw || official.value == null ? 0 : 1;
  summary?._compared({ divergence: found, documents, nativeMs: native?.ms ?? null, officialMs: official.ms });
  if (found !== null) {
    // rumongo calls our side's result `rust`; code written for it goes on working.
    Object.defineProperty(found, 'rust', { value: found.native ?? [], enumerable: false });
    tell(onDivergence, 'onDivergence', printable(found));
  }
  if (official.threw) throw official.error;
  return official.value;
}

module.exports = { shadow, shadowCollection, ShadowSummary };

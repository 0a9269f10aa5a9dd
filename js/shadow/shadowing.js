'use strict';
// The shadow of one collection: which reads are compared, how many at a time, and what becomes of the findings.

const { sideBySide, divergenceOf } = require('./side-by-side.js');
const { ShadowSummary } = require('./summary.js');
const { tell, printable } = require('./report.js');
const { snapshot } = require('./snapshot.js');

// Where ours hangs every caller would wait for limitMS: after so many timeouts in a row, none does for a while.
const MOST_TIMEOUTS = 5;
const PAUSE_MS = 30_000;

class Shadowing {
  #active = 0;
  #timeouts = 0; // in a row
  #pausedUntil = 0;
  #settings;

  /** @param {{ namespace: string, sampleRate: number, maxConcurrent: number, limitMS: number, idleMS: number, onDivergence?: Function, onMatch?: Function, summary?: ShadowSummary }} settings */
  constructor(settings) {
    this.#settings = settings;
    this.summary = settings.summary ?? new ShadowSummary();
  }

  get limitMS() {
    return this.#settings.limitMS;
  }

  get idleMS() {
    return this.#settings.idleMS;
  }

  /** Counts a read. @returns {boolean} whether it is one of those to compare */
  sample() {
    this.summary._count('reads');
    if (Math.random() < this.#settings.sampleRate) return true;
    this.summary._count('notSampled');
    return false;
  }

  /** @returns {boolean} whether another comparison may begin; give() is its end */
  take() {
    if (performance.now() < this.#pausedUntil) {
      this.summary._count('paused');
      return false;
    }
    if (this.#active >= this.#settings.maxConcurrent) {
      this.summary._count('busy');
      return false;
    }
    this.#active++;
    return true;
  }

  give() {
    this.#active--;
  }

  /**
   * A read whose result is one value.
   * @param {{ operation: string, query: () => object, sorted?: boolean, refused: boolean }} read
   * @param {() => Promise<unknown>} officialCall
   * @param {(signal: AbortSignal) => Promise<unknown>} nativeCall
   */
  async value({ operation, query, sorted, refused }, officialCall, nativeCall) {
    if (!this.sample()) return await officialCall();
    if (refused) {
      this.summary._count('notComparable');
      return await officialCall();
    }
    if (!this.take()) return await officialCall();
    const asked = query();
    const { native, official, settled } = await sideBySide(nativeCall, officialCall, this.limitMS);
    const found = await divergenceOf(native, official);
    if (found !== null) {
      for (const name of ['official', 'officialValue']) if (name in found) found[name] = snapshot(found[name]);
    }
    settled.then(() => this.give());
    this.conclude({
      operation,
      query: asked,
      sorted,
      found,
      documents: official.threw ? 0 : Array.isArray(official.value) ? official.value.length : 1,
      nativeMs: native === null || native.threw ? null : native.ms,
      officialMs: official.ms,
    });
    if (official.threw) throw official.error;
    return official.value;
  }

  conclude({ operation, query, sorted, found, documents, nativeMs, officialMs }) {
    const { namespace, onDivergence, onMatch } = this.#settings;
    const divergence = found === null ? null : printable({ operation, namespace, query, ...found });
    if (divergence !== null && sorted !== undefined) divergence.sorted = sorted;
    this.#watch(found);
    this.summary._compared({ divergence, documents, nativeMs, officialMs });
    if (divergence !== null) tell(onDivergence, 'onDivergence', divergence);
    else tell(onMatch, 'onMatch', { operation, namespace, query, documents, nativeMs, officialMs });
  }

  #watch(found) {
    this.#timeouts = found?.reason === 'native timed out' ? this.#timeouts + 1 : 0;
    if (this.#timeouts < MOST_TIMEOUTS) return;
    this.#timeouts = 0;
    this.#pausedUntil = performance.now() + PAUSE_MS;
  }
}

module.exports = { Shadowing };

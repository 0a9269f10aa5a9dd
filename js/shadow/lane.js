'use strict';
// Our side of a cursor: read as far as the caller reads the official one, compared, and let go. Neither result is kept, so
// that the memory of a comparison does not grow with them. Documents are compared before the caller gets them.
//
// Everything here that fails is a divergence; no method rejects.

const { SequenceComparison } = require('./sequence.js');
const { settle, within, sameError } = require('./side-by-side.js');
const { inSlices } = require('./slices.js');
const { snapshot } = require('./snapshot.js');
const { divergence, whereOf } = require('./report.js');

const NEW = 0;
const OPEN = 1;
const OVER = 2;

class Lane {
  #shadowing;
  #read;
  #state = NEW;
  #native = null; // { cursor, error }: one of them
  #sequence = new SequenceComparison({ keep: snapshot });
  #queue = Promise.resolve(); // comparisons, one after the other
  #pulling = null;
  #docs = []; // of ours, not compared yet
  #at = 0; // the first of them
  #ended = false; // ours
  #nativeMs = 0;
  #idle = null;

  /** Time that the official side has taken so far. */
  officialMs = 0;

  /**
   * @param {import('./shadowing.js').Shadowing} shadowing
   * @param {{ operation: string, query: () => object,
   *   native: () => { cursor: object | null, error: unknown }, sorted: () => boolean, refusal: () => boolean }} read native and refusal:
   *   our cursor, and whether it is not to be compared, are asked for when reading begins
   */
  constructor(shadowing, read) {
    this.#shadowing = shadowing;
    this.#read = read;
  }

  get begun() {
    return this.#state !== NEW;
  }

  get over() {
    return this.#state === OVER;
  }

  /** The caller reads. @returns {boolean} whether it is observed */
  begin() {
    if (this.#state === NEW) this.#open();
    if (this.#state !== OPEN) return false;
    this.#idle.refresh();
    if (this.#pulling === null && this.#at >= this.#docs.length && !this.#ended) this.#pull();
    return true;
  }

  #open() {
    this.#state = OVER;
    if (this.#read.refusal()) {
      this.#shadowing.summary._count('notComparable');
      return;
    }
    if (!this.#shadowing.take()) return;
    this.#state = OPEN;
    this.#native = this.#read.native();
    // A cursor that is left half read would keep its place, and ours on the server, for ever.
    this.#idle = setTimeout(() => this.leave(), this.#shadowing.idleMS);
    this.#idle.unref();
  }

  #pull() {
    const { cursor, error } = this.#native;
    this.#pulling = settle(async () => {
      if (cursor === null) throw error;
      const doc = await cursor.next();
      return doc === null ? null : [doc].concat(cursor.readBufferedDocuments());
    }).then((outcome) => {
      this.#nativeMs += outcome.ms;
      return outcome;
    });
  }

  /** Documents of the official side, in order. Resolves when they have been compared. */
  async observe(docs) {
    await this.#then(() => this.#compare(docs));
  }

  /** The official side is at its end. */
  async end() {
    await this.#then(async () => {
      if (!(await this.#more())) return;
      await this.#load(this.#rest(), []);
      this.#conclude(this.#found(this.#sequence.finish()));
    });
  }

  async officialFailed(error) {
    await this.#then(async () => {
      const failure = { error: null };
      if (!(await this.#more(failure))) {
        if (failure.error === null) return;
        const same = sameError(failure.error.value, error);
        this.#conclude(same ? null : { ...divergence('native threw', {}), error: failure.error.value, officialError: error });
        return;
      }
      this.#conclude({ ...divergence('official threw', {}), error, index: this.#sequence.count });
    });
  }

  /** The caller reads no further. */
  leave() {
    if (this.#state === NEW) this.#state = OVER;
    if (this.#state !== OPEN) return;
    if (this.#sequence.count > 0 && !this.#sequence.undecided) {
      this.#conclude(this.#found(this.#sequence.decided));
      return;
    }
    this.#shadowing.summary._count('unfinished');
    this.#close();
  }

  /** One after the other, and only as long as there is something to compare. */
  #then(work) {
    this.#queue = this.#queue.then(async () => {
      if (this.#state !== OPEN) return;
      try {
        await work();
      } catch (error) {
        // A value of ours that cannot be decoded, for one.
        this.#conclude({ ...divergence('native threw', {}), error, index: this.#sequence.count });
      }
    });
    return this.#queue;
  }

  async #compare(docs) {
    for (let at = 0; at < docs.length;) {
      if (!(await this.#more())) return;
      const count = this.#ended ? docs.length - at : Math.min(this.#docs.length - this.#at, docs.length - at);
      const natives = this.#docs.slice(this.#at, this.#at + count);
      this.#at += count;
      await this.#load(natives, docs.slice(at, at + count));
      at += count;
      if (this.#state !== OPEN) return;
      if (this.#sequence.decided !== null || this.#ended) {
        this.#conclude(this.#found(this.#sequence.finish()));
        return;
      }
    }
  }

  async #load(natives, officials) {
    this.#sequence.load(natives, officials);
    await inSlices((deadline) => this.#sequence.step(deadline));
  }

  /**
   * Waits until there is a document of ours, or no more of them.
   * @param {{ error: object | null } | null} [failure] takes the error of ours, which is reported otherwise
   * @returns {Promise<boolean>} false when there is nothing to compare with any more
   */
  async #more(failure = null) {
    if (this.#at < this.#docs.length || this.#ended) return true;
    if (this.#pulling === null) this.#pull();
    const outcome = await within(this.#pulling, this.#shadowing.limitMS);
    if (this.#state !== OPEN) return false;
    if (outcome === null) {
      this.#conclude({ ...divergence('native timed out', {}), index: this.#sequence.count });
      return false;
    }
    this.#pulling = null;
    if (outcome.threw) {
      if (failure !== null) failure.error = { value: outcome.error };
      else this.#conclude({ ...divergence('native threw', {}), error: outcome.error, index: this.#sequence.count });
      return false;
    }
    this.#ended = outcome.value === null;
    this.#docs = outcome.value ?? [];
    this.#at = 0;
    return true;
  }

  #rest() {
    const rest = this.#docs.slice(this.#at);
    this.#at = this.#docs.length;
    return rest;
  }

  #found(finding) {
    if (finding === null) return null;
    const { reason, native, official, a, b, ...where } = finding;
    return divergence(reason, { native, official: snapshot(official) }, { ...whereOf(where), a, b: snapshot(b) });
  }

  #conclude(found) {
    if (this.#state !== OPEN) return;
    const { operation, query, sorted } = this.#read;
    const cutShort = found !== null && (found.reason === 'native timed out' || found.reason === 'native threw');
    this.#close();
    this.#shadowing.conclude({
      operation,
      query: query(),
      sorted: sorted(),
      found,
      documents: this.#sequence.count,
      nativeMs: cutShort ? null : this.#nativeMs,
      officialMs: this.officialMs,
    });
  }

  #close() {
    this.#state = OVER;
    clearTimeout(this.#idle);
    this.#docs = [];
    const { cursor } = this.#native;
    const closed = this.#ended || cursor === null ? null : settle(() => cursor.close());
    // Its place is free when ours is really over: of what hangs there are never more than maxConcurrent.
    Promise.all([this.#pulling, closed]).then(() => this.#shadowing.give());
  }
}

module.exports = { Lane };

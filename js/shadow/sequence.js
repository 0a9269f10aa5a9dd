'use strict';
// Compares two sequences of documents, part by part. Documents at the same place are compared as they come and let go;
// those that are not equal are kept by fingerprint, so that a different order can be told from different documents.
// Memory is bounded: a number of fingerprints, and copies of documents up to a number of bytes.

const { DifferenceWalk, firstDifference } = require('../deep-equal.js');
const { fingerprint } = require('./fingerprint.js');

const STEPS = 1000; // between two looks at the clock
const MOST_HELD = 20_000; // on each side
const MOST_COPIED_BYTES = 4 * 1024 * 1024; // on each side

/**
 * @typedef {object} Finding
 * @property {string} reason as in deep-equal.js, or 'order'
 * @property {number} index of the document, in the official result; in ours when that has no such document
 * @property {number} [nativeIndex] where ours has it, when that is elsewhere
 * @property {string} path within the document
 * @property {unknown} a our value there
 * @property {unknown} b the official value there
 * @property {unknown} native our document
 * @property {unknown} official the official document
 * @property {boolean} [orderUnknown] too much differs to tell whether only the order does
 */
class SequenceComparison {
  #keep;
  #mostHeld;
  #natives = [];
  #officials = [];
  #at = 0;
  #walk = null;
  #index = 0; // of the next pair, from the beginning of both sequences
  #first = null;
  #held = { native: new Held(), official: new Held() };

  /** The difference that is there whatever is still to come: what is loaded then is not looked at. @type {Finding | null} */
  decided = null;

  /**
   * @param {{ keep?: (doc: unknown) => unknown, mostHeld?: number }} [options] keep: makes what is kept of an official
   *   document, that its owner may change
   */
  constructor({ keep = (doc) => doc, mostHeld = MOST_HELD } = {}) {
    this.#keep = keep;
    this.#mostHeld = mostHeld;
  }

  /** How many documents have been compared. */
  get count() {
    return this.#index;
  }

  /** Whether it takes the rest to know if only the order differs. */
  get undecided() {
    return this.decided === null && this.#first !== null;
  }

  /** The next documents of both. The longer list has what the other sequence has no documents for any more. */
  load(natives, officials) {
    this.#natives = natives;
    this.#officials = officials;
    this.#at = 0;
  }

  /** @param {number} deadline @returns {boolean} whether all that was loaded has been compared */
  step(deadline) {
    const count = Math.max(this.#natives.length, this.#officials.length);
    while (this.#at < count && this.decided === null) {
      this.#compare();
      if (performance.now() >= deadline) break;
    }
    if (this.#at < count && this.decided === null) return false;
    this.load([], []);
    return true;
  }

  #compare() {
    const at = this.#at;
    if (at >= this.#natives.length) return this.#alone('official', this.#officials[at]);
    if (at >= this.#officials.length) return this.#alone('native', this.#natives[at]);
    this.#walk ??= new DifferenceWalk(this.#natives[at], this.#officials[at]);
    const found = this.#walk.run(STEPS);
    if (found === undefined) return;
    if (found !== null) this.#differ(found, this.#natives[at], this.#officials[at]);
    this.#next();
  }

  #next() {
    this.#walk = null;
    this.#at++;
    this.#index++;
  }

  #differ(found, native, official) {
    const finding = { ...found, index: this.#index, native, official };
    if (sameId(native, official)) {
      this.decided = finding;
      return;
    }
    this.#first ??= { ...finding, b: this.#keep(found.b), official: this.#keep(official) };
    this.#hold('native', native);
    this.#hold('official', official);
  }

  #alone(side, doc) {
    const missing = side === 'native'
      ? { reason: 'missing in the second', a: doc, b: undefined, native: doc, official: undefined }
      : { reason: 'missing in the first', a: undefined, b: this.#keep(doc), native: undefined, official: this.#keep(doc) };
    this.#first ??= { ...missing, path: '', index: this.#index };
    this.#hold(side, doc);
    this.#next();
  }

  #hold(side, doc) {
    if (this.decided !== null) return;
    const print = fingerprint(doc);
    const other = this.#held[side === 'native' ? 'official' : 'native'];
    if (print !== null && other.take(print.hash)) return;
    if (print === null || this.#held[side].size >= this.#mostHeld) {
      this.decided = { ...this.#first, orderUnknown: true };
      return;
    }
    this.#held[side].add(print, this.#index, doc, side === 'official' ? this.#keep : (same) => same);
  }

  /** When both sequences are at their end. @returns {Finding | null} */
  finish() {
    if (this.decided !== null || this.#first === null) return this.decided;
    const official = this.#held.official.first();
    const native = official === undefined ? this.#held.native.first() : this.#held.native.partnerOf(official);
    if (official === undefined && native === undefined) return { ...this.#first, reason: 'order' };
    return this.#leftOver(native, official);
  }

  #leftOver(native, official) {
    const docs = { native: native?.doc, official: official?.doc };
    if (official === undefined) return { reason: 'missing in the second', index: native.index, path: '', a: native.doc, b: undefined, ...docs };
    if (native === undefined) return { reason: 'missing in the first', index: official.index, path: '', a: undefined, b: official.doc, ...docs };
    const found = native.copied && official.copied ? firstDifference(native.doc, official.doc) : null;
    return { reason: 'value', path: '', a: native.doc, b: official.doc, ...found, index: official.index, nativeIndex: native.index, ...docs };
  }
}

/** Documents of one side that the other side has not had so far. */
class Held {
  #byHash = new Map(); // -> [{ index, id, doc, copied }]
  #copiedBytes = 0;
  size = 0;

  add({ hash, size }, index, doc, keep) {
    const copied = this.#copiedBytes + size <= MOST_COPIED_BYTES;
    if (copied) this.#copiedBytes += size;
    const entry = { index, id: idOf(doc), doc: copied ? keep(doc) : undefined, copied, bytes: copied ? size : 0 };
    const same = this.#byHash.get(hash);
    if (same === undefined) this.#byHash.set(hash, [entry]);
    else same.push(entry);
    this.size++;
  }

  take(hash) {
    const same = this.#byHash.get(hash);
    if (same === undefined) return false;
    this.#copiedBytes -= same.shift().bytes;
    if (same.length === 0) this.#byHash.delete(hash);
    this.size--;
    return true;
  }

  first() {
    return this.#byHash.values().next().value?.[0];
  }

  /** What may be the other form of it: the document with its _id, or, where there is none, the one at its place. */
  partnerOf({ id, index }) {
    for (const same of this.#byHash.values()) {
      const found = same.find((entry) => entry.id === id && (id !== null || entry.index === index));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const idOf = (doc) => (doc?._id === undefined ? null : fingerprint(doc._id)?.hash ?? null);

/** Two forms of one document, wherever it is in the order. */
function sameId(native, official) {
  return native?._id !== undefined && official?._id !== undefined && firstDifference(native._id, official._id) === null;
}

module.exports = { SequenceComparison };

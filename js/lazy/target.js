'use strict';
// The object under a lazy document's proxy, and all that touches its state.
//
// The state is in private fields, so that nothing that looks at the target itself (util.inspect, a debugger, the
// engine's checks of proxy results) sees anything but the document's fields. A field is in one of three places:
//   1. in the bytes, as long as it was never read or only gave a primitive;
//   2. in an entry, once it gave an object (reading it again must give the same one), was assigned or was deleted;
//   3. on the target as an ordinary property: keys the document did not come with, and everything once it has moved.
// A document moves (batch becomes null) when it must be a real object: frozen, redefined, given another prototype.

const ABSENT = Symbol('absent');
const GONE = Symbol('deleted');

/** What the documents of a chunk share. They keep it, and so the chunk's memory, alive. */
class Batch {
  constructor(buf, context) {
    this.buf = buf; // the raw part of the chunk
    this.context = context;
    this.fields = null;
    this.shared = this;
    this.token = null; // see stats.js
  }

  /** For one document whose handler knows no fields: the batch with the document's own. */
  withFields(fields) {
    const batch = new Batch(this.buf, this.context);
    batch.fields = fields;
    batch.shared = this.shared;
    return batch;
  }
}

/** A field that is no longer only in the bytes. A document has few: a list costs less than an array or a map. */
class Entry {
  constructor(slot, value, next) {
    this.slot = slot;
    this.value = value;
    this.next = next;
  }
}

function find(entry, slot) {
  while (entry !== null && entry.slot !== slot) entry = entry.next;
  return entry;
}

class LazyTarget {
  #batch;   // Batch; null once the document has moved
  #words;   // offsets: words[at + slot] of a field, words[at - 1] of the document; null if they are not kept
  #at;      // without words: the offset of the document
  #entries; // Entry or null
  #proxy;   // what the user has

  constructor(batch, words, at) {
    this.#batch = batch;
    this.#words = words;
    this.#at = at;
    this.#entries = null;
    this.#proxy = null;
  }

  /** A lazy document: the proxy over a new target. */
  static open(batch, words, at, handler) {
    const target = new LazyTarget(batch, words, at);
    return (target.#proxy = new Proxy(target, handler));
  }

  /** Whether a trap was called on the document itself, not on something that inherits from it or wraps it. */
  static isSelf(target, receiver) {
    return receiver === target.#proxy;
  }

  /** The value of a field of the table, ABSENT if it was deleted or has moved. */
  static read(target, fields, slot) {
    const batch = target.#batch;
    if (batch === null) return ABSENT;
    const known = find(target.#entries, slot);
    if (known !== null) return known.value === GONE ? ABSENT : known.value;
    const { buf } = batch;
    const words = target.#words;
    const at = words === null ? fields.offset(buf, target.#at, slot) : words[target.#at + slot];
    const value = batch.context.value(batch, buf[at], at + fields.skips[slot], fields, slot);
    if (typeof value === 'object' && value !== null) target.#entries = new Entry(slot, value, target.#entries);
    return value;
  }

  /** Whether a document is still without a table of fields; see loose.js. */
  static isLoose(target) {
    return target.#words === null && target.#batch !== null && target.#batch.fields === null;
  }

  /** The value of a field of a loose document, ABSENT if there is none. */
  static readNamed(target, name, findField, tree) {
    const batch = target.#batch;
    const { buf } = batch;
    const field = findField(buf, target.#at, name);
    if (field < 0) return ABSENT;
    const { slot, value: at } = findField.found;
    const known = find(target.#entries, slot);
    if (known !== null) return known.value === GONE ? ABSENT : known.value;
    const value = batch.context.element(batch, buf[field], at, tree.inner);
    if (typeof value === 'object' && value !== null) target.#entries = new Entry(slot, value, target.#entries);
    return value;
  }

  /** Whether a field of the table is still there, without decoding it. */
  static holds(target, slot) {
    if (target.#batch === null) return false;
    const entry = find(target.#entries, slot);
    return entry === null || entry.value !== GONE;
  }

  static holdsAll(target) {
    if (target.#batch === null) return false;
    for (let entry = target.#entries; entry !== null; entry = entry.next) if (entry.value === GONE) return false;
    return true;
  }

  static write(target, slot, value) {
    const entry = find(target.#entries, slot);
    if (entry === null) target.#entries = new Entry(slot, value, target.#entries);
    else entry.value = value;
  }

  static remove(target, slot) {
    LazyTarget.write(target, slot, GONE);
  }

  static hasMoved(target) {
    return target.#batch === null;
  }

  /** Whether all there is to the document is its bytes: nothing was changed and no object given out. */
  static isBytes(target) {
    return target.#batch !== null && target.#entries === null;
  }

  static batch(target) {
    return target.#batch;
  }

  /** Where the document begins in its batch's buf. It must not have moved. */
  static offset(target) {
    return target.#words === null ? target.#at : target.#words[target.#at - 1];
  }

  /** Gives a document whose handler knows no fields its own. */
  static setFields(target, fields, words) {
    target.#batch = target.#batch.withFields(fields);
    if (words === null) return;
    target.#words = words;
    target.#at = 1;
  }

  static forgetSource(target) {
    target.#batch = target.#words = target.#entries = null;
  }
}

// The target inherits from this rather than from Object.prototype so that util.inspect, which ignores traps, finds its
// hook (set in inspect.js). Nobody else sees it: the getPrototypeOf trap answers Object.prototype.
const { prototype } = LazyTarget;
delete prototype.constructor;

/** What the prototype is to everybody but util.inspect. */
function visiblePrototype(target) {
  const own = Reflect.getPrototypeOf(target);
  return own === prototype ? Object.prototype : own;
}

/** An own data property like those of an object literal, whatever the key is. */
function define(object, key, value) {
  Reflect.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

module.exports = { Batch, LazyTarget, ABSENT, hiddenPrototype: prototype, visiblePrototype, define };

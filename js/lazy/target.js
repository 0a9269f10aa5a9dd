'use strict';
// The object under a lazy document's proxy, and all that touches its state.
//
// The state is in private fields, so that nothing that looks at the target itself (util.inspect, a debugger, the
// engine's checks of proxy results) sees anything but the document's fields. A field is in one of three places:
//   1. in the bytes, as long as it was never read or only gave a primitive;
//   2. in the overlay, once it gave an object (reading it again must give the same one), was assigned or was deleted;
//   3. on the target as an ordinary property: keys the document did not come with, and everything once it has moved.
// A document moves (batch becomes null) when it must be a real object: frozen, redefined, given another prototype.

const ABSENT = Symbol('absent');
const GONE = Symbol('deleted');

/** Values of fields that are not, or no longer only, in the bytes. Few per document: a scan beats a map. */
class Overlay {
  constructor(fields) {
    this.fields = fields; // of a document whose index was made here; null if its handler knows them
    this.slots = [];
    this.values = [];
    this.changed = false; // by the user: assigned or deleted
  }

  find(slot) {
    const { slots } = this;
    for (let i = 0; i < slots.length; i++) if (slots[i] === slot) return i;
    return -1;
  }

  put(slot, value) {
    const i = this.find(slot);
    if (i >= 0) {
      this.values[i] = value;
    } else {
      this.slots.push(slot);
      this.values.push(value);
    }
  }
}

class LazyTarget {
  #batch;   // { buf, context }; null once the document has moved
  #words;   // where offsets are; null until the index of a document without a shape is made
  #at;      // words[at + slot] is the offset of a field, words[at - 1] of the document; without words: the latter
  #overlay;

  constructor(batch, words, at) {
    this.#batch = batch;
    this.#words = words;
    this.#at = at;
    this.#overlay = null;
  }

  /** The value of a field of the table, ABSENT if it was deleted or has moved. */
  static read(target, fields, slot) {
    const batch = target.#batch;
    if (batch === null) return ABSENT;
    const overlay = target.#overlay;
    if (overlay !== null) {
      const i = overlay.find(slot);
      if (i >= 0) return overlay.values[i] === GONE ? ABSENT : overlay.values[i];
    }
    const { buf, context } = batch;
    const at = target.#words[target.#at + slot];
    const value = context.value(batch, buf[at], at + fields.skips[slot], fields, slot);
    if (typeof value === 'object' && value !== null) LazyTarget.#overlayOf(target).put(slot, value);
    return value;
  }

  /** Whether a field of the table is still there, without decoding it. */
  static holds(target, slot) {
    if (target.#batch === null) return false;
    const overlay = target.#overlay;
    if (overlay === null || !overlay.changed) return true;
    const i = overlay.find(slot);
    return i < 0 || overlay.values[i] !== GONE;
  }

  static write(target, slot, value) {
    const overlay = LazyTarget.#overlayOf(target);
    overlay.changed = true;
    overlay.put(slot, value);
  }

  static remove(target, slot) {
    LazyTarget.write(target, slot, GONE);
  }

  static hasMoved(target) {
    return target.#batch === null;
  }

  /** Whether the document is exactly its bytes; objects read from it may have been changed nevertheless. */
  static isUnchanged(target) {
    return target.#batch !== null && (target.#overlay === null || !target.#overlay.changed);
  }

  static holdsObjects(target) {
    return target.#overlay !== null && target.#overlay.slots.length > 0;
  }

  /** Where the document's bytes are, null once it has moved. */
  static source(target) {
    const batch = target.#batch;
    if (batch === null) return null;
    return { batch, at: target.#words === null ? target.#at : target.#words[target.#at - 1] };
  }

  /** The table of a document that its handler has none for: null before its index was made and after it moved. */
  static ownFields(target) {
    return target.#overlay === null ? null : target.#overlay.fields;
  }

  static setIndex(target, fields, words) {
    target.#words = words;
    target.#at = 1;
    target.#overlay = new Overlay(fields);
  }

  static forgetSource(target) {
    target.#batch = target.#words = target.#overlay = null;
  }

  static #overlayOf(target) {
    return (target.#overlay ??= new Overlay(null));
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

module.exports = { LazyTarget, ABSENT, hiddenPrototype: prototype, visiblePrototype, define };

'use strict';
// Arrays of lazy documents. Small ones are real arrays; large ones are proxies over a real array of the right length
// whose elements are decoded when they are first read.

const { int32, nameEnd, valueEnd } = require('../bson/walk');
const { PROBE, answer } = require('./probe');
const { unreadable } = require('./unreadable');

class ArrayTarget extends Array {
  #batch = null;
  #tree = null;
  #starts = null; // offset of each element's type byte
  #left = 0;      // elements that are still only bytes
  #proxy = null;

  /** A lazy array: the proxy over a new target. */
  static open(batch, tree, starts) {
    const target = new ArrayTarget();
    target.length = starts.length;
    target.#batch = batch;
    target.#tree = tree;
    target.#starts = starts;
    target.#left = starts.length;
    return (target.#proxy = new Proxy(target, handler));
  }

  static isSelf(target, receiver) {
    return receiver === target.#proxy;
  }

  /** Whether the element is still only bytes: it is one the array came with, and not on the target. */
  static isPending(target, key) {
    if (target.#left === 0 || typeof key !== 'string') return false;
    const index = Number(key);
    return index >= 0 && index < target.#starts.length && String(index) === key && !Object.hasOwn(target, key);
  }

  static read(target, index) {
    const batch = target.#batch;
    const { buf, context } = batch;
    const start = target.#starts[index];
    return context.element(batch, buf[start], nameEnd(buf, start + 1) + 1, target.#tree);
  }

  static fill(target, index, value) {
    Reflect.defineProperty(target, index, { value, writable: true, enumerable: true, configurable: true });
    if (--target.#left === 0) ArrayTarget.#close(target);
  }

  static pendingCount(target) {
    return target.#left === 0 ? 0 : target.#starts.length;
  }

  /** Decodes what is left and lets go of the bytes. Throws on a bad value. */
  static settle(target) {
    if (target.#left === 0) return;
    for (let i = 0, n = target.#starts.length; i < n; i++) {
      if (!Object.hasOwn(target, i)) ArrayTarget.fill(target, i, ArrayTarget.read(target, i));
    }
  }

  static #close(target) {
    target.#batch = target.#tree = target.#starts = null;
  }
}

// As for documents, a prototype that only util.inspect sees.
delete ArrayTarget.prototype.constructor;

function visiblePrototype(target) {
  const own = Reflect.getPrototypeOf(target);
  return own === ArrayTarget.prototype ? Array.prototype : own;
}

const { isSelf, isPending, read, fill, settle, pendingCount } = ArrayTarget;

const handler = {
  get(target, key, receiver) {
    if (isPending(target, key)) {
      const value = read(target, key);
      fill(target, key, value);
      return value;
    }
    if (Object.hasOwn(target, key)) return Reflect.get(target, key, receiver);
    const proto = visiblePrototype(target);
    return proto === null ? undefined : Reflect.get(proto, key, receiver);
  },

  set(target, key, value, receiver) {
    if (isSelf(target, receiver)) {
      if (isPending(target, key)) {
        fill(target, key, value);
        return true;
      }
      if (key === 'length') settle(target);
    } else if (isPending(target, key)) {
      fill(target, key, read(target, key));
    }
    return Reflect.set(target, key, value, receiver);
  },

  has(target, key) {
    if (isPending(target, key) || Object.hasOwn(target, key)) return true;
    const proto = visiblePrototype(target);
    return proto !== null && Reflect.has(proto, key);
  },

  ownKeys(target) {
    const keys = Reflect.ownKeys(target);
    if (pendingCount(target) === 0) return keys;
    const all = [];
    for (let i = 0, n = target.length; i < n; i++) {
      if (i < pendingCount(target) || Object.hasOwn(target, i)) all.push(String(i));
    }
    const known = new Set(all);
    for (const key of keys) if (!known.has(key)) all.push(key);
    return all;
  },

  getOwnPropertyDescriptor(target, key) {
    if (key === PROBE) return answer(target, handler);
    if (isPending(target, key)) {
      try {
        fill(target, key, read(target, key));
      } catch (error) {
        return unreadable(error);
      }
    }
    return Reflect.getOwnPropertyDescriptor(target, key);
  },

  defineProperty(target, key, descriptor) {
    if (key === 'length') settle(target);
    else if (isPending(target, key)) fill(target, key, read(target, key));
    return Reflect.defineProperty(target, key, descriptor);
  },

  deleteProperty(target, key) {
    // An element that is gone must not be taken for one that was never read.
    if (pendingCount(target) > 0 && typeof key === 'string') settle(target);
    return Reflect.deleteProperty(target, key);
  },

  getPrototypeOf: visiblePrototype,

  setPrototypeOf(target, proto) {
    if (proto === visiblePrototype(target)) return true;
    settle(target);
    return Reflect.setPrototypeOf(target, proto);
  },

  preventExtensions(target) {
    settle(target);
    Reflect.setPrototypeOf(target, visiblePrototype(target));
    return Reflect.preventExtensions(target);
  }
};

/** The array at buf[at] as a proxy that decodes an element when it is read. */
function lazyArray(batch, at, tree) {
  const { buf } = batch;
  const starts = [];
  const last = at + int32(buf, at) - 1;
  for (let p = at + 4; p < last;) {
    starts.push(p);
    p = valueEnd(buf, buf[p], nameEnd(buf, p + 1) + 1);
  }
  return ArrayTarget.open(batch, tree, starts);
}

/** The array at buf[at] as a real array; documents in it are lazy. */
function readArray(context, batch, at, tree) {
  const { buf } = batch;
  const items = [];
  const last = at + int32(buf, at) - 1;
  for (let p = at + 4; p < last;) {
    const type = buf[p];
    const value = nameEnd(buf, p + 1) + 1;
    items.push(context.element(batch, type, value, tree));
    p = valueEnd(buf, type, value);
  }
  return items;
}

module.exports = { lazyArray, readArray, ArrayTarget };

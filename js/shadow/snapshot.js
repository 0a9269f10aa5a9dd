'use strict';
// A copy of what a caller may change later: objects, arrays and dates are copied, other instances (ObjectId, Binary, ...)
// are shared, because they are hardly ever changed in place. On a stack of its own, for documents of any depth.

const { types: { isProxy } } = require('node:util');

function snapshot(value) {
  const copies = new Map(); // parts that are shared, or lead back to themselves, stay so
  const stack = [];
  const copyOf = (from) => {
    if (from === null || typeof from !== 'object') return from;
    if (copies.has(from)) return copies.get(from);
    if (!isProxy(from) && from instanceof Date) return new Date(from.getTime());
    const prototype = Object.getPrototypeOf(from);
    if (!Array.isArray(from) && prototype !== Object.prototype && prototype !== null) return from;
    const to = Array.isArray(from) ? [] : Object.create(prototype);
    copies.set(from, to);
    stack.push([from, to]);
    return to;
  };
  const result = copyOf(value);
  while (stack.length > 0) {
    const [from, to] = stack.pop();
    for (const key of Object.keys(from)) {
      if (key === '__proto__') Object.defineProperty(to, key, { value: copyOf(from[key]), writable: true, enumerable: true, configurable: true });
      else to[key] = copyOf(from[key]);
    }
  }
  return result;
}

/** Of what a caller passed in, which may have getters that throw: then the driver is to say so, not we. */
function tolerantSnapshot(value) {
  try {
    return snapshot(value);
  } catch {
    return value;
  }
}

module.exports = { snapshot, tolerantSnapshot };

'use strict';
// Plain copies of lazy documents.

const { LazyTarget, define } = require('./target');
const { ArrayTarget } = require('./array');
const { targetOf } = require('./probe');

/** A copy of value without lazy parts. Containers are copied; other objects are passed on. */
function detach(value) {
  const copies = new Map();
  const stack = []; // containers whose copies are being filled, the innermost last: depth costs heap, not stack

  const open = (given) => {
    let source = given;
    if (typeof source !== 'object' || source === null) return source;
    if (copies.has(source)) return copies.get(source);
    const target = targetOf(source);
    const fromBytes = target === null ? null : untouched(target);
    if (fromBytes !== null) return fromBytes;
    if (source instanceof Date) return new Date(source.getTime());
    const isArray = Array.isArray(source);
    if (isArray && target !== null) {
      // Its elements go by the target: a million through the proxy would take seconds.
      ArrayTarget.settle(target);
      source = target;
    }
    if (!isArray && target === null && !isPlain(source)) return source;
    const copy = isArray ? [] : {};
    // Not map: holes stay holes.
    if (isArray) copy.length = source.length;
    copies.set(given, copy);
    stack.push({ source, copy, keys: isArray ? Object.keys(source) : Reflect.ownKeys(source), next: 0 });
    return copy;
  };

  const result = open(value);
  while (stack.length > 0) {
    const { source, copy, keys, next } = stack[stack.length - 1];
    if (next === keys.length) {
      stack.pop();
      continue;
    }
    stack[stack.length - 1].next++;
    define(copy, keys[next], open(source[keys[next]]));
  }
  return result;
}

/** js-bson's document or array if nobody can have changed a thing in this one, else null. */
function untouched(target) {
  if (Array.isArray(target)) return null;
  if (!LazyTarget.isBytes(target) || Reflect.ownKeys(target).length > 0) return null;
  const { buf, context } = LazyTarget.batch(target);
  return context.reader.document(buf, LazyTarget.offset(target));
}

function isPlain(object) {
  const proto = Object.getPrototypeOf(object);
  return proto === Object.prototype || proto === null;
}

module.exports = { detach };

'use strict';
// Plain copies of lazy documents.

const { LazyTarget, define } = require('./target');
const { targetOf } = require('./probe');

/** A copy of value without lazy parts. Containers are copied; other objects are passed on. */
function detach(value, copies = new Map()) {
  if (typeof value !== 'object' || value === null) return value;
  if (copies.has(value)) return copies.get(value);
  const target = targetOf(value);
  if (target !== null) {
    const fromBytes = untouched(target);
    if (fromBytes !== null) return fromBytes;
  }
  if (Array.isArray(value)) {
    const copy = [];
    copies.set(value, copy);
    // Not map: holes stay holes.
    copy.length = value.length;
    for (const key of Object.keys(value)) define(copy, key, detach(value[key], copies));
    return copy;
  }
  if (value instanceof Date) return new Date(value.getTime());
  if (target === null && !isPlain(value)) return value;
  const copy = {};
  copies.set(value, copy);
  for (const key of Reflect.ownKeys(value)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
    if ('value' in descriptor) define(copy, key, detach(descriptor.value, copies));
    else define(copy, key, value[key]);
  }
  return copy;
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

'use strict';
// The traps of a lazy document. A handler belongs to a key sequence (or, without fields, to documents whose fields are
// found when they are asked for); the state is the target's.

const { LazyTarget, ABSENT, visiblePrototype, define } = require('./target');
const { FieldTable, indexAlone } = require('./fields');
const { PROBE, answer, targetOf, handlerOf } = require('./probe');
const { unreadable } = require('./unreadable');

const { isSelf, read, holds, holdsAll, write, remove, hasMoved } = LazyTarget;
const hasOwn = Object.hasOwn;
const NO_FIELDS = new FieldTable([], []);

// keys(), getField() and toObject() (set by methods.js): answered when no field has that name, and never listed.
const helpers = new Map();

class DocumentHandler {
  constructor(fields) {
    this.fields = fields;
  }

  get(target, key, receiver) {
    const fields = this.fields ?? fieldsOf(this, target);
    const slot = fields.slots.get(key);
    if (slot !== undefined) {
      const value = read(target, fields, slot);
      if (value !== ABSENT) return value;
    }
    return this.other(target, key, receiver);
  }

  /** What reading a key gives that is no field in the bytes. */
  other(target, key, receiver) {
    if (hasOwn(target, key)) return Reflect.get(target, key, receiver);
    const helper = helpers.get(key);
    if (helper !== undefined) return helper;
    const proto = visiblePrototype(target);
    return proto === null ? undefined : Reflect.get(proto, key, receiver);
  }

  set(target, key, value, receiver) {
    const self = isSelf(target, receiver);
    if (self) {
      const slot = slotOf(this, target, key);
      if (slot >= 0) {
        write(target, slot, value);
        return true;
      }
    }
    const own = this.getOwnPropertyDescriptor(target, key);
    if (own === undefined) {
      const proto = visiblePrototype(target);
      // A new key of the document itself: what the general way ends in after three more traps.
      if (self && proto === Object.prototype && !(key in proto) && Reflect.isExtensible(target)) {
        define(target, key, value);
        return true;
      }
      if (proto !== null) return Reflect.set(proto, key, value, receiver);
    }
    // What an ordinary object with this property would do to the receiver.
    const model = Object.create(null);
    if (own !== undefined) Reflect.defineProperty(model, key, own);
    return Reflect.set(model, key, value, receiver);
  }

  has(target, key) {
    if (slotOf(this, target, key) >= 0 || hasOwn(target, key)) return true;
    const proto = visiblePrototype(target);
    return proto !== null && Reflect.has(proto, key);
  }

  ownKeys(target) {
    if (hasMoved(target)) return Reflect.ownKeys(target);
    const { keys } = this.fields ?? fieldsOf(this, target);
    const added = Reflect.ownKeys(target);
    if (added.length === 0 && holdsAll(target)) return keys;
    const model = Object.create(null);
    for (const key of keys) if (slotOf(this, target, key) >= 0) model[key] = 0;
    for (const key of added) model[key] = 0;
    return Reflect.ownKeys(model);
  }

  getOwnPropertyDescriptor(target, key) {
    if (key === PROBE) return answer(target, this);
    const fields = this.fields ?? fieldsOf(this, target);
    const slot = fields.slots.get(key);
    if (slot !== undefined) {
      let value;
      try {
        value = read(target, fields, slot);
      } catch (error) {
        return unreadable(error);
      }
      if (value !== ABSENT) return { value, writable: true, enumerable: true, configurable: true };
    }
    return Reflect.getOwnPropertyDescriptor(target, key);
  }

  defineProperty(target, key, descriptor) {
    const slot = slotOf(this, target, key);
    if (slot >= 0) {
      if (isPlainData(descriptor)) {
        if (hasOwn(descriptor, 'value')) write(target, slot, descriptor.value);
        return true;
      }
      moveToTarget(this, target);
    } else if (descriptor.configurable !== true) {
      // What cannot be taken off the target again must come after the other keys now.
      tryMoving(this, target);
    }
    return Reflect.defineProperty(target, key, descriptor);
  }

  deleteProperty(target, key) {
    const slot = slotOf(this, target, key);
    if (slot < 0) return Reflect.deleteProperty(target, key);
    remove(target, slot);
    return true;
  }

  getPrototypeOf(target) {
    return visiblePrototype(target);
  }

  setPrototypeOf(target, proto) {
    if (proto === visiblePrototype(target)) return true;
    moveToTarget(this, target);
    return Reflect.setPrototypeOf(target, proto);
  }

  preventExtensions(target) {
    // From here on the engine compares what the traps say with the target: it must be the document.
    moveToTarget(this, target);
    Reflect.setPrototypeOf(target, visiblePrototype(target));
    return Reflect.preventExtensions(target);
  }
}

/** The fields of a document whose handler knows none: found now, unless they were before. */
function fieldsOf(handler, target) {
  if (handler.fields !== null) return handler.fields;
  const batch = LazyTarget.batch(target);
  if (batch === null) return NO_FIELDS;
  if (batch.fields !== null) return batch.fields;
  const { buf, context: { scratch } } = batch;
  const fields = indexAlone(buf, LazyTarget.offset(target), scratch);
  fields.inner = handler.tree.inner;
  LazyTarget.setFields(target, fields, fields.keep(scratch));
  return fields;
}

/** The slot of a field that is there, -1 if it is not or no longer the table's. */
function slotOf(handler, target, key) {
  const slot = fieldsOf(handler, target).slots.get(key);
  return slot !== undefined && holds(target, slot) ? slot : -1;
}

/** Whether defining this on an ordinary data property leaves one. */
function isPlainData(descriptor) {
  if (hasOwn(descriptor, 'get') || hasOwn(descriptor, 'set')) return false;
  const { writable, enumerable, configurable } = descriptor;
  return writable !== false && enumerable !== false && configurable !== false;
}

/** Makes the target the document, in key order, and lets go of the bytes. Throws, changing nothing, on a bad value. */
function moveToTarget(handler, target) {
  if (hasMoved(target)) return;
  const fields = fieldsOf(handler, target);
  const values = [];
  for (const key of fields.keys) values.push(read(target, fields, fields.slots.get(key)));
  // Keys that were added come after those the document came with.
  const added = Reflect.ownKeys(target).map((key) => [key, Reflect.getOwnPropertyDescriptor(target, key)]);
  for (const [key] of added) Reflect.deleteProperty(target, key);
  fields.keys.forEach((key, i) => {
    if (values[i] !== ABSENT) define(target, key, values[i]);
  });
  for (const [key, descriptor] of added) Reflect.defineProperty(target, key, descriptor);
  LazyTarget.forgetSource(target);
}

/** A bad value keeps the document from moving, but not its other fields from being used. */
function tryMoving(handler, target) {
  try {
    moveToTarget(handler, target);
  } catch {
    // Reading that field will throw.
  }
}

/** Makes a lazy document's target the document. Throws on a bad value. */
function move(document) {
  moveToTarget(handlerOf(document), targetOf(document));
}

module.exports = { DocumentHandler, helpers, move };

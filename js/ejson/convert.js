'use strict';
// Extended JSON wrappers inside plain JavaScript values: { $oid: '...' }, { $date: ... } and so on
// become the BSON values they stand for, the same as EJSON.parse makes of them. A wrapper is a plain
// object with one of their names; { $regex, $options } is a query operator and stays.

const { wrapperName, fromWrapper } = require('./wrappers.js');

// Deeper filters than any server takes; the bound keeps hostile input from overflowing the stack.
const MAX_DEPTH = 200;

/** Thrown when a value is nested deeper than MAX_DEPTH. */
const TOO_DEEP = Symbol('too deep');

/**
 * The value with every wrapper replaced. What holds none is returned as it is, not copied; so is what is nested deeper
 * than any server takes.
 *
 * @param value a filter or another part of a command
 * @param {object} bsonClasses whose classes the values get
 * @param {string} argument its name, for messages
 */
function convertWrappers(value, bsonClasses, argument) {
  if (value === null || typeof value !== 'object') return value;
  try {
    return convert(value, bsonClasses, [argument]);
  } catch (error) {
    if (error !== TOO_DEEP) throw error;
    bsonClasses.BSON.serialize({ value }); // says so when the value contains itself
    return value;
  }
}

function isPlain(value) {
  const proto = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null;
}

function convert(value, bsonClasses, path) {
  if (Array.isArray(value)) return convertItems(value, bsonClasses, path);
  if (value._bsontype !== undefined || !isPlain(value)) return value;

  const keys = Object.keys(value);
  for (const key of keys) {
    if (key.charCodeAt(0) === 0x24 && wrapperName(key, value)) {
      return fromWrapper(key, keys, value, bsonClasses, path, (inner) => descend(inner, key, bsonClasses, path));
    }
  }
  let copy = null;
  for (const key of keys) {
    const field = value[key];
    if (field === null || typeof field !== 'object') continue;
    const converted = descend(field, key, bsonClasses, path);
    if (converted !== field) {
      copy ??= shallowCopy(value, keys);
      copy[key] = converted;
    }
  }
  return copy ?? value;
}

function convertItems(items, bsonClasses, path) {
  let copy = null;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (item === null || typeof item !== 'object') continue;
    const converted = descend(item, i, bsonClasses, path);
    if (converted !== item) {
      copy ??= items.slice();
      copy[i] = converted;
    }
  }
  return copy ?? items;
}

function descend(field, key, bsonClasses, path) {
  if (field._bsontype !== undefined) return field;
  if (path.length > MAX_DEPTH) throw TOO_DEEP;
  path.push(key);
  const converted = convert(field, bsonClasses, path);
  path.pop();
  return converted;
}

/** A copy with the same own keys in the same order, `__proto__` included. */
function shallowCopy(value, keys) {
  const copy = Object.create(Object.getPrototypeOf(value));
  for (const key of keys) {
    Object.defineProperty(copy, key, { value: value[key], writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

module.exports = { convertWrappers };

'use strict';
// Extended JSON wrappers inside plain JavaScript values: { $oid: '...' }, { $date: ... } and so on
// become the BSON values they stand for. Only a plain object whose keys are exactly a wrapper's is
// one: { $regex, $options } is a query operator and stays.

const { invalidArgument } = require('./errors.js');

// Deeper filters than any server takes; the bound keeps hostile input from overflowing the stack.
const MAX_DEPTH = 200;

// First key of a wrapper -> the keys it may have beside it.
const WRAPPERS = new Map(Object.entries({
  $oid: [],
  $date: [],
  $numberInt: [],
  $numberLong: [],
  $numberDouble: [],
  $numberDecimal: [],
  $binary: [],
  $uuid: [],
  $regularExpression: [],
  $timestamp: [],
  $symbol: [],
  $code: ['$scope'],
  $scope: ['$code'],
  $dbPointer: [],
  $minKey: [],
  $maxKey: [],
  $undefined: [],
}));


function isPlain(value) {
  const proto = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null;
}

function isWrapper(value) {
  const keys = Object.keys(value);
  const beside = WRAPPERS.get(keys[0]);
  return keys.every((key, i) => i === 0 || beside.includes(key)) && !(keys.length === 1 && keys[0] === '$scope');
}

/** Thrown when a value is nested deeper than MAX_DEPTH. */
const TOO_DEEP = Symbol('too deep');

/**
 * The value with every wrapper replaced. What holds none is returned as it is, not copied; so is what is nested deeper
 * than any server takes.
 *
 * @param value a filter or another part of a command
 * @param {object} bsonClasses whose EJSON makes the values
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

function convert(value, bsonClasses, path) {
  if (Array.isArray(value)) return convertItems(value, bsonClasses, path);
  if (value._bsontype !== undefined || !isPlain(value)) return value;

  let copy = null;
  let first = true;
  for (const key in value) {
    if (first) {
      first = false;
      if (WRAPPERS.has(key) && isWrapper(value)) return fromWrapper(value, bsonClasses, path);
    }
    const field = value[key];
    if (field === null || typeof field !== 'object') continue;
    const converted = descend(field, key, bsonClasses, path);
    if (converted !== field) {
      copy ??= shallowCopy(value);
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
function shallowCopy(value) {
  const copy = Object.create(Object.getPrototypeOf(value));
  for (const key of Object.keys(value)) {
    Object.defineProperty(copy, key, { value: value[key], writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

function fromWrapper(value, bsonClasses, path) {
  const { EJSON } = bsonClasses.BSON;
  try {
    const made = EJSON.deserialize({ value }).value;
    // Relaxed parsing rounds a large $numberLong; the query has to ask for the number that was written.
    const rounded = typeof made === 'number' && '$numberLong' in value && !Number.isSafeInteger(made);
    return rounded ? EJSON.deserialize({ value }, { relaxed: false }).value : made;
  } catch (cause) {
    throw invalidArgument(
      `Extended JSON at "${path.join('.')}" is not valid: ${cause.message}. Correct it, or pass { ejson: false } to send it as it is`,
      { cause },
    );
  }
}

module.exports = { convertWrappers };

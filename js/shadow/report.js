'use strict';
// Divergences, and telling them. What a callback does, or throws, never reaches the read.

const { inspect } = require('node:util');

const BSON_VERSION = Symbol.for('@@mdb.bson.version');

/**
 * @param {string} reason
 * @param {object} results what both sides gave: { native, official }
 * @param {object} [where] { path, a, b, index, nativeIndex, orderUnknown }
 */
function divergence(reason, { native, official }, { path = '', a, b, ...where } = {}) {
  const found = { reason, path, native, official, ...where };
  if (a !== undefined || b !== undefined) {
    Object.assign(found, { nativeValue: a, officialValue: b, nativeClass: className(a), officialClass: className(b) });
  }
  return found;
}

/** Where in the result a finding is: its path is written from there, not from the document. */
function whereOf({ path, index, nativeIndex, orderUnknown }) {
  const where = { path };
  if (index !== undefined) {
    where.path = path === '' || path.startsWith('[') ? `[${index}]${path}` : `[${index}].${path}`;
    where.index = index;
  }
  if (nativeIndex !== undefined && nativeIndex !== index) where.nativeIndex = nativeIndex;
  if (orderUnknown) where.orderUnknown = true;
  return where;
}

/** What a value is an instance of; two majors of bson have classes of the same names. */
function className(value) {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  try {
    const prototype = Object.getPrototypeOf(value);
    if (prototype === null) return 'Object';
    const name = prototype.constructor?.name || 'Object';
    const version = prototype[BSON_VERSION];
    return version === undefined ? name : `${name} (bson ${version})`;
  } catch {
    return 'Object';
  }
}

/** A divergence is a plain object to those who compare or store it, and a line of text to those who log it. */
function printable(found) {
  return Object.defineProperty(found, 'toString', { value: () => describe(found), enumerable: false, configurable: true });
}

/** @param {Function | undefined} callback @param {string} name of the callback, for the warning */
function tell(callback, name, value) {
  if (callback === undefined) return;
  try {
    const returned = callback(value);
    if (typeof returned?.then === 'function') returned.then(undefined, (error) => warn(name, error));
  } catch (error) {
    warn(name, error);
  }
}

function warn(name, error) {
  let why;
  try {
    why = String(error?.message ?? error);
  } catch {
    why = 'with what cannot be read';
  }
  process.emitWarning(`shadow: ${name} failed: ${why}`, 'RumongoGoWarning');
}

/** One line about a divergence, for logs. Without the results, which may be large. */
function describe({ operation, namespace, reason, index, path, error, ...values }) {
  const what = operation === undefined ? '' : `${namespace} ${operation}: `;
  const where = index === undefined || path !== '' ? '' : ` in document ${index}`;
  const at = path === '' ? '' : ` at ${path}`;
  const shown = (value) => inspect(value, { depth: 1, breakLength: Infinity, maxStringLength: 100, maxArrayLength: 5 });
  const both = 'nativeClass' in values
    ? `: rumongo-go ${shown(values.nativeValue)} (${values.nativeClass}), official ${shown(values.officialValue)} (${values.officialClass})` : '';
  return `${what}${reason}${where}${at}${both}${error === undefined ? '' : `: ${error?.message ?? error}`}`;
}

module.exports = { divergence, whereOf, printable, tell, warn };

'use strict';
// What the official driver has and a read driver does not: the names are there and say what to use instead.

const { USE_OFFICIAL } = require('./reads/read-only.js');
const { apiError } = require('./errors.js');

const refusal = (what) => apiError(`${what} is not supported: ${USE_OFFICIAL}`);

/**
 * Gives a class the methods it refuses.
 * @param {Function} Class
 * @param {string} name what its instances are called in messages
 * @param {{async?: string[], sync?: string[]}} methods those that reject, and those that throw, as the official ones would
 */
function refuse(Class, name, { async: rejecting = [], sync: throwing = [] }) {
  const define = (method, value) => Object.defineProperty(Class.prototype, method, { value, writable: true, configurable: true });
  for (const method of rejecting) {
    define(method, { async [method]() {
      throw refusal(`${name}.${method}()`);
    } }[method]);
  }
  for (const method of throwing) {
    define(method, { [method]() {
      throw refusal(`${name}.${method}()`);
    } }[method]);
  }
}

/** A class whose constructor throws. */
const refusedClass = (name) => ({ [name]: class {
  constructor() {
    throw refusal(`new ${name}()`);
  }
} })[name];

const REFUSED_CLASSES = Object.fromEntries([
  'CancellationToken', 'ChangeStream', 'ChangeStreamCursor', 'ClientEncryption', 'ClientSession', 'GridFSBucket', 'GridFSBucketReadStream',
  'GridFSBucketWriteStream', 'OrderedBulkOperation', 'UnorderedBulkOperation', 'WriteConcern',
].map((name) => [name, refusedClass(name)]));

module.exports = { refuse, REFUSED_CLASSES };

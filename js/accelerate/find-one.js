'use strict';
// findOne() without a cursor. The driver makes it a cursor that lives for one document; with what else it runs for a read,
// that costs more than the read. The command is still built by the driver's own operation, from the options that the
// collection's own read would have; findOne() calls with others go the long way.

const { STATE, refusal } = require('./operations.js');
const { WANT } = require('../cursor/reader.js');

// What only goes into the command. Nothing here is inherited from a collection.
const PLAIN = new Set([
  'projection', 'sort', 'skip', 'hint', 'collation', 'maxTimeMS', 'comment', 'min', 'max', 'returnKey', 'showRecordId', 'let',
  'allowDiskUse', 'allowPartialResults',
]);
const NO_CURSOR = Object.freeze({ cursor: Object.freeze({ cursorOptions: Object.freeze({}) }), readAhead: false });

/**
 * The operation of a findOne(), or null when it is to go the long way.
 * @param {Function} FindOperation the driver's
 * @param client an official client that is connected
 * @param collection of that client
 */
function findOneOperation(FindOperation, client, collection, filter = {}, options = {}) {
  if (collection.timeoutMS != null || client.options.timeoutMS != null || options === null) return null;
  for (const name in options) {
    if (!PLAIN.has(name)) return null;
  }
  if (options.sort != null && !isPlainSort(options.sort)) return null;
  const operation = new FindOperation(collection.fullNamespace, filter, {
    ...options,
    ...collection.bsonOptions,
    readConcern: collection.readConcern,
    readPreference: collection.readPreference,
    singleBatch: true,
    limit: 1,
    [STATE]: NO_CURSOR,
  });
  return refusal(operation, undefined, client) === null ? operation : null;
}

/** The cursor of the long way puts a sort into its form before the operation does; for these that makes no difference. */
function isPlainSort(sort) {
  const prototype = Object.getPrototypeOf(sort);
  return (prototype === Object.prototype || prototype === null) && Object.keys(sort).length > 0;
}

/** The document of a read that has been submitted, null when there is none. */
async function onlyDocument(reader, failureOf) {
  await reader.until(WANT.DOCUMENT);
  if (reader.buffered === 0) {
    const failure = failureOf(reader);
    if (failure !== null) throw failure.error;
    return null;
  }
  const doc = reader.shift();
  if (!reader.ended) await reader.close();
  return doc;
}

module.exports = { findOneOperation, onlyDocument };

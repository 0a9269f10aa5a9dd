'use strict';
// From a method's arguments to the BSON of one command, with the official driver's field order and
// types, and the parameters the core needs beside it.

const { formatSort } = require('./sort.js');
const { convertWrappers } = require('../ejson/convert.js');
const { parseText } = require('../ejson/text.js');
const { invalidArgument } = require('../errors.js');

function checkFilter(filter = {}) {
  if (typeof filter !== 'object' || Array.isArray(filter)) {
    throw invalidArgument('Query filter must be a plain object or ObjectId');
  }
  return filter !== null && filter._bsontype === 'ObjectId' ? { _id: filter } : filter;
}

function formatHint(hint) {
  if (typeof hint === 'string') return hint;
  if (hint === null || typeof hint !== 'object') return undefined;
  const copy = {};
  if (Array.isArray(hint)) hint.forEach((name) => { copy[name] = 1; });
  else for (const name in hint) copy[name] = hint[name];
  return copy;
}

function formatProjection(projection) {
  if (!Array.isArray(projection)) return projection;
  if (projection.length === 0) return { _id: 1 };
  const fields = {};
  for (const name of projection) fields[name] = 1;
  return fields;
}

const copyFields = (command, options, type, names) => {
  for (const name of names) {
    if (typeof options[name] === type) command[name] = options[name];
  }
};

/**
 * The `find` command as an object.
 *
 * @param {string} collection
 * @param filter checked and converted
 * @param {object} options read options; `readConcern` already settled
 */
function findCommand(collection, filter, options) {
  const command = { find: collection, filter };
  const sort = formatSort(options.sort);
  if (sort !== undefined) command.sort = sort;
  if (options.projection) command.projection = formatProjection(options.projection);
  if (options.hint) command.hint = formatHint(options.hint);
  if (typeof options.skip === 'number') command.skip = options.skip;
  addLimits(command, options);
  if (options.comment !== undefined) command.comment = options.comment;
  if (options.max) command.max = options.max;
  if (options.min) command.min = options.min;
  copyFields(command, options, 'boolean', ['returnKey', 'showRecordId', 'tailable', 'oplogReplay']);
  if (typeof options.timeout === 'boolean') command.noCursorTimeout = !options.timeout;
  else copyFields(command, options, 'boolean', ['noCursorTimeout']);
  copyFields(command, options, 'boolean', ['awaitData', 'allowPartialResults', 'allowDiskUse']);
  if (options.let) command.let = options.let;
  return addCommon(command, options);
}

function addLimits(command, options) {
  const { limit, batchSize, singleBatch } = options;
  if (typeof limit === 'number') {
    command.limit = limit < 0 ? -limit : limit;
    if (limit < 0) command.singleBatch = true;
  }
  if (typeof batchSize === 'number') {
    if (batchSize < 0) command.limit = -batchSize;
    // Equal numbers would leave the cursor open after the last document.
    else command.batchSize = batchSize === limit ? batchSize + 1 : batchSize;
  }
  if (typeof singleBatch === 'boolean') command.singleBatch = singleBatch;
}

/** What the commands end with that take a read concern: find, aggregate, count, distinct. */
function addCommon(command, options) {
  if (options.readConcern) command.readConcern = options.readConcern;
  return addTail(command, options);
}

/** What every command ends with. */
function addTail(command, options) {
  if (options.collation && typeof options.collation === 'object') command.collation = options.collation;
  if (typeof options.maxTimeMS === 'number') command.maxTimeMS = options.maxTimeMS;
  return command;
}

/**
 * What makes values of the Extended JSON in a part of a command: of wrappers, and of a whole text where one may be given.
 * With `ejson: false` nothing is.
 *
 * @returns {(value, name: string, mayBeText?: boolean) => unknown}
 */
function converterOf(client, { ejson }) {
  if (ejson === false) return (value) => value;
  const { bsonClasses } = client;
  return (value, name, mayBeText) => (mayBeText && typeof value === 'string'
    ? parseText(value, client.bridge, bsonClasses, name)
    : convertWrappers(value, bsonClasses, name));
}

/** The options with these ones converted; the object itself when nothing changes. */
function convertOptions(options, names, convert) {
  let changed = options;
  for (const name of names) {
    if (options[name] == null) continue;
    const value = convert(options[name], name, name === 'projection');
    if (value !== options[name]) changed = { ...changed, [name]: value };
  }
  return changed;
}

// js-bson's buffer is 17 MB. What does not fit is a RangeError, or, at the end of a command, missing without a word: a
// filter would ask for something else than was written. Up to here nothing can have been cut off.
const MAX_COMMAND = 17 * 1024 * 1024 - 16;

function serializeCommand(command, bsonClasses, bsonOptions) {
  const { serializeFunctions, ignoreUndefined } = bsonOptions;
  const { BSON } = bsonClasses;
  let bytes;
  try {
    bytes = BSON.serialize(command, { checkKeys: false, serializeFunctions, ignoreUndefined });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if (sizeOf(command, BSON, { serializeFunctions, ignoreUndefined }) > MAX_COMMAND) throw tooLarge(error);
    throw error;
  }
  if (bytes.length > MAX_COMMAND) throw tooLarge();
  return bytes;
}

function sizeOf(command, BSON, options) {
  try {
    return BSON.calculateObjectSize(command, options);
  } catch {
    return 0; // the error there is belongs to something else
  }
}

function tooLarge(cause) {
  return invalidArgument('The filter and options are larger than 17 MB as BSON; servers take commands of 16 MB. '
    + 'Shorten the filter, or split it into several reads', { cause });
}

/** The parameters of a FIND, see docs/architecture.md. */
function cursorParams({ db, mode, more, readPreference, retryReads, readAheadBytes }, options) {
  const params = { db, mode, retryReads };
  if (more !== undefined) params[mode] = more;
  if (readAheadBytes !== undefined) params.window = readAheadBytes;
  if (readPreference !== undefined && readPreference.mode !== 'primary') params.readPreference = readPreference.toJSON();
  // A getMore with batchSize 0 never ends on a lenient server, so 0 is for the first batch only.
  if (typeof options.batchSize === 'number' && options.batchSize !== 0) params.batchSize = options.batchSize;
  if (typeof options.limit === 'number') params.limit = options.limit;
  if (typeof options.maxAwaitTimeMS === 'number') params.maxAwaitTimeMS = options.maxAwaitTimeMS;
  if (options.getMoreComment !== undefined) params.comment = options.getMoreComment;
  return params;
}

module.exports = {
  checkFilter, findCommand, formatHint, addCommon, addTail, converterOf, convertOptions, serializeCommand, cursorParams,
};

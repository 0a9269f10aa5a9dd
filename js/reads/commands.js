'use strict';
// The read commands other than find, as objects: the official driver's fields, order and types. Arguments are checked and
// converted, and the read concern in `options` is settled.

const { addCommon, addTail } = require('./command.js');
const { invalidArgument } = require('../errors.js');

/** @param {string|number} target a collection's name, 1 for the database */
function aggregateCommand(target, pipeline, options) {
  if (options.cursor != null && typeof options.cursor !== 'object') throw invalidArgument('Cursor options must be an object');
  const command = { aggregate: target, pipeline };
  if (options.bypassDocumentValidation === true) command.bypassDocumentValidation = true;
  if (typeof options.allowDiskUse === 'boolean') command.allowDiskUse = options.allowDiskUse;
  if (options.hint) command.hint = options.hint;
  if (options.let) command.let = options.let;
  addComment(command, options);
  command.cursor = { ...options.cursor };
  if (options.batchSize) command.cursor.batchSize = options.batchSize;
  return addCommon(command, options);
}

function distinctCommand(collection, key, query, options) {
  const command = addComment({ distinct: collection, key, query }, options);
  if (options.hint != null) command.hint = options.hint;
  return addCommon(command, options);
}

/** Of estimatedDocumentCount(), from the collection's metadata. */
function estimateCommand(collection, options) {
  const command = { count: collection };
  if (typeof options.maxTimeMS === 'number') command.maxTimeMS = options.maxTimeMS;
  return addCommon(addComment(command, options), options);
}

/** Of the deprecated count(). */
function countCommand(collection, query, options) {
  const command = { count: collection, query };
  if (typeof options.limit === 'number') command.limit = options.limit;
  if (typeof options.skip === 'number') command.skip = options.skip;
  if (options.hint != null) command.hint = options.hint;
  if (typeof options.maxTimeMS === 'number') command.maxTimeMS = options.maxTimeMS;
  return addCommon(command, options);
}

function listCollectionsCommand(filter, options) {
  const { batchSize } = options;
  return addTail(addComment({
    listCollections: 1,
    filter,
    cursor: typeof batchSize === 'number' && batchSize ? { batchSize } : {},
    nameOnly: Boolean(options.nameOnly),
    authorizedCollections: Boolean(options.authorizedCollections),
  }, options), options);
}

function listIndexesCommand(collection, options) {
  const { batchSize } = options;
  return addTail(addComment({ listIndexes: collection, cursor: batchSize ? { batchSize } : {} }, options), options);
}

function listDatabasesCommand(filter, options) {
  const command = { listDatabases: 1 };
  if (typeof options.nameOnly === 'boolean') command.nameOnly = options.nameOnly;
  if (filter) command.filter = filter;
  if (typeof options.authorizedDatabases === 'boolean') command.authorizedDatabases = options.authorizedDatabases;
  return addTail(addComment(command, options), options);
}

function dbStatsCommand(options) {
  const command = { dbStats: true };
  if (options.scale != null) command.scale = options.scale;
  return addTail(command, options);
}

function addComment(command, { comment }) {
  if (comment !== undefined) command.comment = comment;
  return command;
}

module.exports = {
  aggregateCommand, distinctCommand, estimateCommand, countCommand, listCollectionsCommand, listIndexesCommand,
  listDatabasesCommand, dbStatsCommand,
};

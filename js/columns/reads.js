'use strict';
// Reads that give columns and make no objects of the documents.

const { checkReadOptions, refuseExplain, withGetMoreComment, prepareFind, openReader, readAll } = require('../reads/read.js');
const { stagesOf, prepareAggregate } = require('../reads/aggregate.js');
const { wholeOptions, streamOptions, projectionOf } = require('./options.js');
const { ColumnsMode } = require('./columns-mode.js');
const { ReaderStream } = require('../cursor/reader-stream.js');

const checked = (options) => withGetMoreComment(refuseExplain(checkReadOptions(options)));

/** Batches of columns. */
class ColumnsStream extends ReaderStream {
  constructor(open, method) {
    super(open, method, { objectMode: true });
  }
}

/** The documents of a find as columns. */
async function findColumns(collection, filter = {}, options = undefined) {
  const read = checked(options);
  const [columns] = await readAll(collection.client, prepared(collection, filter, read, wholeOptions(read)), read.signal);
  return columns;
}

/** The same in batches. Bad arguments throw here, before anything is read. */
function streamColumns(collection, filter = {}, options = undefined) {
  const read = checked(options);
  const find = prepared(collection, filter, read, streamOptions(read));
  return new ColumnsStream(() => openReader(collection.client, find, read.signal), collection.streamColumns);
}

/** What a pipeline gives as columns. */
async function aggregateColumns(parent, namespace, pipeline = [], options = undefined) {
  const read = checked(options);
  const mode = new ColumnsMode(wholeOptions(read), parent.client.bsonClasses);
  const stages = stagesOf(pipeline, parent.client, read);
  const [columns] = await readAll(parent.client, prepareAggregate(parent, namespace, stages, read, mode), read.signal);
  return columns;
}

/** The same in batches. */
function streamAggregateColumns(parent, namespace, pipeline = [], options = undefined) {
  const read = checked(options);
  const mode = new ColumnsMode(streamOptions(read), parent.client.bsonClasses);
  const stages = stagesOf(pipeline, parent.client, read);
  const find = prepareAggregate(parent, namespace, stages, read, mode);
  return new ColumnsStream(() => openReader(parent.client, find, read.signal), parent.streamAggregateColumns);
}

/** A find that asks the server for no more than the columns, unless the user says what to ask for. */
function prepared(collection, filter, read, asked) {
  const mode = new ColumnsMode(asked, collection.client.bsonClasses);
  const projection = asked.columns !== null && read.projection == null ? projectionOf(asked.columns) : read.projection;
  return prepareFind(collection, filter, projection === read.projection ? read : { ...read, projection }, mode);
}

module.exports = { findColumns, streamColumns, aggregateColumns, streamAggregateColumns };

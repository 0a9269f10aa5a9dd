'use strict';
// Reads that give JSON text and make no objects of the documents.

const { checkReadOptions, refuseExplain, withGetMoreComment, prepareFind, openReader, readAll } = require('../reads/read.js');
const { stagesOf, prepareAggregate } = require('../reads/aggregate.js');
const { tailableWith } = require('../errors.js');
const { wholeOptions, streamOptions } = require('./options.js');
const { TextMode } = require('./text-mode.js');
const { ReaderStream } = require('../cursor/reader-stream.js');

/** JSON text as a stream. */
class JSONStream extends ReaderStream {}

const checked = (options) => withGetMoreComment(refuseExplain(checkReadOptions(options)));

/** The documents of a find as one Buffer; with `single` the first one, or null. */
async function findJSON(collection, filter = {}, options = undefined) {
  const read = checked(options);
  const text = wholeOptions(read);
  if (text.format === 'single' && read.tailable) throw tailableWith('limit');
  const found = text.format === 'single' ? { ...read, singleBatch: true, limit: 1 } : read;
  return await whole(collection.client, prepareFind(collection, filter, found, new TextMode(text)), read.signal);
}

/** The results of a pipeline as one Buffer; with `single` the first one, or null. */
async function aggregateJSON(parent, namespace, pipeline = [], options = undefined) {
  const read = checked(options);
  const text = wholeOptions(read);
  const stages = stagesOf(pipeline, parent.client, read);
  return await whole(parent.client, prepareAggregate(parent, namespace, stages, read, new TextMode(text)), read.signal);
}

async function whole(client, prepared, signal) {
  const [text] = await readAll(client, prepared, signal);
  return text ?? Buffer.alloc(0);
}

/** The documents of a find as a stream. Bad arguments throw here, before anything is read. */
function streamJSON(collection, filter = {}, options = undefined) {
  const read = checked(options);
  const text = streamOptions(read);
  return stream(collection.client, prepareFind(collection, filter, read, new TextMode(text)), read.signal, collection.streamJSON);
}

/** The results of a pipeline as a stream. */
function streamAggregateJSON(parent, namespace, pipeline = [], options = undefined) {
  const read = checked(options);
  const text = streamOptions(read);
  const stages = stagesOf(pipeline, parent.client, read);
  return stream(parent.client, prepareAggregate(parent, namespace, stages, read, new TextMode(text)), read.signal, parent.streamAggregateJSON);
}

function stream(client, prepared, signal, method) {
  return new JSONStream(() => openReader(client, prepared, signal), method);
}

module.exports = { findJSON, aggregateJSON, streamJSON, streamAggregateJSON };

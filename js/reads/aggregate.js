'use strict';
// From the arguments of aggregate() to a read.

const { settle, withConcern, prepareCursor, readAll, MODES } = require('./read.js');
const { converterOf, convertOptions } = require('./command.js');
const { aggregateCommand } = require('./commands.js');
const { checkPipeline, checkCommandBytes, writeStage } = require('./read-only.js');
const { invalidArgument } = require('../errors.js');

/** The stages of a pipeline, which may be Extended JSON text. An array is itself: the official driver adds stages to it, too. */
function stagesOf(pipeline, client, options) {
  const stages = typeof pipeline === 'string' ? converterOf(client, options)(pipeline, 'pipeline', true) : pipeline;
  if (!Array.isArray(stages)) throw invalidArgument('Argument "pipeline" must be an array of aggregation stages');
  if (typeof options.out === 'string') throw writeStage('$out (option "out")');
  checkPipeline(stages);
  return stages;
}

/**
 * @param parent a collection or database
 * @param {import('../namespace.js').MongoDBNamespace} namespace
 * @param {object[]} pipeline
 * @param {object} options checked read options
 * @param [mode] as of prepareCursor
 */
function prepareAggregate(parent, namespace, pipeline, options, mode = MODES.EAGER) {
  const settled = settle(parent, options);
  const convert = converterOf(parent.client, options);
  const converted = convertOptions(withConcern(options, settled), ['let'], convert);
  const command = aggregateCommand(namespace.collection || 1, convert(pipeline, 'pipeline'), converted);
  // A limit is a stage here, and none of the cursor's.
  const prepared = prepareCursor(parent, namespace, { command, ...settled }, { ...options, limit: undefined }, mode);
  if (options.explain == null) checkCommandBytes(prepared.command); // a plan writes nothing
  return prepared;
}

/** The number of documents that match, by the pipeline all drivers send for it. */
async function countByPipeline(collection, filter, options) {
  const pipeline = [{ $match: converterOf(collection.client, options)(filter, 'filter', true) }];
  if (typeof options.skip === 'number') pipeline.push({ $skip: options.skip });
  if (typeof options.limit === 'number') pipeline.push({ $limit: options.limit });
  pipeline.push({ $group: { _id: 1, n: { $sum: 1 } } });
  // Raw documents have no fields to take the number from.
  const read = { ...options, getMoreComment: options.comment, raw: false };
  const [found] = await readAll(collection.client, prepareAggregate(collection, collection.fullNamespace, pipeline, read), options.signal);
  return found?.n ?? 0;
}

module.exports = { stagesOf, prepareAggregate, countByPipeline };

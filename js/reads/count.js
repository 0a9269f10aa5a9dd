'use strict';
// Counting by the command `count`.

const { checkReadOptions, settle, withConcern } = require('./read.js');
const { converterOf, serializeCommand } = require('./command.js');
const { countCommand, estimateCommand } = require('./commands.js');
const { runCommand } = require('./run-command.js');

async function sendCount(collection, filter, options) {
  const query = converterOf(collection.client, options)(filter, 'filter', true);
  return await countOf(collection, options, (settled) => countCommand(collection.collectionName, query, settled));
}

async function sendEstimate(collection, options) {
  return await countOf(collection, options, (settled) => estimateCommand(collection.collectionName, settled));
}

async function countOf(collection, given, commandOf) {
  const options = checkReadOptions(given);
  const settled = settle(collection, options);
  const { client } = collection;
  const command = serializeCommand(commandOf(withConcern(options, settled)), client.bsonClasses, settled.bsonOptions);
  const { readPreference } = settled;
  // The number is one, whatever the BSON options say.
  const { n } = await runCommand(client, collection.dbName, command, { readPreference, signal: options.signal });
  return Number(n ?? 0);
}

module.exports = { sendCount, sendEstimate };

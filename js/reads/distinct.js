'use strict';
// The distinct values of a field, by the command `distinct`.

const { checkReadOptions, settle, withConcern } = require('./read.js');
const { converterOf, serializeCommand } = require('./command.js');
const { distinctCommand } = require('./commands.js');
const { explained } = require('./explain.js');
const { runCommand } = require('./run-command.js');

async function distinct(collection, key, filter, given) {
  const options = checkReadOptions(given);
  const settled = settle(collection, options);
  const { client } = collection;
  const query = converterOf(client, options)(filter, 'filter', true);
  const command = distinctCommand(collection.collectionName, key, query, withConcern(options, settled));
  const wantsPlan = options.explain != null;
  const { bsonOptions, readPreference } = settled;
  const bytes = serializeCommand(wantsPlan ? explained(command, options.explain) : command, client.bsonClasses, bsonOptions);
  const reply = await runCommand(client, collection.dbName, bytes, { readPreference, bsonOptions, signal: options.signal });
  return wantsPlan ? reply : reply.values;
}

module.exports = { distinct };

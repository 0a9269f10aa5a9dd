'use strict';
// The query plan of a find.

const { buildFind } = require('./read.js');
const { serializeCommand } = require('./command.js');
const { runCommand } = require('./run-command.js');
const { invalidArgument } = require('./errors.js');

/** `true` means the most detailed plan, `false` the plan alone, as in the official driver. */
function explainOptions(verbosity, options) {
  const given = verbosity !== null && typeof verbosity === 'object' ? verbosity : { ...options, verbosity };
  let level = given.verbosity ?? true;
  if (typeof level === 'boolean') level = level ? 'allPlansExecution' : 'queryPlanner';
  if (typeof level !== 'string') throw invalidArgument('Argument "verbosity" must be a boolean, a string or { verbosity, maxTimeMS }');
  return { verbosity: level, maxTimeMS: given.maxTimeMS };
}

async function explainFind(collection, filter, options, verbosity, explain) {
  const { client } = collection;
  const settled = buildFind(collection, filter, options);
  const { verbosity: level, maxTimeMS } = explainOptions(verbosity, explain);
  const command = { explain: settled.command, verbosity: level };
  if (typeof maxTimeMS === 'number') command.maxTimeMS = maxTimeMS;
  return await runCommand(client, collection.dbName, serializeCommand(command, client.bsonClasses, settled.bsonOptions), {
    readPreference: settled.readPreference,
    bsonOptions: settled.bsonOptions,
    signal: options.signal,
  });
}

module.exports = { explainFind };

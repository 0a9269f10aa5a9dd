'use strict';
// Commands that answer with one document: the user's own, and those of methods about a database.

const { checkReadOptions, settle } = require('./read.js');
const { serializeCommand } = require('./command.js');
const { inheritBsonOptions } = require('../bson/options.js');
const { readPreferenceOf } = require('./read-preference.js');
const { checkReadCommand, checkCommandBytes } = require('./read-only.js');
const { runCommand } = require('./run-command.js');

/** A command as the user wrote it, sent once. */
async function sendUserCommand(client, db, command, given) {
  const options = checkReadOptions(given);
  checkReadCommand(command);
  const bsonOptions = inheritBsonOptions(options);
  const bytes = serializeCommand(command, client.bsonClasses, bsonOptions);
  checkCommandBytes(bytes);
  return await runCommand(client, db, bytes, {
    // Only this, and no tags or hedge beside it, as in the official driver.
    readPreference: readPreferenceOf({ readPreference: options.readPreference }),
    bsonOptions,
    signal: options.signal,
    retryReads: false,
  });
}

/**
 * @param parent the database whose defaults it inherits
 * @param {(options: object) => object} commandOf the command
 * @param {object} [given] the user's options
 * @param {{db?: string, retryReads?: boolean}} [how] db: another than the parent's; retryReads: not unless told, as in the
 *   official driver
 */
async function sendCommand(parent, commandOf, given, { db = parent.databaseName, retryReads = false } = {}) {
  const options = checkReadOptions(given);
  const { bsonOptions, readPreference } = settle(parent, options);
  const { client } = parent;
  const bytes = serializeCommand(commandOf(options), client.bsonClasses, bsonOptions);
  return await runCommand(client, db, bytes, { readPreference, bsonOptions, signal: options.signal, retryReads });
}

module.exports = { sendUserCommand, sendCommand };

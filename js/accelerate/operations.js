'use strict';
// From an operation of the official driver, which knows how to build its command, to a read of the core.

const { decoderFor } = require('../decoders.js');
const { inheritBsonOptions } = require('../bson/options.js');

/** Where an accelerated cursor puts its state (cursors.js) among its options, and so among those of its operations. */
const STATE = Symbol('rumongo-go');

const WITH_CURSOR = new Set(['find', 'aggregate']);
const WITH_REPLY = new Set(['count', 'distinct']);

// No batch is fetched before the one before it is used up: the commands are then the official driver's, also when a loop is
// left early.
const NO_READ_AHEAD = 1;
// Below js-bson's buffer, past which a command is cut off without a word.
const MAX_COMMAND = 16 * 1024 * 1024;
const MAX_KNOWN = 256;

/** Collects a reply's bytes, which the official operation decodes itself. */
const replyDecoder = { decode: (bytes, out) => out.push(bytes.slice()) };

/** @returns why an operation is the official driver's to run, null when it is one for the core */
function refusal(operation, timeoutContext, client) {
  const { options } = operation;
  if (WITH_CURSOR.has(operation.commandName)) {
    if (options[STATE] === undefined) return 'explain';
  } else if (!WITH_REPLY.has(operation.commandName)) {
    return operation.commandName;
  }
  if (client.mongoLogger?.willLog?.('command', 'debug')) return 'the driver logs commands';
  if (operation.session?.explicit) return 'session';
  if (operation.explain != null) return 'explain';
  if (operation.hasWriteStage) return '$out or $merge';
  if (options.tailable || options.awaitData || options.exhaust) return 'tailable';
  if (options.rawData != null) return 'rawData';
  if (timeoutContext?.csotEnabled?.()) return 'timeoutMS';
  if (operation.pipeline?.[0]?.$changeStream != null) return '$changeStream';
  const { raw, useBigInt64, promoteLongs, promoteValues } = operation.bsonOptions;
  if (!raw && useBigInt64 && !(promoteLongs && promoteValues)) return 'useBigInt64';
  return null;
}

/** Makes requests of operations for one `mongodb` package. */
class Requests {
  constructor(mongodb, bsonClasses, bridge) {
    this.BSON = mongodb.BSON;
    this.bsonClasses = bsonClasses;
    this.bridge = bridge;
    // Those of version 6 ask for a thousand documents in a getMore when they are not told how many.
    this.isVersion6 = mongodb.AbstractCursor.prototype.getMore.length === 1;
    this.params = new Map();
    this.bsonOptions = new Map();
  }

  /**
   * What openReader() takes.
   * @returns null when the command is too large
   */
  of(operation, timeoutContext, connection, retryReads) {
    const command = operation.buildCommand(connection, operation.session);
    const { checkKeys, serializeFunctions, ignoreUndefined } = operation.buildOptions(timeoutContext);
    const how = { checkKeys: checkKeys === true, serializeFunctions, ignoreUndefined: ignoreUndefined === true };
    const bytes = this.BSON.serialize(command, how);
    if (bytes.length > MAX_COMMAND) return null;
    const bsonOptions = this.shared(operation.bsonOptions);
    const isCursor = WITH_CURSOR.has(operation.commandName);
    const mode = bsonOptions.raw ? 'lazy' : 'frames';
    return {
      op: isCursor ? this.bridge.OP.FIND : this.bridge.OP.COMMAND,
      command: bytes,
      params: isCursor ? this.cursorParams(operation, mode, retryReads, how) : this.serialized(this.common(operation, retryReads)),
      decoder: isCursor ? decoderFor(this.bridge, this.bsonClasses, bsonOptions, mode) : replyDecoder,
      bsonOptions,
      namespace: namespaceOf(operation, command),
    };
  }

  common(operation, retryReads) {
    const params = { db: operation.ns.db, retryReads };
    const { readPreference } = operation;
    if (readPreference != null && readPreference.mode !== 'primary') params.readPreference = readPreference.toJSON();
    return params;
  }

  /** The getMores of a cursor take their options from the cursor, not from the operation that opened it. */
  cursorParams(operation, mode, retryReads, how) {
    const { limit } = operation.options;
    const { cursor, readAhead } = operation.options[STATE];
    const { maxAwaitTimeMS, comment } = cursor.cursorOptions;
    const batchSize = this.isVersion6 ? cursor.cursorOptions.batchSize || 1000 : cursor.cursorOptions.batchSize;
    const params = this.common(operation, retryReads);
    params.mode = mode;
    // After a negative batchSize the cursor may stop by itself.
    if (!readAhead || batchSize < 0) params.window = NO_READ_AHEAD;
    if (typeof batchSize === 'number' && batchSize !== 0) params.batchSize = batchSize;
    if (typeof limit === 'number' && operation.commandName === 'find' && (limit > 0 || !this.isVersion6)) params.limit = limit;
    if (typeof maxAwaitTimeMS === 'number') params.maxAwaitTimeMS = maxAwaitTimeMS;
    if (comment !== undefined) params.comment = comment;
    return params.readPreference === undefined && comment === undefined ? this.serialized(params) : this.BSON.serialize(params, how);
  }

  /** Most reads have the same few parameters. */
  serialized(params) {
    if (params.readPreference !== undefined) return this.BSON.serialize(params);
    const key = `${params.db} ${params.retryReads} ${params.mode} ${params.window} ${params.batchSize} ${params.limit} ${params.maxAwaitTimeMS}`;
    let bytes = this.params.get(key);
    if (bytes === undefined) {
      if (this.params.size >= MAX_KNOWN) this.params.clear();
      bytes = this.BSON.serialize(params);
      this.params.set(key, bytes);
    }
    return bytes;
  }

  /** The same object for the same options: decoders are found by identity. */
  shared(options) {
    const key = `${options.raw}${options.useBigInt64}${options.promoteLongs}${options.promoteValues}${options.promoteBuffers}`
      + `${options.bsonRegExp}${options.enableUtf8Validation}`;
    let shared = this.bsonOptions.get(key);
    if (shared === undefined) {
      shared = inheritBsonOptions(options);
      this.bsonOptions.set(key, shared);
    }
    return shared;
  }
}

/** What is read: the operations of a command are in the namespace of commands. */
function namespaceOf({ ns, commandName }, command) {
  const collection = command[commandName];
  return typeof collection === 'string' ? `${ns.db}.${collection}` : ns.db;
}

module.exports = { STATE, WITH_CURSOR, refusal, Requests };

'use strict';
// From a collection or database and a method's arguments to a running Reader.

const { Reader, WANT } = require('../cursor/reader.js');
const { checkFilter, findCommand, converterOf, convertOptions, serializeCommand, cursorParams } = require('./command.js');
const { DEFAULTS, inheritBsonOptions } = require('../bson/options.js');
const { PRIMARY, readPreferenceOf, readConcernOf } = require('./read-preference.js');
const { decoderFor } = require('../decoders.js');
const { explained, ReplyDecoder } = require('./explain.js');
const { commandParams } = require('./run-command.js');
const { contextOf, observe } = require('../monitoring/observe.js');
const { invalidArgument } = require('../errors.js');

const UNSUPPORTED = {
  session: 'rumongo-go reads outside sessions and transactions; give this read to the official mongodb driver',
  rawData: 'give this read to the official mongodb driver',
};

/**
 * The kind of a read's chunks: of documents, or an object for what is made of them instead.
 * @typedef {'frames' | 'lazy' | { name: string, decoder: object, params(bsonOptions, bsonClasses): object }} Mode
 */

const MODES = Object.freeze({ EAGER: 'frames', LAZY: 'lazy' });
const MAX_CACHED_PARAMS = 64;
const MAX_READ_AHEAD = 2 ** 31 - 1;
// Of tailable cursors: one that nobody asks would otherwise ask the server for ever.
const ON_DEMAND = 1;

/** Refuses read options that cannot be honoured; null and undefined mean none. */
function checkReadOptions(options) {
  if (options === undefined || options === null) return {};
  if (typeof options !== 'object' || Array.isArray(options)) {
    throw invalidArgument(`Argument "options" must be an object of read options, got ${Array.isArray(options) ? 'an array' : typeof options}`);
  }
  for (const name in UNSUPPORTED) {
    if (options[name] != null) throw invalidArgument(`Option "${name}" is not supported: ${UNSUPPORTED[name]}`);
  }
  checkSignal(options.signal);
  checkReadAhead(options.readAheadBytes);
  return options;
}

/** Of reads that give documents in other forms than a plan has. */
function refuseExplain(options) {
  if (options.explain != null) throw invalidArgument('Option "explain" is not supported here: call find().explain()');
  return options;
}

/** What FindCursor takes from its options for the getMore, for reads that are not made by one. */
function withGetMoreComment(options) {
  return options.comment === undefined ? options : { ...options, getMoreComment: options.comment };
}

function checkReadAhead(bytes) {
  if (bytes != null && !(Number.isInteger(bytes) && bytes > 0 && bytes <= MAX_READ_AHEAD)) {
    throw invalidArgument('Option "readAheadBytes" must be a whole number of bytes from 1 to 2147483647');
  }
}

function checkSignal(signal) {
  if (signal != null && !(typeof signal.addEventListener === 'function' && 'aborted' in signal)) {
    throw invalidArgument('Option "signal" must be an AbortSignal');
  }
}

/** Takes the read preference, read concern and BSON options of a read from its options or its collection or database. */
function settle(parent, options) {
  return {
    bsonOptions: inheritBsonOptions(options, parent.bsonOptions),
    readConcern: readConcernOf(options) ?? parent.readConcern,
    readPreference: readPreferenceOf(options) ?? parent.readPreference,
  };
}

/** In the place of a collection or database, for the methods that in the official driver inherit from none. */
function bareParent(client) {
  return { client, bsonOptions: DEFAULTS, readPreference: PRIMARY, readConcern: undefined, paramsCache: new Map() };
}

/** The options with what is settled in them, for another method that would inherit from another parent. */
function settledOptions(parent, options) {
  const { bsonOptions, readConcern, readPreference } = settle(parent, options);
  return { ...options, ...bsonOptions, readConcern, readPreference };
}

function withConcern(options, { readConcern }) {
  return options.readConcern === readConcern ? options : { ...options, readConcern };
}

/**
 * A find, ready to be sent any number of times.
 *
 * @param {import('../collection.js').Collection} collection
 * @param filter as the user gave it
 * @param {object} options checked read options
 * @param {Mode} mode
 */
function prepareFind(collection, filter, options, mode) {
  return prepareCursor(collection, collection.fullNamespace, buildFind(collection, filter, options), options, mode);
}

/** The command as an object, and the settings that came from the collection or the options. */
function buildFind(collection, filter, options) {
  const settled = settle(collection, options);
  const convert = converterOf(collection.client, options);
  const converted = convertOptions(options, ['projection', 'min', 'max', 'let'], convert);
  const command = findCommand(collection.collectionName, checkFilter(convert(filter, 'filter', true)), withConcern(converted, settled));
  return { command, ...settled };
}

/**
 * The command and all it needs, ready to be sent any number of times.
 *
 * @param parent a collection or database
 * @param {import('../namespace.js').MongoDBNamespace} namespace
 * @param {{command: object, bsonOptions, readPreference}} built the command as an object, and its settings
 * @param {object} options what the getMore needs of them, see cursorParams; `explain` asks for the plan instead
 * @param {Mode} mode
 */
function prepareCursor(parent, namespace, built, options, mode) {
  const { bsonClasses, bridge } = parent.client;
  const { bsonOptions } = built;
  if (options.explain != null) return prepareExplain(parent, namespace, built, options.explain);
  // Raw documents are copies of their bytes, and those are what a lazy chunk holds.
  const chunks = bsonOptions.raw && typeof mode === 'string' ? MODES.LAZY : mode;
  return {
    op: bridge.OP.FIND,
    command: serializeCommand(built.command, bsonClasses, bsonOptions),
    params: cursorParamBytes(parent, namespace.db, options, built, chunks),
    decoder: chunks.decoder ?? decoderFor(bridge, bsonClasses, bsonOptions, chunks),
    bsonOptions,
    namespace: namespace.toString(),
  };
}

/** A read whose only document is the plan. */
function prepareExplain({ client }, namespace, { command, bsonOptions, readPreference }, explain) {
  const { bsonClasses, bridge } = client;
  return {
    op: bridge.OP.COMMAND,
    command: serializeCommand(explained(command, explain), bsonClasses, bsonOptions),
    params: bsonClasses.BSON.serialize(commandParams(client, namespace.db, readPreference)),
    decoder: new ReplyDecoder(bsonClasses, bsonOptions),
    bsonOptions,
    namespace: namespace.toString(),
  };
}

/** Parameters are the same for most reads of a collection, so their bytes are kept. */
function cursorParamBytes(parent, db, options, { readPreference, bsonOptions }, mode) {
  const { bsonClasses, settings } = parent.client;
  const more = typeof mode === 'object' ? mode.params(bsonOptions, bsonClasses) : undefined;
  const make = () => serializeCommand(cursorParams({
    db,
    mode: more === undefined ? mode : mode.name,
    more,
    readPreference,
    retryReads: settings.retryReads,
    readAheadBytes: options.readAheadBytes ?? (options.tailable ? ON_DEMAND : settings.readAheadBytes),
  }, options), bsonClasses, bsonOptions);
  const usual = readPreference === parent.readPreference && options.getMoreComment === undefined
    && options.maxAwaitTimeMS === undefined && options.readAheadBytes == null && !options.tailable && more === undefined;
  if (!usual) return make();

  const cache = parent.paramsCache;
  const key = `${mode} ${numberOf(options.batchSize)} ${numberOf(options.limit)}`;
  let bytes = cache.get(key);
  if (bytes === undefined) {
    if (cache.size >= MAX_CACHED_PARAMS) cache.clear();
    bytes = make();
    cache.set(key, bytes);
  }
  return bytes;
}

const numberOf = (value) => (typeof value === 'number' ? value : '');

/**
 * Starts a prepared read. A client that is not connected yet connects first, as the official driver's does.
 *
 * @param {import('../client.js').MongoClient} client
 * @param prepared of prepareCursor; without `op` it is a FIND
 * @param {AbortSignal} [signal]
 * @returns {Reader}
 */
function openReader(client, prepared, signal) {
  signal?.throwIfAborted();
  client.checkUsable();
  const reader = new Reader(prepared.decoder, client.bsonClasses, prepared.bsonOptions);
  reader.context = contextOf(client);
  client.track(reader);
  if (signal != null) watch(signal, reader);
  const submit = () => {
    if (reader.stopped) return;
    try {
      reader.submit(client.bridge, prepared.op ?? client.bridge.OP.FIND, client.coreId, prepared.command, prepared.params);
    } catch (error) {
      reader.fail(error);
    }
  };
  const start = () => {
    if (client.coreId !== null) submit();
    else client.autoConnect().then(submit, (error) => reader.fail(error));
  };
  const observation = observe(client, prepared.command, prepared);
  if (observation === null) {
    start();
  } else {
    observation.follow(reader);
    observation.run(start);
  }
  return reader;
}

function watch(signal, reader) {
  const abort = () => reader.fail(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  reader.onDone(() => signal.removeEventListener('abort', abort));
}

/** All documents of a prepared read that has no cursor. */
async function readAll(client, prepared, signal) {
  const reader = openReader(client, prepared, signal);
  await reader.until(WANT.ALL);
  reader.throwIfFailed();
  return reader.takeDocs();
}

module.exports = {
  MODES, checkReadOptions, refuseExplain, withGetMoreComment, settle, bareParent, settledOptions, withConcern, buildFind, prepareFind,
  prepareCursor, openReader, readAll,
};

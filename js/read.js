'use strict';
// From a collection and a method's arguments to a running Reader.

const { Reader } = require('./cursor/reader.js');
const { checkFilter, findCommand, convertFind, serializeCommand, findParams } = require('./command.js');
const { inheritBsonOptions } = require('./bson-options.js');
const { readPreferenceOf, readConcernOf } = require('./read-preference.js');
const { decoderFor } = require('./decoders.js');
const debug = require('./debug.js');
const { invalidArgument } = require('./errors.js');

const UNSUPPORTED = {
  session: 'rumongo-go reads outside sessions and transactions; give this read to the official driver',
  explain: 'call explain() on the cursor',
  rawData: 'give this read to the official driver',
};

const MODES = Object.freeze({ EAGER: 'frames', LAZY: 'lazy' });
const MAX_CACHED_PARAMS = 64;
const MAX_READ_AHEAD = 2 ** 31 - 1;

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

/** Takes the read preference, read concern and BSON options of a read from its options or its collection. */
function settle(collection, options) {
  return {
    bsonOptions: inheritBsonOptions(options, collection.bsonOptions),
    readConcern: readConcernOf(options) ?? collection.readConcern,
    readPreference: readPreferenceOf(options) ?? collection.readPreference,
  };
}

/**
 * The command and all it needs, ready to be sent any number of times.
 *
 * @param {import('./collection.js').Collection} collection
 * @param filter as the user gave it
 * @param {object} options checked read options
 * @param {'frames'|'lazy'} mode
 */
function prepareFind(collection, filter, options, mode) {
  const { bsonClasses, bridge } = collection.client;
  const built = buildFind(collection, filter, options);
  // Raw documents are copies of their bytes, and those are what a lazy chunk holds.
  const chunks = built.bsonOptions.raw ? MODES.LAZY : mode;
  return {
    command: serializeCommand(built.command, bsonClasses, built.bsonOptions),
    params: findParamBytes(collection, options, built, chunks),
    decoder: decoderFor(bridge, bsonClasses, built.bsonOptions, chunks),
    bsonOptions: built.bsonOptions,
    namespace: collection.namespace,
  };
}

/** The command as an object, and the settings that came from the collection or the options. */
function buildFind(collection, filter, options) {
  const settled = settle(collection, options);
  const converted = convertFind(filter, options, collection.client);
  const command = findCommand(collection.collectionName, checkFilter(converted.filter), withConcern(converted.options, settled));
  return { command, ...settled };
}

function withConcern(options, { readConcern }) {
  return options.readConcern === readConcern ? options : { ...options, readConcern };
}

/** Parameters are the same for most reads of a collection, so their bytes are kept. */
function findParamBytes(collection, options, { readPreference, bsonOptions }, mode) {
  const { bsonClasses, settings } = collection.client;
  const make = () => serializeCommand(findParams({
    db: collection.dbName,
    mode,
    readPreference,
    retryReads: settings.retryReads,
    readAheadBytes: options.readAheadBytes ?? settings.readAheadBytes,
  }, options), bsonClasses, bsonOptions);
  const usual = readPreference === collection.readPreference && options.getMoreComment === undefined
    && options.maxAwaitTimeMS === undefined && options.readAheadBytes == null;
  if (!usual) return make();

  const cache = collection.paramsCache;
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
 * @param {import('./client.js').MongoClient} client
 * @param prepared of prepareFind
 * @param {AbortSignal} [signal]
 * @returns {Reader}
 */
function openReader(client, prepared, signal) {
  signal?.throwIfAborted();
  client.checkUsable();
  const reader = new Reader(prepared.decoder, client.bsonClasses, prepared.bsonOptions);
  client.track(reader);
  if (signal != null) watch(signal, reader);
  if (debug.enabled) debug.logRead(reader, prepared.namespace);
  const submit = () => {
    if (reader.stopped) return;
    try {
      reader.submit(client.bridge, client.bridge.OP.FIND, client.coreId, prepared.command, prepared.params);
    } catch (error) {
      reader.fail(error);
    }
  };
  if (client.coreId !== null) submit();
  else client.autoConnect().then(submit, (error) => reader.fail(error));
  return reader;
}

function watch(signal, reader) {
  const abort = () => reader.fail(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  reader.onEnd(() => signal.removeEventListener('abort', abort));
}

module.exports = { MODES, checkReadOptions, withGetMoreComment, buildFind, prepareFind, openReader };

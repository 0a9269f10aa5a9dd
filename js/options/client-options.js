'use strict';
// A client's options: the connection string's and the object's, checked and merged (the object wins)
// before anything is sent. Error messages are the official driver's where it has one.

const { optionEntry } = require('./table.js');
const { parseUri } = require('./uri.js');
const { officialOptions } = require('./official.js');
const { inheritBsonOptions, NAMES: BSON_NAMES } = require('../bson/options.js');
const { PRIMARY, ReadPreference, toReadPreference, readConcernOf } = require('../reads/read-preference.js');
const { checkTls, checkTopology, checkProxy, checkCredentials } = require('./checks.js');
const { parseError, invalidArgument, apiError } = require('../errors.js');

const INT32_MAX = 2147483647;
const MECHANISMS = ['MONGODB-AWS', 'DEFAULT', 'GSSAPI', 'PLAIN', 'SCRAM-SHA-1', 'SCRAM-SHA-256', 'MONGODB-X509', 'MONGODB-OIDC'];
const COMPRESSORS = ['none', 'snappy', 'zlib', 'zstd'];
const MONITORING = ['auto', 'poll', 'stream'];
const SRV_LENGTH = 'mongodb+srv://'.length;
const EXTERNAL = new Set(['GSSAPI', 'MONGODB-AWS', 'MONGODB-OIDC', 'MONGODB-X509']);

/**
 * @param {string} uri
 * @param {object} [options]
 * @returns {{uri, dbName, bson, bsonOptions, readPreference, readConcern, retryReads, monitorCommands, tracing, server, core, official}}
 */
function parseClientOptions(uri, options) {
  if (options != null && (typeof options !== 'object' || Array.isArray(options))) {
    throw invalidArgument(`Argument "options" must be an object of client options, got ${Array.isArray(options) ? 'an array' : typeof options}`);
  }
  const { bson, ...given } = options ?? {};
  const address = parseUri(uri);
  const values = collect(address, given);
  refuseUnknown(values);

  const settled = {};
  for (const { entry, all } of values.values()) {
    if (entry.use === 'refused') throw parseError(`option ${entry.option} is not supported by rumongo-go; ${entry.remedy}`);
    const value = convert(entry, all); // of options that only concern writes, too: a mistake in them should not wait for a writer
    if (entry.use !== 'write') settled[entry.option] = value;
  }
  checkTls(values, settled);
  checkTopology(address, settled);
  checkProxy(settled);
  checkCredentials(address, settled);

  const known = {
    dbName: settled.dbName ?? address.dbName ?? 'test',
    readPreference: clientReadPreference(settled),
    readConcern: clientReadConcern(settled),
    core: coreOptions(address, settled),
  };
  return Object.freeze({
    ...known,
    uri: coreUri(uri, address),
    bson,
    bsonOptions: bsonOptionsOf(settled),
    retryReads: settled.retryReads ?? true,
    monitorCommands: settled.monitorCommands ?? false,
    tracing: settled.tracing,
    server: onlyServer(address),
    readAheadBytes: settled.readAheadBytes,
    processReadAheadBytes: settled.processReadAheadBytes,
    official: officialOptions(address, settled, known),
  });
}

/** Every option that was given: lower-case name -> entry and values, the object's before the URI's. */
function collect(address, given) {
  const values = new Map();
  const add = (key, name, list) => {
    const seen = values.get(key);
    if (seen !== undefined) seen.all.push(...list);
    else values.set(key, { name, entry: optionEntry(key), all: [...list] });
  };
  for (const [name, value] of Object.entries(given)) {
    if (value == null) continue;
    if (name.toLowerCase() === 'loadbalanced') throw parseError('loadBalanced is only a valid option in the URI');
    add(name.toLowerCase(), name, [value]);
  }
  for (const [key, { name, values: texts }] of address.params) {
    if (key === 'serverapi' || key === 'bson') {
      throw parseError(`URI cannot contain \`${name}\`, it can only be passed to the client`);
    }
    if (texts.includes('') && key !== 'readpreferencetags') {
      throw apiError(`URI option "${name}" cannot be specified with no value`);
    }
    add(key, name, texts);
  }
  return values;
}

function refuseUnknown(values) {
  const unknown = [...values].filter(([, { entry }]) => entry === undefined).map(([key]) => key);
  if (unknown.length === 1) throw parseError(`option ${unknown[0]} is not supported`);
  if (unknown.length > 1) throw parseError(`options ${unknown.join(', ')} are not supported`);
}

function convert(entry, all) {
  const name = entry.option;
  const value = all[0];
  switch (entry.type) {
    case 'boolean':
      return toBoolean(entry.name === 'tls' ? 'tls/ssl' : name, value);
    case 'inverted':
      return !toBoolean(name, value);
    case 'int':
      return toInt(name, value);
    case 'uint':
      return toUint(name, value);
    case 'positive': {
      const number = toUint(name, value);
      if (number === 0) throw invalidArgument(`${name} must be > 0 if specified`);
      return number;
    }
    case 'string':
      if (typeof value === 'object') throw parseError(`${name} must be a string`);
      return String(value);
    case 'record':
      if (!isRecord(value)) throw parseError(`${name} must be an object`);
      return value;
    case 'tags':
      return (Array.isArray(value) ? value : all).map(toTagSet);
    case 'compressors':
      return toCompressors(all);
    default:
      return (SPECIAL[entry.type] ?? ((v) => v))(value, name, all);
  }
}

const SPECIAL = {
  auth(value, name) {
    if (!isRecord(value) || !('username' in value && 'password' in value)) {
      throw parseError(`${name} must be an object with 'username' and 'password' properties`);
    }
    return { username: String(value.username), password: String(value.password) };
  },
  authMechanism(value) {
    const found = MECHANISMS.find((mechanism) => mechanism === String(value).toUpperCase());
    if (found === undefined) throw parseError(`authMechanism one of ${MECHANISMS}, got ${value}`);
    return found;
  },
  family(value, name) {
    const number = toInt(name, value);
    if (number !== 4 && number !== 6) throw parseError(`Option 'family' must be 4 or 6 got ${number}.`);
    return number;
  },
  monitoring(value, name) {
    if (!MONITORING.includes(value)) throw parseError(`${name} must be one of \`auto\`, \`poll\`, or \`stream\``);
    return value;
  },
  pairs(value, name, all) {
    let merged = {};
    for (const one of all) {
      if (typeof one === 'string') merged = { ...parsePairs(one), ...merged };
      else if (isRecord(one)) merged = { ...one };
      else throw parseError(`${name} must be an object`);
    }
    return merged;
  },
  pem(value, name) {
    const list = Array.isArray(value) ? value : [value];
    for (const one of list) {
      if (typeof one !== 'string' && !(one instanceof Uint8Array)) throw parseError(`${name} must be PEM text, a Buffer, or an array of these`);
    }
    return value;
  },
  tracing(value) {
    const unknown = isRecord(value) ? Object.keys(value).filter((key) => key !== 'enabled') : [];
    if (!isRecord(value) || unknown.length > 0 || ![undefined, true, false].includes(value.enabled)) {
      throw parseError('tracing must be an object { enabled: true | false }');
    }
    return value;
  },
  serverApi(value) {
    const api = typeof value === 'string' ? { version: value } : value;
    if (!api?.version) throw parseError('Invalid `serverApi` property; must specify a version from the following enum: ["1"]');
    if (api.version !== '1') throw parseError(`Invalid server API version=${api.version}; must be in the following enum: ["1"]`);
    return api;
  },
};

/** The one server of the connection string as { address, port }, or null where it names several, or none that is a server. */
function onlyServer({ srv, hosts }) {
  if (srv || hosts.length !== 1 || hosts[0].endsWith('.sock')) return null;
  const { hostname, port } = new URL(`mongodb://${hosts[0].replaceAll(' ', '%20')}`);
  return { address: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 27017 : Number(port) };
}

function toBoolean(name, value) {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  if (value === 'false') return false;
  throw parseError(`${name} must be either "true" or "false"`);
}

function toInt(name, value) {
  const number = typeof value === 'number' ? Math.trunc(value) : Number.parseInt(String(value), 10);
  if (Number.isNaN(number)) throw parseError(`Expected ${name} to be stringified int value, got: ${value}`);
  return Math.max(-INT32_MAX, Math.min(INT32_MAX, number));
}

function toUint(name, value) {
  const number = toInt(name, value);
  if (number < 0) throw parseError(`${name} can only be a positive int value, got: ${value}`);
  return number;
}

function toCompressors(all) {
  const list = new Set();
  for (const one of all) {
    const names = typeof one === 'string' ? one.split(',') : one;
    if (!Array.isArray(names)) throw invalidArgument('compressors must be an array or a comma-delimited list of strings');
    for (const name of names) {
      if (!COMPRESSORS.includes(String(name))) {
        throw invalidArgument(`${name} is not a valid compression mechanism. Must be one of: ${COMPRESSORS}.`);
      }
      if (name !== 'none') list.add(String(name));
    }
  }
  return [...list];
}

function parsePairs(text) {
  const out = {};
  for (const pair of text === '' ? [] : text.split(',')) {
    const colon = pair.indexOf(':');
    if (colon === -1) throw parseError('Cannot have undefined values in key value pairs');
    out[pair.slice(0, colon)] = pair.slice(colon + 1);
  }
  return out;
}

function toTagSet(tag) {
  if (typeof tag === 'string') return parsePairs(tag);
  if (isRecord(tag)) return { ...tag };
  throw parseError('readPreferenceTags must be an array of objects or of "name:value" lists');
}

function isRecord(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function bsonOptionsOf(settled) {
  const given = {};
  for (const name of BSON_NAMES) given[name] = settled[name];
  if (given.useBigInt64 && (given.promoteLongs === false || given.promoteValues === false)) {
    throw apiError('Must request either bigint or Long for int64 deserialization');
  }
  return inheritBsonOptions(given);
}

function clientReadPreference({ readPreference, readPreferenceTags, maxStalenessSeconds }) {
  const extra = { readPreferenceTags, maxStalenessSeconds };
  if (readPreference != null) {
    const base = toReadPreference(readPreference, extra);
    return base.maxStalenessSeconds === undefined && maxStalenessSeconds !== undefined
      ? new ReadPreference(base.mode, base.tags, { maxStalenessSeconds, hedge: base.hedge })
      : base;
  }
  return readPreferenceTags || maxStalenessSeconds ? toReadPreference('primary', extra) : PRIMARY;
}

function clientReadConcern({ readConcern, readConcernLevel }) {
  return readConcernOf({ readConcern, level: readConcernLevel });
}

/**
 * The connection string of the core: where to connect, and no more. The core's parser refuses strings that the official
 * Node.js driver accepts, and what it refuses it quotes, so that it is given neither options nor, but for SRV (where a DNS
 * record may complete them), credentials and database.
 */
function coreUri(uri, address) {
  if (!address.srv) return `mongodb://${address.hosts.join(',')}/`;
  const plain = uri.split('?', 1)[0];
  return plain.slice(SRV_LENGTH).includes('/') ? plain : `${plain}/`;
}

/** What the core is told, in the names and types of docs/architecture.md. */
function coreOptions(address, settled) {
  const out = {};
  for (const [option, value] of Object.entries(settled)) {
    const entry = optionEntry(option);
    if (entry.use === 'core') out[entry.name] = value;
  }
  if (out.auth === undefined && address.username !== undefined && !address.srv) {
    out.auth = { username: address.username, password: address.password };
  }
  // The official driver authenticates against the database when nothing else is said.
  const dbName = settled.dbName ?? (address.srv ? undefined : address.dbName);
  if (dbName !== undefined && out.authSource === undefined && (out.auth ?? address.username) !== undefined
    && !EXTERNAL.has(out.authMechanism)) {
    out.authSource = dbName;
  }
  if (address.srv && out.tls === undefined) out.tls = true;
  return Object.freeze(out);
}

module.exports = { parseClientOptions };

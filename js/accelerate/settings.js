'use strict';
// From an official client's options to those of a client of ours that connects to the same servers in the same way, or the
// reason why there can be none.

const { optionEntry } = require('../options/table.js');

// Of client.options, but no options: parts of the connection string, and what the driver has made of others.
const PARTS = new Set([
  'hosts', 'srvHost', 'credentials', 'dbName', 'metadata', 'extendedMetadata', 'additionalDriverInfo', 'mongoLogger',
  'mongoLoggerOptions', 'runtime', 'userSpecifiedAuthSource', 'userSpecifiedReplicaSet', 'authProviders', 'tokenCache',
  'readPreference', 'readConcern', 'writeConcern', 'loadBalanced', 'checkServerIdentity', 'pkFactory', 'autoEncrypter',
  'encrypter',
]);

// The files these options name are read at connect, into the options of their contents.
const FILES = { tlsCAFile: 'ca', tlsCertificateKeyFile: 'key' };

const MECHANISMS = new Set(['DEFAULT', 'SCRAM-SHA-1', 'SCRAM-SHA-256', 'PLAIN', 'MONGODB-X509', 'MONGODB-OIDC']);

const pristine = new WeakMap();

/** What a client's options are when none is given. Constructing one connects nothing. */
function defaultsOf(mongodb) {
  let defaults = pristine.get(mongodb);
  if (defaults === undefined) {
    defaults = new mongodb.MongoClient('mongodb://localhost').options;
    pristine.set(mongodb, defaults);
  }
  return defaults;
}

/**
 * @param client an official MongoClient; the files of certificates are read when it connects
 * @param mongodb the package it comes from
 * @returns {{uri: string, options: object} | {reason: string}}
 */
function settingsOf(client, mongodb) {
  const { options } = client;
  const reason = refusal(client, mongodb);
  if (reason !== null) return { reason };

  const ours = {};
  const defaults = defaultsOf(mongodb);
  for (const [name, value] of Object.entries(options)) {
    if (value == null || PARTS.has(name) || isSame(value, defaults[name])) continue;
    const entry = optionEntry(name);
    if (entry === undefined) return { reason: `its option ${name} is not known to rumongo-go` };
    if (entry.use === 'refused') return { reason: `its option ${name} has no counterpart in rumongo-go` };
    if (entry.use !== 'core' || (name in FILES && options[FILES[name]] != null)) continue;
    ours[name] = value;
  }
  if (options.tlsInsecure) delete ours.rejectUnauthorized;
  else if (options.checkServerIdentity != null) ours.tlsAllowInvalidHostnames = true;
  addCredentials(ours, options.credentials);
  return { uri: uriOf(options), options: ours };
}

const isSame = (a, b) => a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** What only the official driver can do, in words that follow "this client is left to the official driver:". */
function refusal(client, mongodb) {
  const { options } = client;
  if (options.autoEncryption != null || client.autoEncrypter != null) return 'it has autoEncryption';
  if (options.pkFactory !== defaultsOf(mongodb).pkFactory) return 'it has a pkFactory';
  for (const name of ['lookup', 'secureContext']) {
    if (options[name] != null) return `it has the option ${name}`;
  }
  // tlsAllowInvalidHostnames and tlsInsecure end up as this function; whose text is the same does the same.
  const { checkServerIdentity } = options;
  if (checkServerIdentity != null && String(checkServerIdentity) !== '() => undefined') return 'it has the option checkServerIdentity';
  return credentialsRefusal(options.credentials);
}

function credentialsRefusal(credentials) {
  if (credentials == null) return null;
  for (const [name, value] of Object.entries(credentials.mechanismProperties ?? {})) {
    if (typeof value === 'function') return `its credentials come from the function ${name}`;
  }
  if (!MECHANISMS.has(credentials.mechanism)) return `it authenticates by ${credentials.mechanism}`;
  return null;
}

function addCredentials(ours, credentials) {
  if (credentials == null) return;
  const { username, password, source, mechanism, mechanismProperties } = credentials;
  if (username) ours.auth = { username, password: password ?? '' };
  if (source) ours.authSource = source;
  if (mechanism !== 'DEFAULT') ours.authMechanism = mechanism;
  const { ALLOWED_HOSTS, ...properties } = mechanismProperties ?? {};
  if (Object.keys(properties).length > 0) ours.authMechanismProperties = properties;
}

/** Without credentials, which are options here. Records of SRV are the core's to look up and to follow. */
function uriOf({ srvHost, hosts, loadBalanced }) {
  const address = typeof srvHost === 'string'
    ? `mongodb+srv://${srvHost}/`
    : `mongodb://${hosts.map((host) => (host.socketPath ? encodeURIComponent(host.socketPath) : host.toString())).join(',')}/`;
  return loadBalanced ? `${address}?loadBalanced=true` : address;
}

module.exports = { settingsOf };

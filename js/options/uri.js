'use strict';
// Takes a connection string apart and refuses what the official driver refuses, before any I/O. No
// message repeats the user name or the password.

const { errors, parseError, invalidArgument } = require('../errors.js');

const PLAIN = 'mongodb://';
const SRV = 'mongodb+srv://';
const UNESCAPED = /[:/?#[\]@]/;

/**
 * @param {string} uri
 * @returns {{srv: boolean, hosts: string[], username?: string, password?: string, dbName?: string,
 *   params: Map<string, {name: string, values: string[]}>}} params: keyed by the lower-case name
 */
function parseUri(uri) {
  if (typeof uri !== 'string') {
    throw invalidArgument(`Argument "uri" must be a connection string such as "mongodb://localhost:27017", got ${describe(uri)}`);
  }
  const srv = uri.startsWith(SRV);
  if (!srv && !uri.startsWith(PLAIN)) {
    throw parseError('Invalid scheme, expected connection string to start with "mongodb://" or "mongodb+srv://"');
  }
  let rest = uri.slice(srv ? SRV.length : PLAIN.length);

  let credentials = {};
  const at = rest.indexOf('@');
  if (at !== -1) {
    credentials = parseUserinfo(rest.slice(0, at));
    rest = rest.slice(at + 1);
  }

  const end = rest.search(/[/?]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  rest = end === -1 ? '' : rest.slice(end);
  if (authority.includes('@') || authority.startsWith(':')) throw parseError('Invalid connection string');
  if (authority === '') throw parseError('Protocol and host list are required in the uri');

  const hosts = authority.split(',');
  if (srv) {
    if (hosts.length !== 1) throw parseError('mongodb+srv URI cannot have multiple service names');
    if (hosts[0].includes(':')) throw parseError('mongodb+srv URI cannot have port number');
  }
  for (const host of hosts) checkHost(host, at !== -1);

  const { dbName, params } = parseTail(rest);
  return { srv, hosts, ...credentials, dbName, params };
}

function parseUserinfo(userinfo) {
  const colon = userinfo.indexOf(':');
  const user = colon === -1 ? userinfo : userinfo.slice(0, colon);
  const secret = colon === -1 ? undefined : userinfo.slice(colon + 1);
  if (user === '') throw parseError('URI contained empty userinfo section');
  if (UNESCAPED.test(user)) throw parseError('Username contains unescaped characters; percent-encode it with encodeURIComponent');
  if (secret !== undefined && UNESCAPED.test(secret)) {
    throw parseError('Password contains unescaped characters; percent-encode it with encodeURIComponent');
  }
  const decoded = { username: decode(user, 'user name') };
  if (secret !== undefined) decoded.password = decode(secret, 'password');
  return decoded;
}

/** @param {boolean} secret whether it may be the rest of a password with an "@" that was not escaped */
function checkHost(host, secret) {
  if (host === '') throw parseError('Empty host in the connection string; remove the extra comma');
  if (host.endsWith('.sock')) {
    decode(host, 'socket path');
    return;
  }
  let url;
  try {
    url = new URL(`mongodb://${host.replaceAll(' ', '%20')}`);
  } catch {
    // The official driver's class for this one.
    throw new (errors().MongoRuntimeError)(secret
      ? 'A host in the connection string is not a valid host or host:port; characters like "@" in a user name or password need encodeURIComponent'
      : `Host "${host}" in the connection string is not a valid host or host:port`);
  }
  decode(host, 'host');
  if (url.port === '0') throw parseError('Invalid port (zero) with hostname');
}

function parseTail(tail) {
  // The host part is checked already; a stand-in lets the platform's parser read the rest.
  const url = new URL(`mongodb://host${tail}`);
  const path = url.pathname.startsWith('/') ? url.pathname.slice(1) : url.pathname;
  const dbName = path === '' ? undefined : decode(path, 'database name');

  const params = new Map();
  for (const [name, value] of url.searchParams) {
    const key = name.toLowerCase();
    const seen = params.get(key);
    if (seen === undefined) params.set(key, { name, values: [value] });
    else if (key === 'readpreferencetags') seen.values.push(value);
    else throw invalidArgument(`URI option "${name}" cannot appear more than once in the connection string`);
  }
  return { dbName, params };
}

function decode(text, what) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw parseError(`The ${what} in the connection string is not valid percent-encoding`);
  }
}

function describe(value) {
  return value === null ? 'null' : typeof value;
}

module.exports = { parseUri };

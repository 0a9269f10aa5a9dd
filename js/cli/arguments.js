'use strict';
// What the commands that read from a server have in common on their command lines.

const { UsageError } = require('./exit.js');

/** The connection string, or undefined when there is none. */
function readUri(values, env) {
  const uri = values.uri ?? (env.MONGODB_URI || undefined);
  if (uri === undefined) return undefined;
  if (!/^mongodb(\+srv)?:\/\//.test(uri)) throw new UsageError('--uri must begin with mongodb:// or mongodb+srv://');
  // Else what follows the first one would be taken for a host, and be named in an error.
  if (uri.split('?')[0].split('@').length > 2) throw new UsageError('--uri has more than one "@": percent-encode those of the user name and the password, as %40');
  return uri;
}

function readNamespace(ns) {
  const dot = ns.indexOf('.');
  if (dot < 1 || dot === ns.length - 1) throw new UsageError('--ns must be a database and a collection with a dot between them, such as app.users');
  return { ns, database: ns.slice(0, dot), collection: ns.slice(dot + 1) };
}

/** Where to read. */
function readSource(values, env) {
  const uri = readUri(values, env);
  if (!uri) throw new UsageError('--uri is missing: a connection string such as mongodb://localhost:27017 (or set MONGODB_URI)');
  if (!values.ns) throw new UsageError('--ns is missing: a database and a collection, such as app.users');
  return { uri, ...readNamespace(values.ns) };
}

function wholeNumber(name, text, usual, least, most) {
  if (text === undefined) return usual;
  const value = Number(text);
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  if (!/^\d+$/.test(text) || value < least || value > most) throw new UsageError(`${name} must be a whole number, ${range}, got "${text}"`);
  return value;
}

/** A document as Extended JSON. relaxed: numbers as JavaScript has them. */
function document(name, text, EJSON, relaxed = true) {
  if (text === undefined) return undefined;
  let value;
  try {
    value = EJSON.parse(text, { relaxed });
  } catch (error) {
    throw new UsageError(`${name} is not Extended JSON: ${error.message}`);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value) || value._bsontype) throw new UsageError(`${name} must be an object, such as '{"age":{"$gt":30}}'`);
  return value;
}

module.exports = { readUri, readNamespace, readSource, wholeNumber, document };

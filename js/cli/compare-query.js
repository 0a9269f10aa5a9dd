'use strict';

const { UsageError } = require('./exit.js');

const DEFAULT_LIMIT = 10_000;
const DEFAULT_ROUNDS = 3;
const MOST_ROUNDS = 1000;

/** The command line, checked as far as it can be without the official driver. */
function readQuery(values, env) {
  const uri = values.uri ?? env.MONGODB_URI;
  if (!uri) throw new UsageError('--uri is missing: a connection string such as mongodb://localhost:27017 (or set MONGODB_URI)');
  if (!/^mongodb(\+srv)?:\/\//.test(uri)) throw new UsageError('--uri must begin with mongodb:// or mongodb+srv://');
  // Else what follows the first one would be taken for a host, and be named in an error.
  if (uri.split('?')[0].split('@').length > 2) throw new UsageError('--uri has more than one "@": percent-encode those of the user name and the password, as %40');
  if (!values.ns) throw new UsageError('--ns is missing: a database and a collection, such as app.users');
  const dot = values.ns.indexOf('.');
  if (dot < 1 || dot === values.ns.length - 1) throw new UsageError('--ns must be a database and a collection with a dot between them, such as app.users');
  const query = {
    uri,
    ns: values.ns,
    database: values.ns.slice(0, dot),
    collection: values.ns.slice(dot + 1),
    limit: wholeNumber('--limit', values.limit, DEFAULT_LIMIT, 0, Number.MAX_SAFE_INTEGER),
    rounds: wholeNumber('--rounds', values.rounds, DEFAULT_ROUNDS, 1, MOST_ROUNDS),
    /** @param {{ parse: Function }} EJSON of the driver whose values both sides get */
    parse(EJSON) {
      const { sort, projection } = Object.fromEntries(['sort', 'projection'].map((name) => [name, document(`--${name}`, values[name], EJSON)]));
      query.filter = document('--filter', values.filter, EJSON) ?? {};
      query.sorted = sort !== undefined && Object.keys(sort).length > 0;
      query.options = { ...(query.limit > 0 && { limit: query.limit }), ...(sort && { sort }), ...(projection && { projection }) };
    },
  };
  return query;
}

function wholeNumber(name, text, usual, least, most) {
  if (text === undefined) return usual;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) throw new UsageError(`${name} must be a whole number, ${least} or more, got "${text}"`);
  return value;
}

function document(name, text, EJSON) {
  if (text === undefined) return undefined;
  let value;
  try {
    value = EJSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is not Extended JSON: ${error.message}`);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value) || value._bsontype) throw new UsageError(`${name} must be an object, such as '{"age":{"$gt":30}}'`);
  return value;
}

module.exports = { readQuery };

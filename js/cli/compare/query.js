'use strict';

const { readSource, wholeNumber, document } = require('../arguments.js');

const DEFAULT_LIMIT = 10_000;
const DEFAULT_ROUNDS = 3;
const MOST_ROUNDS = 1000;

/** The command line, checked as far as it can be without the official driver. */
function readQuery(values, env) {
  const query = {
    ...readSource(values, env),
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

module.exports = { readQuery };

'use strict';

const { invalidArgument } = require('../errors.js');

const kindOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value);

/** The options, when they are an object with none but known names. */
function checkOptions(who, options, known) {
  if (options === undefined || options === null) return {};
  if (typeof options !== 'object' || Array.isArray(options)) throw invalidArgument(`${who}: options must be an object, got ${kindOf(options)}`);
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw invalidArgument(`${who}: option "${name}" is not known; there are ${known.join(', ')}`);
  }
  return options;
}

function checkLimit(who, limitMS, usual) {
  const limit = limitMS ?? usual;
  if (typeof limit !== 'number' || !(limit >= 0)) throw invalidArgument(`${who}: limitMS must be a number of milliseconds, 0 or more`);
  return limit;
}

function checkCallback(who, name, callback) {
  if (callback === undefined || callback === null) return undefined;
  if (typeof callback !== 'function') throw invalidArgument(`${who}: ${name} must be a function, got ${kindOf(callback)}`);
  return callback;
}

module.exports = { checkOptions, checkLimit, checkCallback, kindOf };

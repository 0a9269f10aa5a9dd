'use strict';
// The options of findJSON() and its like that are not those of any read.

const { constants } = require('node:buffer');
const { invalidArgument } = require('../errors.js');

// A completion counts its bytes in 32 bits.
const MAX_BYTES = Math.min(constants.MAX_LENGTH, 2 ** 32 - 1);
const LEVELS = { gzip: { least: 0, most: 9, usual: 6 }, zstd: { least: 1, most: 22, usual: 3 } };

/**
 * @param {object} options as the user gave them
 * @returns {{mode: string, format: string, pretty: boolean, longs?: string}} checked and complete
 */
function jsonOptions({ mode, format, pretty, longs }) {
  const checked = {
    mode: oneOf('mode', mode ?? 'plain', ['plain', 'relaxed', 'canonical']),
    format: oneOf('format', format ?? 'array', ['array', 'ndjson']),
    pretty: flag('pretty', pretty),
  };
  if (checked.pretty && checked.format === 'ndjson') {
    throw invalidArgument('Option "pretty" does not go with format "ndjson", which has one line for each document');
  }
  if (longs != null) {
    checked.longs = oneOf('longs', longs, ['string', 'number']);
    if (checked.mode !== 'plain') {
      throw invalidArgument(`Option "longs" is for mode "plain"; Extended JSON (mode "${checked.mode}") has its own form for an int64`);
    }
  }
  return checked;
}

/** Those of a whole text. */
function wholeOptions(options) {
  for (const name of ['compress', 'level']) {
    if (options[name] != null) throw invalidArgument(`Option "${name}" is for streamJSON() and streamAggregateJSON(); compress the Buffer with node:zlib`);
  }
  const checked = { ...jsonOptions(options), joined: true, maxBytes: options.maxBytes ?? MAX_BYTES };
  const { maxBytes } = checked;
  if (!(Number.isInteger(maxBytes) && maxBytes > 0 && maxBytes <= MAX_BYTES)) {
    throw invalidArgument(`Option "maxBytes" must be a whole number of bytes from 1 to ${MAX_BYTES}`);
  }
  if (flag('single', options.single)) {
    if (checked.format === 'ndjson') throw invalidArgument('Option "single" does not go with format "ndjson"');
    checked.format = 'single';
  }
  return checked;
}

/** Those of a stream. */
function streamOptions(options) {
  const { compress, level } = options;
  if (options.single != null) throw invalidArgument('Option "single" is for findJSON()');
  if (options.maxBytes != null) throw invalidArgument('Option "maxBytes" is for findJSON() and aggregateJSON(); a stream has no limit, and stops when it is destroyed');
  const checked = jsonOptions(options);
  if (compress == null) {
    if (level != null) throw invalidArgument('Option "level" goes with option "compress"');
    return checked;
  }
  oneOf('compress', compress, Object.keys(LEVELS));
  const { least, most, usual } = LEVELS[compress];
  const chosen = level ?? usual;
  if (!(Number.isInteger(chosen) && chosen >= least && chosen <= most)) {
    throw invalidArgument(`Option "level" must be a whole number from ${least} to ${most} for ${compress}`);
  }
  return { ...checked, compress, level: chosen };
}

function oneOf(name, value, allowed) {
  if (!allowed.includes(value)) throw invalidArgument(`Option "${name}" must be ${allowed.map((v) => `"${v}"`).join(' or ')}`);
  return value;
}

function flag(name, value) {
  if (value != null && typeof value !== 'boolean') throw invalidArgument(`Option "${name}" must be true or false`);
  return value === true;
}

module.exports = { wholeOptions, streamOptions, MAX_BYTES };

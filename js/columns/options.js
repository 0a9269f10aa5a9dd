'use strict';
// The options of findColumns() and its like that are not those of any read.

const { TYPES } = require('./layout.js');
const { MAX_BYTES } = require('../json/options.js');
const { invalidArgument, tailableWith } = require('../errors.js');

const BATCH_ROWS = 65_536;
const MAX_BATCH_ROWS = 2 ** 31 - 1;
// As deep as servers let documents be.
const MAX_DEPTH = 100;
const NAMES = TYPES.map((type) => `"${type}"`).join(', ');

/** @returns {{columns: {path: string, type: string}[] | null, strict: boolean}} checked; null: the core infers them */
function columnsOptions({ columns, strict, tailable }) {
  if (tailable) throw tailableWith('columns');
  if (strict != null && typeof strict !== 'boolean') throw invalidArgument('Option "strict" must be true or false');
  if (columns == null) return { columns: null, strict: strict === true };
  if (typeof columns !== 'object' || Array.isArray(columns)) {
    throw invalidArgument('Option "columns" must be an object of types by path, as { age: "int32", "address.city": "utf8" }');
  }
  const checked = Object.entries(columns).map(([path, type]) => column(path, type));
  if (checked.length === 0) throw invalidArgument('Option "columns" names no column; leave it out to have all of the first documents\' fields');
  checkConflicts(checked);
  return { columns: checked, strict: strict === true };
}

function column(path, type) {
  const names = path.split('.');
  if (names.includes('')) throw invalidArgument(`Option "columns": ${JSON.stringify(path)} is no path; it has an empty name`);
  if (path.includes('\0')) throw invalidArgument(`Option "columns": ${JSON.stringify(path)} is no path; names cannot have zero bytes`);
  if (names.length > MAX_DEPTH) throw invalidArgument(`Option "columns": a path has ${names.length} names; the most is ${MAX_DEPTH}`);
  if (!TYPES.includes(type)) {
    const got = typeof type === 'string' ? JSON.stringify(type.slice(0, 40)) : typeof type;
    throw invalidArgument(`Option "columns": the type of ${JSON.stringify(path)} must be one of ${NAMES}, got ${got}`);
  }
  return { path, type };
}

function checkConflicts(columns) {
  const paths = new Set(columns.map(({ path }) => path));
  for (const { path } of columns) {
    for (let at = path.indexOf('.'); at !== -1; at = path.indexOf('.', at + 1)) {
      const parent = path.slice(0, at);
      if (paths.has(parent)) {
        throw invalidArgument(`Option "columns": ${JSON.stringify(parent)} and ${JSON.stringify(path)} exclude each other: what is inside has no other type`);
      }
    }
  }
}

/** Those of columns as a whole. */
function wholeOptions(options) {
  if (options.batchRows != null) throw invalidArgument('Option "batchRows" is for streamColumns() and streamAggregateColumns()');
  const maxBytes = options.maxBytes ?? MAX_BYTES;
  if (!(Number.isInteger(maxBytes) && maxBytes > 0 && maxBytes <= MAX_BYTES)) {
    throw invalidArgument(`Option "maxBytes" must be a whole number of bytes from 1 to ${MAX_BYTES}`);
  }
  return { ...columnsOptions(options), maxBytes };
}

/** Those of batches. */
function streamOptions(options) {
  if (options.maxBytes != null) throw invalidArgument('Option "maxBytes" is for findColumns() and aggregateColumns(); a stream has no limit, and stops when it is destroyed');
  const batchRows = options.batchRows ?? BATCH_ROWS;
  if (!(Number.isInteger(batchRows) && batchRows > 0 && batchRows <= MAX_BATCH_ROWS)) {
    throw invalidArgument(`Option "batchRows" must be a whole number from 1 to ${MAX_BATCH_ROWS}`);
  }
  return { ...columnsOptions(options), batchRows };
}

const isElement = (name) => /^\d+$/.test(name);

/**
 * The projection that columns need: a server cannot choose elements of an array, or fields with a dollar sign, so there it
 * gives what they are in. undefined: all fields.
 */
function projectionOf(columns) {
  const needed = new Set();
  for (const { path } of columns) {
    const names = path.split('.');
    const stop = names.findIndex((name, n) => name.startsWith('$') || (n > 0 && isElement(name)));
    if (stop === 0) return undefined;
    needed.add(names.slice(0, stop === -1 ? names.length : stop).join('.'));
  }
  // Paths inside others would collide with them.
  const inside = (path) => {
    for (let at = path.indexOf('.'); at !== -1; at = path.indexOf('.', at + 1)) if (needed.has(path.slice(0, at))) return true;
    return false;
  };
  const kept = [...needed].filter((path) => !inside(path));
  const withId = kept.some((path) => path === '_id' || path.startsWith('_id.'));
  return Object.fromEntries([...(withId ? [] : [['_id', 0]]), ...kept.map((path) => [path, 1])]); // also of a field __proto__
}

module.exports = { wholeOptions, streamOptions, projectionOf };

'use strict';
// A sort in any of the official driver's forms, as the ordered Map that goes into the command. A Map,
// because an object would put integer-like names first.

const { invalidArgument } = require('../errors.js');

function direction(given = 1) {
  // The text first, as the official driver does it: what has none, a symbol for instance, is a TypeError.
  const text = `${given}`.toLowerCase();
  if (given !== null && typeof given === 'object' && typeof given.$meta === 'string') return given;
  switch (text) {
    case 'ascending':
    case 'asc':
    case '1':
      return 1;
    case 'descending':
    case 'desc':
    case '-1':
      return -1;
    default:
      throw invalidArgument(`Invalid sort direction: ${JSON.stringify(given)}`);
  }
}

function isDirection(value) {
  try {
    direction(value);
    return true;
  } catch {
    return false;
  }
}

const toMap = (pairs) => new Map(Array.from(pairs, ([name, dir]) => [`${name}`, direction(dir)]));

/** @returns {Map<string, 1|-1|object>|undefined} undefined when there is nothing to sort by */
function formatSort(sort, dir) {
  if (sort == null) return undefined;
  if (typeof sort === 'string') return new Map([[sort, direction(dir)]]);
  if (typeof sort !== 'object') {
    throw invalidArgument(`Invalid sort format: ${JSON.stringify(sort)} Sort must be a valid object`);
  }
  if (sort instanceof Map && sort.size > 0) return toMap(sort);
  if (!Array.isArray(sort)) {
    const entries = Object.entries(sort);
    return entries.length > 0 ? toMap(entries) : undefined;
  }
  if (sort.length === 0) return undefined;
  if (Array.isArray(sort[0])) return toMap(sort);
  // ['name', 'desc'] is one field and its direction; ['a', 'b'] is two fields.
  if (sort.length === 2 && isDirection(sort[1])) return toMap([sort]);
  return toMap(sort.map((name) => [name, 1]));
}

module.exports = { formatSort };

'use strict';
// The BSON options, their defaults, and how they pass from client to database to collection to call.

const DEFAULTS = Object.freeze({
  raw: false,
  useBigInt64: false,
  promoteLongs: true,
  promoteValues: true,
  promoteBuffers: false,
  ignoreUndefined: false,
  bsonRegExp: false,
  serializeFunctions: false,
  enableUtf8Validation: true,
});

const NAMES = Object.freeze(Object.keys(DEFAULTS));

/** The parent's own object when `options` says nothing about BSON: callers compare by identity. */
function inheritBsonOptions(options, parent = DEFAULTS) {
  if (options == null) return parent;
  let merged = null;
  for (const name of NAMES) {
    const value = options[name];
    if (value != null && value !== parent[name]) {
      merged ??= { ...parent };
      merged[name] = value;
    }
  }
  return merged === null ? parent : Object.freeze(merged);
}

module.exports = { DEFAULTS, NAMES, inheritBsonOptions };

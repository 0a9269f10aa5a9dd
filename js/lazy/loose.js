'use strict';
// Documents without a table of fields: those whose key sequence is met for the first time or hardly ever again. Reading
// a field looks for its name in the bytes; anything else makes a table for the document alone.

const { int32, nameEnd, valueEnd } = require('../bson/walk');
const { LazyTarget, ABSENT } = require('./target');
const { DocumentHandler } = require('./document');
const { isKey } = require('./key-tree');

const REPLACEMENT = '\ufffd';
const MAX_NAMES = 2000;

class LooseHandler extends DocumentHandler {
  constructor(tree) {
    super(null);
    this.tree = tree;
  }

  get(target, key, receiver) {
    // Text with a replacement character may stand for a name that is no UTF-8.
    if (typeof key === 'string' && LazyTarget.isLoose(target) && !key.includes(REPLACEMENT)) {
      const value = LazyTarget.readNamed(target, key, findField, this.tree);
      return value === ABSENT ? this.other(target, key, receiver) : value;
    }
    return super.get(target, key, receiver);
  }
}

// The bytes of names that were asked for.
const names = new Map();

function bytesOf(name) {
  let bytes = names.get(name);
  if (bytes === undefined) {
    if (names.size >= MAX_NAMES) names.clear();
    bytes = Buffer.from(name).toJSON().data;
    names.set(name, bytes);
  }
  return bytes;
}

// Where findField found the field: two numbers, left here instead of an object per call.
const found = { slot: -1, value: 0 };

/**
 * Looks for a field of the document at buf[at]: the last of that name counts. Returns its type byte's offset, -1 if there
 * is none; found has its slot and where its value begins.
 */
function findField(buf, at, name) {
  const bytes = bytesOf(name);
  const last = at + int32(buf, at) - 1;
  let field = -1;
  let slot = 0;
  for (let p = at + 4; p < last; slot++) {
    const matches = isKey(buf, p + 1, bytes);
    const value = matches ? p + 2 + bytes.length : nameEnd(buf, p + 1) + 1;
    if (matches) {
      field = p;
      found.slot = slot;
      found.value = value;
    }
    p = valueEnd(buf, buf[p], value);
  }
  return field;
}
findField.found = found;

module.exports = { LooseHandler };

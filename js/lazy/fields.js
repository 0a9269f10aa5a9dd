'use strict';
// Which fields a document has, and where: tables shared by all documents of one key sequence. The core sends an id for
// the sequences of top-level documents; those of embedded documents, and rare ones, are found here.

const { int32, nameEnd, valueEnd } = require('../bson-walk');
const { utf8 } = require('../text');
const { define } = require('./target');

const FEW_FIELDS = 10;
const MUCH_SCRATCH = 10_000;
const REFERENCE_KEYS = new Set(['$ref', '$id', '$db']);

class FieldTable {
  /** names in document order, duplicates included; lengths: of their bytes. */
  constructor(names, lengths) {
    // Of a name that comes twice, the last value and the first place: what assigning one after the other gives.
    this.slots = new Map();
    for (let i = 0; i < names.length; i++) this.slots.set(names[i], i);
    this.skips = lengths.map((length) => length + 2); // from a field's type byte to its value
    // Own keys in the order the engine gives them: integer-like ones first.
    const model = {};
    for (const name of names) define(model, name, 0);
    this.keys = Object.freeze(Reflect.ownKeys(model));
    this.mayBeReference = mayBeReference(names);
    this.children = new Array(names.length).fill(null); // per field: what is known of the documents in it
    this.handler = null; // of embedded documents with these fields
  }

  /** The offset of a field of the document at buf[at], found by hopping over the fields before it. */
  offset(buf, at, slot) {
    let p = at + 4;
    for (let i = 0; i < slot; i++) p = valueEnd(buf, buf[p], p + this.skips[i]);
    return p;
  }

  /**
   * The offsets of a document and its fields to keep, from the scratch array they were put in; null if there are so few
   * that finding one again costs less than the memory of many documents.
   */
  keep(words) {
    const { length } = this.skips;
    const kept = length <= FEW_FIELDS ? null : words.slice(0, length + 1);
    if (words.length > MUCH_SCRATCH) words.length = 0;
    return kept;
  }
}

/** js-bson's test for a DBRef by keys alone: there is a $-key, and every one is $ref, $id or $db. */
function mayBeReference(names) {
  const special = names.filter((name) => name[0] === '$');
  return special.length > 0 && special.every((name) => REFERENCE_KEYS.has(name));
}

/**
 * A step in the key sequences seen in one place: the node reached after some keys. Each knows the step taken last,
 * since the next document most likely has the same keys.
 */
class KeyNode {
  constructor(parent, name, bytes) {
    this.parent = parent;
    this.name = name;
    this.bytes = bytes;
    this.likely = null;
    this.others = null; // Map from name to node, from the second child on
    this.table = null;
  }

  /** The node after the key at buf[at], created if the budget allows, else null. */
  step(buf, at, budget) {
    const { likely } = this;
    if (likely !== null && isKey(buf, at, likely.bytes)) return likely;
    const end = nameEnd(buf, at);
    const name = utf8(buf, at, end);
    let next = this.others?.get(name);
    // Two different malformed names may decode to the same text; the bytes decide.
    if (next !== undefined && !isKey(buf, at, next.bytes)) return null;
    if (next === undefined) {
      if (!budget.take()) return null;
      next = new KeyNode(this, name, buf.subarray(at, end).toJSON().data);
      this.others ??= new Map();
      this.others.set(name, next);
    }
    this.likely = next;
    return next;
  }

  fields() {
    if (this.table === null) {
      const names = [];
      const lengths = [];
      for (let node = this; node.parent !== null; node = node.parent) {
        names.push(node.name);
        lengths.push(node.bytes.length);
      }
      this.table = new FieldTable(names.reverse(), lengths.reverse());
    }
    return this.table;
  }
}

function isKey(buf, at, bytes) {
  const { length } = bytes;
  for (let i = 0; i < length; i++) if (buf[at + i] !== bytes[i]) return false;
  return buf[at + length] === 0;
}

/** Bounds what key sequences may cost in memory: documents with random keys would grow them without end. */
class Budget {
  constructor(nodes) {
    this.left = nodes;
  }

  take() {
    return this.left > 0 && this.left-- > 0;
  }
}

/**
 * Finds the fields of the document at buf[at]. words, a scratch array, receives the offset of the document, then those of
 * its fields; what follows them there is left over from before.
 * Returns their table: shared if the budget allows, else one for this document alone.
 */
function indexDocument(buf, at, root, budget, words) {
  const last = at + int32(buf, at) - 1;
  let node = root;
  let n = 0;
  words[n++] = at;
  for (let p = at + 4; p < last;) {
    words[n++] = p;
    node = node.step(buf, p + 1, budget);
    if (node === null) return indexAlone(buf, at + 4, last, words);
    p = valueEnd(buf, buf[p], p + 2 + node.bytes.length);
  }
  return node.fields();
}

function indexAlone(buf, p, last, words) {
  const names = [];
  const lengths = [];
  while (p < last) {
    const end = nameEnd(buf, p + 1);
    names.push(utf8(buf, p + 1, end));
    lengths.push(end - p - 1);
    words[names.length] = p;
    p = valueEnd(buf, buf[p], end + 1);
  }
  return new FieldTable(names, lengths);
}

module.exports = { FieldTable, KeyNode, Budget, indexDocument };

'use strict';
// Which fields documents of one key sequence have, in which order, and how to find one.

const { int32, nameEnd, valueEnd } = require('../bson/walk');
const { utf8 } = require('../bson/text');

// The offsets of so few fields are not kept: finding one again costs less than the memory of many documents.
const FEW_FIELDS = 10;
const MUCH_SCRATCH = 10_000;
const REFERENCE_KEYS = new Set(['$ref', '$id', '$db']);

class FieldTable {
  #slots = null;
  #keys = null;

  /** names in document order, duplicates included; lengths: of their bytes. */
  constructor(names, lengths) {
    this.names = names;
    this.skips = lengths;
    for (let i = 0; i < lengths.length; i++) lengths[i] += 2; // from a field's type byte to its value
    this.children = null; // per field: the KeyTree of the documents in it
    this.inner = null;    // or one for all fields
    this.handler = null; // of embedded documents with these fields
    this.mayBeReference = mayBeReference(names);
  }

  /** Name to slot. Of a name that comes twice, the last: what assigning one after the other gives. */
  get slots() {
    return (this.#slots ??= slotsOf(this.names));
  }

  /** Own keys in the order the engine gives them: integer-like ones first, of two the first place. */
  get keys() {
    return (this.#keys ??= keysOf(this.names));
  }

  /** The offset of a field of the document at buf[at], found by hopping over the fields before it. */
  offset(buf, at, slot) {
    let p = at + 4;
    for (let i = 0; i < slot; i++) p = valueEnd(buf, buf[p], p + this.skips[i]);
    return p;
  }

  /** The offsets of a document and its fields to keep, from the scratch array they were put in; null to keep none. */
  keep(words) {
    const { length } = this.skips;
    const kept = length <= FEW_FIELDS ? null : words.slice(0, length + 1);
    if (words.length > MUCH_SCRATCH) words.length = 0;
    return kept;
  }
}

function slotsOf(names) {
  const slots = new Map();
  for (let i = 0; i < names.length; i++) slots.set(names[i], i);
  return slots;
}

function keysOf(names) {
  const model = Object.create(null); // on which __proto__ is a key like any other
  for (const name of names) model[name] = 0;
  return Reflect.ownKeys(model);
}

/** js-bson's test for a DBRef by keys alone: there is a $-key, and every one is $ref, $id or $db. */
function mayBeReference(names) {
  let some = false;
  for (const name of names) {
    if (name[0] !== '$') continue;
    if (!REFERENCE_KEYS.has(name)) return false;
    some = true;
  }
  return some;
}

/** The fields of the document at buf[at], in a table for it alone. words: see KeyTree. */
function indexAlone(buf, at, words) {
  const names = [];
  const lengths = [];
  const last = at + int32(buf, at) - 1;
  words[0] = at;
  for (let p = at + 4; p < last;) {
    const end = nameEnd(buf, p + 1);
    names.push(utf8(buf, p + 1, end));
    lengths.push(end - p - 1);
    words[names.length] = p;
    p = valueEnd(buf, buf[p], end + 1);
  }
  return new FieldTable(names, lengths);
}

module.exports = { FieldTable, indexAlone };

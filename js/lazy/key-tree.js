'use strict';
// Finds the tables of documents for which the core sends no shape: embedded ones. The key sequences met in one place
// form a tree; a document is a walk down from its root.

const { int32, nameEnd, valueEnd } = require('../bson/walk');
const { utf8 } = require('../bson/text');
const { FieldTable } = require('./fields');

// Documents with ever different keys would grow trees without end. A full tree keeps its nodes, and documents that leave
// it are read without a table (loose.js).
const MAX_NODES = 512;

class KeyNode {
  constructor(parent, name, bytes) {
    this.parent = parent;
    this.name = name;
    this.bytes = bytes;
    this.likely = null; // the step taken last: the next document most likely has the same keys
    this.others = null; // Map from name to node
    this.table = null;
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

class KeyTree {
  constructor(maxNodes = MAX_NODES) {
    this.root = new KeyNode(null, '', []);
    this.left = maxNodes;
    this.loose = null; // handler of the documents there was no room for
    this.below = null;
  }

  /** The tree of what is in those: their keys say nothing, so that one has to do for all. */
  get inner() {
    return (this.below ??= new KeyTree());
  }

  /**
   * The table of the document at buf[at], null if the tree has no room for its keys. words, a scratch array, receives
   * the offset of the document, then those of its fields; what follows them there is left over from before.
   */
  index(buf, at, words) {
    const last = at + int32(buf, at) - 1;
    let node = this.root;
    let n = 0;
    words[n++] = at;
    for (let p = at + 4; p < last;) {
      words[n++] = p;
      const { likely } = node;
      node = likely !== null && isKey(buf, p + 1, likely.bytes) ? likely : this.step(node, buf, p + 1);
      if (node === null) return null;
      p = valueEnd(buf, buf[p], p + 2 + node.bytes.length);
    }
    return node.fields();
  }

  step(node, buf, at) {
    const end = nameEnd(buf, at);
    const name = utf8(buf, at, end);
    let next = node.others?.get(name);
    if (next === undefined) {
      if (this.left === 0) return null;
      this.left--;
      next = new KeyNode(node, name, buf.subarray(at, end).toJSON().data);
      node.others ??= new Map();
      node.others.set(name, next);
    } else if (!isKey(buf, at, next.bytes)) {
      return null; // two names that are no UTF-8 and decode to the same text
    }
    node.likely = next;
    return next;
  }
}

/** Whether the name at buf[at] is these bytes. */
function isKey(buf, at, bytes) {
  const { length } = bytes;
  for (let i = 0; i < length; i++) if (buf[at + i] !== bytes[i]) return false;
  return buf[at + length] === 0;
}

module.exports = { KeyTree, isKey };

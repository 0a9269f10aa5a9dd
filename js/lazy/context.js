'use strict';
// What lazy documents of one set of classes and options share: the value reader and the tables of fields.

const { int32, nameEnd } = require('../bson/walk');
const { utf8 } = require('../bson/text');
const { ValueReader } = require('../bson/values');
const { DocumentHandler } = require('./document');
const { LazyTarget } = require('./target');
const { FieldTable } = require('./fields');
const { KeyTree } = require('./key-tree');
const { LooseHandler } = require('./loose');
const { isReference } = require('./reference');
const { lazyArray, readArray } = require('./array');

const DEFINITION_LAZY = 3;

// Past this many, handlers are made anew when they are needed again; documents that use one keep it.
const MAX_SHAPES = 8192;

// Arrays up to this many bytes become real arrays at once, larger ones decode an element when it is read. Measured: to
// iterate costs 5 to 30 times as much through a proxy; only reading nothing but the length of much text is cheaper.
const SMALL_ARRAY = 32 << 10;
const MAX_NESTING = 40; // of arrays in arrays, before they are left for later

class Context {
  constructor(bson, options, bridge) {
    this.reader = new ValueReader(bson, options);
    this.bridge = bridge;
    this.handlers = new Map(); // shape id to handler
    this.smallArray = SMALL_ARRAY;
    this.nesting = 0;
    this.scratch = []; // offsets, see KeyTree
    this.top = new KeyTree(); // of documents for which the core sends no shape
    this.loose = looseHandler(this.top);
  }

  /** The handler of a shape, null if the core no longer knows it: the documents' own bytes then have to do. */
  handler(id) {
    let handler = this.handlers.get(id);
    if (handler === undefined) {
      const definition = this.bridge.definition(DEFINITION_LAZY, id, 0);
      if (definition === null || definition === undefined) return null;
      if (this.handlers.size >= MAX_SHAPES) this.handlers.clear();
      handler = new DocumentHandler(parseDefinition(definition));
      this.handlers.set(id, handler);
    }
    return handler;
  }

  /** The value of a field. */
  value(batch, type, at, fields, slot) {
    if (type === 0x03) return this.document(batch, at, treeOf(fields, slot));
    if (type === 0x04) return this.array(batch, at, treeOf(fields, slot));
    return this.reader.read(batch.buf, type, at);
  }

  /** The value of an array's element, or of a field of a document without a table. tree: of the documents there. */
  element(batch, type, at, tree) {
    if (type === 0x03) return this.document(batch, at, tree);
    if (type === 0x04) return this.array(batch, at, tree);
    return this.reader.read(batch.buf, type, at);
  }

  document(batch, at, tree) {
    const fields = tree.index(batch.buf, at, this.scratch);
    if ((fields === null || fields.mayBeReference) && isReference(batch.buf, at, this.reader.promoteValues)) {
      const reference = this.reference(batch.buf, at);
      if (reference !== null) return reference;
    }
    if (fields === null) return LazyTarget.open(batch.shared, null, at, looseHandler(tree));
    fields.handler ??= new DocumentHandler(fields);
    const words = fields.keep(this.scratch);
    return LazyTarget.open(batch.shared, words, words === null ? at : 1, fields.handler);
  }

  array(batch, at, tree) {
    if (int32(batch.buf, at) <= this.smallArray && this.nesting < MAX_NESTING) {
      this.nesting++;
      try {
        return readArray(this, batch, at, tree);
      } catch {
        // A bad value among them: only the element itself should throw.
      } finally {
        this.nesting--;
      }
    }
    return lazyArray(batch.shared, at, tree);
  }

  /** The DBRef that js-bson makes of the document at buf[at], null if it stays a document. */
  reference(buf, at) {
    let value;
    try {
      value = this.reader.document(buf, at);
    } catch {
      return null; // a bad value: reading that field will say so
    }
    return value instanceof this.reader.bson.DBRef ? value : null;
  }
}

function looseHandler(tree) {
  return (tree.loose ??= new LooseHandler(tree));
}

function treeOf(fields, slot) {
  if (fields.inner !== null) return fields.inner;
  const trees = (fields.children ??= new Array(fields.names.length).fill(null));
  return (trees[slot] ??= new KeyTree());
}

function parseDefinition(bytes) {
  const buf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names = [];
  const lengths = [];
  for (let at = 4; at < buf.length;) {
    const end = nameEnd(buf, at);
    names.push(utf8(buf, at, end));
    lengths.push(end - at);
    at = end + 1;
  }
  if (names.length !== buf.readUInt32LE(0)) throw new Error('internal: bad definition of a lazy shape');
  return new FieldTable(names, lengths);
}

module.exports = { Context };

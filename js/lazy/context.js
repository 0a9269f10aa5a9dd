'use strict';
// What lazy documents of one set of classes and options share: the value reader and the tables of fields.

const { int32, nameEnd } = require('../bson-walk');
const { utf8 } = require('../text');
const { ValueReader } = require('../values');
const { DocumentHandler } = require('./document');
const { LazyTarget } = require('./target');
const { FieldTable, KeyNode, Budget, indexDocument } = require('./fields');
const { lazyArray, readArray } = require('./array');

const DEFINITION_LAZY = 3;

// Past these, tables are made anew when they are needed again; documents that use one keep it.
const MAX_SHAPES = 8192;
const MAX_KEY_NODES = 50_000;

// Arrays up to this many bytes become real arrays at once: a proxy costs more than their elements. Larger ones decode
// an element when it is read.
const SMALL_ARRAY = 1024;

class Context {
  constructor(bson, options, bridge) {
    this.reader = new ValueReader(bson, options);
    this.bridge = bridge;
    this.handlers = new Map(); // shape id to handler
    this.budget = new Budget(MAX_KEY_NODES);
    this.scratch = []; // offsets, see indexDocument
    this.loose = new DocumentHandler(null, new KeyNode(null, '', []));
  }

  /** The handler of a shape, null if the core no longer knows it: the documents' own bytes then have to do. */
  handler(id) {
    let handler = this.handlers.get(id);
    if (handler === undefined) {
      const definition = this.bridge.definition(DEFINITION_LAZY, id, 0);
      if (definition === null || definition === undefined) return null;
      if (this.handlers.size >= MAX_SHAPES) this.handlers.clear();
      handler = new DocumentHandler(parseDefinition(definition), null);
      this.handlers.set(id, handler);
    }
    return handler;
  }

  /** The value of a field. */
  value(batch, type, at, fields, slot) {
    if (type === 0x03) return this.document(batch, at, childOf(fields, slot));
    if (type === 0x04) return this.array(batch, at, childOf(fields, slot));
    return this.reader.read(batch.buf, type, at);
  }

  element(batch, type, at, root) {
    if (type === 0x03) return this.document(batch, at, root);
    if (type === 0x04) return this.array(batch, at, root);
    return this.reader.read(batch.buf, type, at);
  }

  document(batch, at, root) {
    const fields = indexDocument(batch.buf, at, root, this.budget, this.scratch);
    const words = fields.keep(this.scratch);
    if (fields.mayBeReference) {
      const reference = this.reference(batch.buf, at);
      if (reference !== null) return reference;
    }
    fields.handler ??= new DocumentHandler(fields, null);
    return LazyTarget.open(batch, words, words === null ? at : 1, fields.handler);
  }

  array(batch, at, root) {
    if (int32(batch.buf, at) <= SMALL_ARRAY) {
      try {
        return readArray(this, batch, at, root);
      } catch {
        // A bad value among them: only the element itself should throw.
      }
    }
    return lazyArray(batch, at, root);
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

function childOf(fields, slot) {
  return (fields.children[slot] ??= new KeyNode(null, '', []));
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

'use strict';
// BSON to objects on the calling thread, without the core: for one document a call into it costs more than the document.
//
// It reads what is well formed, and leaves all else to js-bson (LEAVE): every error, and what is nested deeper than MAX_DEPTH.
// So each rule here may be stricter than js-bson's, never laxer.

const { int32 } = require('../bson/walk.js');
const { isKey } = require('../lazy/key-tree.js');
const { utf8 } = require('../bson/text.js');
const { ValueReader } = require('../bson/values.js');
const { KeyNode, assign } = require('./key-node.js');
const { nameOf } = require('./names.js');

const LEAVE = Object.freeze({ reason: 'js-bson has to look at this document' });
const MAX_DEPTH = 100;
const REPLACEMENT = '\ufffd';
const MAX_NODES = 4000; // some 1 MB
const FORGET_AFTER = 50_000; // documents that the tree had no room for: others have come since it was full
const MUCH_SCRATCH = 10_000;
const BINARY_BYTE_ARRAY = 2;
const BINARY_UUID = 4;
const MAY_BE_REFERENCE = '$ref';
const REFERENCE = new KeyNode(null, MAY_BE_REFERENCE, []);

class DocumentDecoder {
  /**
   * @param {object} bson classes of resolveBson()
   * @param {object} options of bson.deserialize, complete
   */
  constructor(bson, options) {
    const { validation, ...rest } = options;
    this.reader = new ValueReader(bson, { ...rest, enableUtf8Validation: validation.utf8 });
    this.bson = bson;
    this.plainNumbers = this.reader.promoteValues !== false;
    this.validates = validation.utf8;
    this.values = []; // of the fields of the documents that are being read, the outermost first
    this.used = 0; // of values, at most
    this.p = 0; // where the value that was read ended
    this.forget();
  }

  forget() {
    this.root = new KeyNode(null, '', []);
    this.loose = new KeyNode(null, '', []); // below it: what is in documents there was no room for
    this.budget = { nodes: MAX_NODES };
    this.strangers = 0;
  }

  /** The document at buf[at..end), whose length and last byte have been looked at; undefined: js-bson has to. */
  decode(buf, at, end) {
    if (this.strangers > FORGET_AFTER) this.forget();
    try {
      return this.document(buf, at, end, this.root, 0, 0);
    } catch (error) {
      if (error === LEAVE || error instanceof RangeError) return undefined; // the caller's stack is nearly full
      throw error;
    } finally {
      this.drop();
    }
  }

  /** Keeps nothing of the document alive. */
  drop() {
    const { values } = this;
    if (values.length > MUCH_SCRATCH) this.values = [];
    else values.fill(undefined, 0, this.used);
    this.used = 0;
  }

  /** top: how much of values belongs to the documents around this one. */
  document(buf, at, end, root, top, depth) {
    if (depth > MAX_DEPTH) throw LEAVE;
    const { values } = this;
    const last = end - 1;
    let node = root;
    let n = top;
    let p = at + 4;
    while (p < last) {
      const { likely } = node;
      const next = likely !== null && isKey(buf, p + 1, likely.bytes) ? likely : this.step(node, buf, p + 1, last);
      if (next === REFERENCE) return this.theirs(buf, at, end);
      if (next === null) {
        if (n > this.used) this.used = n;
        return this.rest(buf, at, end, p, node.unlike(values, top), top, depth);
      }
      node = next;
      const value = this.value(buf, buf[p], p + node.bytes.length + 2, last, node, n, depth);
      values[n++] = value;
      p = this.p;
    }
    if (p !== last) throw LEAVE;
    if (n > this.used) this.used = n;
    return node.object(values, top);
  }

  step(node, buf, at, last) {
    const end = keyEnd(buf, at, last);
    const name = nameOf(buf, at, end);
    if (name === MAY_BE_REFERENCE) return REFERENCE;
    const next = node.step(name, buf, at, end, this.budget);
    if (next === null) return null;
    if (!isKey(buf, at, next.bytes)) return null; // two names that are no UTF-8 and decode to the same text
    node.likely = next;
    return next;
  }

  /** The fields from buf[p] on, where the tree has no room for their keys, into the object of those before. */
  rest(buf, at, end, p, object, top, depth) {
    const last = end - 1;
    this.strangers++;
    while (p < last) {
      const nul = keyEnd(buf, p + 1, last);
      const name = nameOf(buf, p + 1, nul);
      if (name === MAY_BE_REFERENCE) return this.theirs(buf, at, end);
      assign(object, name, this.value(buf, buf[p], nul + 1, last, this.loose, top, depth));
      p = this.p;
    }
    if (p !== last) throw LEAVE;
    return object;
  }

  /** A document that may be a DBRef. */
  theirs(buf, at, end) {
    try {
      return this.bson.BSON.deserialize(buf.subarray(at, end), this.reader.options);
    } catch {
      throw LEAVE; // it words the error by the whole of the bytes
    }
  }

  array(buf, at, end, root, top, depth) {
    if (depth > MAX_DEPTH) throw LEAVE;
    const last = end - 1;
    const array = [];
    let p = at + 4;
    while (p < last) {
      array.push(this.value(buf, buf[p], keyEnd(buf, p + 1, last) + 1, last, root, top, depth));
      p = this.p;
    }
    if (p !== last) throw LEAVE;
    return array;
  }

  /** The value of this type at buf[at], which has to end at or before last; this.p is then where. */
  value(buf, type, at, last, node, top, depth) {
    switch (type) {
      case 0x10:
        this.skip(at, 4, last);
        return this.plainNumbers ? int32(buf, at) : new this.bson.Int32(int32(buf, at));
      case 0x02: return this.text(buf, at, last);
      case 0x0a:
        this.skip(at, 0, last);
        return null;
      case 0x08:
        this.skip(at, 1, last);
        if (buf[at] > 1) throw LEAVE;
        return buf[at] === 1;
      case 0x01:
        this.skip(at, 8, last);
        return this.plainNumbers ? buf.readDoubleLE(at) : this.reader.double(buf, at);
      case 0x07:
        this.skip(at, 12, last);
        return this.reader.objectId(buf, at);
      case 0x09:
        this.skip(at, 8, last);
        return new Date(int32(buf, at + 4) * 4294967296 + (int32(buf, at) >>> 0));
      case 0x12:
        this.skip(at, 8, last);
        return this.reader.long(buf, at);
      case 0x03: {
        const end = this.inside(buf, at, last);
        const object = this.document(buf, at, end, node.below ??= new KeyNode(null, '', []), top, depth + 1);
        this.p = end;
        return object;
      }
      case 0x04: {
        const end = this.inside(buf, at, last);
        const array = this.array(buf, at, end, node, top, depth + 1);
        this.p = end;
        return array;
      }
      default: return this.rare(buf, type, at, last);
    }
  }

  text(buf, at, last) {
    const end = this.skip(at, 4, last) + int32(buf, at);
    if (end <= at + 4 || end > last || buf[end - 1] !== 0) throw LEAVE;
    this.p = end;
    const text = utf8(buf, at + 4, end - 1);
    if (this.validates && text.includes(REPLACEMENT)) throw LEAVE;
    return text;
  }

  rare(buf, type, at, last) {
    switch (type) {
      case 0x05: return this.binary(buf, at, last);
      case 0x06:
        this.skip(at, 0, last);
        return undefined;
      case 0x0b: {
        const end = keyEnd(buf, keyEnd(buf, at, last) + 1, last) + 1;
        this.skip(end, 0, last);
        try {
          return this.reader.regExp(buf, at);
        } catch {
          throw LEAVE; // a pattern that is no JavaScript
        }
      }
      case 0x0c: {
        this.text(buf, at, last);
        const end = this.skip(this.p, 12, last);
        const reference = this.wrapped(buf, type, at);
        this.p = end;
        return reference;
      }
      case 0x0e: {
        const text = this.text(buf, at, last);
        return this.reader.promoteValues ? text : new this.bson.BSONSymbol(text);
      }
      case 0x0d: return new this.bson.Code(this.text(buf, at, last));
      case 0x0f: {
        const end = this.skip(at, 14, last) - 14 + int32(buf, at);
        if (end < at + 14 || end > last) throw LEAVE;
        const code = this.wrapped(buf, type, at);
        this.p = end;
        return code;
      }
      case 0x11:
        this.skip(at, 8, last);
        return this.reader.read(buf, type, at);
      case 0x13:
        this.skip(at, 16, last);
        return this.reader.read(buf, type, at);
      case 0x7f:
        this.skip(at, 0, last);
        return new this.bson.MaxKey();
      case 0xff:
        this.skip(at, 0, last);
        return new this.bson.MinKey();
      default: throw LEAVE;
    }
  }

  /** js-bson's own answer for one value. */
  wrapped(buf, type, at) {
    try {
      return this.reader.fallback(buf, type, at);
    } catch {
      throw LEAVE; // it words the error by the whole of the bytes
    }
  }

  /** A view, as js-bson's: who decodes bytes of his own knows how long they live. */
  binary(buf, at, last) {
    const start = this.skip(at, 5, last);
    const size = int32(buf, at);
    const subType = buf[at + 4];
    if (size < 0) throw LEAVE;
    const end = this.skip(start, size, last);
    if (subType === BINARY_BYTE_ARRAY) {
      const old = this.wrapped(buf, 0x05, at);
      this.p = end;
      return old;
    }
    const bytes = buf.subarray(start, end);
    if (this.reader.promoteBuffers) return bytes;
    const { Binary, UUID } = this.bson;
    const value = new Binary(bytes, subType);
    return subType === BINARY_UUID && UUID.isValid(value) ? value.toUUID() : value;
  }

  skip(at, size, last) {
    const end = at + size;
    if (end > last) throw LEAVE;
    this.p = end;
    return end;
  }

  /** Where the document or array at buf[at] ends. */
  inside(buf, at, last) {
    this.skip(at, 5, last);
    const size = int32(buf, at);
    const end = at + size;
    if (size < 5 || end > last || buf[end - 1] !== 0) throw LEAVE;
    return end;
  }
}

/** The offset of the NUL that ends the key at buf[at], before last. */
function keyEnd(buf, at, last) {
  while (at < last && buf[at] !== 0) at++;
  if (at >= last) throw LEAVE;
  return at;
}

module.exports = { DocumentDecoder };

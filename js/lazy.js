'use strict';
// Lazy documents: proxies over the bytes of a batch that decode a field when it is read.
//
// A document is one to its user in every way but two: structuredClone and postMessage refuse proxies (send toObject(),
// or the BSON itself), and while a document or one of its sub-documents lives, so does the batch it came in (about a
// megabyte): toObject() gives a plain copy that does not hold it, and neither do values read from it.
//
// The layout of a chunk, the same text as in core/index/layout.go. All words are 32 bits in the machine's byte order.
//
//   header   version, documents in the chunk, byte offset of the raw part, its size in bytes
//   runs     shape id, documents in the run, fields of each; then for each document:
//                offset of the document, offset of each field
//   raw      the documents' bytes as they came
//
// Offsets count from the start of the raw part. A field's offset is that of its type byte; the length of its name is
// known from the shape, so that its value begins at offset + 1 + length + 1. Shape id 0 means no shape: such a run has
// no field offsets, and JavaScript finds the fields when one is first asked for; its third word is 1 if the documents
// have keys that begin with $ and may be DBRefs, else 0. A shape's definition is shape.LazyDefinition: a little-endian
// 32-bit count and the key names in document order, each with its NUL.

const { int32 } = require('./bson/walk');
const { Context } = require('./lazy/context');
const { Batch, LazyTarget } = require('./lazy/target');
const stats = require('./lazy/stats');
require('./lazy/methods');
require('./lazy/inspect');

const LAYOUT_VERSION = 1;
const HEADER_WORDS = 4;

class LazyDecoder {
  /**
   * bson: what resolveBson gives; bridge: answers definition(3, shape id, 0). A decoder keeps what it learns of shapes:
   * use one for all reads with the same classes and options.
   */
  constructor(bson, options, bridge) {
    this.raw = options?.raw === true;
    // Raw documents are never decoded, so that no combination of options is refused.
    this.context = this.raw ? null : new Context(bson, options, bridge);
  }

  /**
   * Pushes the documents of a chunk to out: lazy documents (a DBRef where js-bson makes one), Buffers with option raw.
   * The documents read from bytes for as long as they live: the caller neither changes nor reuses it. counted: the addon
   * counts these bytes.
   */
  decode(bytes, out, counted = false) {
    const header = new Int32Array(bytes.buffer, bytes.byteOffset, HEADER_WORDS);
    if (header[0] !== LAYOUT_VERSION) {
      throw new Error(`internal: lazy chunk of layout ${header[0]}, expected ${LAYOUT_VERSION}: `
        + 'the core and js/ are not of one version');
    }
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, header[2] >> 2);
    const buf = Buffer.from(bytes.buffer, bytes.byteOffset + header[2], header[3]);
    const batch = new Batch(buf, this.context);
    for (let at = HEADER_WORDS; at < words.length;) at = this.run(batch, words, at, out);
    if (this.raw) return;
    stats.count(header[1]);
    if (!counted) batch.token = stats.hold(bytes.byteLength);
  }

  /** Decodes the run at words[at] and returns where the next begins. */
  run(batch, words, at, out) {
    const { context } = this;
    const shape = words[at];
    const count = words[at + 1];
    const stride = shape === 0 ? 1 : words[at + 2] + 1;
    const end = at + 3 + count * stride;
    if (this.raw) {
      for (at += 3; at < end; at += stride) out.push(documentBytes(batch.buf, words[at]));
      return end;
    }
    const handler = shape === 0 ? null : context.handler(shape);
    const mayBeReference = shape === 0 ? words[at + 2] !== 0 : handler === null || handler.fields.mayBeReference;
    for (at += 3; at < end; at += stride) {
      if (mayBeReference) {
        out.push(context.document(batch, words[at], context.top));
      } else if (handler === null) {
        out.push(LazyTarget.open(batch, null, words[at], context.loose));
      } else {
        out.push(LazyTarget.open(batch, words, at + 1, handler));
      }
    }
    return end;
  }
}

/** A copy with memory of its own: users transfer it. */
function documentBytes(buf, at) {
  const size = int32(buf, at);
  const bytes = Buffer.allocUnsafeSlow(size);
  buf.copy(bytes, 0, at, at + size);
  return bytes;
}

module.exports = { LazyDecoder, lazyStats: stats.read };

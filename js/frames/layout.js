'use strict';
// How a chunk of eager documents is laid out, and a reader's place in one. core/frame/layout.go has the same text.
//
// Words are 32 bits in the machine's byte order.
//
//  header  20 words, see WORD
//  runs    pairs: reference, documents in a row that have it
//  shapes  pairs: shape id, version
//  sizes   of the pages of L; of the pages of W, in code units; of the dictionary's strings, top bit set if in E
//  I       words: int32, booleans, lengths, tags, string codes, references
//  F       float64 (8-byte aligned): doubles, dates, int64 that a double holds exactly
//  B       bytes: ObjectId, Decimal128, binary, documents left to bson.deserialize
//  T       Latin-1 text of strings shorter than 13: V8 copies those out of the chunk's string, so it is not kept alive
//  L       Latin-1 text of longer strings, in pages of at most 4 KB: V8 cuts strings of 13 and more as slices of what
//          they come from, so a kept string keeps its page. A string over 4 KB has a page of its own
//  D       Latin-1 text of the chunk's dictionary, at most 4 KB: strings that came up again and again
//  W       UTF-16 text, in pages like L (2-byte aligned)
//  E       UTF-16 text of the dictionary, at most 4 KB
//
// A reference says how the fields of a document follow: an index in shapes; GENERIC: the number of fields, NEW_KEYS added
// if the keys are a new sequence, then for each a word key id << 5 | kind (key id 0: a string code follows, the key's
// text) and the value; ODD: a length, the document is in B for bson.deserialize.
//
// A string code c: 0 to 12: T; from 13 on: L; -1 down to -4096: number ~c of the dictionary; below: W, c & WIDE.
// Where a slot has several kinds, and in generic documents, a word with the kind is before the value. A generic array is
// its length, a kind for all elements or TAGGED, then the elements.

const LAYOUT_VERSION = 1;

const WORD = Object.freeze({
  version: 0, documents: 1, runs: 2, shapes: 3, keys: 4, i: 5, f: 6, b: 7, t: 8, l: 9, d: 10, w: 11, e: 12, pagesL: 13,
  pagesW: 14, entries: 15, end: 16, header: 20,
});

const REF = Object.freeze({ GENERIC: -1, ODD: -2 });

const WIDE = 0x7fffffff;
const NEW_KEYS = 1 << 30;

// The kinds of core/shape/kind.go.
const KIND = Object.freeze({
  NULL: 0, BOOL: 1, INT32: 2, DOUBLE: 3, STRING: 4, DATE: 5, OBJECT_ID: 6, LONG32: 7, LONG_SAFE: 8, LONG_BIG: 9,
  DOCUMENT: 10, ARRAY: 11, DECIMAL: 12, BINARY: 13, TIMESTAMP: 14, REGEX: 15, MIN_KEY: 16, MAX_KEY: 17, UNDEFINED: 18,
  ODD: 19, CODE: 20, SYMBOL: 21, NONE: 30, TAGGED: 31,
});

// Both work on any Uint8Array; a Buffer object of our own would cost more than the call.
const { latin1Slice, ucs2Slice } = Buffer.prototype;

const NO_STRINGS = [];

/**
 * A reader's place in a chunk. Compiled functions load the cursors into locals and store them back at their end, so
 * whoever calls one has its own cursors stored here.
 */
class Reader {
  constructor() {
    this.i = null; // the whole chunk as words: ii is an index from its start
    this.f = null; // the whole chunk as float64
    this.b = null; // the whole chunk as bytes
    this.t = '';
    this.d = NO_STRINGS; // the dictionary
    this.ii = 0;
    this.fi = 0;
    this.bi = 0;
    this.tp = 0;
    this.pageL = '';
    this.atL = 0; // in pageL
    this.nextL = 0; // byte offset of the next page
    this.sizeL = 0; // word index of its size
    this.pageW = '';
    this.atW = 0;
    this.nextW = 0;
    this.sizeW = 0;
    this.shapes = null;
    this.endB = 0;
    this.slab = null; // a copy of a part of B, from slabAt to slabEnd; see bytesOf in values.js
    this.slabAt = 0;
    this.slabEnd = 0;
  }

  /** Begins a chunk. Nothing that is made from it refers to its memory. */
  attach(bytes) {
    const words = bytes.byteLength >>> 2;
    const i = this.i = new Int32Array(bytes.buffer, bytes.byteOffset, words);
    if (i[WORD.version] !== LAYOUT_VERSION) throw new Error(`rumongo-go: unknown layout ${i[WORD.version]} of a chunk`);
    this.f = new Float64Array(bytes.buffer, bytes.byteOffset, words >>> 1);
    this.b = bytes;
    this.ii = i[WORD.i];
    this.fi = i[WORD.f];
    this.bi = i[WORD.b];
    this.tp = 0;
    const t = this.endB = i[WORD.t];
    const l = i[WORD.l];
    this.t = l > t ? latin1Slice.call(bytes, t, l) : '';
    this.pageL = this.pageW = '';
    this.atL = this.atW = 0;
    this.nextL = l;
    this.nextW = i[WORD.w];
    this.sizeL = WORD.header + 2 * i[WORD.runs] + 2 * i[WORD.shapes];
    this.sizeW = this.sizeL + i[WORD.pagesL];
    const entries = i[WORD.entries];
    this.d = entries > 0 ? this.dictionary(this.sizeW + i[WORD.pagesW], entries) : NO_STRINGS;
  }

  /** Lets go of the chunk. */
  detach() {
    this.i = this.f = this.b = this.shapes = this.slab = null;
    this.slabAt = this.slabEnd = 0;
    this.t = this.pageL = this.pageW = '';
    this.d = NO_STRINGS;
  }

  dictionary(at, n) {
    const { i, b } = this;
    const latin1 = latin1Slice.call(b, i[WORD.d], i[WORD.w]);
    const utf16 = i[WORD.end] > i[WORD.e] ? ucs2Slice.call(b, i[WORD.e], i[WORD.end]) : '';
    const d = new Array(n);
    let p = 0;
    let q = 0;
    for (let k = 0; k < n; k++) {
      const size = i[at + k];
      d[k] = size >= 0 ? latin1.substring(p, p += size) : utf16.substring(q, q += size & WIDE);
    }
    return d;
  }

  /** The string of a code that is not in T. */
  string(c) {
    if (c >= 0) {
      let p = this.atL;
      if (p + c > this.pageL.length) {
        this.pageL = latin1Slice.call(this.b, this.nextL, this.nextL += this.i[this.sizeL++]);
        p = 0;
      }
      return this.pageL.substring(p, this.atL = p + c);
    }
    if (c >= -4096) return this.d[~c];
    c &= WIDE;
    let p = this.atW;
    if (p + c > this.pageW.length) {
      this.pageW = ucs2Slice.call(this.b, this.nextW, this.nextW += this.i[this.sizeW++] * 2);
      p = 0;
    }
    return this.pageW.substring(p, this.atW = p + c);
  }
}

module.exports = { KIND, NEW_KEYS, REF, Reader, WORD };

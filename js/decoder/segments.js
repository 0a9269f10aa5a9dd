'use strict';
// Documents that follow one another, decoded a segment at a time: the core makes chunks of several on its cores while this
// thread makes objects of the one before.

const bridge = require('../native/bridge.js');
const { int32 } = require('../bson/walk.js');
const { DEFAULTS } = require('../bson/options.js');
const { Reader, WANT } = require('../cursor/reader.js');
const { decoderFor } = require('../decoders.js');
const fairQueue = require('../fair-queue.js');
const { decoderOf } = require('./options.js');

// Up to this much is decoded at once: half a millisecond, about what a request to the core and its answer would take.
const AT_ONCE = 64 << 10;
const SEGMENT = 1 << 20;
/** Segments that are in the core or wait here. */
const AHEAD = 4;

const hasCore = () => {
  try {
    require('../native/binding.js').load();
    return true;
  } catch {
    return false; // no build for this platform: this thread does it, as js-bson would
  }
};

/** How to decode with these options. */
class Plan {
  #core; // undefined until somebody wants it: a few documents are no reason to load the core

  /**
   * @param {object} bson
   * @param {object} options of js-bson
   * @param {'frames'|'lazy'} mode
   */
  constructor(bson, options, mode = 'frames') {
    const { index, allowObjectSmallerThanBufferSize, ...rest } = options ?? {};
    this.bson = bson;
    this.options = rest;
    this.mode = mode;
    this.decoder = decoderOf(bson, rest);
  }

  /** What the core is asked for, and what its chunks are for: { params, decoder, bsonOptions }; null where this thread does all. */
  get core() {
    if (this.#core === undefined) this.#core = this.decoder !== null && hasCore() ? this.asked(this.bsonOptions()) : null;
    return this.#core;
  }

  bsonOptions() {
    const { validation, ...flags } = this.decoder.reader.options;
    return Object.freeze({ ...DEFAULTS, ...flags, enableUtf8Validation: validation.utf8 });
  }

  asked(bsonOptions) {
    const { bson, mode } = this;
    return { params: bson.BSON.serialize({ mode }), decoder: decoderFor(bridge, bson, bsonOptions, mode), bsonOptions };
  }

  /** The document of buf[at..end), whatever is there. */
  one(buf, at, end) {
    if (this.decoder !== null && end - at >= 5 && int32(buf, at) === end - at && buf[end - 1] === 0) {
      const document = this.decoder.decode(buf, at, end);
      if (document !== undefined) return document;
    }
    return this.bson.BSON.deserialize(buf.subarray(at, end), this.options);
  }
}

/** Where the document at buf[at] ends; -1 where its length cannot be. */
function endOf(buf, at) {
  const left = buf.length - at;
  const size = left < 5 ? 0 : int32(buf, at);
  return size < 5 || size > left ? -1 : at + size;
}

/** Where whole documents of about this size end that begin at buf[at]; at itself where there is none. */
function segmentEnd(buf, at, size) {
  const enough = at + size;
  while (at < buf.length && at < enough) {
    const end = endOf(buf, at);
    if (end < 0) break;
    at = end;
  }
  return at;
}

/** Decodes buf[at..) on this thread until about size bytes are done; returns where it is then. Throws at a bad document. */
function decodeSome(plan, buf, at, size, out) {
  const enough = at + size;
  while (at < buf.length && at < enough) {
    const end = endOf(buf, at);
    if (end < 0) out.push(plan.one(buf, at, buf.length)); // which throws
    else out.push(plan.one(buf, at, end));
    at = end;
  }
  return at;
}

/** Some documents on their way: bytes is not to be changed until they are here. */
class Segment {
  constructor(plan, bytes) {
    this.plan = plan;
    this.bytes = bytes;
    this.reader = null;
    this.documents = []; // decoded on this thread
    this.at = 0;
    const { core } = plan;
    if (core !== null && segmentEnd(bytes, 0, Infinity) === bytes.length) {
      this.reader = new Reader(core.decoder, plan.bson, core.bsonOptions);
      this.reader.submit(bridge, bridge.OP.DECODE, 0, bytes, core.params);
    }
  }

  /**
   * All its documents. Where one is bad, `error` is js-bson's, `at` where that document is, and what came before it is in
   * the array.
   */
  async read() {
    const { reader } = this;
    if (reader !== null) {
      await reader.until(WANT.ALL);
      if (reader.thrown === null && reader.fault === null) return { documents: reader.takeDocs(), error: null };
      if (reader.cancelled) return { documents: [], error: null };
      // Whatever it is: js-bson's word counts, on the very bytes.
    }
    return await new Promise((resolve) => {
      fairQueue.push(() => this.slice(resolve));
    });
  }

  /** A turn of the fair queue. True when all is done. */
  slice(resolve) {
    const { documents } = this;
    const { length } = documents;
    try {
      this.at = decodeSome(this.plan, this.bytes, this.at, AT_ONCE, documents);
    } catch (error) {
      for (let n = length; n < documents.length; n++) this.at = endOf(this.bytes, this.at);
      resolve({ documents, error });
      return true;
    }
    if (this.at < this.bytes.length) return false;
    resolve({ documents, error: null });
    return true;
  }

  cancel() {
    this.reader?.cancel();
  }
}

module.exports = { AHEAD, AT_ONCE, Plan, SEGMENT, Segment, decodeSome, segmentEnd };

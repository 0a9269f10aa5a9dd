'use strict';

// How readers use the documents of a lazy or streamed read: two fields of each.

/** Reads two fields of each document, none without fields; the count keeps the engine from leaving the reads out. */
function touch(documents, [first, second]) {
  let seen = 0;
  if (first === undefined) return seen;
  for (const document of documents) {
    if (document[first] !== undefined) seen++;
    if (document[second] !== undefined) seen++;
  }
  return seen;
}

/** Takes documents as they stream by: counts them, touches them, keeps those at the positions in pick. */
class Stream {
  length = 0;
  seen = 0;
  picked = new Map();
  #fields;
  #pick;

  constructor(fields, pick) {
    this.#fields = fields;
    this.#pick = pick;
  }

  document(document) {
    const [first, second] = this.#fields;
    if (first !== undefined && document[first] !== undefined) this.seen++;
    if (second !== undefined && document[second] !== undefined) this.seen++;
    if (this.#pick?.has(this.length)) this.picked.set(this.length, document);
    this.length++;
  }

  batch(documents) {
    this.seen += touch(documents, this.#fields);
    if (this.#pick !== undefined) {
      for (const position of this.#pick) {
        const at = position - this.length;
        if (at >= 0 && at < documents.length) this.picked.set(position, documents[at]);
      }
    }
    this.length += documents.length;
  }
}

module.exports = { touch, Stream };

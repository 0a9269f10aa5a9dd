'use strict';

// What every trial of a case is compared with: documents at some positions of the collection, as the official driver
// delivers their bytes.

const { createHash } = require('node:crypto');

/** Positions spread over a collection, its first and last document among them. */
function positionsOf(count, wanted) {
  const n = Math.min(count, wanted);
  return [...new Set(Array.from({ length: n }, (_, i) => (n === 1 ? 0 : Math.round((i * (count - 1)) / (n - 1)))))];
}

/**
 * @param {boolean} [given.asText] whether to say what the collection is as JSON text
 * @returns {Promise<{ count: number, bytes: number, expected: { position: number, bytes: string }[], text?: { bytes: number, hash: string } }>}
 * the bytes of documents as base64
 */
async function takeSamples({ uri, database, collection, projection, wanted = 50, asText = false }) {
  const { MongoClient, BSON } = require('mongodb');
  const client = await MongoClient.connect(uri);
  try {
    const found = client.db(database).collection(collection);
    const count = await found.countDocuments();
    const positions = new Set(positionsOf(count, wanted));
    const expected = [];
    let position = 0;
    let bytes = 0;
    const text = new Text();
    for await (const document of found.find({}, { raw: true, projection })) {
      bytes += document.length;
      if (positions.has(position)) expected.push({ position, bytes: Buffer.from(document).toString('base64') });
      if (asText) text.add(`${position === 0 ? '[' : ','}${JSON.stringify(BSON.deserialize(document))}`);
      position++;
    }
    return { count, bytes, expected, text: asText ? text.end() : undefined };
  } finally {
    await client.close();
  }
}

const textHash = () => createHash('sha1');

/** The length and hash of a JSON array. */
class Text {
  #hash = textHash();
  #bytes = 0;

  add(part) {
    this.#hash.update(part);
    this.#bytes += Buffer.byteLength(part);
  }

  end() {
    this.add(this.#bytes === 0 ? '[]' : ']');
    return { bytes: this.#bytes, hash: this.#hash.digest('hex') };
  }
}

module.exports = { takeSamples, positionsOf, textHash };

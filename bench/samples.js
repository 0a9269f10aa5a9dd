'use strict';

// What every trial of a case is compared with: documents at some positions of the collection, as the official driver
// delivers their bytes.

/** Positions spread over a collection, its first and last document among them. */
function positionsOf(count, wanted) {
  const n = Math.min(count, wanted);
  return [...new Set(Array.from({ length: n }, (_, i) => (n === 1 ? 0 : Math.round((i * (count - 1)) / (n - 1)))))];
}

/** @returns {Promise<{ count: number, bytes: number, expected: { position: number, bytes: string }[] }>} bytes as base64 */
async function takeSamples({ uri, database, collection, projection, wanted = 50 }) {
  const { MongoClient } = require('mongodb');
  const client = await MongoClient.connect(uri);
  try {
    const found = client.db(database).collection(collection);
    const count = await found.countDocuments();
    const positions = new Set(positionsOf(count, wanted));
    const expected = [];
    let position = 0;
    let bytes = 0;
    for await (const document of found.find({}, { raw: true, projection })) {
      bytes += document.length;
      if (positions.has(position)) expected.push({ position, bytes: Buffer.from(document).toString('base64') });
      position++;
    }
    return { count, bytes, expected };
  } finally {
    await client.close();
  }
}

module.exports = { takeSamples, positionsOf };

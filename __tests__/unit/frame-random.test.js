'use strict';
// Random documents, through the real encoder: every value equals js-bson's. RUMONGO_SEED repeats a run.

const test = require('node:test');
const assert = require('node:assert');
const bson = require('bson');
const { Materializer } = require('../../js/frames/materialize');
const { frameDump } = require('../support/frame-dump');
const { assertSameOutcome, outcome } = require('../support/same');
const { RandomDocuments } = require('../support/random-documents');

const SEED = Number(process.env.RUMONGO_SEED ?? Date.now() % 1e9);
const COUNT = Number(process.env.RUMONGO_DOCUMENTS ?? 10000);
const OPTIONS = [{}, { promoteLongs: false }, { promoteValues: false }, { useBigInt64: true, bsonRegExp: true }, { promoteBuffers: true }];

for (const piece of ['1', '20000', '262144']) {
  test(`${COUNT} documents in pieces of ${piece} bytes, seed ${SEED}`, (t) => {
    t.diagnostic(`seed ${SEED}`);
    const documents = new RandomDocuments(bson, SEED + Number(piece)).make(COUNT);
    const { chunks, bridge, fault } = frameDump(Buffer.concat(documents), ['-piece', piece, '-warm', piece === '20000' ? '1' : '0']);
    assert.strictEqual(fault, null);
    for (const options of piece === '20000' ? OPTIONS : OPTIONS.slice(0, 1)) {
      const materializer = new Materializer({ ...bson, BSON: bson, version: 7 }, options, { definition: bridge.definition });
      let at = 0;
      for (const { count, bytes } of chunks) {
        const out = [];
        const block = Uint8Array.from(bytes);
        materializer.decode(block, out);
        block.fill(0xa5);
        assert.strictEqual(out.length, count);
        for (const value of out) {
          const expected = outcome(() => bson.deserialize(documents[at], options));
          assertSameOutcome({ value }, expected, `seed ${SEED}, document ${at}`);
          at++;
        }
      }
      assert.strictEqual(at, COUNT);
      assert.strictEqual(materializer.compiled + materializer.generic + materializer.bson, COUNT);
      t.diagnostic(`${JSON.stringify(options)}: ${materializer.compiled} compiled, ${materializer.generic} generic, ${materializer.bson} bson`);
    }
  });
}

'use strict';
// The addon's exports refuse what is no block's number. That of the first block is 0, so nothing may pass for it.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const { serialize } = require('bson');
const bridge = require('../../js/native/bridge.js');

test('what is no number of a block reaches none', async () => {
  const documents = Buffer.concat(Array.from({ length: 64 }, (_, n) => serialize({ n, text: 'x'.repeat(1000) })));
  await new Promise((resolve, reject) => {
    bridge.submit(bridge.OP.DECODE, 0, documents, serialize({ mode: 'frames' }), {
      chunk(chunk) {
        const { native } = chunk.bridge;
        assert.strictEqual(chunk.slot, 0, 'the first block of this process');
        for (const bad of [NaN, undefined, -1, '0', 2 ** 32, 2 ** 53]) {
          assert.strictEqual(native.release(bad), false, `release(${bad})`);
          assert.throws(() => native.wrap(bad, 8), /no such block/, `wrap(${bad})`);
          assert.throws(() => native.copy(bad, 8), /no such block/, `copy(${bad})`);
        }
        assert.strictEqual(chunk.bytes.length, chunk.size);
        chunk.release();
      },
      end(fault) {
        if (fault) reject(fault);
        else resolve();
      },
    }).hold();
  });
});

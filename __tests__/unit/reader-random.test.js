'use strict';
// Random histories of a read: whatever the core delivers and whatever the caller does with the cursor, every
// promise settles, documents come in order and none twice, memory is given back once, and nothing is held at the end.

const test = require('node:test');
const assert = require('node:assert/strict');
const { setImmediate: turn } = require('node:timers/promises');
const bson = require('bson');
const { Reader } = require('../../js/cursor/reader.js');
const { BatchCursor } = require('../../js/cursor/batch-cursor.js');
const { DEFAULTS } = require('../../js/bson/options.js');
const { FakeBridge, FakeDecoder } = require('../support/fake-bridge.js');

const ROUNDS = 400;
const SEED = Number(process.env.TEST_SEED) || Math.floor(Math.random() * 1e9);
const classes = { BSON: bson, BSONError: bson.BSONError };

function random(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return { below: (n) => Math.floor(next() * n), chance: (p) => next() < p };
}

/** The core: some batches of some chunks each, then an end that may be a fault. A cancelled request gets only its end. */
async function play(rng, request, chunks) {
  let n = 0;
  const batches = rng.below(6);
  for (let b = 0; b < batches; b++) {
    const pieces = 1 + rng.below(3);
    for (let p = 0; p < pieces; p++) {
      while (rng.chance(0.3)) await turn();
      if (request.cancelled) break;
      const count = rng.chance(0.15) ? 0 : 1 + rng.below(4);
      const docs = Array.from({ length: count }, () => ({ n: n++ }));
      if (count > 0 && rng.chance(0.03)) docs.push(new SyntaxError('bad value'));
      chunks.push(request.chunk(docs, { batchEnd: p === pieces - 1, transient: rng.chance(0.5), kind: rng.chance(0.8) ? 1 : 2, size: count * 10 }));
    }
  }
  while (rng.chance(0.4)) await turn();
  const failing = !request.cancelled && rng.chance(0.25);
  request.end(request.cancelled ? { kind: 'cancelled', message: 'x' } : failing ? { kind: 'network', message: 'x' } : null);
  return { total: n, failing };
}

/** The caller: reads batches or documents until the end, or leaves. Gives what it saw. */
async function use(rng, cursor) {
  const seen = [];
  let left = false;
  try {
    for (;;) {
      while (rng.chance(0.2)) await turn();
      if (rng.chance(0.05)) {
        left = true;
        await cursor.close();
        break;
      }
      if (rng.chance(0.5)) {
        const calls = rng.chance(0.2) ? [cursor.nextBatch(), cursor.nextBatch()] : [cursor.nextBatch()];
        const results = await Promise.allSettled(calls);
        for (const { value } of results) if (value) seen.push(...value.map((doc) => doc.n));
        const failed = results.find(({ status }) => status === 'rejected');
        if (failed) throw failed.reason;
        if (results[0].value === null) break;
      } else {
        let end = true;
        const most = 1 + rng.below(6);
        let taken = 0;
        const iterator = cursor[Symbol.asyncIterator]();
        while (taken++ < most) {
          const { value, done } = await iterator.next();
          if (done) break;
          seen.push(value.n);
          end = taken < most;
        }
        if (end) break;
      }
    }
    return { seen, left, error: null };
  } catch (error) {
    return { seen, left, error };
  }
}

test(`random histories (TEST_SEED=${SEED})`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const where = `TEST_SEED=${SEED}, round ${round}`;
    const rng = random(SEED + round);
    const bridge = new FakeBridge();
    const reader = new Reader(new FakeDecoder(), classes, DEFAULTS);
    reader.submit(bridge, 2, 1, Buffer.alloc(5), bson.serialize({}));
    const request = bridge.last;
    const chunks = [];
    let timer;
    const hang = new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`hangs: ${where}`)), 5000);
    });
    const [{ total, failing }, { seen, left, error }] = await Promise.race([
      Promise.all([play(rng, request, chunks), use(random(SEED - round), new BatchCursor(reader, undefined, round % 2 ? 1000 : undefined))]), hang]);
    clearTimeout(timer);

    assert.deepEqual(seen, Array.from({ length: seen.length }, (_, i) => i), `order: ${where}`);
    if (error === null && !left) assert.equal(seen.length, total, `all of them: ${where}`);
    if (error instanceof SyntaxError) assert.ok(request.cancelled, where);
    else if (error !== null) assert.ok(failing, `${where}: ${error.stack}`);
    if (error !== null && failing && !(error instanceof SyntaxError)) assert.equal(seen.length, total, `what there was, first: ${where}`);
    assert.equal(request.held, 0, `held: ${where}`);
    // A caller that left early leaves chunks behind only if it never asked for the end; closing gives them back.
    for (const chunk of chunks) {
      if (chunk.detached === 0 && chunk.released > 1) assert.fail(`released twice: ${where}`);
    }
    if (error !== null || left || seen.length === total) await reader.close();
    assert.equal(reader.wait, null, where);
    assert.ok(!reader.pending, `undecoded: ${where}`);
  }
});

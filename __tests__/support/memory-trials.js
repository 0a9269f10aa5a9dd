'use strict';
// The memory trials of __tests__/fixtures/memory-child.js with what must hold for each, for `npm test` (short) and
// `npm run stress` (full).

const assert = require('node:assert/strict');
const path = require('node:path');
const bson = require('bson');
const { runChild } = require('./run-child');

const CHILD = path.join(__dirname, '..', 'fixtures', 'memory-child.js');
const MB = 1 << 20;
const BIG = 20; // documents of about 50 KB in test.big

/** [trial, rounds in short, rounds in full] */
const FLAT = [
  ['eager', 150, 1000],
  ['lazy', 150, 1000],
  ['findOne', 150, 1000], // ten each
  ['abandoned', 150, 1000],
  ['connect', 40, 500],
];
const RELEASED = ['keep eager string', 'keep eager slice', 'keep eager ObjectId', 'keep eager Binary', 'keep eager sub-document',
  'keep lazy string', 'keep lazy toObject'];
const HELD = ['keep lazy document', 'keep lazy sub-document'];

/** Reads of a cursor, document by document and batch by batch. */
const STREAMED = ['lazy', 'eager'].flatMap((kind) => ['for await', 'nextBatch'].flatMap((by) =>
  ['batchSize 1000', 'no batchSize'].map((size) => `${kind} cursor, ${by}, ${size}`)));
const STREAMED_MB = 100;

async function load(fixture, { large }) {
  await fixture.load('test.docs', 'mixed45', 500);
  await fixture.load('test.large', 'mixed45', large);
  await fixture.put('test.big', Array.from({ length: BIG }, (_, i) => bson.serialize({
    _id: new bson.ObjectId(), name: `name ${i}`, note: `a note that is longer than what engines copy ${i}`, text: 'x'.repeat(30_000 + i),
    bin: new bson.Binary(Buffer.alloc(40, i)), bulk: new bson.Binary(Buffer.alloc(20_000, i)), sub: { a: i, b: `something of some length here ${i}` },
  })));
}

async function measure(fixture, trial, rounds) {
  const { code, signal, stdout, stderr, hung } = await runChild(CHILD, [trial, fixture.uri, String(rounds)], { nodeArgs: ['--expose-gc'] });
  assert.deepEqual({ code, signal, stderr, hung }, { code: 0, signal: null, stderr: '', hung: false });
  return JSON.parse(stdout);
}

/** After many rounds there is what there was after some. */
function assertFlat({ before, after }) {
  const grown = (name) => after[name] - before[name];
  const what = JSON.stringify({ before, after });
  // A leak of 64 KB a round would be 9 MB in the short form; heaps and malloc arenas move by more than that in RSS.
  assert.ok(grown('rss') < 48 * MB, `RSS grew: ${what}`);
  assert.ok(grown('external') < 4 * MB, `external memory grew: ${what}`);
  assert.ok(grown('heapUsed') < 6 * MB, `the heap grew: ${what}`);
  assert.ok(grown('goHeap') < 24 * MB, `Go's heap grew: ${what}`);
  assert.ok(grown('blockBytes') < 4 * MB, `buffers grew: ${what}`);
  assert.ok(grown('goroutines') <= 4, `goroutines are left: ${what}`);
  // Up to ten sockets of the pool may have come.
  assert.ok(grown('files') <= 12, `files are left open: ${what}`);
  assert.ok(grown('threads') <= 8, `threads are left: ${what}`);
  for (const name of ['requests', 'clients', 'deployments', 'underWay', 'batches']) assert.equal(grown(name), 0, `${name}: ${what}`);
}

/** RSS stays within STREAMED_MB of the start, in the best of three runs. Resolves with the MB of that run. */
async function assertStreamed(fixture, trial, rounds) {
  const seen = [];
  while (seen.length < 3) {
    const { start, peak } = await measure(fixture, trial, rounds);
    const grown = Math.round((peak - start.rss) / MB);
    if (grown < STREAMED_MB) return grown;
    seen.push(grown);
  }
  assert.fail(`${trial}: ${seen.join(', ')} MB more than at the start`);
}

/** What is kept of every batch of a megabyte is small. */
function assertReleased({ before, after, kept }) {
  const what = JSON.stringify({ before, after, kept });
  const bytes = after.external - before.external + after.heapUsed - before.heapUsed;
  assert.ok(bytes < kept * 24_000, `${Math.round(bytes / kept)} bytes are kept of each batch: ${what}`);
  assert.equal(after.batches, 0, what);
}

/** A live lazy document keeps its batch, and is counted. */
function assertHeld({ before, after, kept }) {
  const what = JSON.stringify({ before, after, kept });
  assert.equal(after.batches - before.batches, kept, what);
  assert.ok(after.lazyBytes - before.lazyBytes >= kept * BIG * 50_000, what);
  assert.ok(after.blockBytes - before.blockBytes >= kept * BIG * 50_000, what);
}

module.exports = { FLAT, STREAMED, STREAMED_MB, RELEASED, HELD, load, measure, assertFlat, assertStreamed, assertReleased, assertHeld };

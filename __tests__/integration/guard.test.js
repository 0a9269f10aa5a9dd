'use strict';
// A guard without a clock: what makes reads fast is still there. Each set of the benchmark suite goes the way it is meant
// to go, with as many calls and copied bytes as stated here. Go's allocations for each document are in core/frame and
// core/index. A number that changes for a reason is changed here and in docs/performance.md.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const binding = require('../../js/native/binding.js');
const { MongoClient } = require('../../js/index.js');
const { sets } = require('../../bench/sets.js');
const { startFixture } = require('../support/fixture-server.js');

const MOST = 4_000; // documents of a set; shapes are compiled long before

const calls = {};
let fixture;
let client;

before(async () => {
  // The one object that js/native/bridge.js calls; it reads each function when it calls it.
  const native = binding.load();
  for (const [name, original] of Object.entries(native)) {
    if (typeof original !== 'function') continue;
    calls[name] = 0;
    native[name] = function counted(...args) {
      calls[name]++;
      return original.apply(this, args);
    };
  }
  fixture = await startFixture();
  client = await MongoClient.connect(fixture.uri);
});

after(async () => {
  await client?.close();
  await fixture?.stop();
});

/** What a read adds to the counters, beside its result. */
async function counted(read) {
  const { documents, chunks } = client.stats();
  const before = { ...calls };
  const result = await read();
  const made = Object.fromEntries(Object.keys(calls).map((name) => [name, calls[name] - before[name]]).filter(([, n]) => n > 0));
  const after = client.stats();
  const difference = (now, then) => Object.fromEntries(Object.keys(now).map((name) => [name, now[name] - then[name]]));
  return { result, calls: made, documents: difference(after.documents, documents), chunks: difference(after.chunks, chunks) };
}

async function load(name) {
  const set = sets[name];
  const count = Math.min(set.count, MOST);
  await fixture.load(`guard.${name}`, set.of ?? name, count);
  const options = set.projection ? { projection: set.projection } : {};
  const collection = client.db('guard').collection(name);
  const raw = await collection.find({}, { ...options, raw: true });
  return { collection, count, options, bytes: raw.reduce((sum, { length }) => sum + length, 0) };
}

// Documents whose keys seldom repeat, and one of thousands of slots, are not worth a function of their own.
const GENERIC = new Set(['large', 'randomKeys', 'optional20']);
const sum = (numbers) => Object.values(numbers).reduce((a, b) => a + b, 0);

/** One command, for each chunk at most a wrap and a release, and an acknowledgement for some; what a read keeps alive is said twice. */
function assertCalls({ calls: made }, chunks) {
  assert.strictEqual(made.submit, 1);
  assert.ok((made.definition ?? 0) <= 1, `${made.definition} definitions fetched by a read of known shapes`);
  assert.strictEqual(made.copy, undefined, 'blocks are wrapped, not copied');
  assert.ok(sum(made) <= 3 * chunks + 4, `calls into the addon for ${chunks} chunks: ${JSON.stringify(made)}`);
}

for (const name of Object.keys(sets)) {
  test(`${name}: path, calls and copies of an eager and a lazy read`, async () => {
    const { collection, count, options, bytes } = await load(name);
    for (let i = 0; i < 2; i++) {
      await collection.find({}, options);
      await collection.findLazy({}, options);
    }
    const eager = await counted(() => collection.find({}, options));
    const lazy = await counted(() => collection.findLazy({}, options));

    const path = GENERIC.has(name) ? 'generic' : 'compiled';
    assert.strictEqual(sum(eager.documents), count);
    assert.ok(eager.documents[path] >= 0.99 * count, `not ${path}: ${JSON.stringify(eager.documents)}`);
    assertCalls(eager, eager.chunks.frames);
    assert.ok(eager.chunks.frames <= bytes / 128e3 + 4, `${eager.chunks.frames} chunks for ${bytes} bytes`);
    assert.ok(eager.chunks.bytes <= bytes, `frames of ${eager.chunks.bytes} bytes for ${bytes} bytes of BSON`);

    assert.deepStrictEqual(lazy.documents, { compiled: 0, generic: 0, bson: 0, lazy: count });
    assertCalls(lazy, lazy.chunks.lazy);
    assert.ok(lazy.chunks.lazy <= bytes / 512e3 + 3, `${lazy.chunks.lazy} chunks for ${bytes} bytes`);
    // The bytes themselves, and an index of four bytes for each field.
    assert.ok(lazy.chunks.bytes <= 1.4 * bytes, `chunks of ${lazy.chunks.bytes} bytes for ${bytes} bytes of BSON`);
  });
}

test('findOne: one call, and two that keep the process alive meanwhile', async () => {
  const { collection } = await load('point');
  const keys = (await collection.find({}, { projection: { _id: 1 }, limit: 100 })).map(({ _id }) => _id);
  await collection.findOne({ _id: keys[0] });
  const alone = await counted(async () => {
    for (const _id of keys) await collection.findOne({ _id });
  });
  assert.deepStrictEqual(alone.calls, { submit: 100, hold: 200 });
  assert.deepStrictEqual(alone.documents, { compiled: 100, generic: 0, bson: 0, lazy: 0 });
  const together = await counted(() => Promise.all(keys.map((_id) => collection.findOne({ _id }))));
  assert.deepStrictEqual(together.calls, { submit: 100, hold: 2 });
});

'use strict';
// What keeps a batch in memory, and what does not.

const test = require('node:test');
const assert = require('node:assert/strict');
const v8 = require('node:v8');
const vm = require('node:vm');
const { setTimeout: sleep } = require('node:timers/promises');
const bson = require('bson');
const { resolveBson } = require('../../js/bson/classes.js');
const { LazyDecoder, lazyStats } = require('../../js/lazy.js');
const { lazyDump, decodeAll } = require('../support/lazy-dump.js');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');

const document = (i) => ({
  _id: new bson.ObjectId(), i, name: `document number ${i}`, sub: { a: [1, { b: 'deep' }] }, bin: new bson.Binary(Buffer.alloc(2000, 3)),
  big: Array.from({ length: 4000 }, (_, k) => ({ k })), ref: new bson.DBRef('c', 1), code: new bson.Code('f', { a: new bson.Binary(Buffer.alloc(10)) }), date: new Date()
});
const serialized = Array.from({ length: 8 }, (_, i) => bson.serialize(document(i)));

async function collect(isDone) {
  for (let i = 0; i < 20 && !isDone(); i++) {
    gc();
    await sleep(5);
  }
}

/** Whether the batch that take() got its documents from is collected while what it returned is held. */
async function isFreed(take) {
  await collect(() => lazyStats().batches === 0); // of the assertion before
  assert.equal(lazyStats().batches, 0);
  const held = take(decodeAll(lazyDump(serialized)));
  assert.equal(lazyStats().batches, 1);
  await collect(() => lazyStats().batches === 0);
  const freed = lazyStats().batches === 0;
  assert.ok(held !== undefined);
  return freed;
}

test('nothing held, nothing kept', async () => {
  assert.equal(await isFreed((documents) => documents.length), true);
});

test('a document, a sub-document and a large array keep their batch', async () => {
  assert.equal(await isFreed((documents) => documents[7]), false);
  assert.equal(await isFreed((documents) => documents[7].sub), false);
  assert.equal(await isFreed((documents) => documents[7].sub.a[1]), false);
  assert.equal(await isFreed((documents) => documents[7].big), false);
});

test('values do not', async () => {
  for (const take of [
    (d) => d[3].name, (d) => d[3]._id, (d) => d[3].bin, (d) => d[3].date, (d) => d[3].ref, (d) => d[3].code, (d) => d[3].sub.a[1].b,
    (d) => Object.keys(d[3]), (d) => d[3].keys(), (d) => d.map((x) => x.toObject()), (d) => d[3].sub.toObject(), (d) => d.map((x) => x.i)
  ]) {
    assert.equal(await isFreed(take), true, String(take));
  }
});

test('a document that has become an object of its own does not', async () => {
  assert.equal(await isFreed((documents) => {
    const lazy = documents[3];
    delete lazy.sub;
    delete lazy.big;
    return Object.freeze(lazy);
  }), true);
  assert.equal(await isFreed((documents) => {
    const { big } = documents[3];
    big.sort(() => 0);
    big.forEach((x, i) => { big[i] = x.k; });
    return big;
  }), true);
});

test('values do not change when the batch\'s memory does', () => {
  const dump = lazyDump(serialized);
  const [lazy] = decodeAll(dump).slice(-1);
  const plain = lazy.toObject();
  const held = { name: lazy.name, _id: lazy._id, bin: lazy.bin, ref: lazy.ref, code: lazy.code, date: lazy.date };
  const expected = bson.deserialize(serialized.at(-1));
  for (const chunk of dump.chunks) chunk.fill(0x55);
  assert.deepStrictEqual(plain, expected);
  for (const [key, value] of Object.entries(held)) assert.deepStrictEqual(value, expected[key], key);
});

test('option raw gives Buffers of their own', () => {
  const dump = lazyDump(serialized);
  const out = decodeAll(dump, { options: { raw: true } });
  for (const chunk of dump.chunks) chunk.fill(0x55);
  assert.equal(out.length, serialized.length);
  out.forEach((buffer, i) => {
    assert.ok(Buffer.isBuffer(buffer));
    assert.deepStrictEqual(buffer, Buffer.from(serialized[i]));
    assert.equal(buffer.buffer.byteLength, buffer.length);
  });
});

test('documents are counted', () => {
  const { documents, bytes } = lazyStats();
  const dump = lazyDump(serialized);
  decodeAll(dump);
  assert.equal(lazyStats().documents - documents, serialized.length);
  assert.equal(lazyStats().bytes - bytes, dump.chunks.reduce((sum, chunk) => sum + chunk.length, 0));
});

test('a chunk of another layout is refused', () => {
  const { chunks: [chunk], bridge } = lazyDump(serialized);
  new Uint32Array(chunk.buffer, chunk.byteOffset, 1)[0] = 99;
  assert.throws(() => new LazyDecoder(resolveBson({ bson }), {}, bridge).decode(chunk, []), /layout 99, expected 1/);
});

test('an empty chunk gives nothing', () => {
  const chunk = new Uint8Array(new Uint32Array([1, 0, 16, 0]).buffer);
  const out = [];
  new LazyDecoder(resolveBson({ bson }), {}, { definition: () => null }).decode(chunk, out);
  assert.deepEqual(out, []);
});

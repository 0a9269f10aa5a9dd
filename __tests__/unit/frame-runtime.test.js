'use strict';
// What eager decoding does to its surroundings: code generation, memory, caches, prototypes.

const test = require('node:test');
const assert = require('node:assert');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');
const { spawnSync } = require('node:child_process');
const bson = require('bson');
const { Materializer } = require('../../js/frames/materialize');
const { MAX_COMPILED } = require('../../js/frames/shapes');
const sets = require('../support/document-sets');
const { frameDump } = require('../support/frame-dump');

const classes = { ...bson, BSON: bson, version: 7 };

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');

function decodeAll({ chunks, bridge }, options = {}) {
  const materializer = new Materializer(classes, options, bridge);
  const out = [];
  for (const { bytes } of chunks) materializer.decode(bytes, out);
  return { materializer, out };
}

test('without code generation every value is the same', () => {
  const file = path.join(__dirname, 'frame-values.test.js');
  const run = spawnSync(process.execPath, ['--disallow-code-generation-from-strings', file], { encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: undefined } });
  assert.strictEqual(run.status, 0, run.stdout.slice(-2000) + run.stderr.slice(-2000));
});

test('documents take the path meant for them', () => {
  const shapeless = new Set(['optional20', 'randomkeys']);
  for (const name of sets.names) {
    const { bytes, count } = sets.make(bson, name, 2000);
    const dump = frameDump(bytes, ['-warm', '1']);
    const materializer = new Materializer(classes, {}, dump.bridge);
    const decode = () => {
      const out = [];
      for (const chunk of dump.chunks) materializer.decode(chunk.bytes, out);
      return out;
    };
    decode(); // compiles
    materializer.compiled = materializer.generic = materializer.bson = 0;
    assert.strictEqual(decode().length, count);
    const intended = shapeless.has(name) ? materializer.generic : materializer.compiled;
    assert.ok(intended >= 0.99 * count, `${name}: ${materializer.compiled} compiled, ${materializer.generic} generic, ${materializer.bson} bson`);
  }
});

test('a kept string keeps no more than its page', () => {
  const rows = (text) => Buffer.concat(Array.from({ length: 3000 }, (_, k) => Buffer.from(bson.serialize({ short: `s${k}`, text: text(k), state: text(k % 5) }))));
  for (const [name, text] of [['Latin-1', (k) => `a text of moderate length, number ${k}`], ['wide', (k) => `\u65e5\u672c\u8a9e\u306e\u6587\u7ae0\u306f\u5c11\u3057\u9577\u3044 ${k}`]]) {
    const dump = frameDump(rows(text), ['-piece', '262144', '-warm', '1']);
    const materializer = new Materializer(classes, {}, dump.bridge);
    const kept = [];
    const keep = () => {
      for (const { bytes } of dump.chunks) {
        const out = [];
        materializer.decode(bytes, out);
        kept.push(out[100].text, out[100].short, out[200].state);
      }
    };
    for (let n = 0; n < 20; n++) keep();
    gc();
    kept.length = 0;
    gc();
    const before = process.memoryUsage().heapUsed;
    const rounds = 100;
    for (let n = 0; n < rounds; n++) keep();
    gc();
    const each = (process.memoryUsage().heapUsed - before) / (rounds * dump.chunks.length);
    // The page of the text, the chunk's dictionary, the short string itself.
    assert.ok(each < 2 * 4096 + 1024, `${name}: ${Math.round(each)} bytes are kept per chunk`);
    assert.ok(kept.length > 0);
  }
});

test('nothing refers to the chunk after decoding', () => {
  const documents = Buffer.concat(Array.from({ length: 100 }, (_, k) => Buffer.from(bson.serialize({ k, buffer: Buffer.alloc(40, k), text: 'x'.repeat(50), code: new bson.Code('f', { k }) }))));
  const { chunks, bridge } = frameDump(documents);
  let collected = 0;
  const registry = new FinalizationRegistry(() => collected++);
  const keep = [];
  const materializer = new Materializer(classes, { promoteBuffers: true }, bridge);
  (() => {
    for (const chunk of chunks) {
      const block = chunk.bytes.slice();
      registry.register(block.buffer, 0);
      materializer.decode(block, keep);
    }
  })();
  chunks.length = 0;
  return new Promise((resolve) => setTimeout(resolve, 10)).then(() => {
    gc();
    return new Promise((resolve) => setTimeout(resolve, 10));
  }).then(() => {
    assert.ok(collected > 0, 'the block is collected while its documents live');
    assert.strictEqual(keep.length, 100);
  });
});

test('a flood of shapes leaves the caches bounded, and every document right', () => {
  // A bridge of its own: one document per chunk, each with a shape id of its own and 100,000 in all.
  const { chunks, bridge } = frameDump(Buffer.from(bson.serialize({ a: 1, b: 'text' })), ['-warm', '40']);
  const [{ bytes }] = chunks;
  const words = new Int32Array(bytes.buffer);
  const table = 20 + 2 * words[2];
  assert.strictEqual(words[3], 1, 'the chunk has a shape');
  const [id, version] = [words[table], words[table + 1]];
  const materializer = new Materializer(classes, {}, { definition: (kind) => bridge.definition(kind, id, version) });
  for (let n = 1; n <= 100000; n++) {
    words[table] = n;
    const out = [];
    const times = n % 100 === 0 ? 60 : 1;
    for (let k = 0; k < times; k++) materializer.decode(bytes, out);
    assert.deepStrictEqual(out[0], { a: 1, b: 'text' });
  }
  assert.ok(materializer.variant.shapes.size <= 4 * MAX_COMPILED);
  assert.ok(materializer.variant.compiled.size <= MAX_COMPILED);
});

test('options and classes have their own compiled code; the same ones share it', () => {
  const dump = frameDump(Buffer.from(bson.serialize({ l: bson.Long.fromNumber(5) })), ['-warm', '40']);
  const read = (options) => decodeAll(dump, options).out[0].l;
  assert.strictEqual(read({}), 5);
  assert.ok(read({ promoteLongs: false }) instanceof bson.Long);
  assert.strictEqual(read({ useBigInt64: true }), 5n);
  assert.strictEqual(new Materializer(classes, {}, dump.bridge).variant, new Materializer(classes, {}, dump.bridge).variant);
});

test('keys cannot reach prototypes', () => {
  const evil = ['__proto__', 'constructor', 'prototype', 'toString', '__defineGetter__'];
  const documents = Buffer.concat(Array.from({ length: 200 }, () => Buffer.from(bson.serialize(Object.fromEntries(evil.map((key) => [key, { polluted: 1 }]))))));
  const { out } = decodeAll(frameDump(documents));
  assert.strictEqual({}.polluted, undefined);
  for (const doc of out) assert.deepStrictEqual(Object.keys(doc), evil);
});

test('quotes, line separators and code in key names stay names', () => {
  const names = ['"', '\\', '\n', '\u2028', '`${process.exit(1)}`', '"]:1};process.exit(1);//', "'", '*/'];
  const document = Object.fromEntries(names.map((key, k) => [key, { [key]: k }]));
  const { out, materializer } = decodeAll(frameDump(Buffer.concat(Array.from({ length: 200 }, () => Buffer.from(bson.serialize(document))))));
  assert.ok(materializer.compiled > 0);
  for (const doc of out) assert.deepStrictEqual(doc, document);
});

test('a definition that is gone is an error, not a crash', () => {
  const { chunks } = frameDump(Buffer.from(bson.serialize({ a: 1 })), ['-warm', '40']);
  const materializer = new Materializer(classes, {}, { definition: () => null });
  assert.throws(() => materializer.decode(chunks[0].bytes, []), /shape \d+\.\d+ of a chunk is not known any more/);
});

test('a chunk of another layout is refused', () => {
  const materializer = new Materializer(classes, {}, { definition: () => null });
  assert.throws(() => materializer.decode(new Uint8Array(96).fill(9), []), /unknown layout/);
});

'use strict';
// Eager values equal js-bson's, at the edges of BSON, whichever way a document takes: without a shape, with a shape that
// is not compiled, compiled.

const test = require('node:test');
const assert = require('node:assert');
const bson7 = require('bson');
const bson6 = require('bson6');
const { Materializer } = require('../../js/frames/materialize');
const { codeGenerationAllowed } = require('../../js/frames/shapes');
const { frameDump } = require('../support/frame-dump');
const { assertSameOutcome, outcome } = require('../support/same');
const { malformed, nested, wellFormed } = require('../support/edge-documents');

const OPTIONS = [
  {}, { promoteLongs: false }, { promoteValues: false }, { promoteBuffers: true }, { useBigInt64: true }, { bsonRegExp: true },
  { enableUtf8Validation: false }, { promoteLongs: false, promoteValues: false, bsonRegExp: true }, { promoteBuffers: true, promoteValues: false },
  { useBigInt64: true, promoteLongs: false }, { useBigInt64: true, promoteValues: false },
];

/** The driver's options in js-bson's spelling. */
function forBson({ enableUtf8Validation, ...options }) {
  return enableUtf8Validation === undefined ? options : { ...options, validation: { utf8: enableUtf8Validation } };
}

const classesOf = (bson, version) => ({ ...bson, BSON: bson, version });

function scribble(bytes) {
  bytes.fill(0xa5);
}

// A dump with one document per chunk. `-warm 40` lets every sequence of keys get its shape first.
const documents = wellFormed(bson7);
const input = Buffer.concat(documents.map(({ bytes }) => bytes));
const dumps = { generic: frameDump(input, ['-piece', '1']), shaped: frameDump(input, ['-piece', '1', '-warm', '40']) };

for (const [name, bson, version] of [['bson 7', bson7, 7], ['bson 6', bson6, 6]]) {
  for (const options of OPTIONS) {
    test(`${name}, ${JSON.stringify(options)}`, () => {
      const expected = documents.map(({ bytes }) => outcome(() => bson.deserialize(bytes, forBson(options))));
      for (const [way, { chunks, bridge }] of Object.entries(dumps)) {
        assert.strictEqual(chunks.length, documents.length);
        const materializer = new Materializer(classesOf(bson, version), options, { definition: bridge.definition });
        const decode = (k) => outcome(() => {
          const bytes = Uint8Array.from(chunks[k].bytes);
          const out = [];
          try {
            materializer.decode(bytes, out);
          } finally {
            scribble(bytes); // whatever still refers to the block shows
          }
          assert.strictEqual(out.length, 1);
          return out[0];
        });
        documents.forEach((document, k) => {
          assertSameOutcome(decode(k), expected[k], `${document.name}, ${way}`);
        });
        if (way === 'generic') continue;
        for (const shape of materializer.variant.shapes.values()) shape.seen = 1000; // time to compile
        documents.forEach((document, k) => {
          assertSameOutcome(decode(k), expected[k], `${document.name}, compiled`);
        });
        if (expected.every(({ value }) => value === undefined)) continue; // options that js-bson refuses
        if (codeGenerationAllowed()) assert.ok(materializer.compiled > documents.length / 2, 'most were compiled');
        else assert.strictEqual(materializer.compiled, 0);
      }
    });
  }
}

test('malformed structure is refused with its offset, and what was before it is there', () => {
  const good = bson7.serialize({ a: 1, text: 'before' });
  for (const warm of ['0', '40']) {
    for (const { name, bytes } of malformed()) {
      assert.ok(outcome(() => bson7.deserialize(bytes)).error, `js-bson accepts: ${name}`);
      const { chunks, bridge, fault } = frameDump(Buffer.concat([good, good, bytes, good]), ['-warm', warm]);
      assert.ok(fault, name);
      assert.strictEqual(fault.documents, 2, name);
      assert.match(fault.message, /^malformed BSON: ./, name);
      assert.ok(fault.offset >= 2 * good.length && fault.offset <= 2 * good.length + bytes.length, `${name}: offset ${fault.offset}`);
      const out = [];
      for (const chunk of chunks) new Materializer(classesOf(bson7, 7), {}, bridge).decode(chunk.bytes, out);
      assert.deepStrictEqual(out, [{ a: 1, text: 'before' }, { a: 1, text: 'before' }], name);
    }
  }
});

test('10,000 and 50,000 levels', () => {
  for (const levels of [10000, 50000]) {
    const bytes = nested(levels);
    const { chunks, bridge } = frameDump(bytes);
    const out = [];
    new Materializer(classesOf(bson7, 7), {}, bridge).decode(chunks[0].bytes, out);
    let depth = 0;
    let at = out[0];
    for (; at.n !== undefined; at = at.n) depth++;
    assert.strictEqual(depth, levels);
    assert.deepStrictEqual(at, { x: 1 });
  }
});

test('a document of 16 MB, and one of 2.5 MB with a long array', () => {
  const list = [bson7.serialize({ text: 'x'.repeat(16 * 1024 * 1024 - 100) }), bson7.serialize({ list: Array.from({ length: 100000 }, (_, k) => ({ k, name: `name ${k}` })) })];
  for (const bytes of list) {
    const { chunks, bridge } = frameDump(bytes);
    const out = [];
    new Materializer(classesOf(bson7, 7), {}, bridge).decode(chunks[0].bytes, out);
    assert.deepStrictEqual(out, [bson7.deserialize(bytes)]);
  }
});

test('a value that cannot be made throws; the documents before it are delivered; the next chunk works', () => {
  const good = bson7.serialize({ r: /a/ });
  const bad = Buffer.from(good);
  bad[bad.indexOf('a\0')] = 0x28; // '('
  for (const warm of ['0', '40']) {
    const { chunks, bridge } = frameDump(Buffer.concat([good, good, bad, good]), ['-warm', warm]);
    const materializer = new Materializer(classesOf(bson7, 7), {}, bridge);
    for (let n = 0; n < 60; n++) {
      const out = [];
      assert.throws(() => materializer.decode(chunks[0].bytes, out), SyntaxError);
      assert.deepStrictEqual(out, [{ r: /a/ }, { r: /a/ }]);
    }
    const next = frameDump(good);
    const out = [];
    new Materializer(classesOf(bson7, 7), {}, next.bridge).decode(next.chunks[0].bytes, out);
    assert.deepStrictEqual(out, [{ r: /a/ }]);
  }
});

'use strict';
// Documents at the edges of size and depth, over the wire: the official driver's values, and a process that lives on.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const { types: { isProxy } } = require('node:util');
const official = require('mongodb');
const bson = require('bson');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const raw = require('../support/raw-bson.js');
const { readers, isLazy } = require('../support/readers.js');
const { assertSame } = require('../support/same.js');
const { deepEqual } = require('../../js/index.js');

// One of each kind.
const SOME = ['find, toArray', 'find, for await', 'findLazy', 'findLazy, toObject', 'findOne'];
const MAX = 16 * 1024 * 1024;

let fixture;
let theirs;
let ours;

before(async () => {
  fixture = await startFixture();
  theirs = (await official.MongoClient.connect(fixture.uri)).db('sizes').collection('c');
  ours = (await MongoClient.connect(fixture.uri)).db('sizes').collection('c');
});

after(async () => {
  await ours?.client.close();
  await theirs?.client?.close();
  await fixture?.stop();
});

/** levels containers of one type around { x: 1 }, each under key and after fields. */
function nest(levels, type, key, fields = Buffer.alloc(0)) {
  const inner = raw.document(raw.int('x', 1));
  const head = Buffer.concat([fields, Buffer.of(type), raw.cstring(key)]);
  let size = inner.length;
  const before = [];
  for (let k = 0; k < levels; k++) {
    size += head.length + 5;
    before.push(Buffer.concat([raw.int32(size), head]));
  }
  return Buffer.concat([...before.reverse(), inner, Buffer.alloc(levels)]);
}

describe('depth', () => {
  const shapes = {
    'documents': (levels) => nest(levels, 3, 'n'),
    'documents with another field': (levels) => nest(levels, 3, 'n', raw.string('name', 'x')),
    'arrays': (levels) => raw.document(raw.element(4, 'a', nest(levels, 4, '0'))),
    'documents in arrays': (levels) => nest(levels / 2, 3, 'n', Buffer.concat([raw.array('list', raw.int('0', 1), raw.embedded('1', raw.int('y', 2)))])),
    'what begins like a reference': (levels) => nest(levels, 3, 'n', raw.string('$ref', 'c')),
    'duplicate keys': (levels) => nest(levels, 3, 'n', Buffer.concat([raw.int('d', 1), raw.int('d', 2)])),
  };
  for (const [shape, make] of Object.entries(shapes)) {
    for (const levels of [100, 10_000, 50_000]) {
      test(`${levels} levels: ${shape}`, async () => {
        await fixture.put('sizes.c', [raw.document(raw.int('before', 1)), make(levels), raw.document(raw.int('after', 1))]);
        const expected = await theirs.find().toArray();
        for (const reader of levels > 1000 ? SOME : Object.keys(readers)) {
          const actual = await readers[reader](ours, {});
          if (reader === 'findOne') {
            assert.deepEqual(actual, [{ before: 1 }]);
            continue;
          }
          assert.equal(actual.length, 3, reader);
          assert.ok(deepEqual(actual, expected), reader);
          if (!isLazy(reader)) assertSame(actual, expected, reader);
          // In Node 20 this is a RangeError in the thousands, for plain documents too; nothing worse.
          for (const doc of [actual[1], expected[1]]) {
            try {
              JSON.stringify(doc);
            } catch (error) {
              assert.ok(error instanceof RangeError && levels > 1000, `${reader}: ${error.stack}`);
            }
          }
          // Touched lazy documents are copied without recursion too.
          if (isProxy(actual[1])) assertSame(actual[1].toObject(), expected[1], `${reader}, then toObject`);
        }
        assert.deepEqual(await ours.findOne(), { before: 1 }, 'the next query');
      });
    }
  }

  test('malformed below 50,000 levels', async () => {
    const bytes = nest(50_000, 3, 'n');
    bytes[bytes.length - 50_000 - 8] = 0x55; // the type of x
    await fixture.put('sizes.c', [bytes]);
    for (const [reader, read] of Object.entries(readers)) {
      await assert.rejects(read(ours, {}), (error) => error instanceof bson.BSONError && /unknown BSON type.* at byte offset \d+$/.test(error.message), reader);
    }
  });
});

/** Compares some values of a large lazy document: all of them through a proxy would take long. */
function assertSample(lazy, expected) {
  const all = Reflect.ownKeys(expected);
  assert.deepEqual(Reflect.ownKeys(lazy), all);
  for (const key of all.filter((_, i) => i % 1000 === 0)) {
    const value = expected[key];
    if (!Array.isArray(value)) {
      assertSame(lazy[key], value, key);
      continue;
    }
    assert.equal(lazy[key].length, value.length);
    for (let i = value.length - 1; i >= 0; i -= 997) assertSame(lazy[key][i], value[i], `${key}[${i}]`);
  }
}

describe('16 MB', () => {
  const fill = (make) => {
    const parts = [];
    for (let k = 0, size = 0; ; k++) {
      const part = make(k);
      if (size + part.length > MAX - 100) return Buffer.concat(parts);
      size += part.length;
      parts.push(part);
    }
  };
  const documents = {
    'one string': () => raw.document(raw.string('s', 'x'.repeat(MAX - 20))),
    'one string of wide characters': () => raw.document(raw.string('s', '\u65e5'.repeat((MAX - 20) / 3))),
    'one binary': () => raw.document(raw.binary('b', 0, Buffer.alloc(MAX - 20, 7))),
    'an array of documents': () => raw.document(raw.array('a', fill((k) => raw.embedded(String(k), raw.int('id', k), raw.string('text', `text number ${k}`), raw.array('l', raw.int('0', k)))))),
    'an array of everything': () => {
      const kinds = [(k) => raw.int(k, 1), (k) => raw.long(k, 2n ** 60n), (k) => raw.string(k, 'some text'), (k) => raw.date(k, 5n), (k) => raw.array(k, raw.int('0', 1)), (k) => raw.embedded(k, raw.int(`key${k % 50}`, 1)), (k) => raw.element(0x0a, k)];
      return raw.document(raw.array('a', fill((k) => kinds[k % kinds.length](String(k)))));
    },
    'half a million fields': () => raw.document(fill((k) => raw.int(`a longer field name ${k}`, k))),
  };
  for (const [name, make] of Object.entries(documents)) {
    test(name, async () => {
      const bytes = make();
      assert.ok(bytes.length > MAX - 1000 && bytes.length <= MAX, `${bytes.length} bytes`);
      await fixture.put('sizes.c', [bytes]);
      const [expected] = await theirs.find().toArray();
      const [eager] = await ours.find().toArray();
      assert.ok(deepEqual(eager, expected));
      const [lazy] = await ours.findLazy();
      assertSample(lazy, expected);
      assert.ok(deepEqual(lazy.toObject(), expected));
      const [buffer] = await ours.find({}, { raw: true }).toArray();
      assert.ok(bytes.equals(buffer));
    });
  }
});

describe('many', () => {
  const sets = {
    'documents of 1,000 fields': Array.from({ length: 120 }, (_, n) => raw.document(...Array.from({ length: 1000 }, (__, k) => (k % 2 ? raw.int(`f${k}`, n) : raw.string(`f${k}`, `${n}`))))),
    'empty documents': Array.from({ length: 5000 }, () => raw.document()),
    'documents of empty documents': Array.from({ length: 500 }, () => raw.document(raw.embedded('a'), raw.array('b'), raw.array('c', raw.embedded('0')))),
    'documents of 180 levels': Array.from({ length: 100 }, () => nest(180, 3, 'n')),
    'documents of a shape each': Array.from({ length: 3000 }, (_, n) => raw.document(raw.int(`only${n}`, n), raw.embedded('x', raw.int(`in${n}`, n)))),
    'documents of the same keys and other types': Array.from({ length: 3000 }, (_, n) => raw.document(...['a', 'b', 'c'].map((key, k) => [
      raw.int(key, n), raw.string(key, 's'), raw.long(key, 2n ** 60n), raw.embedded(key, raw.int('x', n)), raw.array(key, raw.int('0', n)), raw.date(key, BigInt(n)), raw.element(0x0a, key), raw.element(6, key)][(n >> k) % 8]))),
  };
  for (const [name, documents] of Object.entries(sets)) {
    test(name, async () => {
      await fixture.put('sizes.c', documents);
      const expected = await theirs.find().toArray();
      for (const reader of ['find, toArray', ...SOME.slice(0, -1)]) {
        assertSame(await readers[reader](ours, {}), expected, reader);
      }
    });
  }
});

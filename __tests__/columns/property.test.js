'use strict';
// Random collections as columns: the same as JavaScript makes of the official driver's documents, whatever the batches.
// RUMONGO_SEED repeats a run, RUMONGO_DOCUMENTS makes it longer.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fc = require('fast-check');
const bson = require('bson');
const { MongoClient } = require('../../js/index.js');
const { TYPES } = require('../../js/columns/layout.js');
const { startFixture } = require('../support/fixture-server.js');
const { batch, badBatch } = require('../support/arbitrary-bson.js');
const { outcome } = require('../support/same.js');
const { expectedColumns, actualColumn } = require('../support/expected-columns.js');

const SEED = Number(process.env.RUMONGO_SEED ?? Date.now() % 1e9);
const DOCUMENTS = Number(process.env.RUMONGO_DOCUMENTS ?? 10_000) / 2;
const RUNS = 25; // between two looks at the count

let fixture;
let collection;

before(async () => {
  fixture = await startFixture();
  collection = (await MongoClient.connect(fixture.uri)).db('property').collection('c');
});

after(async () => {
  await collection?.client.close();
  await fixture?.stop();
});

// References are objects of another class in JavaScript, and some names have no path.
const usable = (bytes) => !bytes.includes('$ref');

/** The type of column for a value. */
function typeFor(value) {
  if (typeof value === 'string') return 'utf8';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Date) return 'date';
  return { Int32: 'int32', Double: 'float64', Long: 'int64', ObjectId: 'objectId', Binary: 'binary', Decimal128: 'decimal128', BSONSymbol: 'dictionary' }[value?._bsontype];
}

/** Paths that lead somewhere in one of the documents, or not, with the type of what is there. */
function pathsOf(docs) {
  const found = new Map([['nowhere', undefined], ['a.b', undefined], ['_id', undefined]]);
  const walk = (value, prefix, depth) => {
    for (const [name, inner] of Object.entries(value).slice(0, 30)) {
      if (name === '' || name.includes('.') || name.includes('\0')) continue;
      const path = prefix + name;
      found.set(path, found.get(path) ?? typeFor(inner));
      if (depth < 3 && inner !== null && typeof inner === 'object' && (Array.isArray(inner) || Object.getPrototypeOf(inner) === Object.prototype)) {
        walk(inner, `${prefix}${name}.`, depth + 1);
      }
    }
  };
  for (const bytes of docs.slice(0, 10)) {
    const { value } = outcome(() => bson.deserialize(bytes, { promoteValues: false }));
    if (value !== undefined) walk(value, '', 1);
  }
  return [...found];
}

/** Columns for some of the paths; none inside another. */
function columnsOf(docs, picks) {
  const paths = pathsOf(docs);
  const columns = Object.create(null);
  for (const [n, type] of picks) {
    const [path, natural] = paths[n % paths.length];
    const taken = Object.keys(columns).some((other) => other === path || other.startsWith(`${path}.`) || path.startsWith(`${other}.`));
    if (!taken) columns[path] = TYPES[type] ?? natural ?? 'utf8';
  }
  return columns;
}

const picks = fc.array(fc.tuple(fc.nat(1000), fc.nat(3 * TYPES.length)), { minLength: 4, maxLength: 24, size: 'max' });
const sizes = fc.constantFrom(undefined, undefined, 3, 40);

async function check(t, arbitrary, wanted, body) {
  let documents = 0;
  t.diagnostic(`RUMONGO_SEED=${SEED}`);
  for (let round = 0; documents < wanted; round++) {
    const property = fc.asyncProperty(arbitrary, picks, sizes, fc.nat(60), async (made, chosen, batchSize, rows) => {
      const docs = made.filter(usable);
      documents += docs.length;
      await fixture.put('property.c', docs);
      // The fixture's projections have no dots, and what they do is tested elsewhere.
      await body(docs, columnsOf(docs, chosen), { projection: {}, batchSize }, 1 + rows);
    });
    await fc.assert(property, { seed: (SEED + round) | 0, numRuns: RUNS });
  }
  t.diagnostic(`${documents} documents`);
}

function assertColumns(result, expected, from = 0, to = undefined) {
  for (const [path, { values, ...counts }] of Object.entries(expected)) {
    const { values: actual, ...actualCounts } = actualColumn(result.columns[path]);
    const what = `${JSON.stringify(path)} ${result.columns[path].type}`;
    assert.deepStrictEqual(actual, values.slice(from, to), what);
    if (to === undefined) assert.deepStrictEqual(actualCounts, counts, what);
  }
}

test(`${DOCUMENTS} random documents`, { timeout: 600_000 }, async (t) => {
  let values = 0;
  await check(t, batch, DOCUMENTS, async (docs, columns, options, batchRows) => {
    const expected = expectedColumns(docs, columns);
    for (const { values: list } of Object.values(expected)) values += list.filter((value) => value !== null).length;
    const whole = await collection.findColumns({}, { ...options, columns });
    assert.equal(whole.length, docs.length);
    assert.deepStrictEqual(Object.keys(whole.columns), Object.keys(columns));
    assertColumns(whole, expected);
    let row = 0;
    for await (const part of collection.streamColumns({}, { ...options, columns, batchRows })) {
      assert.equal(part.length, Math.min(batchRows, docs.length - row));
      assertColumns(part, expected, row, row + part.length);
      row += part.length;
    }
    assert.equal(row, docs.length);
  });
  t.diagnostic(`${values} values`);
  assert.ok(values > DOCUMENTS / 5, `${values} values`);
});

test('single values, and what is inferred', { timeout: 600_000 }, async (t) => {
  let columns = 0;
  await check(t, batch, DOCUMENTS / 4, async (docs, _, options) => {
    const result = await collection.findColumns({}, options);
    const types = Object.fromEntries(Object.values(result.columns).map(({ name, type }) => [name, type]));
    columns += Object.keys(types).length;
    assertColumns(result, expectedColumns(docs, types));
    const decoded = docs.map((bytes) => bson.deserialize(bytes, AS_FOUND));
    for (const [path, column] of Object.entries(result.columns)) {
      if (path.includes('.') || column.type === 'int64' || column.type === 'binary') continue;
      column.toArray().forEach((value, row) => {
        if (value === null) return;
        const found = decoded[row][path];
        const plain = (v) => (v instanceof Date ? v.getTime() : Object(v)._bsontype === 'Long' ? Number(v) : Object(v)._bsontype === 'Decimal128' ? String(v) : v);
        assert.deepStrictEqual(plain(value), plain(found), path);
      });
    }
  });
  assert.ok(columns > 100, `${columns} columns`);
});

const AS_FOUND = { promoteValues: true };

test('values that js-bson refuses: its error, unless they are in no column', { timeout: 600_000 }, async (t) => {
  let refused = 0;
  await check(t, badBatch, DOCUMENTS / 10, async (docs, some, options, batchRows) => {
    const columns = { ...some, wrong: ['utf8', 'dictionary', 'bool', 'binary'][batchRows % 4] };
    const bad = docs.findIndex((bytes) => outcome(() => bson.deserialize(bytes)).error !== undefined);
    const { value, error } = await collection.findColumns({}, { ...options, columns }).then((result) => ({ value: result }), (reason) => ({ error: reason }));
    if (error === undefined) {
      assert.equal(value.length, docs.length);
      return;
    }
    refused++;
    assert.equal(error.name, 'BSONError');
    assert.ok(bad >= 0, error.message);
    let row = 0;
    await assert.rejects(async () => {
      for await (const part of collection.streamColumns({}, { ...options, columns, batchRows })) row += part.length;
    }, { name: 'BSONError' });
    assert.ok(row >= bad, `${row} rows, document ${bad}`);
    if (row > 0) assertColumns(await collection.findColumns({}, { ...options, columns, limit: row }), expectedOrNone(docs.slice(0, row), columns));
  });
  t.diagnostic(`${refused} refused`);
  assert.ok(refused > 0);
});

/** Nothing to compare with where another value of a document is refused. */
function expectedOrNone(docs, columns) {
  return outcome(() => expectedColumns(docs, columns)).value ?? {};
}

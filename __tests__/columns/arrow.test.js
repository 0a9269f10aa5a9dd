'use strict';
// toArrow(): the values, and that the table is over the same memory.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const arrow = require('apache-arrow');
const bson = require('bson');
const { MongoClient } = require('../../js/index.js');
const { TYPES } = require('../../js/columns/layout.js');
const { startFixture } = require('../support/fixture-server.js');

const VALUES = {
  bool: [true, false], int32: [1, -5], int64: [bson.Long.fromNumber(7), bson.Long.MIN_VALUE], float64: [1.5, -0.25], date: [new Date(1.7e12), new Date(-1)],
  utf8: ['', 'h\u00e9llo \ud83d\ude00'], dictionary: ['a', 'b'], objectId: [new bson.ObjectId(), new bson.ObjectId()],
  binary: [new bson.Binary(Buffer.from([1, 2, 3])), new bson.Binary(Buffer.alloc(0))], decimal128: [bson.Decimal128.fromString('1.50'), bson.Decimal128.fromString('NaN')],
};
const COUNT = 1000;

let fixture;
let collection;
let docs;

before(async () => {
  fixture = await startFixture();
  docs = Array.from({ length: COUNT }, (_, i) => Object.fromEntries(TYPES.flatMap((type, n) => ((i + n) % 7 === 0 ? [] : [[type, (i + n) % 5 === 0 ? null : VALUES[type][i % 2]]]))));
  await fixture.put('t.a', docs.map((doc) => Buffer.from(bson.serialize(doc))));
  collection = (await MongoClient.connect(fixture.uri)).db('t').collection('a');
});

after(async () => {
  await collection?.client.close();
  await fixture?.stop();
});

const columns = Object.fromEntries(TYPES.map((type) => [type, type]));

/** What Arrow has for a value. */
function inArrow(type, value) {
  if (value == null) return null;
  if (type === 'int64') return value.toBigInt();
  if (type === 'date') return value.getTime();
  if (type === 'objectId') return [...value.id];
  if (type === 'binary') return [...value.buffer];
  return type === 'decimal128' ? String(value) : value;
}

test('every type, with nulls, through Arrow\'s own files and back', async () => {
  const result = await collection.findColumns({}, { columns });
  const table = result.toArrow();
  assert.equal(table.numRows, COUNT);
  const { DataType } = arrow;
  const checks = { bool: DataType.isBool, int32: DataType.isInt, int64: DataType.isInt, float64: DataType.isFloat, date: DataType.isTimestamp, utf8: DataType.isUtf8, dictionary: DataType.isDictionary, objectId: DataType.isFixedSizeBinary, binary: DataType.isBinary, decimal128: DataType.isUtf8 };
  for (const one of [table, arrow.tableFromIPC(arrow.tableToIPC(table, 'file')), arrow.tableFromIPC(arrow.tableToIPC(table, 'stream'))]) {
    for (const type of TYPES) {
      const vector = one.getChild(type);
      assert.ok(checks[type](vector.type), type);
      assert.equal(vector.nullCount, result.columns[type].nullCount, type);
      for (let row = 0; row < COUNT; row++) {
        const value = vector.get(row);
        assert.deepStrictEqual(value instanceof Uint8Array ? [...value] : value, inArrow(type, docs[row][type]), `${type} ${row}`);
      }
    }
  }
});

test('nothing is copied', async () => {
  const result = await collection.findColumns({}, { columns });
  const table = result.toArrow();
  for (const type of TYPES) {
    const { values, offsets, data, dictionary, validity } = result.columns[type];
    const [held] = table.getChild(type).data;
    const same = (theirs, own, what) => assert.ok(theirs.buffer === own.buffer && theirs.byteOffset === own.byteOffset && theirs.byteLength === own.byteLength, `${type}: ${what}`);
    same(held.nullBitmap, validity, 'validity');
    same(held.values, values ?? data, 'values');
    if (offsets !== undefined) same(held.valueOffsets, offsets, 'offsets');
    if (dictionary !== undefined) {
      const [entries] = held.dictionary.data;
      same(entries.values, dictionary.data, 'entries');
      same(entries.valueOffsets, dictionary.offsets, 'their offsets');
    }
    for (const view of [validity, values, offsets, data].filter(Boolean)) assert.equal((view.byteOffset - validity.byteOffset) % 64, 0, 'on a multiple of 64');
  }
});

test('batches, and columns without a null or a row', async () => {
  let rows = 0;
  for await (const batch of collection.streamColumns({}, { columns, batchRows: 300 })) {
    const table = batch.toArrow();
    for (const type of TYPES) assert.deepStrictEqual(table.getChild(type).nullCount, batch.columns[type].nullCount);
    rows += table.numRows;
  }
  assert.equal(rows, COUNT);
  const some = (await collection.findColumns({ utf8: 'h\u00e9llo \ud83d\ude00' }, { columns: { utf8: 'utf8' } })).toArrow();
  assert.equal(some.getChild('utf8').nullCount, 0);
  assert.ok(some.numRows > 100);
});

test('without the package: an error that says what to do', () => {
  const script = `
    const Module = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = function (name, ...rest) {
      if (name === 'apache-arrow') throw Object.assign(new Error('not found'), { code: 'MODULE_NOT_FOUND' });
      return resolve.call(this, name, ...rest);
    };
    const { Columns } = require('./js/columns/columns.js');
    try { new Columns(0, {}, []).toArrow(); } catch (error) { console.log(error.name, error.message); }
  `;
  const { stdout } = spawnSync(process.execPath, ['-e', script], { cwd: path.join(__dirname, '..', '..'), encoding: 'utf8' });
  assert.match(stdout, /^MongoAPIError toArrow\(\) needs the package "apache-arrow".*npm install apache-arrow/);
});

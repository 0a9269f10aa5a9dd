'use strict';
// Columns as an Arrow table. The package is the application's, and is loaded when it is asked for.

const { findPackage } = require('../user-package.js');
const { apiError } = require('../errors.js');

const TYPE = {
  bool: ({ Bool }) => new Bool(),
  int32: ({ Int32 }) => new Int32(),
  int64: ({ Int64 }) => new Int64(),
  float64: ({ Float64 }) => new Float64(),
  date: ({ TimestampMillisecond }) => new TimestampMillisecond('UTC'),
  utf8: ({ Utf8 }) => new Utf8(),
  decimal128: ({ Utf8 }) => new Utf8(),
  dictionary: ({ Dictionary, Utf8, Int32 }) => new Dictionary(new Utf8(), new Int32()),
  objectId: ({ FixedSizeBinary }) => new FixedSizeBinary(12),
  binary: ({ Binary }) => new Binary(),
};

function arrow() {
  const found = findPackage('apache-arrow');
  if (found === null) throw apiError('toArrow() needs the package "apache-arrow", which is not installed: npm install apache-arrow');
  return found;
}

/** @param {import('./columns.js').Columns} of */
function tableOf({ length, columns }) {
  const lib = arrow();
  const fields = [];
  const children = [];
  for (const column of Object.values(columns)) {
    const type = TYPE[column.type](lib);
    fields.push(new lib.Field(column.name, type, true));
    children.push(dataOf(lib, type, column));
  }
  const schema = new lib.Schema(fields);
  const rows = lib.makeData({ type: new lib.Struct(fields), length, nullCount: 0, children });
  return new lib.Table(schema, [new lib.RecordBatch(schema, rows)]);
}

function dataOf({ makeData, makeVector, Utf8 }, type, { length, nullCount, validity, values, offsets, data, dictionary }) {
  const common = { type, length, nullCount, nullBitmap: validity ?? undefined };
  if (dictionary !== undefined) {
    const { offsets: valueOffsets, data: entries } = dictionary;
    const texts = makeData({ type: new Utf8(), length: valueOffsets.length - 1, nullCount: 0, valueOffsets, data: entries });
    return makeData({ ...common, data: values, dictionary: makeVector(texts) });
  }
  return makeData(offsets === undefined ? { ...common, data: values } : { ...common, valueOffsets: offsets, data });
}

module.exports = { tableOf };

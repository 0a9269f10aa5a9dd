'use strict';
// The same columns, built in JavaScript from documents as the official driver decodes them with promoteValues: false, so
// that each value has its BSON class.

const bson = require('bson');

const AS_STORED = { promoteValues: false, promoteBuffers: false };

/** Follows a path: names of documents, places of arrays. undefined: it leads nowhere. */
function valueAt(doc, path) {
  let value = doc;
  for (const name of path.split('.')) {
    if (Array.isArray(value)) {
      if (!/^(0|[1-9]\d*)$/.test(name)) return undefined;
    } else if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) {
      return undefined;
    }
    if (!Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

const isNumber = ({ _bsontype: type }) => type === 'Int32' || type === 'Double' || type === 'Long';
const bigOf = (value) => (value._bsontype === 'Long' ? value.toBigInt() : Number.isInteger(Number(value)) ? BigInt(Number(value)) : undefined);
const within = (n, bits) => (n !== undefined && BigInt.asIntN(bits, n) === n ? n : undefined);
const toText = (value) => (typeof value === 'string' ? value : value._bsontype === 'BSONSymbol' ? value.value : undefined);

/** The value of a column of a type for a value that is there and is not null; undefined where it cannot hold it. */
const CONVERT = {
  bool: (value) => (typeof value === 'boolean' ? value : undefined),
  int32: (value) => (isNumber(value) ? within(bigOf(value), 32) : undefined),
  int64: (value) => (isNumber(value) ? within(bigOf(value), 64) : undefined),
  float64(value) {
    if (!isNumber(value)) return undefined;
    if (value._bsontype !== 'Long') return Number(value);
    const n = value.toBigInt();
    return BigInt(Number(n)) === n ? Number(n) : undefined;
  },
  date: (value) => (value instanceof Date ? value.getTime() : undefined),
  utf8: toText,
  dictionary: toText,
  objectId: (value) => (value._bsontype === 'ObjectId' ? value.toHexString() : undefined),
  binary: (value) => (value._bsontype === 'Binary' ? Buffer.from(value.value()).toString('hex') : undefined),
  decimal128: (value) => (value._bsontype === 'Decimal128' ? value.toString() : undefined),
};

/**
 * @param {Buffer[]} docs BSON
 * @param {Record<string, string>} columns
 * @returns {Record<string, {values: any[], missing: number, null: number, mismatched: number}>} values: null where there is none
 */
function expectedColumns(docs, columns) {
  const decoded = docs.map((bytes) => bson.deserialize(bytes, AS_STORED));
  const result = Object.create(null);
  for (const [path, type] of Object.entries(columns)) {
    const column = { values: [], missing: 0, null: 0, mismatched: 0 };
    for (const doc of decoded) {
      const value = valueAt(doc, path);
      // undefined is also what js-bson makes of the BSON type of that name, which is there.
      if (value === undefined && !isThere(doc, path)) column.missing++;
      else if (value === null || value === undefined) column.null++;
      const converted = value === null || value === undefined ? undefined : CONVERT[type](value);
      if (converted === undefined && value !== null && value !== undefined) column.mismatched++;
      column.values.push(converted ?? null);
    }
    result[path] = column;
  }
  return result;
}

function isThere(doc, path) {
  const at = path.lastIndexOf('.');
  const parent = at === -1 ? doc : valueAt(doc, path.slice(0, at));
  const name = path.slice(at + 1);
  if (Array.isArray(parent)) return /^(0|[1-9]\d*)$/.test(name) && Number(name) < parent.length;
  return parent !== null && typeof parent === 'object' && Object.getPrototypeOf(parent) === Object.prototype && Object.hasOwn(parent, name);
}

/** A column of ours in the form of the above, by its arrays alone. */
function actualColumn(column) {
  const { type, length, validity, values, offsets, data, dictionary } = column;
  const text = (o, d, n) => Buffer.from(d.buffer, d.byteOffset + o[n], o[n + 1] - o[n]);
  const VALUE = {
    bool: (row) => (values[row >> 3] >> (row & 7) & 1) === 1,
    int32: (row) => BigInt(values[row]),
    int64: (row) => values[row],
    float64: (row) => values[row],
    date: (row) => new Date(Number(values[row])).getTime(),
    utf8: (row) => text(offsets, data, row).toString(),
    decimal128: (row) => text(offsets, data, row).toString(),
    binary: (row) => text(offsets, data, row).toString('hex'),
    dictionary: (row) => text(dictionary.offsets, dictionary.data, values[row]).toString(),
    objectId: (row) => Buffer.from(values.subarray(12 * row, 12 * row + 12)).toString('hex'),
  };
  const list = Array.from({ length }, (_, row) => (validity !== null && (validity[row >> 3] >> (row & 7) & 1) === 0 ? null : VALUE[type](row)));
  return { values: list, missing: column.missing, null: column.null, mismatched: column.mismatched };
}

module.exports = { expectedColumns, actualColumn };

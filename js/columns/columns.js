'use strict';
// What findColumns() gives: views over one block of memory, and values for those who want single ones.

const { parse } = require('./layout.js');
const { tableOf } = require('./arrow.js');

const ID_BYTES = 12;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** How a type's value of a row is made, where there is one. */
const VALUE = {
  bool: ({ values }, row) => (values[row >> 3] >> (row & 7) & 1) === 1,
  int32: ({ values }, row) => values[row],
  int64: ({ values }, row) => values[row],
  float64: ({ values }, row) => values[row],
  date: ({ values }, row) => new Date(Number(values[row])),
  utf8: ({ offsets, data }, row) => text(data, offsets, row),
  decimal128: ({ offsets, data, bson }, row) => new bson.Decimal128(text(data, offsets, row)),
  dictionary: ({ values, dictionary }, row) => text(dictionary.data, dictionary.offsets, values[row]),
  objectId: ({ values, bson }, row) => new bson.ObjectId(values.slice(row * ID_BYTES, (row + 1) * ID_BYTES)),
  binary: ({ offsets, data }, row) => Buffer.from(data.subarray(offsets[row], offsets[row + 1])),
};

const text = (data, offsets, n) => utf8.decode(data.subarray(offsets[n], offsets[n + 1]));

class Column {
  constructor(name, length, { type, missing, null: nulls, mismatched, validity, values, offsets, data }, bson) {
    this.name = name;
    this.type = type;
    this.length = length;
    this.missing = missing;
    this.null = nulls;
    this.mismatched = mismatched;
    this.validity = validity;
    if (type === 'dictionary') {
      this.values = values;
      this.dictionary = { offsets, data };
    } else if (offsets === null) {
      this.values = values;
    } else {
      this.offsets = offsets;
      this.data = data;
    }
    Object.defineProperty(this, 'bson', { value: bson }); // whose classes single values have
  }

  /** Rows without a value, whatever the reason. */
  get nullCount() {
    return this.missing + this.null + this.mismatched;
  }

  isNull(row) {
    const { validity } = this;
    return validity !== null && (validity[row >> 3] >> (row & 7) & 1) === 0;
  }

  /** The value of a row; null where there is none, undefined beyond the last row. */
  at(row) {
    if (!(row >= 0 && row < this.length)) return undefined;
    return this.isNull(row) ? null : VALUE[this.type](this, row);
  }

  toArray() {
    return Array.from(this);
  }

  *[Symbol.iterator]() {
    for (let row = 0; row < this.length; row++) yield this.at(row);
  }
}

class Columns {
  constructor(length, columns, omitted) {
    this.length = length;
    this.columns = columns;
    this.omitted = omitted;
  }

  /** An Arrow table over the same memory. */
  toArrow() {
    return tableOf(this);
  }
}

/** Makes Columns of the chunks of one read. */
class ColumnsDecoder {
  /**
   * @param {string[] | null} names of the columns; null where the core infers them
   * @param {object} bson
   */
  constructor(names, bson) {
    this.names = names;
    this.bson = bson;
  }

  decode(bytes, out) {
    const { rows, names, columns } = parse(bytes);
    const paths = this.names ?? names.columns.map(([path]) => path);
    const byName = Object.create(null);
    paths.forEach((path, n) => {
      byName[path] = new Column(path, rows, columns[n], this.bson);
    });
    out.push(new Columns(rows, byName, names?.omitted ?? []));
  }
}

module.exports = { Columns, ColumnsDecoder };

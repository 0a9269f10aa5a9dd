'use strict';
// A read whose chunks are columns: what the core is told, see core/cabi/columns.go, and what becomes of the chunks.

const { ColumnsDecoder } = require('./columns.js');

class ColumnsMode {
  /**
   * @param {object} asked of wholeOptions or streamOptions
   * @param {object} bsonClasses
   */
  constructor({ columns, ...rest }, bsonClasses) {
    this.name = 'columns';
    this.asked = columns === null ? rest : { ...rest, columns };
    this.decoder = new ColumnsDecoder(columns === null ? null : columns.map(({ path }) => path), bsonClasses);
  }

  /** The `columns` of the core's parameters. */
  params({ enableUtf8Validation }) {
    return { ...this.asked, validateUtf8: enableUtf8Validation !== false };
  }
}

module.exports = { ColumnsMode };

'use strict';
// The layout of a chunk of columns: mirror of core/columns/layout.go, which describes it.

const VERSION = 1;
const WORD = Object.freeze({ VERSION: 0, ROWS: 1, COLUMNS: 2, NAMES: 3, HEADER: 16, COLUMN: 16 });
const OF = Object.freeze({ TYPE: 0, MISSING: 1, NULL: 2, MISMATCHED: 3, ENTRIES: 4, VALIDITY: 6, VALUES: 8, OFFSETS: 10, DATA: 12 });

/** In the order of their numbers. */
const TYPES = Object.freeze(['bool', 'int32', 'int64', 'float64', 'date', 'utf8', 'dictionary', 'objectId', 'binary', 'decimal128']);

const ARRAYS = { int32: Int32Array, dictionary: Int32Array, int64: BigInt64Array, date: BigInt64Array, float64: Float64Array };

/**
 * What a chunk holds. Nothing is copied.
 *
 * @param {Uint8Array} bytes 8-byte aligned
 * @returns {{rows: number, names: object | null, columns: object[]}} names: those of inferred columns
 */
function parse(bytes) {
  const { buffer, byteOffset } = bytes;
  const words = new Uint32Array(buffer, byteOffset, bytes.byteLength >> 2);
  if (words[WORD.VERSION] !== VERSION) throw new Error(`Columns have layout ${words[WORD.VERSION]} instead of ${VERSION}`);
  const view = (Type, word) => new Type(buffer, byteOffset + words[word], words[word + 1] / Type.BYTES_PER_ELEMENT);
  const columns = [];
  for (let n = 0; n < words[WORD.COLUMNS]; n++) {
    const at = WORD.HEADER + n * WORD.COLUMN;
    const type = TYPES[words[at + OF.TYPE]];
    columns.push({
      type,
      missing: words[at + OF.MISSING],
      null: words[at + OF.NULL],
      mismatched: words[at + OF.MISMATCHED],
      validity: words[at + OF.VALIDITY + 1] === 0 ? null : view(Uint8Array, at + OF.VALIDITY),
      values: view(ARRAYS[type] ?? Uint8Array, at + OF.VALUES),
      offsets: words[at + OF.OFFSETS + 1] === 0 ? null : view(Int32Array, at + OF.OFFSETS),
      data: view(Uint8Array, at + OF.DATA),
    });
  }
  const names = words[WORD.NAMES + 1] === 0 ? null : JSON.parse(Buffer.from(view(Uint8Array, WORD.NAMES)).toString());
  return { rows: words[WORD.ROWS], names, columns };
}

module.exports = { TYPES, parse };

'use strict';
// Documents as lines of CSV. They are objects on the way, unlike JSON text.

const { promisify } = require('node:util');
const zlib = require('node:zlib');
const { findPackage } = require('../../user-package.js');
const { UsageError } = require('../exit.js');

const SAMPLE = 1000; // documents whose fields are the columns when none are named
const PART = 1 << 20; // characters of text that are written at a time
const MOST_NOTED = 10;

/** The package that knows how values are quoted: only this format needs it. */
function csvStringifier() {
  const found = findPackage('csv-stringify/sync');
  if (found === null) {
    throw new UsageError('--format csv needs the package csv-stringify: npm install csv-stringify, or npx -p rumongo-go -p csv-stringify rumongo-go export');
  }
  return found.stringify;
}

function csvCompressor(compress, level) {
  if (compress === undefined) return null;
  if (compress === 'gzip') return (bytes) => promisify(zlib.gzip)(bytes, { level });
  if (zlib.zstdCompress === undefined) throw new UsageError('csv in zstd needs Node.js 22.15 or later; use gzip (.csv.gz)');
  return (bytes) => promisify(zlib.zstdCompress)(bytes, level === undefined ? {} : { params: { [zlib.constants.ZSTD_c_compressionLevel]: level } });
}

const isPlain = (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date) && value._bsontype === undefined;

/** The paths of all values that are no documents, in order. */
function addPaths(doc, paths, prefix = '') {
  for (const [key, value] of Object.entries(doc)) {
    const path = `${prefix}${key}`;
    if (isPlain(value) && Object.keys(value).length > 0) addPaths(value, paths, `${path}.`);
    else paths.add(path);
  }
}

function valueAt(doc, keys) {
  let value = doc;
  for (const key of keys) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** A value as the text of a cell: what JSON.stringify gives, without quotes around text and dates; all digits of a number. */
function cell(value) {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (['Long', 'Decimal128', 'Double', 'Int32'].includes(value._bsontype)) return value.toString();
  const text = JSON.stringify(value);
  return text === undefined || text === 'null' ? '' : text.startsWith('"') ? JSON.parse(text) : text;
}

class CSV {
  /**
   * @param {{ stringify: Function, columns?: string[], named: boolean, header: boolean }} settings named: whether the columns
   * are the user's choice; header: whether the text begins with one
   */
  constructor({ stringify, columns, named, header }) {
    this.stringify = stringify;
    this.header = header;
    this.named = named;
    this.known = null; // a set, where fields that are no column are to be noted
    this.unknown = new Set();
    if (columns !== undefined) this.use(columns);
  }

  use(columns) {
    this.columns = columns;
    this.paths = columns.map((column) => column.split('.'));
    if (!this.named) this.known = new Set(columns);
  }

  infer(docs) {
    const found = new Set();
    for (const doc of docs.slice(0, SAMPLE)) addPaths(doc, found);
    this.use([...found]);
  }

  note(doc) {
    if (this.unknown.size >= MOST_NOTED) return;
    const found = new Set();
    addPaths(doc, found);
    for (const path of found) if (!this.known.has(path)) this.unknown.add(path);
  }

  text(docs) {
    const rows = docs.map((doc) => this.paths.map((keys) => cell(valueAt(doc, keys))));
    if (this.known) for (const doc of docs) this.note(doc);
    return this.write(rows);
  }

  write(rows) {
    const all = this.header ? [this.columns, ...rows] : rows;
    this.header = false;
    // A return inside a cell is quoted, and an empty cell that is all of its line, which readers would skip.
    return all.length === 0 || this.columns.length === 0 ? '' : this.stringify(all, { quoted_match: /\r/, quoted_empty: this.columns.length === 1 });
  }
}

/**
 * @param {import('../../cursor/batch-cursor.js').BatchCursor} cursor of plain objects
 * @param {CSV} csv
 * @param {{ compressor: Function | null, member: number, bson: object }} settings member: characters in a compressed member
 * @yields {{ text: Buffer, count: number, last: Buffer | null }} as markedText()
 */
async function* csvParts(cursor, csv, { compressor, member, bson }) {
  const enough = compressor === null ? PART : member;
  let text = '';
  let count = 0;
  let last = null;
  const part = async () => {
    const bytes = Buffer.from(text);
    const made = { text: compressor === null ? bytes : await compressor(bytes), count, last };
    text = '';
    count = 0;
    return made;
  };
  try {
    for await (const docs of batches(cursor, csv)) {
      text += csv.text(docs);
      count += docs.length;
      const { _id } = docs.at(-1);
      last = _id === undefined ? null : bson.BSON.serialize({ _id });
      if (text.length >= enough) yield await part();
    }
    if (csv.header && csv.columns) text += csv.write([]);
    if (text !== '' || count > 0 || compressor !== null) yield await part();
  } finally {
    await cursor.close();
  }
}

/** Batches that are not empty. Without columns the first ones are read together, and tell them. */
async function* batches(cursor, csv) {
  const sample = [];
  for (let docs; (docs = await cursor.nextBatch()) !== null;) {
    if (docs.length === 0) continue;
    if (csv.columns === undefined) {
      for (const doc of docs) sample.push(doc);
      if (sample.length < SAMPLE) continue;
      csv.infer(sample);
      yield sample;
    } else {
      yield docs;
    }
  }
  if (csv.columns === undefined && sample.length > 0) {
    csv.infer(sample);
    yield sample;
  }
}

module.exports = { csvStringifier, csvCompressor, CSV, csvParts };

'use strict';
// JSON text that says how far it has come, for who may have to go on from there: the core marks each part of it with the
// _id of the part's last document, see core/jsonout/mark.go.

const { checkReadOptions, prepareFind, openReader } = require('../reads/read.js');
const { WANT } = require('../cursor/reader.js');
const { streamOptions } = require('./options.js');
const { TextMode } = require('./text-mode.js');

const NUMBERS = 8; // bytes: how many documents, and how long the BSON before it is

const decoder = Object.freeze({
  decode({ buffer, byteOffset, byteLength }, out) {
    const chunk = Buffer.from(buffer, byteOffset, byteLength);
    const end = byteLength - NUMBERS;
    const length = chunk.readUInt32LE(end + 4);
    out.push({
      text: chunk.subarray(0, end - length),
      count: chunk.readUInt32LE(end),
      last: length === 0 ? null : chunk.subarray(end - length, end),
    });
  },
});

/**
 * The parts of what streamJSON() gives. Where a part has `last`, a document with the _id of its last document, the text up to
 * its end is whole, and a read of what follows that document gives the rest; compressed text is several members or frames then.
 *
 * @param {import('../collection.js').Collection} collection
 * @param filter
 * @param {object} options of streamJSON()
 * @param {{ member: number, continued: boolean }} marks bytes of text in a compressed member, at least; whether this is the
 * rest of an array
 * @yields {{ text: Buffer, count: number, last: Buffer | null }}
 */
async function* markedText(collection, filter, options, { member, continued }) {
  const read = checkReadOptions(options);
  const mode = new TextMode({ ...streamOptions(read), marks: true, member, continued });
  mode.decoder = decoder;
  const reader = openReader(collection.client, prepareFind(collection, filter, read, mode), read.signal);
  try {
    for (;;) {
      while (reader.buffered > 0) yield reader.shift();
      if (reader.exhausted || reader.stopped) break;
      await reader.until(WANT.DOCUMENT);
    }
    reader.throwIfFailed();
  } finally {
    await reader.close();
  }
}

module.exports = { markedText };

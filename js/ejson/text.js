'use strict';
// Extended JSON text, parsed by the core (core/ejson): at most 16 MB and 200 levels.

const { invalidArgument } = require('../errors.js');

// As in core/ejson; here so that a longer text is not copied first.
const MAX_BYTES = 16 * 1024 * 1024;

// Nothing is promoted, because what is written next has to have the type that was read; but a text that is a number
// is one.
const AS_READ = Object.freeze({ promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true });

const NUMBERS = [0x01, 0x10, 0x12];

// The name of the first element tells the answers apart.
const IS_FAULT = 0x6b; // kind

/**
 * The value that a text holds, as BSON classes.
 *
 * @param {string} text
 * @param {{ejson(text: Uint8Array): Uint8Array}} bridge
 * @param {object} bsonClasses
 * @param {string} argument its name, for messages
 */
function parseText(text, bridge, bsonClasses, argument) {
  if (text.length > MAX_BYTES) throw invalidText(argument, `the text is longer than ${MAX_BYTES} bytes`);
  const { deserialize } = bsonClasses.BSON;
  const answer = bridge.ejson(Buffer.from(escapeSurrogates(text)));
  if (answer[5] !== IS_FAULT) {
    return deserialize(answer, NUMBERS.includes(answer[4]) ? {} : AS_READ).value;
  }
  const { kind, message, offset } = deserialize(answer);
  if (kind !== 'bson') throw invalidText(argument, message);
  throw invalidText(argument, message, positionOf(text, Number(offset)));
}

/** JSON may write a surrogate without its other half as an escape, UTF-8 cannot have it. */
function escapeSurrogates(text) {
  if (text.isWellFormed?.() ?? true) return text;
  return text.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}

/** The index in the string that a byte offset means. */
function positionOf(text, offset) {
  let bytes = 0;
  let index = 0;
  for (const character of text) {
    if (bytes >= offset) break;
    const code = character.codePointAt(0);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? '\\ud800'.length : code < 0x10000 ? 3 : 4;
    index += character.length;
  }
  return index;
}

function invalidText(argument, reason, position) {
  const where = position === undefined ? '' : ` at position ${position}`;
  const error = invalidArgument(
    `Extended JSON text of "${argument}" is not valid${where}: ${reason}. Correct it; with { ejson: false } text is not parsed`,
  );
  if (position !== undefined) error.position = position;
  return error;
}

module.exports = { parseText };

'use strict';
// Names that were met, with their bytes, where their hash says. A new string of every name would have to be looked up by V8
// among those it knows.

const { isKey } = require('../lazy/key-tree.js');
const { utf8 } = require('../bson/text.js');

const PLACES = 2048;
const LONGEST = 40;
const known = new Array(PLACES).fill(null);

function nameOf(buf, at, end) {
  if (end - at > LONGEST) return utf8(buf, at, end);
  let hash = 0;
  for (let i = at; i < end; i++) hash = (Math.imul(hash, 31) + buf[i]) | 0;
  const place = (hash ^ (hash >>> 11)) & (PLACES - 1);
  const entry = known[place];
  if (entry !== null && isKey(buf, at, entry.bytes)) return entry.name;
  const name = utf8(buf, at, end);
  known[place] = { name, bytes: bytesOf(buf, at, end) };
  return name;
}

/** An array of small integers, which V8 reads from faster than from a view. */
function bytesOf(buf, at, end) {
  const bytes = [];
  for (let i = at; i < end; i++) bytes.push(buf[i]);
  return bytes;
}

module.exports = { bytesOf, nameOf };

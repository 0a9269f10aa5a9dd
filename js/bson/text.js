'use strict';
// BSON text to strings. The strings own their characters: none is a slice of something larger.

// Buffer's own methods, without the argument checks of toString.
const utf8Slice = Buffer.prototype.utf8Slice ?? function utf8Slice(start, end) {
  return this.toString('utf8', start, end);
};

// Up to this many characters, String.fromCharCode costs 6 to 16 ns against 40 for a call into the runtime.
const SHORT = 12;

/** The UTF-8 text buf[at..end), bad bytes replaced as Buffer does. */
function utf8(buf, at, end) {
  if (end - at <= SHORT) {
    const text = ascii(buf, at, end - at);
    if (text !== null) return text;
  }
  return utf8Slice.call(buf, at, end);
}

/** buf[at..at + n) as a string if it is ASCII and n at most SHORT, else null. */
function ascii(buf, at, n) {
  if (n === 0) return '';
  const a = buf[at];
  if (n === 1) return a > 127 ? null : String.fromCharCode(a);
  const b = buf[at + 1];
  if (n === 2) return (a | b) > 127 ? null : String.fromCharCode(a, b);
  const c = buf[at + 2];
  if (n === 3) return (a | b | c) > 127 ? null : String.fromCharCode(a, b, c);
  const d = buf[at + 3];
  let all = a | b | c | d;
  if (n === 4) return all > 127 ? null : String.fromCharCode(a, b, c, d);
  const e = buf[at + 4];
  if (n === 5) return (all | e) > 127 ? null : String.fromCharCode(a, b, c, d, e);
  const f = buf[at + 5];
  if (n === 6) return (all | e | f) > 127 ? null : String.fromCharCode(a, b, c, d, e, f);
  const g = buf[at + 6];
  if (n === 7) return (all | e | f | g) > 127 ? null : String.fromCharCode(a, b, c, d, e, f, g);
  const h = buf[at + 7];
  all |= e | f | g | h;
  if (n === 8) return all > 127 ? null : String.fromCharCode(a, b, c, d, e, f, g, h);
  const i = buf[at + 8];
  if (n === 9) return (all | i) > 127 ? null : String.fromCharCode(a, b, c, d, e, f, g, h, i);
  const j = buf[at + 9];
  if (n === 10) return (all | i | j) > 127 ? null : String.fromCharCode(a, b, c, d, e, f, g, h, i, j);
  const k = buf[at + 10];
  if (n === 11) return (all | i | j | k) > 127 ? null : String.fromCharCode(a, b, c, d, e, f, g, h, i, j, k);
  const l = buf[at + 11];
  return (all | i | j | k | l) > 127 ? null : String.fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l);
}

module.exports = { utf8 };

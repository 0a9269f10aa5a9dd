'use strict';
// Documents at the edges of BSON: each with a name, its bytes, and whether its structure is malformed (then the encoder
// refuses it; js-bson mostly does so too, with a reason of its own).

const raw = require('./raw-bson');
const { everyType } = require('./every-type');

const { document, element, int32, int64, cstring } = raw;

function nested(levels, leaf = raw.int('x', 1)) {
  // Built from the inside without recursion: sizes first.
  const head = Buffer.concat([Buffer.of(3), cstring('n')]);
  let inner = document(leaf);
  const before = [];
  const after = [];
  let size = inner.length;
  for (let k = 0; k < levels; k++) {
    size += head.length + 5;
    before.push(Buffer.concat([int32(size), head]));
    after.push(0);
  }
  inner = Buffer.concat([...before.reverse(), inner, Buffer.from(after)]);
  return inner;
}

function nestedArrays(levels) {
  let inner = raw.int('0', 1);
  for (let k = 0; k < levels; k++) inner = raw.array('0', inner);
  return document(raw.array('a', inner));
}

const repeat = (n, make) => Array.from({ length: n }, (_, k) => make(k));

function wellFormed(bson) {
  const { serialize } = bson;
  const list = [
    ['empty', document()],
    ['every type', serialize(everyType(bson), { ignoreUndefined: false })],
    ['longs', document(...['0', '1', '-1', '2147483647', '2147483648', '-2147483648', '-2147483649', '9007199254740991',
      '9007199254740992', '-9007199254740991', '-9007199254740992', '9223372036854775807', '-9223372036854775808']
      .map((v, k) => raw.long(`l${k}`, BigInt(v))))],
    ['dates', document(...['0', '-1', '8640000000000000', '8640000000000001', '-8640000000000001', '9223372036854775807',
      '-9223372036854775808', '9007199254740993'].map((v, k) => raw.date(`d${k}`, BigInt(v))))],
    ['doubles', serialize({ a: NaN, b: -0, c: Infinity, d: -Infinity, e: 5e-324, f: Number.MAX_VALUE, g: 1.5, h: new bson.Double(7) })],
    ['a NaN with a payload', document(element(1, 'n', Buffer.from('010000000000f87f', 'hex')))],
    ['__proto__', document(raw.embedded('__proto__', raw.int('x', 1)), raw.int('b', 2))],
    ['__proto__ inside', document(raw.embedded('a', raw.int('__proto__', 1), raw.int('b', 2)), raw.array('l', raw.embedded('0', raw.int('__proto__', 1))))],
    ['special keys', serialize({ constructor: 1, toJSON: 2, then: 3, length: 4, hasOwnProperty: 5, valueOf: 6, '': 7, ' ': 8, 'a.b': 9, $x: 10, '\u2028': 11, '"\\': 12 })],
    ['integer keys', document(raw.int('2', 1), raw.int('b', 2), raw.int('1', 3), raw.int('01', 4), raw.int('4294967295', 5), raw.int('-1', 6))],
    ['duplicate keys', document(raw.int('a', 1), raw.int('b', 2), raw.int('a', 3))],
    ['duplicate keys inside', document(raw.embedded('x', raw.int('a', 1), raw.int('b', 2), raw.string('a', 's')), raw.int('y', 1))],
    ['duplicate __proto__', document(raw.int('__proto__', 1), raw.int('__proto__', 2))],
    ['misnumbered array', document(raw.array('a', raw.int('5', 1), raw.int('5', 2), raw.int('x', 3), raw.int('', 4)))],
    ['references', serialize({ a: { $ref: 'c', $id: 1 }, b: { $ref: 'c', $id: 1, $db: 'd', extra: 2 }, c: { $id: 1, $ref: 'c' }, d: { $ref: 'c', $id: 1, $banana: 2 },
      e: { $ref: 1, $id: 1 }, f: { $ref: 'c' }, g: { $ref: 'c', $id: null }, h: { $ref: 'c', $id: 1, $db: 5 }, list: [{ $ref: 'c', $id: 1 }, { x: 1 }] })],
    ['a reference', serialize({ $ref: 'c', $id: 1, x: 2 })],
    ['not a reference', serialize({ $ref: 'c', x: 2 })],
    ['other dollar keys', serialize({ a: { $gt: 1 }, b: { $id: 2, $set: 1 } })],
    ['binary subtypes', serialize(Object.fromEntries([0, 1, 3, 4, 5, 6, 7, 8, 9, 127, 128, 255].map((t) => [`b${t}`, new bson.Binary(Buffer.alloc(16, t), t)])))],
    ['binary sizes', serialize(Object.fromEntries([0, 1, 15, 17, 24, 25, 4000, 70000].map((n) => [`b${n}`, new bson.Binary(Buffer.alloc(n, n), n === 15 ? 4 : 0)])))],
    ['old binary', document(raw.binary('b', 2, Buffer.from([2, 0, 0, 0, 1, 2])))],
    ['old binary, inner too long', document(raw.binary('b', 2, Buffer.from([3, 0, 0, 0, 1, 2])))],
    ['old binary, inner too short', document(raw.binary('b', 2, Buffer.from([1, 0, 0, 0, 1, 2])))],
    ['old binary, inner negative', document(raw.binary('b', 2, Buffer.from([255, 255, 255, 255, 1, 2])))],
    ['regular expressions', document(raw.regex('a', 'a+', ''), raw.regex('b', 'b/', 'imx'), raw.regex('c', '\u00e9', 's'), raw.regex('d', '', 'l'))],
    ['regular expression that does not compile', document(raw.int('a', 1), raw.regex('r', '(?i)a', ''))],
    ['regular expression with a flag twice', document(raw.regex('r', 'a', 'ii'))],
    ['regular expression, invalid UTF-8', document(raw.regex('r', Buffer.from([0x61, 0xff]), ''))],
    ['boolean 2', document(raw.int('a', 1), element(8, 'b', Buffer.of(2)))],
    ['old types', document(element(6, 'undefined'), raw.string('symbol', 's', 0x0e), raw.string('code', 'f()', 0x0d),
      element(0x0c, 'pointer', Buffer.concat([int32(4), cstring('a.b'), Buffer.alloc(12, 9)])), element(0xff, 'min'), element(0x7f, 'max'))],
    ['old types in an array', document(raw.array('a', element(6, '0'), raw.string('1', 's', 0x0e), raw.string('2', 'f()', 0x0d), element(0xff, '3'), element(0x7f, '4'), raw.int('5', 5)))],
    ['code with scope', serialize({ a: new bson.Code('f', { x: { y: [1] } }), b: new bson.Code('g', {}), c: 1 })],
    ['timestamps', document(...['0', '1', '4294967296', '-1', '9223372036854775807'].map((v, k) => element(0x11, `t${k}`, int64(BigInt(v)))))],
    ['decimals', serialize(Object.fromEntries(['0', '-0', '1.10', 'NaN', '-Infinity', '9.99E+6144'].map((v, k) => [`d${k}`, bson.Decimal128.fromString(v)])))],
    ['strings around 13', serialize(Object.fromEntries(repeat(40, (n) => [`s${n}`, 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz'.slice(0, n)])))],
    ['Latin-1 around 13', serialize(Object.fromEntries(repeat(40, (n) => [`s${n}`, '\u00e9\u00ff\u0080a'.repeat(10).slice(0, n)])))],
    ['wide around 13', serialize(Object.fromEntries(repeat(40, (n) => [`s${n}`, '\u65e5\u0100\ud83d\ude00'.repeat(10).slice(0, n)])))],
    ['characters', serialize({ s: '\u0000\u007f\u0080\u00ff\u0100\u07ff\u0800\ufffd\ufeff\uffff\ud800\udc00\udbff\udfff', nul: '\0', bom: '\ufeff' })],
    ['big strings', serialize(Object.fromEntries([4095, 4096, 4097, 10000, 100000].flatMap((n) => [[`a${n}`, 'x'.repeat(n)], [`w${n}`, '\u65e5'.repeat(n)], [`m${n}`, 'middle sized text']])))],
    ['pages', serialize({ l: repeat(600, (k) => 'text of some length '.repeat(k % 30)), w: repeat(600, (k) => '\u6587\u5b57'.repeat(k % 40)) })],
    ['repeats', serialize({ l: repeat(3000, (k) => ['active', 'inactive', 'a longer state of things', '\u65e5\u672c', '\u00e9t\u00e9', 'x'][k % 6] + (k % 7 ? '' : k)) })],
    ['invalid UTF-8', document(raw.string('ok', 'fine'), raw.string('s', Buffer.from([0x61, 0xc3, 0x28])), raw.int('z', 1))],
    ['encoded surrogate', document(raw.string('s', Buffer.from([0xed, 0xa0, 0x80])))],
    ['overlong', document(raw.string('s', Buffer.from([0xc0, 0xaf])), raw.string('t', Buffer.from([0xc1, 0xbf])))],
    ['half a character', document(raw.string('s', Buffer.from([0xc3])), raw.string('t', Buffer.from([0xe6, 0x97])))],
    ['invalid UTF-8 in an array', document(raw.array('a', raw.string('0', 'ok'), raw.string('1', Buffer.from([0xff]))))],
    ['invalid UTF-8 key', document(raw.int(Buffer.from([0x61, 0xff]), 1), raw.int('b', 2))],
    ['invalid UTF-8 key inside', document(raw.embedded('x', raw.int(Buffer.from([0xff]), 1)), raw.int('b', 2))],
    ['invalid UTF-8 keys that meet', document(raw.int(Buffer.from([0xff]), 1), raw.int('b', 2), raw.int(Buffer.from([0xfe]), 3))],
    ['wide keys', serialize({ '\u65e5\u672c\u8a9e': 1, '\u00e9': 2, '\ud83d\ude00': { '\u65e5': 3 } })],
    ['long keys', serialize(Object.fromEntries([12, 13, 63, 64, 65, 300, 5000].map((n) => ['k'.repeat(n), n])))],
    ['1,000 fields', serialize(Object.fromEntries(repeat(1000, (k) => [`f${k}`, k % 3 ? k : `v${k}`])))],
    ['5,000 fields', serialize(Object.fromEntries(repeat(5000, (k) => [`f${k}`, k])))],
    ['510 fields in inner documents', serialize({ a: Object.fromEntries(repeat(400, (k) => [`f${k}`, k])), b: Object.fromEntries(repeat(400, (k) => [`g${k}`, `${k}`])) })],
    ['arrays', serialize({ e: [], i: [1, 2, 3], d: [1.5, 2.5], m: [1, 'a', null, { x: 1 }, [2]], n: [[[]], [[1], []]], docs: [{ a: 1 }, { a: 2 }], mixed: [{ a: 1 }, { b: 2 }, {}, { a: 1, b: 2 }],
      nulls: [null, null], dates: [new Date(1), new Date(2)], ids: [new bson.ObjectId(), new bson.ObjectId()], long: repeat(1000, (k) => k), strings: repeat(100, (k) => `s${k}`) })],
    ...[1, 30, 62, 63, 64, 65, 66, 100, 180, 500].map((n) => [`${n} levels`, nested(n)]),
    ...[30, 62, 63, 64, 65, 100, 180].map((n) => [`${n} levels of arrays`, nestedArrays(n)]),
    ['100 levels, duplicate keys', nested(100, Buffer.concat([raw.int('x', 1), raw.int('x', 2)]))],
    ['20 levels, invalid UTF-8', nested(20, raw.string('x', Buffer.from([0xff])))],
  ];
  return list.map(([name, bytes]) => ({ name, bytes: Buffer.from(bytes), malformed: false }));
}

function malformed() {
  const ok = raw.int('a', 1);
  const list = [
    ['no final zero', () => { const b = document(ok); b[b.length - 1] = 1; return b; }],
    ['too short inside', () => document(element(3, 'd', Buffer.from([4, 0, 0, 0, 0])))],
    ['too long inside', () => document(element(3, 'd', Buffer.from([50, 0, 0, 0, 0])), ok)],
    ['negative size inside', () => document(element(4, 'd', Buffer.from([255, 255, 255, 255, 0])), ok)],
    ['inner document not terminated', () => document(element(3, 'd', Buffer.from([6, 0, 0, 0, 0, 1])), ok)],
    ['inner document ends early', () => document(element(3, 'd', Buffer.from([8, 0, 0, 0, 0, 0, 0, 0])), ok)],
    ['ends early', () => document(Buffer.from([0, 0, 0]))],
    ['string of no length', () => document(element(2, 's', Buffer.from([0, 0, 0, 0])), ok)],
    ['string too long', () => document(element(2, 's', Buffer.from([100, 0, 0, 0, 97, 0])), ok)],
    ['negative string', () => document(element(2, 's', Buffer.from([255, 255, 255, 127, 97, 0])))],
    ['string not terminated', () => document(element(2, 's', Buffer.from([2, 0, 0, 0, 97, 98])), ok)],
    ['key without end', () => Buffer.concat([int32(8), Buffer.from([0x10, 97, 98, 0])])],
    ['value cut off', () => document(element(1, 'd', Buffer.from([1, 2, 3])))],
    ['negative binary', () => document(raw.binary('b', 0, Buffer.from([1]), -1))],
    ['binary too long', () => document(raw.binary('b', 0, Buffer.from([1]), 100))],
    ['unknown type', () => document(ok, element(0x20, 'x'))],
    ['unknown type deep', () => nested(90, element(0x55, 'x'))],
    ['regular expression without end', () => document(element(0x0b, 'r', Buffer.from([97])))],
    ['code with scope too short', () => document(element(0x0f, 'c', Buffer.concat([int32(13), int32(1), Buffer.from([0]), document()])), ok)],
    ['scope too long', () => document(element(0x0f, 'c', Buffer.concat([int32(20), int32(1), Buffer.from([0]), document()])), ok)],
    ['string too long in an array of documents', () => document(raw.array('a', raw.embedded('0', raw.string('s', 'x')), raw.embedded('1', element(2, 's', Buffer.from([9, 0, 0, 0, 97, 0])))))],
  ];
  return list.map(([name, make]) => ({ name, bytes: make(), malformed: true }));
}

module.exports = { malformed, nested, wellFormed };

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
    ['integers at the edges', document(...[0, 1, -1, 2147483647, -2147483648].map((v, k) => raw.int(`i${k}`, v)), raw.array('a', ...[-2147483648, 2147483647, 0].map((v, k) => raw.int(String(k), v))))],
    ['longs of all sizes in arrays', document(raw.array('small', raw.long('0', 1n), raw.long('1', -1n)), raw.array('safe', raw.long('0', 2n ** 53n), raw.long('1', -(2n ** 53n)), raw.long('2', 2n ** 40n)),
      raw.array('all', ...[0n, 1n, 2n ** 31n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)].map((v, k) => raw.long(String(k), v))))],
    ['doubles in arrays', serialize({ a: [NaN, -0, 0, Infinity, -Infinity, 1.5], b: [new bson.Double(1), new bson.Double(-0)], c: [[-0], [NaN]] })],
    ['dates in arrays', document(raw.array('a', raw.date('0', 8640000000000001n), raw.date('1', -1n), raw.date('2', -(2n ** 63n))))],
    ['empty keys', document(raw.int('', 1), raw.embedded('x', raw.int('', 2), raw.embedded('', raw.string('', 's'))), raw.array('a', raw.embedded('0', raw.int('', 3))))],
    ['one empty key', document(raw.int('', 1))],
    ['__proto__ of every kind', document(...[raw.int('__proto__', 1), raw.string('__proto__', 's'), element(0x0a, '__proto__'), raw.array('__proto__', raw.int('0', 1)), raw.embedded('__proto__', raw.embedded('__proto__', raw.int('__proto__', 7)))]
      .map((field, k) => raw.embedded(`d${k}`, field, raw.int('after', k))))],
    ['names of Object.prototype', serialize(Object.fromEntries(Object.getOwnPropertyNames(Object.prototype).filter((k) => k !== '__proto__').map((k, i) => [k, i])))],
    ['names that methods have', serialize({ toObject: 1, keys: 2, getField: 3, inspect: 4, toBSON: 5, nested: { toJSON: { a: 1 }, toString: 's', then: null, toObject: [1], constructor: { name: 'x' } } })],
    ['toJSON and toBSON as code', serialize({ toJSON: new bson.Code('f'), a: { toJSON: 'x' } })],
    ['integer keys at the edges', document(...['4294967294', '4294967295', '4294967296', '9007199254740991', '9007199254740993', '0', '00', '-0', '+1', '1.0', '1e3', 'a', '10', '9'].map((key, i) => raw.int(key, i)))],
    ['integer keys inside', document(raw.embedded('x', raw.int('b', 1), raw.int('1', 2), raw.int('a', 3), raw.int('0', 4)), raw.array('l', raw.embedded('0', raw.int('z', 1), raw.int('7', 2))))],
    ['duplicate integer keys', document(raw.int('1', 1), raw.int('a', 2), raw.int('0', 3), raw.int('1', 4))],
    ['duplicates of other kinds', document(raw.embedded('a', raw.int('x', 1)), raw.array('b', raw.int('0', 1)), raw.string('a', 's'), raw.embedded('b', raw.int('y', 1)), raw.int('_id', 1), raw.int('_id', 2))],
    ['sparse array', document(raw.array('a', raw.int('0', 1), raw.int('7', 2), raw.int('3', 3)))],
    ['array with keys that are no numbers', document(raw.array('a', raw.int('__proto__', 1), raw.string('length', 's'), raw.int(Buffer.from([0xff]), 3), raw.embedded('map', raw.int('x', 1))))],
    ['references in all places', serialize({ a: { $ref: 'a.b', $id: { y: [1] } }, b: { $db: 'd', $ref: 'c', $id: 1 }, c: { $ref: '', $id: '' }, d: { $ref: 'c', $id: 1, nested: { $ref: 'e', $id: 2 } }, e: [[{ $ref: 'c', $id: bson.Long.MAX_VALUE }]],
      f: { $ref: 'c', $id: 1, $db: '' }, g: { $ref: 'c', $id: 1, $db: null }, h: { $id: 5 }, i: { $ref: null, $id: 1 } })],
    ['a reference with an undefined id', document(raw.embedded('r', raw.string('$ref', 'c'), element(6, '$id')))],
    ['a reference with two ids', document(raw.embedded('r', raw.string('$ref', 'c'), raw.int('$id', 1), raw.int('$id', 2)))],
    ['a reference with a bad value', document(raw.embedded('r', raw.string('$ref', 'c'), raw.int('$id', 1), raw.string('x', Buffer.from([0xff]))))],
    ['a reference with a bad name', document(raw.embedded('r', raw.string('$ref', Buffer.from([0xff])), raw.int('$id', 1)))],
    ['pointers', document(...['a.b', 'coll', 'a.b.c', '', '.', '\u00e9.\u65e5'].map((name, k) => element(0x0c, `p${k}`, Buffer.concat([int32(Buffer.byteLength(name) + 1), cstring(name), Buffer.alloc(12, k)]))))],
    ['a pointer with a bad name', document(element(0x0c, 'p', Buffer.concat([int32(2), cstring(Buffer.from([0xff])), Buffer.alloc(12, 1)])))],
    ['symbols', document(...['', 's', 'x'.repeat(50), '\u65e5'].map((text, k) => raw.string(`s${k}`, text, 0x0e)))],
    ['a bad symbol', document(raw.string('s', Buffer.from([0xff]), 0x0e))],
    ['bad code', document(raw.string('s', Buffer.from([0xff]), 0x0d))],
    ['code in all places', serialize({ a: new bson.Code(''), b: [new bson.Code('f', { a: 1 })], c: { d: new bson.Code('g', { r: { $ref: 'c', $id: 1 }, n: null, l: bson.Long.MAX_VALUE, u: [undefined] }) } }, { ignoreUndefined: false })],
    ['code whose scope has a bad value', document(element(0x0f, 'c', Buffer.concat([int32(14 + 9), int32(1), Buffer.of(0), document(raw.string('s', Buffer.from([0xff]))), Buffer.alloc(0)])))],
    ['undefined in all places', document(element(6, 'a'), raw.array('b', element(6, '0'), element(6, '1')), raw.embedded('c', element(6, 'd'), raw.int('e', 1)), raw.array('f', raw.int('0', 1), element(6, '1')))],
    ['minimum and maximum', document(raw.array('a', element(0xff, '0'), element(0x7f, '1')), raw.embedded('b', element(0xff, 'c')), element(0x7f, 'd'))],
    ['decimals of all bits', document(...['00'.repeat(16), 'ff'.repeat(16), '00'.repeat(15) + '7c', '01' + '00'.repeat(14) + '7e', '00'.repeat(15) + 'fc', '00'.repeat(15) + '78', 'ff'.repeat(14) + '3f70', '0000000000000000000000000000fe5f', 'ffffffff638e8d37c087adbe09ed4130']
      .map((hex, k) => element(0x13, `d${k}`, Buffer.from(hex, 'hex'))))],
    ['binaries in arrays', serialize({ a: [0, 2, 3, 4, 6, 9, 200].map((t) => new bson.Binary(Buffer.alloc(16, t), t)), b: [new bson.Binary(Buffer.alloc(0), 4), new bson.UUID(Buffer.alloc(16, 1))] })],
    ['old binaries', document(raw.binary('none', 2, Buffer.from([0, 0, 0, 0])), raw.binary('some', 2, Buffer.from([1, 0, 0, 0, 9])), raw.array('a', raw.binary('0', 2, Buffer.from([0, 0, 0, 0]))))],
    ['an old binary of 3 bytes', document(raw.binary('b', 2, Buffer.from([0, 0, 0])), raw.int('z', 0))],
    ['an old binary of no bytes', document(raw.binary('b', 2, Buffer.alloc(0)), raw.int('z', 0))],
    ['vectors', document(...['0300', '030001', '03000102ff', '2700', '27000000c03f', '1000ff', '1007ff', '1009ff', '0000', '03', 'ff01aa', ''].map((hex, k) => raw.binary(`v${k}`, 9, Buffer.from(hex, 'hex'))))],
    ['encrypted and sensitive', document(raw.binary('e', 6, Buffer.from([1, ...Buffer.alloc(16, 2), 2, 1, 2, 3])), raw.binary('s', 8, Buffer.from('secret')))],
    ['regular expressions with every flag', document(...['', 'i', 'l', 'm', 's', 'u', 'x', 'ilmsux', 'xsmi'].map((flags, k) => raw.regex(`r${k}`, '^a/\\n"b$', flags)))],
    ['a regular expression with a flag that is none', document(raw.regex('r', 'a', 'g'), raw.int('z', 1))],
    ['a regular expression with invalid UTF-8 options', document(raw.regex('r', 'a', Buffer.from([0xff])))],
    ['regular expressions in an array', document(raw.array('a', raw.regex('0', 'a', 'i'), raw.regex('1', 'b', '')))],
    ['surrogates encoded apart', document(raw.string('pair', Buffer.from('eda0bdedb880', 'hex')))],
    ['surrogates encoded apart in a key', document(raw.int(Buffer.from('eda0bd', 'hex'), 1))],
    ['beyond Unicode', document(raw.string('s', Buffer.from('f4908080', 'hex')))],
    ['a byte order mark and others', serialize({ '\ufeffkey': '\ufeff', noncharacters: '\ufffe\uffff\u{10ffff}', controls: '\u0001\u001f\u007f\u0085\u2028\u2029' })],
    ['NULs', serialize({ a: '\0', b: '\0\0\0', c: `${'x'.repeat(11)}\0`, d: `${'x'.repeat(12)}\0`, e: `\0${'y'.repeat(100)}`, f: '\u65e5\0\u672c', g: ['\0', 'a\0b'] })],
    ['boolean 255 in an array', document(raw.array('a', element(8, '0', Buffer.of(1)), element(8, '1', Buffer.of(255))))],
    ['empties', document(raw.embedded('a'), raw.array('b'), raw.array('c', raw.embedded('0'), raw.embedded('1')), raw.array('d', raw.array('0'), raw.array('1')), raw.embedded('e', raw.embedded('f')), raw.string('g', ''), raw.binary('h', 0, Buffer.alloc(0)), raw.regex('i', '', ''))],
    ['1,000 fields in an inner document', document(raw.embedded('x', ...repeat(1000, (k) => raw.int(`f${k}`, k))))],
    ['arrays of 1,000 documents of 1,000 shapes', document(raw.array('a', ...repeat(1000, (k) => raw.embedded(String(k), raw.int(`key${k}`, k)))))],
    ...[1, 30, 62, 63, 64, 65, 66, 100, 180, 500].map((n) => [`${n} levels`, nested(n)]),
    ...[30, 62, 63, 64, 65, 100, 180].map((n) => [`${n} levels of arrays`, nestedArrays(n)]),
    ['100 levels, duplicate keys', nested(100, Buffer.concat([raw.int('x', 1), raw.int('x', 2)]))],
    ['20 levels, invalid UTF-8', nested(20, raw.string('x', Buffer.from([0xff])))],
  ];
  return list.map(([name, bytes]) => ({ name, bytes: Buffer.from(bytes), malformed: false }));
}

/** Each with where its first wrong byte is, as the core says: the start of the value, key or end that does not fit. */
function malformed() {
  const ok = raw.int('a', 1);
  const scope = (total, ...elements) => element(0x0f, 'c', Buffer.concat([int32(total), int32(1), Buffer.from([0]), document(...elements)]));
  const list = [
    ['no final zero', 11, () => { const b = document(ok); b[b.length - 1] = 1; return b; }],
    ['too short inside', 7, () => document(element(3, 'd', Buffer.from([4, 0, 0, 0, 0])))],
    ['too long inside', 7, () => document(element(3, 'd', Buffer.from([50, 0, 0, 0, 0])), ok)],
    ['longer than the rest by one', 7, () => document(element(3, 'd', Buffer.from([14, 0, 0, 0, 0])), ok)],
    ['negative size inside', 7, () => document(element(4, 'd', Buffer.from([255, 255, 255, 255, 0])), ok)],
    ['inner document not terminated', 12, () => document(element(3, 'd', Buffer.from([6, 0, 0, 0, 0, 1])), ok)],
    ['inner document ends early', 11, () => document(element(3, 'd', Buffer.from([8, 0, 0, 0, 0, 0, 0, 0])), ok)],
    ['inner array ends early', 11, () => document(element(4, 'd', Buffer.from([8, 0, 0, 0, 0, 0, 0, 0])), ok)],
    ['ends early', 4, () => document(Buffer.from([0, 0, 0]))],
    ['string of no length', 7, () => document(element(2, 's', Buffer.from([0, 0, 0, 0])), ok)],
    ['string too long', 7, () => document(element(2, 's', Buffer.from([100, 0, 0, 0, 97, 0])), ok)],
    ['negative string', 7, () => document(element(2, 's', Buffer.from([255, 255, 255, 127, 97, 0])))],
    ['string not terminated', 7, () => document(element(2, 's', Buffer.from([2, 0, 0, 0, 97, 98])), ok)],
    ['symbol too long', 7, () => document(element(0x0e, 's', Buffer.from([9, 0, 0, 0, 97, 0])))],
    ['code not terminated', 7, () => document(element(0x0d, 's', Buffer.from([2, 0, 0, 0, 97, 98])), ok)],
    ['key without end', 5, () => Buffer.concat([int32(8), Buffer.from([0x10, 97, 98, 0])])],
    ['key of an array without end', 12, () => document(element(4, 'a', Buffer.from([8, 0, 0, 0, 0x0a, 97, 98, 0])))],
    ['double cut off', 7, () => document(element(1, 'd', Buffer.from([1, 2, 3])))],
    ['int32 cut off', 7, () => document(element(0x10, 'd', Buffer.from([1, 2])))],
    ['int64 cut off', 7, () => document(element(0x12, 'd', Buffer.from([1, 2, 3, 4, 5])))],
    ['date cut off', 7, () => document(element(9, 'd', Buffer.from([1, 2, 3, 4, 5])))],
    ['ObjectId cut off', 7, () => document(element(7, 'd', Buffer.alloc(11)))],
    ['decimal cut off', 7, () => document(element(0x13, 'd', Buffer.alloc(14)))],
    ['boolean cut off', 7, () => Buffer.concat([int32(8), Buffer.from([8, 97, 0, 0])])],
    ['pointer cut off', 7, () => document(element(0x0c, 'd', Buffer.concat([int32(2), cstring('a'), Buffer.alloc(9)])))],
    ['pointer with a name too long', 7, () => document(element(0x0c, 'd', Buffer.concat([int32(200), cstring('a'), Buffer.alloc(12)])))],
    ['negative binary', 7, () => document(raw.binary('b', 0, Buffer.from([1]), -1))],
    ['binary too long', 7, () => document(raw.binary('b', 0, Buffer.from([1]), 100))],
    ['binary without a subtype', 7, () => document(element(5, 'b', int32(0)))],
    ['unknown type', 11, () => document(ok, element(0x20, 'x'))],
    ['unknown type in an array', 11, () => document(raw.array('x', element(0x80, '0')))],
    ['unknown type deep', 634, () => nested(90, element(0x55, 'x'))],
    ['regular expression without end', 7, () => document(element(0x0b, 'r', Buffer.from([97])))],
    ['regular expression without options', 7, () => document(element(0x0b, 'r', Buffer.from([97, 0, 98])))],
    ['code with scope too short', 7, () => document(scope(13), ok)],
    ['code with scope, one too long', 7, () => document(scope(15), ok)],
    ['scope too long', 7, () => document(scope(20), ok)],
    ['scope with an unknown type', 20, () => document(scope(17, element(0x30, 'x')))],
    ['string too long in an array of documents', 38, () => document(raw.array('a', raw.embedded('0', raw.string('s', 'x')), raw.embedded('1', element(2, 's', Buffer.from([9, 0, 0, 0, 97, 0])))))],
    ['shorter than any document', 0, () => Buffer.from([4, 0, 0, 0, 0])],
    ['of a negative length', 0, () => Buffer.from([255, 255, 255, 255, 0])],
    ['longer than the batch', 0, () => Buffer.concat([int32(1e6), ok, Buffer.of(0)])],
  ];
  return list.map(([name, at, make]) => ({ name, at, bytes: make(), malformed: true }));
}

module.exports = { malformed, nested, wellFormed };

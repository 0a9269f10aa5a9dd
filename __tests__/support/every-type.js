'use strict';

/** A document with every BSON type, at the top and nested, made of the classes of the given bson. */
function everyType(bson) {
  const { ObjectId, Long, Double, Int32, Decimal128, Binary, UUID, Timestamp, BSONRegExp, Code, DBRef, MinKey, MaxKey, BSONSymbol } = bson;
  const scalars = {
    double: new Double(1.5), whole: new Double(3), negativeZero: -0, nan: NaN, infinity: -Infinity,
    empty: '', a: 'a', twelve: 'abcdefghijkl', thirteen: 'abcdefghijklm', long: 'x'.repeat(300),
    umlaut: '\u00e4', latin: '\u00e9t\u00e9 et na\u00efvet\u00e9 partout', japanese: '\u65e5\u672c\u8a9e', emoji: '\ud83d\ude00 \ud83d\udc69\u200d\ud83d\ude80', replacement: 'a\ufffdb', bom: '\ufefftext', nul: 'a\0b',
    bin: new Binary(Buffer.from([1, 2, 3])), bin0: new Binary(Buffer.alloc(0)), old: new Binary(Buffer.from([1, 2]), 2),
    md5: new Binary(Buffer.alloc(16, 5), 5), user: new Binary(Buffer.from([9]), 128), big: new Binary(Buffer.alloc(5000, 7)),
    uuid: new UUID('00112233-4455-6677-8899-aabbccddeeff'), badUuid: new Binary(Buffer.from([1]), 4), uuidOld: new Binary(Buffer.alloc(16, 3), 3),
    vector: Binary.fromInt8Array ? Binary.fromInt8Array(new Int8Array([1, 2])) : new Binary(Buffer.from([3, 0, 1, 2]), 9),
    nothing: undefined, id: new ObjectId('ffeeddccbbaa998877665544'), yes: true, no: false,
    date: new Date(1700000000123), epoch: new Date(0), before: new Date(-1), invalid: new Date(NaN), farthest: new Date(8640000000000000),
    nil: null, regex: /ab+c/im, regexG: new BSONRegExp('x', 's'), regexEmpty: new RegExp(''),
    code: new Code('function () {}'), scoped: new Code('f', { a: 1, b: { c: [1] } }), symbol: new BSONSymbol('sym'),
    int: new Int32(-2147483648), small: 7, timestamp: new Timestamp({ t: 4294967295, i: 4294967295 }),
    int64: Long.fromString('9007199254740991'), two53: Long.fromString('9007199254740992'), past53: Long.fromString('9007199254740993'),
    minus53: Long.fromString('-9007199254740992'), pastMinus53: Long.fromString('-9007199254740993'), minusOne: Long.fromNumber(-1),
    min64: Long.MIN_VALUE, max64: Long.MAX_VALUE, zero64: Long.fromNumber(0),
    decimal: Decimal128.fromString('1.10'), decimalNaN: Decimal128.fromString('NaN'), minKey: new MinKey(), maxKey: new MaxKey()
  };
  // The server never lets these meet as top-level keys, but js-bson reads them wherever they are.
  const references = {
    a: new DBRef('c', 1), b: { $ref: 'c', $id: 1, $db: 'd', extra: 2 }, c: { $id: 1, $ref: 'c' }, d: { $ref: 'c', $id: 1, $banana: 2 },
    e: { $ref: 1, $id: 1 }, f: { $ref: 'c' }, g: { $ref: 'c', $id: null }, h: { $ref: 'c', $id: 1, $db: 5 }, i: { x: 1, $ref: 'a.b', $id: { y: 1 } }
  };
  return {
    _id: new ObjectId(),
    ...scalars,
    nested: { ...scalars, deeper: { ...scalars, references } },
    list: Object.values(scalars),
    lists: [[], [[1, [2, { x: [3] }]]], [{}, { a: {} }]],
    emptyDocument: {}, emptyList: [],
    documents: Array.from({ length: 5 }, (_, i) => ({ i, name: `n${i}`, optional: i % 2 ? i : undefined, sub: { i } })),
    manyNumbers: Array.from({ length: 500 }, (_, i) => i),
    manyDocuments: Array.from({ length: 100 }, (_, i) => ({ i, text: `text ${i}`, list: [i] })),
    manyMixed: Array.from({ length: 20 }, () => Object.values(scalars)).flat(),
    references
  };
}

module.exports = { everyType };

'use strict';
// Filters: every kind of value, operator and container.

const bson = require('bson');
const {
  ObjectId, Long, Double, Int32, Decimal128, Binary, UUID, Timestamp, BSONRegExp, Code, DBRef, MinKey, MaxKey, BSONSymbol,
} = bson;

const id = new ObjectId('507f1f77bcf86cd799439011');

// One filter { a: value } for each.
const values = {
  'a string': 'text',
  'an empty string': '',
  'text outside ASCII': 'é 日本語 😀',
  'a NUL in a string': 'a\0b',
  'a lone surrogate': 'a\ud800b',
  'int32 edges': [2147483647, -2147483648, 2147483648, -2147483649],
  'a fraction': 1.5,
  'minus zero': -0,
  'NaN and infinities': [NaN, Infinity, -Infinity],
  'safe integers': [2 ** 40, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 53 + 2],
  'booleans and null': [true, false, null],
  BigInt: [0n, 7n, -1n, 2n ** 63n - 1n, -(2n ** 63n)],
  'a BigInt past 64 bits': 2n ** 64n + 5n,
  dates: [new Date(0), new Date(-1), new Date(8640000000000000), new Date(1700000000123)],
  'an invalid date': new Date(NaN),
  ObjectId: id,
  Long: [Long.MAX_VALUE, Long.MIN_VALUE, Long.fromNumber(5), Long.fromString('9007199254740993'), Long.fromNumber(5, true)],
  Int32: new Int32(7),
  Double: [new Double(7), new Double(-0), new Double(NaN)],
  Decimal128: ['1.10', 'NaN', '-0', '9.999999999999999999999999999999999E+6144'].map((text) => Decimal128.fromString(text)),
  Binary: [new Binary(Buffer.from([1, 2])), new Binary(Buffer.from([1, 2]), 2), new Binary(Buffer.from([1]), 128), new Binary(Buffer.alloc(0))],
  UUID: new UUID('c8edabc3-f738-4ca3-b68d-ab92a91478a3'),
  'a vector': Binary.fromFloat32Array(new Float32Array([1, 2])),
  'a Buffer and a Uint8Array': [Buffer.from('x'), new Uint8Array([1, 2, 3])],
  Timestamp: new Timestamp({ t: 4294967295, i: 1 }),
  BSONRegExp: [new BSONRegExp('a', 'mi'), new BSONRegExp('', 'xslum')],
  RegExp: [/a/, /a/g, /a/i, /a/m, /a/s, /a/u, /a/y, /a/gimsuy, new RegExp(''), /\//, /日/],
  Code: new Code('function () {}'),
  'Code with a scope': new Code('f', { a: id, b: { c: [1] } }),
  DBRef: new DBRef('users', id),
  'DBRef with a database and fields': new DBRef('users', id, 'other', { extra: 1 }),
  'DBRef with a dotted name': new DBRef('db.users', id),
  'MinKey and MaxKey': [new MinKey(), new MaxKey()],
  BSONSymbol: new BSONSymbol('s'),
  'an array of arrays': [[1, [2, [3]]], []],
  'a sparse array': [1, , 3], // eslint-disable-line no-sparse-arrays
  'an empty document': {},
  'a document of integer names': { 2: 1, 1: 2, b: 3, 0: 4 },
  'a Map': new Map([['2', 1], ['1', new Map([['x', id]])]]),
  'an empty Map': new Map(),
  'an object without prototype': Object.assign(Object.create(null), { x: 1 }),
  'an instance of a class': new (class Point { constructor() { this.x = 1; } get y() { return 2; } })(),
  'an object with toBSON': { toBSON: () => ({ x: 1 }) },
  'toBSON of a prototype': new (class Money { toBSON() { return Decimal128.fromString('5.00'); } })(),
  'a getter': { get x() { return 5; } },
  'boxed values': [Object('s'), Object(1), Object(true)],
  'a typed array': new Float64Array([1, 2]),
  'a Set': new Set([1]),
  'a function': () => 1,
  'a symbol': Symbol('x'),
};

const filters = {
  'no filter': undefined,
  'an empty filter': {},
  'a null filter': null,
  'an ObjectId as the filter': id,
  'a Map as the filter': new Map([['2', 1], ['1', { $gt: 5 }]]),
  'a filter without prototype': Object.assign(Object.create(null), { a: 1 }),
  'a filter with toBSON': { toBSON: () => ({ b: 2 }) },
  'several fields': { b: 1, a: 2, 'c.d.0': 3 },
  'an empty key': { '': 1 },
  'a key called __proto__': JSON.parse('{ "__proto__": { "a": 1 }, "b": 2 }'),
  'keys called constructor and toJSON': { constructor: 1, toJSON: 2, hasOwnProperty: 3 },
  'a key outside ASCII': { é: 1, 日本: 2 },
  'dotted and dollar keys': { 'a.b': 1, $where: 'this.a > 1', a: { 'x.y': 1, $z: 2 } },
  comparison: { a: { $gt: 1, $lte: 5, $ne: 3 }, b: { $eq: null } },
  '$in with every kind': { a: { $in: [1, 'x', id, /r/i, null, undefined, [1], { b: 1 }, new Date(5)] } },
  'logic in depth': { $or: [{ a: 1 }, { $and: [{ b: { $not: { $gt: 5 } } }, { $nor: [{ c: /x/ }] }] }] },
  '$elemMatch and $all': { a: { $elemMatch: { b: 1, c: { $exists: false } } }, d: { $all: [1, { $elemMatch: { e: 2 } }] } },
  '$regex and $options': { a: { $regex: 'x', $options: 'i' } },
  '$regex of a RegExp': { a: { $regex: /x/i } },
  '$type and $mod': { a: { $type: 'string' }, b: { $mod: [4, 0] }, c: { $type: ['int', 2] } },
  '$expr': { $expr: { $eq: ['$a', { $dateFromParts: { year: 2020 } }] } },
  '$text and $meta': { $text: { $search: 'x', $caseSensitive: true } },
  '$geoWithin': { loc: { $geoWithin: { $geometry: { type: 'Polygon', coordinates: [[[0, 0], [1, 1.5], [2, 0], [0, 0]]] } } } },
  '$where as code': { $where: new Code('this.a') },
  '$comment': { a: 1, $comment: 'why' },
  '$jsonSchema': { $jsonSchema: { bsonType: 'object', required: ['a'], properties: { a: { bsonType: ['int', 'null'] } } } },
  '100 levels': Array.from({ length: 100 }).reduce((inner) => ({ a: inner }), { a: 1 }),
  '500 fields': Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`field${i}`, i])),
  'a megabyte': { a: 'x'.repeat(1 << 20) },
  'undefined values': { a: undefined, b: { c: undefined }, d: [undefined] },
};

const cases = {};
for (const [name, value] of Object.entries(values)) cases[`value: ${name}`] = { filter: { a: value } };
for (const [name, filter] of Object.entries(filters)) cases[name] = { filter };

const undefinedValues = { a: undefined, b: { c: undefined }, d: [undefined], e: new Map([['x', undefined]]) };
Object.assign(cases, {
  'undefined, ignored per call': { filter: undefinedValues, options: { ignoreUndefined: true } },
  'undefined, ignored per client': { filter: undefinedValues, client: { ignoreUndefined: true } },
  'undefined, ignored per database': { filter: undefinedValues, db: { ignoreUndefined: true } },
  'undefined, ignored per collection': { filter: undefinedValues, collection: { ignoreUndefined: true } },
  'undefined, ignored per client but not per call': { filter: undefinedValues, client: { ignoreUndefined: true }, options: { ignoreUndefined: false } },
  'undefined in other parts, ignored': { filter: {}, options: { ignoreUndefined: true, projection: { a: undefined }, comment: { x: undefined }, let: { y: undefined }, min: { a: undefined }, hint: { a: undefined } } },
  'undefined in other parts': { filter: {}, options: { projection: { a: undefined }, comment: { x: undefined }, let: { y: undefined }, min: { a: undefined }, hint: { a: undefined } } },
  'functions, serialised': { filter: { a() { return 1; }, b: { c: () => 2 } }, options: { serializeFunctions: true } },
  'functions, serialised per client': { filter: { a() { return 1; } }, client: { serializeFunctions: true } },
  'functions, dropped': { filter: { a() { return 1; }, b: 2 } },
  'the filter by the chain': { filter: { a: 1 }, chain: (c) => c.filter({ b: 2 }) },
  'no filter by the chain': { filter: { a: 1 }, chain: (c) => c.filter(undefined) },
});

module.exports = cases;

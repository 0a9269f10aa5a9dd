'use strict';
// Extended JSON wrappers in filters: what EJSON.parse makes of them, and what stays as it is.

const test = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const { EJSON } = bson;
const { convertWrappers } = require('../../js/ejson/convert.js');
const { resolveBson } = require('../../js/bson/classes.js');
const { MongoClient } = require('../../js/index.js');
const { withFakeBridge } = require('../support/fake-bridge.js');

const classes = resolveBson({ bson });
const convert = (value) => convertWrappers(value, classes, 'filter');
const ID = '507f1f77bcf86cd799439011';

const wrappers = {
  $oid: { $oid: ID },
  '$date, text': { $date: '2020-01-02T03:04:05.678Z' },
  '$date, canonical': { $date: { $numberLong: '-1' } },
  '$date, number': { $date: 1577836800000 },
  $numberInt: { $numberInt: '5' },
  '$numberLong, safe': { $numberLong: '-5' },
  $numberDouble: { $numberDouble: '-0.0' },
  '$numberDouble, NaN': { $numberDouble: 'NaN' },
  $numberDecimal: { $numberDecimal: '1.10' },
  $binary: { $binary: { base64: 'AQI=', subType: '80' } },
  $uuid: { $uuid: 'c8edabc3-f738-4ca3-b68d-ab92a91478a3' },
  $regularExpression: { $regularExpression: { pattern: 'a+', options: 'im' } },
  $timestamp: { $timestamp: { t: 4294967295, i: 1 } },
  $symbol: { $symbol: 's' },
  $code: { $code: 'f()' },
  '$code with scope': { $code: 'f()', $scope: { a: { $oid: ID } } },
  $dbPointer: { $dbPointer: { $ref: 'c', $id: { $oid: ID } } },
  $minKey: { $minKey: 1 },
  $maxKey: { $maxKey: 1 },
};

for (const [name, wrapper] of Object.entries(wrappers)) {
  test(`wrapper ${name}`, () => {
    for (const filter of [{ a: wrapper }, { a: { $in: [1, wrapper] } }, { $or: [{ a: { b: [wrapper] } }] }]) {
      const expected = bson.serialize(EJSON.parse(JSON.stringify(filter)));
      assert.deepEqual(bson.serialize(convert(filter)), expected);
    }
  });
}

test('int64 keeps every digit', () => {
  for (const text of ['9223372036854775807', '-9223372036854775808', '9007199254740993']) {
    const { a } = convert({ a: { $numberLong: text } });
    assert.equal(a.toString(), text);
    assert.equal(a._bsontype, 'Long');
  }
});

const untouched = {
  '$regex and $options': { a: { $regex: 'x', $options: 'i' } },
  '$regex alone': { a: { $regex: 'x' } },
  $type: { a: { $type: 'string' } },
  operators: { a: { $gt: 1, $lt: 2 }, $and: [{ b: null }] },
  '$scope alone': { a: { $scope: {} } },
  'a name without a value': { a: { $oid: null }, b: { $date: undefined, $gt: 1 }, c: { $undefined: false } },
  'names of Object.prototype': { a: { $constructor: 1, constructor: 2, $hasOwnProperty: 3 } },
  'a DBRef-shaped object': { a: { $ref: 'c', $id: 1 } },
  'BSON values': { a: new bson.ObjectId(ID), b: new bson.Long(1), c: new Date(1), d: /x/, e: Buffer.from('x') },
  'a Map': { a: new Map([['$oid', ID]]) },
  'an instance of a class': { a: new (class { constructor() { this.$oid = ID; } })() },
  nothing: {},
};

for (const [name, filter] of Object.entries(untouched)) {
  test(`stays as it is: ${name}`, () => {
    assert.equal(convert(filter), filter);
  });
}

test('only what holds a wrapper is copied, and the input is not changed', () => {
  const filter = { keep: { x: [1, { y: 2 }] }, change: [{ $oid: ID }, { z: 1 }], __proto__: null };
  const frozen = structuredClone(filter);
  const converted = convert(filter);
  assert.notEqual(converted, filter);
  assert.equal(converted.keep, filter.keep);
  assert.equal(converted.change[1], filter.change[1]);
  assert.deepEqual(converted.change[0], new bson.ObjectId(ID));
  assert.deepEqual({ ...filter }, frozen);
  assert.deepEqual(Object.keys(converted), ['keep', 'change']);
});

test('a key called __proto__ survives the copy', () => {
  const filter = JSON.parse(`{ "__proto__": { "a": 1 }, "b": { "$oid": "${ID}" } }`);
  assert.deepEqual(Object.keys(convert(filter)), ['__proto__', 'b']);
});

test('a whole filter may be a wrapper', () => {
  assert.deepEqual(convert({ $oid: ID }), new bson.ObjectId(ID));
  assert.equal(convert(null), null);
});

const malformed = {
  '$oid that is short': [{ $oid: 'zz' }, /24 hexadecimal/],
  '$oid that is a number': [{ $oid: 5 }, /24 hexadecimal/],
  'a field beside $oid': [{ $oid: ID, other: 1 }, /"other" beside "\$oid"/],
  'a field before $oid': [{ other: 1, $oid: ID }, /"other" beside "\$oid"/],
  'two wrappers': [{ $numberInt: '1', $numberLong: '1' }, /"\$numberLong" beside "\$numberInt"/],
  'the older form of $binary': [{ $binary: 'AQI=', $type: '00' }, /"\$type" beside "\$binary"/],
  '$binary without base64': [{ $binary: {} }, /base64/],
  '$binary with bad base64': [{ $binary: { base64: 'A' } }, /base64/],
  '$binary with a bad subtype': [{ $binary: { base64: '', subType: '1ff' } }, /subType/],
  '$binary with a short UUID': [{ $binary: { base64: 'AQI=', subType: '04' } }, /16 bytes/],
  '$uuid with odd dashes': [{ $uuid: 'c8edabc3f738-4ca3-b68d-ab92a91478a3' }, /\$uuid/],
  '$numberInt with a tail': [{ $numberInt: '5x' }, /32 bits/],
  '$numberInt out of range': [{ $numberInt: '2147483648' }, /32 bits/],
  '$numberLong out of range': [{ $numberLong: '9223372036854775808' }, /64 bits/],
  '$numberLong that is a number': [{ $numberLong: 5 }, /64 bits/],
  '$numberDouble that is hexadecimal': [{ $numberDouble: '0x10' }, /\$numberDouble/],
  '$numberDecimal with too many digits': [{ $numberDecimal: '12345678901234567890123456789012345' }, /Decimal128/],
  '$numberDecimal without digits': [{ $numberDecimal: '-' }, /\$numberDecimal/],
  '$date that is none': [{ $date: 'tomorrow' }, /\$date/],
  '$date out of range': [{ $date: { $numberLong: '8640000000000001' } }, /\$date/],
  '$date that is true': [{ $date: true }, /\$date/],
  'an invalid Date': [{ $date: new Date(NaN) }, /\$date/],
  '$timestamp with a fraction': [{ $timestamp: { t: 1.5, i: 1 } }, /\$timestamp\.t/],
  '$timestamp that is negative': [{ $timestamp: { t: 1, i: -1 } }, /\$timestamp\.i/],
  '$timestamp with more': [{ $timestamp: { t: 1, i: 1, x: 1 } }, /no field "x"/],
  '$regularExpression with the flag g': [{ $regularExpression: { pattern: 'a', options: 'g' } }, /option \[g\]/],
  '$regularExpression with a NUL': [{ $regularExpression: { pattern: 'a\0' } }, /null bytes/],
  '$symbol that is a number': [{ $symbol: 5 }, /\$symbol/],
  '$code that is a number': [{ $code: 5 }, /\$code/],
  '$scope that is an array': [{ $code: 'f', $scope: [] }, /\$scope/],
  '$scope that is a wrapper': [{ $code: 'f', $scope: { $oid: ID } }, /\$scope/],
  '$dbPointer without $id': [{ $dbPointer: { $ref: 'c' } }, /\$dbPointer/],
};

for (const [name, [wrapper, says]] of Object.entries(malformed)) {
  test(`malformed: ${name}`, () => {
    assert.throws(() => convert({ a: { b: [1, wrapper] } }), (error) => error.name === 'MongoInvalidArgumentError'
      && error.message.includes('"filter.a.b.1"') && error.message.includes('ejson: false') && says.test(error.message));
  });
}

test('wrappers made of values, as code writes them', () => {
  const id = new bson.ObjectId(ID);
  const date = new Date(5);
  const converted = convert({ a: { $oid: id }, b: { $date: date }, c: { $code: 'f', $scope: { x: id, y: { $oid: ID } } }, d: { $dbPointer: { $ref: 'c', $id: id } } });
  assert.deepEqual(converted, { a: id, b: date, c: new bson.Code('f', { x: id, y: id }), d: new bson.DBRef('c', id) });
});

test('nothing is looked for deeper than 200 levels, and circles end', () => {
  const nest = (depth) => {
    let value = { $oid: ID };
    for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value };
    return value;
  };
  const deepest = nest(200);
  assert.notEqual(convert(deepest), deepest);
  for (const deep of [nest(201), nest(100_000)]) assert.equal(convert(deep), deep);
  const circle = {};
  circle.a = [circle];
  circle.b = circle;
  assert.throws(() => convert(circle), { name: 'BSONError', message: 'Cannot convert circular structure to BSON' });
  circle.c = { $oid: ID };
  assert.throws(() => convert({ x: circle }), { name: 'BSONError', message: 'Cannot convert circular structure to BSON' });
  const scopes = { $code: 'f' };
  scopes.$scope = scopes;
  assert.throws(() => convert(scopes), { name: 'BSONError', message: 'Cannot convert circular structure to BSON' });
});

test('{ ejson: false } sends it as it is; min, max and let are converted too', async () => {
  const client = new MongoClient('mongodb://127.0.0.1:1');
  const bridge = withFakeBridge(client);
  await client.connect();
  const collection = client.db().collection('c');
  const sent = async (filter, options) => {
    const read = collection.findOne(filter, options);
    bridge.last.end();
    await read;
    return bson.deserialize(bridge.submitted.at(-1).command);
  };
  const wrapped = { _id: { $oid: ID } };
  assert.deepEqual((await sent(wrapped)).filter, { _id: new bson.ObjectId(ID) });
  assert.deepEqual((await sent(wrapped, { ejson: false })).filter, wrapped);
  const more = await sent({}, { min: wrapped, max: wrapped, let: { x: { $numberInt: '1' } } });
  assert.deepEqual([more.min, more.max, more.let], [{ _id: new bson.ObjectId(ID) }, { _id: new bson.ObjectId(ID) }, { x: 1 }]);
});

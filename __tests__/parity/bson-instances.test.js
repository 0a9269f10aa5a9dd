'use strict';
// Whose classes values are: what a read gives is taken by the application's driver and Mongoose, and what another major
// version of bson made is refused before anything is sent.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const bson6 = require('bson6');
const mongoose = require('mongoose');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { everyType } = require('../support/every-type.js');
const { elements } = require('../support/command-parity.js');

const VERSION = Symbol.for('@@mdb.bson.version');

let fixture;
let ours;
let theirs;

before(async () => {
  fixture = await startFixture();
  await fixture.put('t.every', [bson.serialize(everyType(bson))]);
  ours = await MongoClient.connect(fixture.uri);
  theirs = await official.MongoClient.connect(fixture.uri);
  await mongoose.connect(fixture.uri, { dbName: 't' });
});

after(async () => {
  await mongoose.disconnect();
  await ours?.close();
  await theirs?.close();
  await fixture?.stop();
});

/** Every value of a class of bson inside a value. */
function* instances(value) {
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return;
  if (value._bsontype !== undefined) yield value;
  if (value instanceof Date) return;
  for (const key of Object.keys(value)) yield* instances(value[key]);
}

const readers = {
  find: async (collection, options) => (await collection.find({}, options).toArray())[0],
  findOne: (collection, options) => collection.findOne({}, options),
  findLazy: async (collection, options) => (await collection.findLazy({}, options))[0],
  findCursor: async (collection, options) => (await (await collection.findCursor({}, options)).nextBatch())[0],
};

for (const [name, read] of Object.entries(readers)) {
  test(`${name}: values are of the application's classes`, async () => {
    const doc = await read(ours.db('t').collection('every'), { promoteValues: false });
    const seen = new Set();
    for (const value of instances(doc)) {
      const type = value._bsontype;
      seen.add(type);
      assert.equal(value[VERSION], 7, type);
      const Class = value instanceof official.BSON.UUID ? official.BSON.UUID : official.BSON[type];
      assert.equal(value.constructor, Class, type);
    }
    for (const type of ['ObjectId', 'Long', 'Double', 'Int32', 'Decimal128', 'Binary', 'Timestamp', 'BSONRegExp', 'Code', 'DBRef', 'MinKey', 'MaxKey', 'BSONSymbol']) {
      // With promoteValues a regular expression is a RegExp all the same.
      assert.ok(seen.has(type) || type === 'BSONRegExp', `no ${type} was read: ${[...seen].join(' ')}`);
    }
  });

  test(`${name}: values of the bson that the client was given`, async () => {
    const client = await MongoClient.connect(fixture.uri, { bson: bson6 });
    const doc = await read(client.db('t').collection('every'));
    for (const value of instances(doc)) assert.equal(value[VERSION], 6, value._bsontype);
    assert.ok(doc._id instanceof bson6.ObjectId && !(doc._id instanceof bson.ObjectId));
    await client.close();
  });

  test(`${name}: what was read goes into the filters of the official driver and of Mongoose`, async () => {
    const { _id, decimal, timestamp, uuid } = await read(ours.db('t').collection('every'));
    await fixture.startLog();
    // The fixture has no update; that it says so means it was asked.
    await assert.rejects(theirs.db('t').collection('every').updateOne({ _id, decimal }, { $set: { timestamp, uuid } }), { code: 59 });
    assert.equal((await theirs.db('t').collection('every').findOne({ _id }))._id.toHexString(), _id.toHexString());
    const Every = mongoose.models.Every ?? mongoose.model('Every', new mongoose.Schema({}, { strict: false, autoIndex: false, autoCreate: false }), 'every');
    assert.equal((await Every.findOne({ _id }).lean())._id.toHexString(), _id.toHexString());
    assert.equal((await Every.findById(_id).lean())._id.toHexString(), _id.toHexString());
    const sent = (await fixture.takeLog()).map(({ name: command }) => command);
    assert.deepEqual(sent, ['update', 'find', 'find', 'find']);
    // And into ours, from both.
    const collection = ours.db('t').collection('every');
    for (const filter of [{ _id: (await theirs.db('t').collection('every').findOne())._id }, { _id: (await Every.findOne().lean())._id }]) {
      assert.equal((await collection.findOne(filter))._id.toHexString(), _id.toHexString());
    }
  });
}

test('values of another major version are refused before anything is sent, wherever they are', async () => {
  const foreign = everyType(bson6);
  const collection = ours.db('t').collection('every');
  await fixture.startLog();
  const values = Object.entries(foreign).filter(([, value]) => value?._bsontype !== undefined);
  assert.ok(values.length > 20);
  for (const [name, value] of values) {
    for (const filter of [{ a: value }, { a: { $in: [1, value] } }, { $or: [{ x: { y: value } }] }]) {
      await assert.rejects(collection.findOne(filter), { name: 'BSONVersionError' }, name);
      await assert.rejects(collection.find(filter).toArray(), { name: 'BSONVersionError' }, name);
      await assert.rejects(collection.findLazy(filter), { name: 'BSONVersionError' }, name);
      await assert.rejects(collection.findCursor(filter), { name: 'BSONVersionError' }, name);
    }
  }
  await assert.rejects(collection.findOne(new bson6.ObjectId()), { name: 'BSONVersionError' });
  assert.deepEqual(await fixture.takeLog(), []);
  // A client that was given the other version refuses ours.
  const client = await MongoClient.connect(fixture.uri, { bson: bson6 });
  await assert.rejects(client.db('t').collection('every').findOne({ a: new bson.ObjectId() }), { name: 'BSONVersionError' });
  assert.ok(await client.db('t').collection('every').findOne({}));
  await client.close();
});

test('wrappers and text become values of the client\'s own version', async () => {
  const client = await MongoClient.connect(fixture.uri, { bson: bson6 });
  const filter = { a: { $oid: '507f1f77bcf86cd799439011' }, b: { $numberLong: '9007199254740993' }, c: { $numberDecimal: '1.5' }, d: { $uuid: 'c8edabc3-f738-4ca3-b68d-ab92a91478a3' } };
  const sent = async (read) => {
    await fixture.startLog();
    await read();
    const [{ command }] = await fixture.takeLog();
    return elements(command).find(([name]) => name === 'filter')[1].toString('hex');
  };
  const expected = await sent(() => theirs.db('t').collection('echo').findOne(bson.EJSON.parse(JSON.stringify(filter), { relaxed: false })));
  assert.equal(await sent(() => client.db('t').collection('echo').findOne(filter)), expected);
  assert.equal(await sent(() => client.db('t').collection('echo').findOne(JSON.stringify(filter))), expected);
  await client.close();
});

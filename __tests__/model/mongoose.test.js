'use strict';
// Model against Mongoose's lean queries on a real server: the same documents, the same classes.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const { text } = require('node:stream/consumers');
const mongoose = require('mongoose');
const { startDevServer } = require('../support/dev-server.js');
const { MongoClient, Model, Schema } = require('../..');

const { ObjectId } = mongoose.Types;
const database = 'model_test';

const people = Array.from({ length: 60 }, (_, i) => ({
  _id: new ObjectId(`${i}`.padStart(24, 'a')),
  name: i === 7 ? 'Ann' : `name ${String(i).padStart(2, '0')}`,
  age: i % 50,
  email: `p${i}@example.com`,
  born: new Date(1e12 + i * 864e5),
  score: i / 3,
  owner: new ObjectId(`${i}`.padStart(24, 'b')),
  tags: ['a', `t${i % 4}`],
  address: { city: `city ${i % 5}`, zip: i % 2 ? null : `${10000 + i}` },
  secret: 'never read',
  ...(i % 3 === 0 ? { nickname: `n${i}` } : {}),
}));

let server;
let connection;
let client;
let collection;
let Theirs; // the Mongoose model, with the same fields selected as ours projects
let Ours;
const fields = { name: 1, age: 1, born: 1, owner: 1, tags: 1, address: 1, score: 1 };
const select = Object.keys(fields).join(' ');

before(async () => {
  server = await startDevServer();
  connection = await mongoose.createConnection(server.uri, { dbName: database }).asPromise();
  const schema = new mongoose.Schema({
    name: String, age: Number, email: String, born: Date, score: Number, owner: mongoose.Schema.Types.ObjectId,
    tags: [String], address: { city: String, zip: String }, secret: String, nickname: String,
  });
  Theirs = connection.model('Person', schema, 'people');
  await connection.db.collection('people').deleteMany({});
  await connection.db.collection('people').insertMany(people);
  client = await MongoClient.connect(server.uri);
  collection = client.collection(database, 'people');
  Ours = Model.define(collection, fields);
});

after(async () => {
  await client?.close();
  await connection?.close();
  await server?.stop();
});

/** The same documents, of the same classes, with their fields in the same order. */
function same(ours, theirs) {
  assert.deepStrictEqual(ours, theirs);
  assert.deepEqual(JSON.stringify(ours), JSON.stringify(theirs));
}

test('find: everything, with real classes', async () => {
  const ours = await Ours.find({}, { sort: { name: 1 } });
  same(ours, await Theirs.find({}).select(select).sort({ name: 1 }).lean());
  assert.equal(ours.length, people.length);
  const [first] = ours;
  assert.ok(first._id instanceof ObjectId && first.owner instanceof ObjectId && first.born instanceof Date);
  assert.equal(Object.getPrototypeOf(first), Object.prototype);
});

const filters = {
  'an equality': { age: 7 },
  'an operator': { age: { $gte: 10, $lt: 20 } },
  'a string': { name: 'Ann' },
  'an ObjectId': { owner: people[3].owner },
  'a date': { born: { $gt: people[40].born } },
  '$in and $or': { $or: [{ name: { $in: ['Ann', 'name 03'] } }, { age: { $gt: 47 } }] },
  'a nested field': { 'address.city': 'city 2' },
  'an element of an array': { tags: 't1' },
  'a regular expression': { name: /^name 1/ },
  'null or missing': { nickname: null },
  'nothing that exists': { name: 'nobody' },
};
for (const [what, filter] of Object.entries(filters)) {
  test(`find: ${what}`, async () => {
    same(await Ours.find(filter, { sort: { _id: 1 } }), await Theirs.find(filter).select(select).sort({ _id: 1 }).lean());
  });
}

test('find: sort, skip and limit, as options and chained', async () => {
  const theirs = await Theirs.find({ age: { $gt: 5 } }).select(select).sort({ age: -1, name: 1 }).skip(3).limit(7).lean();
  assert.equal(theirs.length, 7);
  same(await Ours.find({ age: { $gt: 5 } }, { sort: { age: -1, name: 1 }, skip: 3, limit: 7 }), theirs);
  same(await Ours.find({ age: { $gt: 5 } }).sort({ age: -1, name: 1 }).skip(3).limit(7), theirs);
});

test('find: across many batches, awaited and iterated', async () => {
  const theirs = await Theirs.find().select(select).sort({ _id: 1 }).lean();
  same(await Ours.find({}, { sort: { _id: 1 }, batchSize: 7 }), theirs);
  const iterated = [];
  for await (const doc of Ours.find({}, { sort: { _id: 1 }, batchSize: 9 })) iterated.push(doc);
  same(iterated, theirs);
});

test('find: without arguments', async () => {
  same((await Ours.find()).sort((a, b) => (a.name < b.name ? -1 : 1)),
    (await Theirs.find().select(select).lean()).sort((a, b) => (a.name < b.name ? -1 : 1)));
});

test('findOne: a match, the first of several, and none', async () => {
  same(await Ours.findOne({ name: 'Ann' }), await Theirs.findOne({ name: 'Ann' }).select(select).lean());
  same(await Ours.findOne({ age: { $gt: 3 } }, { sort: { name: -1 } }), await Theirs.findOne({ age: { $gt: 3 } }).select(select).sort({ name: -1 }).lean());
  same(await Ours.findOne({ name: 'nobody' }), await Theirs.findOne({ name: 'nobody' }).select(select).lean());
  assert.equal(await Ours.findOne({ name: 'nobody' }), null);
});

test('findById: hexadecimal text, an ObjectId, upper case, and an id that is not there', async () => {
  const id = people[7]._id;
  const theirs = await Theirs.findById(String(id)).select(select).lean();
  assert.equal(theirs.name, 'Ann');
  same(await Ours.findById(String(id)), theirs);
  same(await Ours.findById(String(id).toUpperCase()), theirs);
  same(await Ours.findById(id), theirs);
  const absent = 'f'.repeat(24);
  same(await Ours.findById(absent), await Theirs.findById(absent).select(select).lean());
});

test('findById: what Mongoose refuses with a CastError is refused with one here, too', async () => {
  for (const id of ['bad', 'blablablabla', 5]) {
    const theirs = await Theirs.findById(id).lean().catch((error) => error);
    const { name, path, kind, value, stringValue, valueType } = theirs;
    assert.equal(name, 'CastError');
    await assert.rejects(Ours.findById(id), { name, path, kind, value, stringValue, valueType });
  }
});

test('findById: no id at all is null, as in Mongoose; an operator is refused, where Mongoose takes it for a filter', async () => {
  for (const id of [null, undefined]) {
    assert.equal(await Theirs.findById(id).lean(), null);
    assert.equal(await Ours.findById(id), null);
  }
  assert.ok(await Theirs.findById({ $ne: null }).lean());
  await assert.rejects(Ours.findById({ $ne: null }), { name: 'CastError', path: '_id' });
});

test('counts, distinct, exists and aggregate', async () => {
  const filter = { _id: { $in: [String(people[3]._id), String(people[7]._id)] } };
  assert.equal(await Ours.countDocuments(filter), await Theirs.countDocuments(filter));
  assert.equal(await Ours.estimatedDocumentCount(), await Theirs.estimatedDocumentCount());
  assert.deepEqual(await Ours.distinct('name', filter), await Theirs.distinct('name', filter));
  same(await Ours.exists(filter), await Theirs.exists(filter));
  assert.equal(await Ours.exists({ name: 'nobody' }), null);
  const pipeline = [{ $match: { age: { $gt: 40 } } }, { $sort: { _id: 1 } }, { $limit: 3 }];
  same(await Ours.aggregate(pipeline), await Theirs.aggregate(pipeline));
  same(await Ours.aggregate(pipeline).toArray(), await Theirs.aggregate(pipeline));
});

test('lazy documents, batches, streams and JSON: the same documents', async () => {
  const filter = { age: { $gt: 30 } };
  const options = { sort: { _id: 1 }, batchSize: 6 };
  const theirs = await Theirs.find(filter).select(select).sort({ _id: 1 }).lean();
  assert.ok(theirs.length > 12);
  same((await Ours.findLazy(filter, options)).map((doc) => doc.toObject()), theirs);
  const batched = [];
  const cursor = await Ours.findCursor(filter, { ...options, lazy: false });
  for (let batch; (batch = await cursor.nextBatch()) !== null;) batched.push(...batch);
  same(batched, theirs);
  same(await Ours.stream(filter, options).toArray(), theirs);
  assert.equal(String(await Ours.findJSON(filter, options)), JSON.stringify(theirs));
  assert.equal(await text(Ours.streamJSON(filter, options)), JSON.stringify(theirs));
});

test('the projection: only the fields of the schema and _id come', async () => {
  const Names = Model.define(collection, { name: 1 });
  const ours = await Names.find({}, { sort: { _id: 1 } });
  same(ours, await Theirs.find().select('name').sort({ _id: 1 }).lean());
  assert.ok(ours.every((doc) => Object.keys(doc).join() === '_id,name'));
  assert.deepEqual(Names.getProjection(), { name: 1 });
});

test('the projection: without _id, dotted fields, and fields that are missing in some documents', async () => {
  for (const [definition, selection] of [
    [{ _id: 0, name: 1, age: 1 }, '-_id name age'],
    [{ name: 1, 'address.city': 1 }, 'name address.city'],
    [{ nickname: 1 }, 'nickname'],
  ]) {
    const Some = Model.define(collection, definition);
    same(await Some.find({}, { sort: { name: 1 } }), await Theirs.find().select(selection).sort({ name: 1 }).lean());
    same(await Some.findOne({ name: 'Ann' }), await Theirs.findOne({ name: 'Ann' }).select(selection).lean());
  }
});

test('a definition may be written as for Mongoose, and be a Schema', async () => {
  const definition = { name: String, age: { type: Number, index: true }, born: Date };
  const theirs = await Theirs.find().select('name age born').sort({ _id: 1 }).lean();
  same(await Model.define(collection, definition).find({}, { sort: { _id: 1 } }), theirs);
  const schema = new Schema(definition);
  assert.deepEqual(schema.fields, ['name', 'age', 'born']);
  same(await Model.define(collection, schema).find({}, { sort: { _id: 1 } }), theirs);
});

test('a document read here is accepted by Mongoose as its own', async () => {
  const doc = await Ours.findOne({ name: 'Ann' });
  assert.equal(await Theirs.countDocuments({ _id: doc._id, owner: doc.owner }), 1);
  const hydrated = Theirs.hydrate(doc);
  assert.equal(hydrated.get('name'), 'Ann');
  await Theirs.updateOne({ _id: doc._id }, { $set: { score: 99 } });
  assert.equal((await Ours.findById(doc._id)).score, 99);
});

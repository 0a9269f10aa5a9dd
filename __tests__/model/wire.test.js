'use strict';
// What a Model sends, seen by the server; and what it refuses.

const { test, before, after, beforeEach } = require('node:test');
const assert = require('node:assert/strict');
const { text } = require('node:stream/consumers');
const bson = require('bson');
const { startFixture } = require('../support/fixture-server.js');
const { MongoClient, MongoInvalidArgumentError, Model, Schema } = require('../..');

let fixture;
let client;
let collection;

before(async () => {
  fixture = await startFixture();
  await fixture.load('app.people', 'mixed45', 20);
  client = await MongoClient.connect(fixture.uri);
  collection = client.collection('app', 'people');
});
after(async () => {
  await client?.close();
  await fixture?.stop();
});
beforeEach(() => fixture.startLog());

async function sent() {
  const log = await fixture.takeLog();
  return log.filter(({ name }) => name === 'find').map(({ command }) => bson.deserialize(command));
}

test('every read carries the schema\'s projection', async () => {
  const User = Model.define(collection, { name: 1, age: 1 });
  await User.find({ a: 1 }, { limit: 3, skip: 1, batchSize: 2 });
  await User.findOne({ b: 1 });
  await User.findById('0123456789abcdef01234567');
  for await (const doc of User.find().limit(1)) assert.ok(doc);
  const commands = await sent();
  assert.deepEqual(commands.map(({ projection }) => projection), Array(4).fill({ name: 1, age: 1 }));
  const [find, one, byId] = commands;
  assert.deepEqual([find.filter, find.limit, find.skip, find.batchSize], [{ a: 1 }, 3, 1, 2]);
  assert.deepEqual([one.filter, one.limit, one.singleBatch], [{ b: 1 }, 1, true]);
  assert.deepEqual(byId.filter, { _id: new bson.ObjectId('0123456789abcdef01234567') });
});

test('a projection of the call replaces it; undefined and null do not', async () => {
  const User = Model.define(collection, { name: 1 });
  await User.find({}, { projection: { city: 1 } });
  await User.find().project({ zip: 1 });
  await User.findOne({}, { projection: undefined });
  await User.findOne({}, { projection: null });
  await User.findOne({}, undefined);
  await User.findOne({}, null);
  assert.deepEqual((await sent()).map(({ projection }) => projection),
    [{ city: 1 }, { zip: 1 }, { name: 1 }, { name: 1 }, { name: 1 }, { name: 1 }]);
});

test('getProjection: built once, and nobody can change what others send', () => {
  const User = Model.define(collection, { _id: false, name: true, 'a.b': {} });
  assert.equal(User.getProjection(), User.getProjection());
  assert.deepEqual(User.getProjection(), { _id: 0, name: 1, 'a.b': 1 });
  assert.throws(() => { User.getProjection().extra = 1; }, TypeError);
});

test('Schema: its fields, without _id when that is left out', () => {
  assert.deepEqual(new Schema({ name: 1, age: Number }).fields, ['name', 'age']);
  assert.deepEqual(new Schema({ _id: 0, name: 1 }).fields, ['name']);
  assert.deepEqual(new Schema({}).fields, []);
});

test('lazy, batched, streamed and JSON reads carry it, too; exists() asks for the _id', async () => {
  const User = Model.define(collection, { name: 1 });
  const given = [{ _id: '0123456789abcdef01234567' }, { limit: 2 }];
  await User.findLazy(...given);
  const cursor = await User.findCursor(...given);
  await cursor.nextBatch(); // closed at once it might not have been sent
  await cursor.close();
  await User.stream(...given).toArray();
  await User.findJSON(...given);
  await text(User.streamJSON(...given));
  await User.exists(given[0]);
  const commands = await sent();
  assert.deepEqual(commands.map(({ projection }) => projection), [...Array(5).fill({ name: 1 }), { _id: 1 }]);
  for (const { filter } of commands) assert.deepEqual(filter, { _id: new bson.ObjectId('0123456789abcdef01234567') });
});

test('a definition with another type of _id takes ids as they are', async () => {
  for (const _id of [String, Number, { type: String }, 'String']) {
    await Model.define(collection, { _id, name: 1 }).findById('123');
    await Model.define(collection, { _id, name: 1 }).find({ _id: { $in: ['0123456789abcdef01234567', 5] } });
  }
  const filters = (await sent()).map(({ filter }) => filter);
  assert.deepEqual(filters, Array(4).fill([{ _id: '123' }, { _id: { $in: ['0123456789abcdef01234567', 5] } }]).flat());
});

test('Extended JSON says its types itself', async () => {
  const User = Model.define(collection, { name: 1 });
  const id = '0123456789abcdef01234567';
  await User.find({ _id: { $oid: id } });
  await User.find({ _id: { $in: [{ $oid: id }] } });
  await User.find(`{"_id":{"$oid":"${id}"}}`);
  const _id = new bson.ObjectId(id);
  assert.deepEqual((await sent()).map(({ filter }) => filter), [{ _id }, { _id: { $in: [_id] } }, { _id }]);
});

test('bad arguments are refused before anything is sent, naming the argument', async () => {
  const refused = (fn, message) => assert.throws(fn, { name: 'MongoInvalidArgumentError', message });
  for (const bad of [null, undefined, 'people', {}, { find() {} }]) refused(() => Model.define(bad, { name: 1 }), /collection/);
  for (const bad of [null, undefined, 'name', ['name'], 5]) refused(() => Model.define(collection, bad), /definition/);
  refused(() => Model.define(collection, { name: 0 }), /"name"/);
  refused(() => Model.define(collection, { name: false }), /"name"/);
  refused(() => Model.define(collection, { '': 1 }), /field/);
  refused(() => Model.define(collection, { $where: 1 }), /\$where/);
  const User = Model.define(collection, { name: 1 });
  await assert.rejects((async () => await User.find('name'))(), { name: 'MongoInvalidArgumentError', message: /filter/i });
  await assert.rejects(User.findOne({}, 'x'), { name: 'MongoInvalidArgumentError', message: /"options"/ });
  await assert.rejects((async () => await User.find({}, [1]))(), { name: 'MongoInvalidArgumentError', message: /"options"/ });
  const noId = { name: 'CastError', path: '_id', value: '123' };
  for (const read of [
    () => User.findById('123'), () => User.find({ _id: '123' }), () => User.find().filter({ _id: '123' }).clone(), () => User.findOne({ _id: '123' }),
    () => User.find({ _id: '123' }).explain(), () => User.exists({ _id: '123' }), () => User.findLazy({ _id: '123' }), () => User.findCursor({ _id: '123' }),
    () => User.findJSON({ _id: '123' }), () => User.countDocuments({ _id: '123' }), () => User.distinct('name', { _id: '123' }),
    () => User.stream({ _id: '123' }).toArray(),
  ]) {
    await assert.rejects(async () => await read(), (error) => {
      assert.ok(error instanceof MongoInvalidArgumentError);
      assert.deepEqual([error.name, error.path, error.value], Object.values(noId));
      return true;
    });
  }
  assert.throws(() => User.streamJSON({ _id: '123' }), noId);
  assert.deepEqual(await sent(), []);
});

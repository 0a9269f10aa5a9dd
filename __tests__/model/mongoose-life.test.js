'use strict';
// Model.fromMongoose(): connections, clients, hooks, and what is refused.

const test = require('node:test');
const assert = require('node:assert/strict');
const { once } = require('node:events');
const { setTimeout } = require('node:timers/promises');
const { text } = require('node:stream/consumers');
const { accelerate, MongoClient, Model } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { startDevServer } = require('../support/dev-server.js');
const { isOurs } = require('../support/acceleration.js');

const MONGOOSES = { 'Mongoose 9': require('mongoose'), 'Mongoose 8': require('mongoose8') };
const DB = 'mongoose_life';
const QUIET = { dbName: DB, autoCreate: false, autoIndex: false };
const ids = Array.from({ length: 12 }, (_, i) => `${i}`.padStart(24, 'e'));

for (const [name, mongoose] of Object.entries(MONGOOSES)) {
  const { ObjectId, BSON } = mongoose.mongo;
  const people = ids.map((id, i) => ({ _id: new ObjectId(id), name: `name ${i}`, age: i, boss: new ObjectId(ids[(i + 1) % 12]), __v: 0 }));
  const schemaOf = () => new mongoose.Schema({
    name: String, age: { type: Number, default: 5 }, boss: { type: mongoose.Schema.Types.ObjectId, ref: 'Person' }, tenant: mongoose.Schema.Types.ObjectId,
  });

  /** A fixture with the people in it, and a connection that is not open. */
  async function onFixture(t, schema = schemaOf()) {
    const fixture = await startFixture();
    await fixture.put(`${DB}.people`, people.map((one) => BSON.serialize(one)));
    const connection = mongoose.createConnection();
    const Person = connection.model('Person', schema, 'people');
    t.after(async () => {
      await connection.close();
      await fixture.stop();
    });
    const sent = async () => (await fixture.takeLog()).filter(({ name: command }) => ['find', 'aggregate'].includes(command));
    const open = () => connection.openUri(fixture.uri, QUIET);
    return { fixture, connection, Person, People: Model.fromMongoose(Person), sent, open };
  }

  test(`${name}: reads before the connection opens, and after it has closed and opened again`, async (t) => {
    const { fixture, connection, People, sent, open } = await onFixture(t);
    await fixture.startLog();
    const early = [People.find(), People.findOne(), People.findLazy(), People.findJSON(), People.countDocuments(), People.aggregate([{ $match: {} }]).exec(),
      People.find().batches({ lazy: false }).then((cursor) => cursor.nextBatch()), text(People.streamJSON()), People.stream().toArray()];
    for (let round = 0; round < 3; round++) {
      await open();
      if (round === 0) {
        const results = await Promise.all(early);
        for (const at of [0, 2, 6, 8]) assert.equal(results[at].length, 12);
        assert.equal(String(results[3]), JSON.stringify(people));
        assert.equal(results[7], JSON.stringify(people));
        await sent();
      }
      assert.equal((await People.find()).length, 12);
      assert.equal((await People.findLazy()).length, 12);
      const log = await sent();
      assert.equal(log.length, 2);
      assert.ok(log.every(isOurs));
      await connection.close();
    }
  });

  test(`${name}: its connections close with the Mongoose connection, and are shared by its models`, async (t) => {
    const { fixture, connection, Person, People, open: connect } = await onFixture(t);
    await connect();
    const Others = Model.fromMongoose(connection.model('Other', schemaOf(), 'people'));
    await Promise.all([People.find(), Model.fromMongoose(Person).find(), Others.find(), Person.find().lean()]);
    const open = async () => (await fixture.stats()).connections.open;
    assert.ok(await open() > 1);
    await connection.close();
    for (let tries = 0; await open() > 0 && tries < 100; tries++) await setTimeout(20);
    assert.equal(await open(), 0);
  });

  test(`${name}: a connection that does not open`, async (t) => {
    const { Person } = await onFixture(t, schemaOf().set('bufferTimeoutMS', 30));
    const patient = Model.fromMongoose(Person);
    await assert.rejects(patient.find(), { message: /buffering timed out after 30ms/ });
    const connection = mongoose.createConnection();
    connection.set?.('bufferCommands', false);
    const Hasty = Model.fromMongoose(connection.model('Person', schemaOf().set('bufferCommands', false), 'people'));
    await assert.rejects(async () => await Hasty.find(), { message: /initial connection/ });
    await assert.rejects(async () => await Hasty.findLazy(), { name: 'MongoAPIError', message: /"people" is not open/ });
  });

  test(`${name}: a connection that rumongo-go cannot make rejects with the reason`, async (t) => {
    const { fixture } = await onFixture(t);
    const connection = await mongoose.createConnection(fixture.uri, { ...QUIET, pkFactory: { createPk: () => 1 } }).asPromise();
    t.after(() => connection.close());
    const People = Model.fromMongoose(connection.model('Person', schemaOf(), 'people'));
    for (const read of [() => People.find(), () => People.findLazy(), () => People.findJSON(), () => People.countDocuments(), () => People.stream().toArray(), () => People.aggregate([{ $match: {} }])]) {
      await assert.rejects(async () => await read(), { name: 'MongoAPIError', message: /pkFactory.*Model\.fromMongoose\(User, client\)/ });
    }
  });

  test(`${name}: a client that is given needs no Mongoose connection`, async (t) => {
    const { fixture, Person } = await onFixture(t);
    const client = await MongoClient.connect(new URL(DB, fixture.uri).href, { bson: BSON });
    t.after(() => client.close());
    const People = Model.fromMongoose(Person, client);
    assert.deepEqual((await People.find({ age: '3' })).map((one) => one.age), [3]);
    assert.ok((await People.findOne())._id instanceof ObjectId);
    assert.equal((await People.stream().toArray()).length, 12);
    assert.equal(String(await People.findJSON()), JSON.stringify(people));
    assert.equal((await People.findLazy())[3].name, 'name 3');
    await assert.rejects(async () => await People.find().session({}), { name: 'MongoAPIError', message: /whose connection is not open/ });
    await client.close();
    await assert.rejects(async () => await People.find(), { name: 'MongoNotConnectedError' });
  });

  test(`${name}: pre hooks say what is sent, whatever the form of the result; post hooks see documents`, async (t) => {
    const seen = [];
    const schema = schemaOf();
    // A tenant of each read, cast like any condition.
    schema.pre('find', function tenant() { this.where({ tenant: ids[2] }); });
    schema.post('find', (found) => { seen.push(found.length); });
    const { fixture, People, open } = await onFixture(t, schema);
    await open();
    await People.estimatedDocumentCount();
    await fixture.startLog();
    await People.find();
    await People.findLazy();
    assert.equal(seen.length, 2);
    await People.findJSON();
    await text(People.streamJSON());
    const cursor = await People.findCursor();
    await cursor.nextBatch(); // a cursor that is closed at once may never be sent
    await cursor.close();
    assert.equal(seen.length, 2);
    await People.stream().toArray();
    const filters = (await fixture.takeLog()).filter((one) => one.name === 'find').map(({ command }) => BSON.deserialize(command).filter);
    assert.equal(filters.length, 6);
    for (const { tenant } of filters.slice(0, 5)) assert.ok(tenant instanceof ObjectId);
    assert.equal(String(filters[5].tenant), ids[2]); // Mongoose's cursors cast before they run hooks
  });

  test(`${name}: what stays with Mongoose, and what cannot be`, async (t) => {
    const { fixture, connection, Person, People, sent, open } = await onFixture(t);
    await open();
    await People.find();
    await fixture.startLog();
    const session = await connection.startSession();
    assert.equal((await People.find().session(session)).length, 12);
    await session.endSession();
    assert.ok(!(await sent()).some(isOurs), 'a session is the official driver\'s');
    await assert.rejects(async () => await People.find({}, null, { session: {} }).lazy(), { name: 'MongoInvalidArgumentError', message: /session/ });

    const hydrated = await People.findOne().lean(false);
    assert.ok(hydrated instanceof Person && hydrated.constructor === Person);
    assert.equal(hydrated.age, 0);
    assert.equal(hydrated.isModified(), false);
    assert.ok((await sent()).every(isOurs));

    const refused = (make, message) => assert.rejects(async () => await make(), { name: 'MongoAPIError', message });
    await refused(() => People.findOne().json(), /json\(\) cannot be used with a findOne\(\)/);
    await refused(() => People.find().lean(false).json(), /hydrated documents/);
    await refused(() => People.find().populate('boss').json(), /populate\(\)/);
    await refused(() => People.find().transform((found) => found).batches(), /batches\(\) cannot be used with a transform/);
    await refused(() => People.find().lean({ versionKey: false }).json(), /versionKey/);
    await refused(() => text(People.find().populate('boss').jsonStream()), /jsonStream\(\) cannot be used with populate\(\)/);
    await assert.rejects(async () => await People.find().json('x'), { name: 'MongoInvalidArgumentError', message: /"options" of json\(\)/ });
    await assert.rejects(async () => await People.findById({ $ne: null }), { name: 'MongoInvalidArgumentError', message: /findById.*\$ne/ });
    await assert.rejects(async () => await People.findJSON({ age: 'many' }), { name: 'CastError', path: 'age' });
    await assert.rejects(text(People.streamJSON({ age: 'many' })), { name: 'CastError', path: 'age' });
    assert.deepEqual(await sent(), []);
  });

  test(`${name}: models of other databases of the connection, statics, writes of what was read, and acceleration beside`, async (t) => {
    const server = await startDevServer();
    const connection = await mongoose.createConnection(server.uri, QUIET).asPromise();
    t.after(async () => {
      await connection.close();
      await server.stop();
    });
    const schema = schemaOf();
    schema.statics.older = function older(age) { return this.find({ age: { $gt: age } }).sort('_id'); };
    const Person = connection.useDb(`${DB}_other`).model('Person', schema, 'people');
    await Person.deleteMany({});
    await Person.insertMany(people);
    const People = Model.fromMongoose(Person);
    assert.deepStrictEqual(await People.model.older(8), await Person.older(8).lean());
    assert.equal((await People.find({ age: 3 }).updateOne({ name: 'new' })).modifiedCount, 1);
    assert.equal((await People.findOne({ age: 3 })).name, 'new');
    const hydrated = await People.findOne({ age: 4 }).lean(false);
    hydrated.name = 'saved';
    await hydrated.save();
    assert.equal((await People.findById(hydrated.id)).name, 'saved');
    let met = 0;
    await People.find().cursor().eachAsync(() => { met++; });
    assert.equal(met, 12);
    accelerate(Person);
    assert.deepStrictEqual(await People.find().sort('_id'), await Person.find().sort('_id').lean());
    accelerate.restore(Person);
  });

  test(`${name}: debug prints, and listeners to operations are told, as of Mongoose's own reads`, async (t) => {
    const { connection, Person, People, open } = await onFixture(t);
    await open();
    const told = [];
    connection.set('debug', (...args) => told.push(args));
    connection.on('operation-start', ({ method, collectionName }) => told.push([collectionName, method]));
    const reads = async (Some) => {
      told.length = 0;
      await Some.find({ name: 'name 1' }).select('name').lean();
      await Some.findOne({ age: '3' }).lean();
      await Some.countDocuments({});
      await Some.distinct('name');
      await Some.aggregate([{ $match: {} }]);
      return [...told];
    };
    const theirs = await reads(Person);
    assert.ok(theirs.length >= 5);
    assert.deepEqual(await reads(People), theirs);
    for (const read of [() => People.findLazy({}), () => People.findJSON({})]) {
      told.length = 0;
      await read();
      assert.deepEqual(told.map(([, method]) => method), told.map(() => 'find'));
      assert.ok(told.length > 0);
    }
  });

  test(`${name}: a stream of JSON text that is left closes its cursor`, async (t) => {
    const { fixture, People, open } = await onFixture(t);
    await open();
    const stream = People.streamJSON({}, null, { batchSize: 2 });
    await once(stream, 'readable');
    stream.read();
    stream.destroy();
    await once(stream, 'close');
    for (let tries = 0; (await fixture.stats()).cursors.open > 0 && tries < 100; tries++) await setTimeout(20);
    assert.equal((await fixture.stats()).cursors.open, 0);
  });

  test(`${name}: populate, lean plugins' hooks and lazy documents together, on a server`, async (t) => {
    const server = await startDevServer();
    const connection = await mongoose.createConnection(server.uri, QUIET).asPromise();
    t.after(async () => {
      await connection.close();
      await server.stop();
    });
    const Person = connection.model('Person', schemaOf(), 'people');
    await connection.db.collection('people').deleteMany({});
    await connection.db.collection('people').insertMany(people);
    const People = Model.fromMongoose(Person);
    const query = (Some) => Some.find({ age: { $lt: '4' } }).sort('_id').populate('boss', 'name').lean();
    const theirs = await query(Person);
    assert.equal(theirs[1].boss.name, 'name 2');
    assert.deepStrictEqual(await query(People), theirs);
    assert.deepStrictEqual((await query(People).lazy()).map((one) => one.toObject()), theirs);
    const without = (Some) => Some.find().sort('_id').limit(3).lean({ versionKey: false });
    assert.deepStrictEqual(await without(People), await without(Person));
    assert.deepStrictEqual((await without(People).lazy()).map((one) => one.toObject()), await without(Person));
    assert.deepStrictEqual((await People.findOne({ name: 'name 3' }).lazy()).toObject(), await Person.findOne({ name: 'name 3' }).lean());
    assert.equal(await People.findOne({ name: 'nobody' }).lazy(), null);
    assert.ok(People.fields.includes('name') && People.fields.includes('_id'));
  });
}

test('bad arguments', async () => {
  const mongoose = MONGOOSES['Mongoose 9'];
  const connection = mongoose.createConnection();
  const schema = new mongoose.Schema({ name: String });
  const Person = connection.model('Person', schema);
  const refused = (make, name, message) => assert.throws(make, { name, message });
  for (const bad of [undefined, null, {}, 'Person', schema, connection, class Person {}]) {
    refused(() => Model.fromMongoose(bad), 'MongoInvalidArgumentError', /model of Mongoose/);
  }
  for (const bad of ['mongodb://localhost', {}, 5, new mongoose.mongo.MongoClient('mongodb://localhost')]) {
    refused(() => Model.fromMongoose(Person, bad), 'MongoInvalidArgumentError', /"client"/);
  }
  const other = new MongoClient('mongodb://localhost', { bson: require('bson6') });
  refused(() => Model.fromMongoose(Person, other), 'MongoInvalidArgumentError', /mongoose\.mongo\.BSON/);
  const named = new mongoose.Schema({ name: String });
  named.query.lazy = function lazy() { return this; };
  refused(() => Model.fromMongoose(connection.model('Named', named)), 'MongoAPIError', /query helper lazy of model Named/);
  await connection.close();
});

'use strict';
// A service on Mongoose, with and without acceleration: the same results, hooks and commands.

const test = require('node:test');
const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const bson = require('bson');
const { accelerate } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { startDevServer } = require('../support/dev-server.js');
const { assertSameCommands } = require('../support/command-parity.js');
const { isOurs } = require('../support/acceleration.js');
const { documents, define, SCRIPTS, IN_SESSIONS, shown } = require('../support/mongoose-scripts.js');

const MONGOOSES = { 'Mongoose 9': require('mongoose'), 'Mongoose 8': require('mongoose8') };
const DB = 'mongoose_accelerated';
// Models create their collections and indexes when they like; not a part of what is compared.
const QUIET = { dbName: DB, autoCreate: false, autoIndex: false };
const text = (value) => inspect(shown(value), { depth: Infinity, maxArrayLength: null, maxStringLength: null });

/** @returns {plain, fast}: the models of two connections, those of the second accelerated by `how` */
async function connect(mongoose, uri, how) {
  const open = async () => {
    const connection = await mongoose.createConnection(uri, QUIET).asPromise();
    return { connection, ...define(mongoose, connection) };
  };
  const plain = await open();
  const fast = await open();
  if (how === 'connection') accelerate(fast.connection);
  else for (const model of [fast.Author, fast.Book, fast.Event]) assert.equal(accelerate(model), model);
  return { plain, fast };
}

async function outcome(script, models) {
  models.calls.length = 0;
  let result;
  try {
    result = text(await script(models));
  } catch (error) {
    result = `${error.name}: ${error.message}`;
  }
  return { result, calls: [...models.calls] };
}

for (const [name, mongoose] of Object.entries(MONGOOSES)) {
  test(`${name}: the same results on a server`, async (t) => {
    const server = await startDevServer();
    const { plain, fast } = await connect(mongoose, server.uri, 'models');
    t.after(async () => {
      await Promise.all([plain.connection.close(), fast.connection.close()]);
      await server.stop();
    });
    for (const [collection, list] of documents(mongoose.Types.ObjectId)) {
      await plain.connection.db.collection(collection).deleteMany({});
      await plain.connection.db.collection(collection).insertMany(list, { ignoreUndefined: true });
    }
    const failed = [];
    for (const [what, script] of Object.entries(SCRIPTS)) {
      await t.test(what, async () => {
        const expected = await outcome(script, plain);
        const actual = await outcome(script, fast);
        assert.deepEqual(actual, expected);
        if (/^Mongo\w*Error/.test(expected.result)) failed.push(what);
      });
    }
    assert.deepEqual(failed, [], 'the server can do all of it');
    const { native, official } = accelerate.status(fast.Book);
    assert.ok(native > 70, `${native} reads by rumongo-go`);
    assert.equal(official, 0);
    assert.equal(accelerate.status(plain.Book).accelerated, false);
  });

  for (const how of ['models', 'connection']) {
    test(`${name}: the same commands, by ${how}`, async (t) => {
      const fixture = await startFixture();
      const { ObjectId } = mongoose.mongo;
      for (const [collection, list] of documents(ObjectId)) {
        await fixture.put(`${DB}.${collection}`, list.map((document) => mongoose.mongo.BSON.serialize(document, { ignoreUndefined: true })));
      }
      const { plain, fast } = await connect(mongoose, fixture.uri, how);
      t.after(async () => {
        await Promise.all([plain.connection.close(), fast.connection.close()]);
        await fixture.stop();
      });
      const logged = async (script, models) => {
        await fixture.control({ log: true, cursorId: bson.Long.fromNumber(77) });
        return { ...(await outcome(script, models)), log: await fixture.takeLog() };
      };
      await fast.Book.findOne();
      for (const [what, script] of Object.entries(SCRIPTS)) {
        await t.test(what, async () => {
          const expected = await logged(script, plain);
          const actual = await logged(script, fast);
          // Concurrent queries arrive in any order.
          const sorted = (log) => (/at a time|populate/.test(what) ? log.sort((a, b) => Buffer.compare(filterOf(a), filterOf(b))) : log);
          assertSameCommands(sorted(actual.log), sorted(expected.log));
          assert.deepEqual([actual.result, actual.calls], [expected.result, expected.calls]);
          assert.ok(actual.log.every(isOurs), 'all by rumongo-go');
        });
      }
      for (const [what, script] of Object.entries(IN_SESSIONS)) {
        await t.test(what, async () => {
          const expected = await logged(script, plain);
          const actual = await logged(script, fast);
          assertSameCommands(actual.log, expected.log);
          assert.deepEqual(actual.result, expected.result);
          assert.ok(!actual.log.some(isOurs), 'all by the official driver');
        });
      }
      const target = how === 'connection' ? [fast.connection] : [fast.Author, fast.Book, fast.Event];
      for (const one of target) assert.equal(accelerate.restore(one), one);
      const { log } = await logged(SCRIPTS.lean, fast);
      assert.ok(!log.some(isOurs), 'restored');
    });
  }

  test(`${name}: sub-queries of populate are reads of the populated model, native when that is accelerated`, async (t) => {
    const fixture = await startFixture();
    for (const [collection, list] of documents(mongoose.mongo.ObjectId)) {
      await fixture.put(`${DB}.${collection}`, list.map((document) => mongoose.mongo.BSON.serialize(document, { ignoreUndefined: true })));
    }
    const connection = await mongoose.createConnection(fixture.uri, QUIET).asPromise();
    const { Author, Book } = define(mongoose, connection);
    t.after(async () => {
      await connection.close();
      await fixture.stop();
    });
    const reads = async () => {
      await fixture.startLog();
      await Book.find().limit(6).populate('author').lean();
      return (await fixture.takeLog()).filter(({ name: command }) => command === 'find').map((read) => [read.ns, isOurs(read)]);
    };
    accelerate(Book);
    await Book.findOne();
    assert.deepEqual(await reads(), [[`${DB}.books`, true], [`${DB}.authors`, false]]);
    accelerate(Author);
    assert.deepEqual(await reads(), [[`${DB}.books`, true], [`${DB}.authors`, true]]);
  });

  test(`${name}: a model before its connection opens, and after it has closed and opened again`, async (t) => {
    const fixture = await startFixture();
    for (const [collection, list] of documents(mongoose.mongo.ObjectId)) {
      await fixture.put(`${DB}.${collection}`, list.map((document) => mongoose.mongo.BSON.serialize(document, { ignoreUndefined: true })));
    }
    const connection = mongoose.createConnection();
    const { Book } = define(mongoose, connection);
    accelerate(Book);
    t.after(async () => {
      await connection.close();
      await fixture.stop();
    });
    await fixture.startLog();
    const buffered = Book.find().lean();
    for (let round = 0; round < 2; round++) {
      await connection.openUri(fixture.uri, QUIET);
      if (round === 0) assert.equal((await buffered).length, 40);
      assert.equal((await Book.find().lean()).length, 40);
      assert.ok((await fixture.takeLog()).filter(({ name: command }) => command === 'find').every(isOurs));
      if (round === 0) await connection.close();
    }
  });
}

/** What tells commands of one script apart. */
const filterOf = ({ command }) => Buffer.from(command.subarray(4, command.indexOf('lsid')));

'use strict';
// Model.fromMongoose() against the lean queries of Mongoose 8 and 9: the same documents and errors, the same hooks, and the
// same commands byte by byte.

const test = require('node:test');
const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const { buffer } = require('node:stream/consumers');
const bson = require('bson');
const { Model } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { startDevServer } = require('../support/dev-server.js');
const { assertSameCommands } = require('../support/command-parity.js');
const { isOurs } = require('../support/acceleration.js');
const { documents, define } = require('../support/mongoose-scripts.js');
const { defineThing, defineStrict, things, FINDS, OTHERS, NOT_ON_THE_DEV_SERVER } = require('../support/mongoose-queries.js');

const MONGOOSES = { 'Mongoose 9': require('mongoose'), 'Mongoose 8': require('mongoose8') };
const DB = 'from_mongoose';
const QUIET = { dbName: DB, autoCreate: false, autoIndex: false };
const NAMES = ['Author', 'Book', 'Event', 'Click', 'View', 'Thing', 'Strict'];

const sets = (mongoose) => [...documents(mongoose.mongo.ObjectId), ['things', things(mongoose.mongo)]];

/** @returns {{theirs, ours, connection}} models by name; `ours` read by rumongo-go */
async function connect(mongoose, uri) {
  const connection = await mongoose.createConnection(uri, QUIET).asPromise();
  const theirs = { ...define(mongoose, connection), Thing: defineThing(mongoose, connection), Strict: defineStrict(mongoose, connection) };
  const ours = Object.fromEntries(NAMES.map((name) => [name, Model.fromMongoose(theirs[name]).model]));
  return { connection, theirs, ours };
}

/** What a query gives: its value, or what its error says. */
async function outcome(make, calls) {
  calls.length = 0;
  try {
    return { value: await make(), calls: [...calls] };
  } catch (error) {
    return { error: [error.name, error.message, error.path, error.kind, error.constructor], calls: [...calls] };
  }
}

const lean = (query) => (typeof query.lean === 'function' && query._mongooseOptions.lean == null ? query.lean() : query);

function assertSame(ours, theirs) {
  assert.deepStrictEqual(ours, theirs);
  assert.equal(inspect(ours, { depth: null }), inspect(theirs, { depth: null }), 'with the fields in the same order');
}

test('there are more than sixty queries, on two versions of Mongoose', () => {
  assert.deepEqual(Object.values(MONGOOSES).map(({ version }) => Number.parseInt(version, 10)), [9, 8]);
  assert.ok(Object.keys(FINDS).length + Object.keys(OTHERS).length > 100);
});

for (const [name, mongoose] of Object.entries(MONGOOSES)) {
  test(`${name}: the same results on a server`, async (t) => {
    const server = await startDevServer();
    const { connection, theirs, ours } = await connect(mongoose, server.uri);
    t.after(async () => {
      await connection.close();
      await server.stop();
    });
    for (const [collection, list] of sets(mongoose)) {
      await connection.db.collection(collection).deleteMany({});
      await connection.db.collection(collection).insertMany(list, { ignoreUndefined: true });
    }
    const found = [];
    for (const [what, query] of Object.entries({ ...FINDS, ...OTHERS })) {
      await t.test(what, async () => {
        const expected = await outcome(() => lean(query(theirs, mongoose)), theirs.calls);
        assertSame(await outcome(() => query(ours, mongoose), theirs.calls), expected);
        if (expected.error === undefined) found.push(what);
        if (!(what in FINDS)) return;
        const lazily = await outcome(() => query(ours, mongoose).lazy(), theirs.calls);
        const unlazy = lazily.value === undefined ? lazily : { ...lazily, value: lazily.value.map((doc) => doc.toObject()) };
        assertSame(unlazy, expected);
        const text = await outcome(() => query(ours, mongoose).json(), theirs.calls);
        if (expected.error === undefined) assert.equal(String(text.value), JSON.stringify(expected.value));
        else assert.deepStrictEqual(text.error, expected.error);
      });
    }
    assert.ok(found.length > 85, `${found.length} queries have results, not errors`);
  });

  test(`${name}: the same commands`, async (t) => {
    const fixture = await startFixture();
    for (const [collection, list] of sets(mongoose)) {
      await fixture.put(`${DB}.${collection}`, list.map((document) => mongoose.mongo.BSON.serialize(document, { ignoreUndefined: true })));
    }
    const { connection, theirs, ours } = await connect(mongoose, fixture.uri);
    t.after(async () => {
      await connection.close();
      await fixture.stop();
    });
    await ours.Thing.findOne();
    const logged = async (make) => {
      await fixture.control({ log: true, cursorId: bson.Long.fromNumber(77) });
      return { ...(await outcome(make, theirs.calls)), log: await fixture.takeLog() };
    };
    for (const [what, query] of Object.entries({ ...FINDS, ...OTHERS, ...NOT_ON_THE_DEV_SERVER })) {
      await t.test(what, async () => {
        const expected = await logged(() => lean(query(theirs, mongoose)));
        const ways = [(made) => made, ...(what in FINDS ? [(made) => made.lazy(), (made) => made.json(), (made) => buffer(made.jsonStream())] : [])];
        for (const way of ways) {
          const actual = await logged(() => way(query(ours, mongoose)));
          assertSameCommands(actual.log, expected.log);
          assert.ok(actual.log.every(isOurs), 'all by rumongo-go');
          if (way === ways[0]) assertSame([actual.value, actual.error, actual.calls], [expected.value, expected.error, expected.calls]);
        }
      });
    }
  });
}

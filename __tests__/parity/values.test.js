'use strict';
// Every BSON type through every reader, over the wire, against what the official driver makes of the same bytes.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const official = require('mongodb');
const bson = require('bson');
const bson6 = require('bson6');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { assertSame, assertSameOutcome } = require('../support/same.js');
const { wellFormed, malformed } = require('../support/edge-documents.js');
const { everyType } = require('../support/every-type.js');

let fixture;
let theirs;
let ours;

before(async () => {
  fixture = await startFixture();
  theirs = await official.MongoClient.connect(fixture.uri);
  ours = await MongoClient.connect(fixture.uri);
});

after(async () => {
  await ours?.close();
  await theirs?.close();
  await fixture?.stop();
});

const collect = async (iterable) => {
  const docs = [];
  for await (const doc of iterable) docs.push(doc);
  return docs;
};

const batches = async (cursor) => {
  const docs = [];
  for (let batch; (batch = await cursor.nextBatch()) !== null;) docs.push(...batch);
  return docs;
};

const readers = {
  'find, toArray': (collection, options) => collection.find({}, options).toArray(),
  'find, awaited': async (collection, options) => await collection.find({}, options),
  'find, for await': (collection, options) => collect(collection.find({}, options)),
  'find, next': async (collection, options) => {
    const docs = [];
    const cursor = collection.find({}, options);
    for (let doc; (doc = await cursor.next()) !== null;) docs.push(doc);
    return docs;
  },
  'find, stream': (collection, options) => collect(collection.find({}, options).stream()),
  findLazy: (collection, options) => collection.findLazy({}, options),
  'findCursor, lazy batches': async (collection, options) => batches(await collection.findCursor({}, options)),
  'findCursor, eager documents': async (collection, options) => collect(await collection.findCursor({}, { ...options, lazy: false })),
  findOne: async (collection, options) => {
    const doc = await collection.findOne({}, options);
    return doc === null ? [] : [doc];
  },
};

/** What a read gives once every value in it has been looked at: lazy documents throw for a bad value at first access. */
async function outcomeOf(read) {
  try {
    const value = await read();
    for (const doc of value) JSON.stringify(doc, (key, v) => (typeof v === 'bigint' ? String(v) : v));
    return { value };
  } catch (error) {
    return { error };
  }
}

const optionSets = [
  {}, { promoteLongs: false }, { promoteValues: false }, { promoteBuffers: true }, { useBigInt64: true }, { bsonRegExp: true },
  { enableUtf8Validation: false }, { promoteValues: false, bsonRegExp: true, promoteBuffers: true }, { raw: true },
];

describe('documents at the edges of BSON', () => {
  for (const { name, bytes } of wellFormed(bson)) {
    test(name, async () => {
      await fixture.put('parity.edge', [bytes, bson.serialize({ after: 1 })]);
      const their = theirs.db('parity').collection('edge');
      const our = ours.db('parity').collection('edge');
      for (const options of optionSets) {
        const expected = await outcomeOf(() => their.find({}, options).toArray());
        const first = await outcomeOf(async () => [await their.findOne({}, options)]);
        for (const [reader, read] of Object.entries(readers)) {
          const actual = await outcomeOf(() => read(our, options));
          assertSameOutcome(actual, reader === 'findOne' ? first : expected, `${reader}, ${JSON.stringify(options)}`);
        }
      }
    });
  }
});

describe('malformed documents', () => {
  for (const { name, bytes } of malformed()) {
    test(name, async () => {
      await fixture.put('parity.bad', [bson.serialize({ a: 1 }), bytes, bson.serialize({ a: 2 })]);
      await fixture.put('parity.good', [bson.serialize({ a: 1 })]);
      const bad = ours.db('parity').collection('bad');
      for (const [reader, read] of Object.entries(readers)) {
        if (reader === 'findOne') continue;
        await assert.rejects(read(bad, {}), (error) => {
          assert.ok(error instanceof bson.BSONError, `${reader}: ${error.stack}`);
          assert.match(error.message, /at byte offset \d+$/, reader);
          assert.ok(error.offset >= 0);
          return true;
        });
      }
      assert.deepEqual(await ours.db('parity').collection('good').find().toArray(), [{ a: 1 }]);
    });
  }
});

describe('classes', () => {
  for (const [name, own] of [['bson 7', bson], ['bson 6', bson6]]) {
    test(`values are instances of the classes of the { bson } option: ${name}`, async () => {
      const bytes = own.serialize(everyType(own), { ignoreUndefined: false });
      await fixture.put('parity.every', [bytes]);
      const client = await MongoClient.connect(fixture.uri, { bson: own });
      try {
        for (const options of [{}, { promoteValues: false }, { bsonRegExp: true }]) {
          const expected = own.deserialize(bytes, options);
          for (const [reader, read] of Object.entries(readers)) {
            const [doc] = await read(client.db('parity').collection('every'), options);
            assertSame(doc.toObject?.() ?? doc, expected, `${reader}, ${JSON.stringify(options)}`);
          }
        }
        const { _id } = await client.db('parity').collection('every').findOne();
        assert.ok(_id instanceof own.ObjectId);
        // It can be used with its own driver, and in our filters.
        own.serialize({ _id });
        assert.ok(await client.db('parity').collection('every').findById(_id));
      } finally {
        await client.close();
      }
    });
  }

  test("without the option they are the official driver's", async () => {
    await fixture.put('parity.every', [bson.serialize(everyType(bson))]);
    const doc = await ours.db('parity').collection('every').findOne();
    assert.ok(doc._id instanceof official.ObjectId);
    assert.ok(doc.decimal instanceof official.Decimal128);
    assert.ok(doc.timestamp instanceof official.Timestamp);
    assert.ok(doc.uuid instanceof official.UUID && doc.bin instanceof official.Binary);
    assert.ok(doc.past53 instanceof official.Long);
  });

  test('no eager document is a proxy, every lazy one is', async () => {
    const { types } = require('node:util');
    await fixture.put('parity.plain', [bson.serialize({ a: { b: [1] } })]);
    const collection = ours.db('parity').collection('plain');
    for (const [reader, read] of Object.entries(readers)) {
      const [doc] = await read(collection, {});
      assert.equal(types.isProxy(doc), /lazy/i.test(reader), reader);
    }
  });
});

describe('options', () => {
  test('BSON options of client, database, collection and call', async () => {
    await fixture.put('parity.options', [bson.serialize({ long: bson.Long.fromNumber(5), bin: Buffer.from('x'), re: /x/i })]);
    const levels = [{ promoteLongs: false }, { promoteBuffers: true }, { bsonRegExp: true }, { promoteLongs: true }];
    const read = async (Client) => {
      const client = await Client.connect(fixture.uri, levels[0]);
      try {
        const collection = client.db('parity', levels[1]).collection('options', levels[2]);
        return [await collection.find().toArray(), await collection.find({}, levels[3]).toArray()];
      } finally {
        await client.close();
      }
    };
    assertSame(await read(MongoClient), await read(official.MongoClient), 'options');
  });

  test('useBigInt64 with promoteLongs or promoteValues off is refused as js-bson refuses it', async () => {
    for (const options of [{ useBigInt64: true, promoteLongs: false }, { useBigInt64: true, promoteValues: false }]) {
      const expected = await outcomeOf(() => theirs.db('parity').collection('options').find({}, options).toArray());
      for (const read of Object.values(readers)) {
        assertSameOutcome(await outcomeOf(() => read(ours.db('parity').collection('options'), options)), expected, JSON.stringify(options));
      }
    }
  });
});

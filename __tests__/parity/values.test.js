'use strict';
// Every BSON type through every reader, over the wire, against what the official driver makes of the same bytes.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const { types } = require('node:util');
const official = require('mongodb');
const bson = require('bson');
const bson6 = require('bson6');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { assertSame, assertSameOutcome } = require('../support/same.js');
const { wellFormed, malformed } = require('../support/edge-documents.js');
const { everyType } = require('../support/every-type.js');
const raw = require('../support/raw-bson.js');
const { readers, isLazy, outcomeOf } = require('../support/readers.js');

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

test('a bad value that a later field of the same name replaces is none to a lazy document', async () => {
  const bytes = raw.document(raw.string('a', Buffer.from([0xff])), raw.int('b', 1), raw.int('a', 2));
  await fixture.put('parity.edge', [bytes]);
  const expected = await outcomeOf(() => theirs.db('parity').collection('edge').find().toArray());
  assert.equal(expected.error.message, 'Invalid UTF-8 string in BSON document');
  for (const [reader, read] of Object.entries(readers)) {
    const actual = await outcomeOf(() => read(ours.db('parity').collection('edge'), {}));
    if (isLazy(reader) || reader === 'findLazy, field by field') assertSame(actual.value.map((doc) => ({ ...doc })), [{ a: 2, b: 1 }], reader);
    else assertSameOutcome(actual, expected, reader);
  }
});

describe('malformed documents', () => {
  // The official driver's reason, then ours; its own offset, from the start of the reply, gives way to that in the document.
  const reason = (error) => error.message.replace(/\. offset: \d+$/, '');

  for (const { name, bytes, at } of malformed()) {
    test(name, async () => {
      await fixture.put('parity.bad', [bson.serialize({ a: 1 }), bytes, bson.serialize({ a: 2 })]);
      await fixture.put('parity.good', [bson.serialize({ a: 1 })]);
      const bad = ours.db('parity').collection('bad');
      const good = ours.db('parity').collection('good');
      const expected = await outcomeOf(() => theirs.db('parity').collection('bad').find().toArray());
      assert.ok(expected.error instanceof bson.BSONError, expected.error?.stack);
      for (const [reader, read] of Object.entries(readers)) {
        if (reader === 'findOne') continue;
        const bystander = good.find().toArray();
        await assert.rejects(read(bad, {}), (error) => {
          assert.equal(error.offset, at, `${reader}: ${error.stack}`);
          assert.equal(error.constructor, expected.error.constructor, `${reader}: ${error.stack}`);
          assert.equal(error.name, expected.error.name, reader);
          assert.ok(error.message.startsWith(`${reason(expected.error)}: `), `${error.message}\n${expected.error.message}`);
          assert.ok(error.message.endsWith(` at byte offset ${at}`), error.message);
          assert.ok(error.stack.includes(`${error.message}\n`), error.stack);
          return true;
        });
        assert.deepEqual(await bystander, [{ a: 1 }], reader);
      }
      assert.deepEqual(await bad.findOne(), { a: 1 }, 'the document before it');
    });
  }

  test('the documents before it are handed out, those after it are not', async () => {
    const many = Array.from({ length: 500 }, (_, n) => bson.serialize({ n, text: 'x'.repeat(1000) }));
    await fixture.put('parity.half', [...many, malformed()[0].bytes, ...many]);
    const half = ours.db('parity').collection('half');
    const iterables = [half.find({}, { batchSize: 300 }), await half.findCursor({}, { batchSize: 300 }), await half.findCursor({}, { batchSize: 300, lazy: false })];
    for (const iterable of iterables) {
      const seen = [];
      await assert.rejects(async () => {
        for await (const doc of iterable) seen.push(doc.n);
      }, bson.BSONError);
      assert.deepEqual(seen, many.map((_, n) => n));
    }
  });

  test('raw documents too, and ours at every level', async () => {
    const read = (client) => client.db('parity').collection('bad').find({}, { raw: true }).toArray();
    await fixture.put('parity.bad', [malformed().find(({ name }) => name === 'no final zero').bytes]);
    for (const [driver, client] of [['theirs', theirs], ['ours', ours]]) await assert.rejects(read(client), bson.BSONError, driver);
    const { bytes, at } = malformed().find(({ name }) => name === 'unknown type deep');
    await fixture.put('parity.bad', [bytes]);
    assert.equal((await read(theirs)).length, 1);
    await assert.rejects(read(ours), (error) => error instanceof bson.BSONError && error.offset === at);
  });
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
    await fixture.put('parity.plain', [bson.serialize({ a: { b: [1] } })]);
    const collection = ours.db('parity').collection('plain');
    for (const [reader, read] of Object.entries(readers)) {
      const [doc] = await read(collection, {});
      assert.equal(types.isProxy(doc), isLazy(reader), reader);
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
        // Theirs finds out with the first document, ours before anything is sent.
        await assert.rejects(read(ours.db('parity').collection('empty'), options), { name: 'BSONError' });
      }
      assert.deepEqual(await theirs.db('parity').collection('empty').find({}, options).toArray(), []);
    }
  });
});

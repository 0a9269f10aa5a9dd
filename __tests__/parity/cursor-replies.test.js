'use strict';
// What a server may say about a cursor, and what goes wrong with one: the same outcome as the official driver's.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const { setTimeout: delay } = require('node:timers/promises');
const bson = require('bson');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { ScriptedServer } = require('../support/scripted-server.js');

const long = (text) => bson.Long.fromString(text);

const both = { 'rumongo-go': MongoClient, 'the official driver': official.MongoClient };

/** What one driver makes of a scripted server: documents in order, then perhaps an error; and the commands. */
async function outcomeOf(Client, answer, options) {
  const server = await ScriptedServer.start(answer);
  const client = new Client(server.uri, { serverSelectionTimeoutMS: 5000, retryReads: false });
  const seen = [];
  let error = null;
  try {
    await client.connect();
    for await (const doc of client.db('d').collection('c').find({}, options)) seen.push(doc);
  } catch (caught) {
    error = caught;
  }
  // killCursors is sent after the error is told.
  for (let i = 0; i < 20 && error !== null && !server.commands.some((command) => command.killCursors); i++) await delay(5);
  await client.close();
  server.stop();
  return { seen, error, commands: server.commands.map(({ lsid, ...command }) => bson.EJSON.stringify(command, { relaxed: false })) };
}

const cursor = (id, batch, docs, ns = 'd.c') => ({ ok: 1, cursor: { id, ns, [batch]: docs } });
const docs = (...ids) => ids.map((_id) => ({ _id }));

/** answers[0] to find, then one for each getMore; the last again and again. */
const script = (...answers) => {
  let next = 0;
  return (command) => (command.killCursors === undefined ? answers[Math.min(next++, answers.length - 1)] : { ok: 1, cursorsKilled: command.cursors });
};

const id = long('9007199254740993');
const replies = {
  'a cursor number past 2^53': [cursor(id, 'firstBatch', docs(1)), cursor(id, 'nextBatch', docs(2)), cursor(long('0'), 'nextBatch', docs(3))],
  'a negative cursor number': [cursor(long('-1'), 'firstBatch', docs(1)), cursor(long('0'), 'nextBatch', docs(2))],
  'the smallest and the largest cursor number': [cursor(bson.Long.MIN_VALUE, 'firstBatch', docs(1)), cursor(bson.Long.MAX_VALUE, 'nextBatch', docs(2)), cursor(long('0'), 'nextBatch', [])],
  'a number that changes': [cursor(long('5'), 'firstBatch', docs(1)), cursor(long('6'), 'nextBatch', docs(2)), cursor(long('0'), 'nextBatch', docs(3))],
  'another namespace, as of a view': [cursor(id, 'firstBatch', docs(1), 'x.y.z'), cursor(long('0'), 'nextBatch', docs(2), 'x.y.z')],
  'no namespace': [{ ok: 1, cursor: { id, firstBatch: docs(1) } }, { ok: 1, cursor: { id: long('0'), nextBatch: docs(2) } }],
  'empty batches of a live cursor': [cursor(id, 'firstBatch', []), cursor(id, 'nextBatch', []), cursor(id, 'nextBatch', docs(1)), cursor(id, 'nextBatch', []), cursor(long('0'), 'nextBatch', docs(2))],
  'an empty result': [cursor(long('0'), 'firstBatch', [])],
  'fields nobody asked for': [{ ok: 1, extra: 1, cursor: { partialResultsReturned: true, ...cursor(long('0'), 'firstBatch', docs(1)).cursor } }],
  'an ok of another type': [{ ...cursor(long('0'), 'firstBatch', docs(1)), ok: true }],
  'a cursor number of 32 bits': [cursor(new bson.Int32(5), 'firstBatch', docs(1))],
  'a cursor number that is a double': [cursor(new bson.Double(5), 'firstBatch', docs(1))],
  'no cursor number': [{ ok: 1, cursor: { ns: 'd.c', firstBatch: docs(1) } }],
  'no cursor': [{ ok: 1 }],
  'a cursor that is no document': [{ ok: 1, cursor: 5 }],
  'no first batch': [{ ok: 1, cursor: { id: long('0'), ns: 'd.c' } }],
  'a getMore with a number of 32 bits': [cursor(id, 'firstBatch', docs(1)), cursor(new bson.Int32(5), 'nextBatch', docs(2))],
  'a getMore without a batch': [cursor(id, 'firstBatch', docs(1)), { ok: 1, cursor: { id, ns: 'd.c' } }],
  'a getMore without a cursor': [cursor(id, 'firstBatch', docs(1)), { ok: 1 }],
  'an error without code': [{ ok: 0, errmsg: 'no' }],
  'an error with a code and labels': [{ ok: 0, errmsg: 'no', code: 26, codeName: 'NamespaceNotFound', errorLabels: ['A', 'B'], extra: { a: [1] } }],
  'an error with a code the driver does not know': [{ ok: 0, errmsg: 'no', code: 987654 }],
  'a getMore that fails': [cursor(id, 'firstBatch', docs(1, 2)), { ok: 0, errmsg: 'cursor id 5 not found', code: 43, codeName: 'CursorNotFound' }],
  'a getMore that fails, the cursor alive': [cursor(id, 'firstBatch', docs(1, 2)), { ok: 0, errmsg: 'no', code: 8, codeName: 'UnknownError' }],
};

describe('replies about cursors', () => {
  for (const [name, answers] of Object.entries(replies)) {
    for (const options of [undefined, { batchSize: 2 }]) {
      test(name + (options ? ', with a batchSize' : ''), async () => {
        const theirs = await outcomeOf(both['the official driver'], script(...answers), options);
        const ours = await outcomeOf(both['rumongo-go'], script(...answers), options);
        assert.deepEqual(ours.seen, theirs.seen);
        assert.equal(ours.error?.constructor, theirs.error?.constructor, `${ours.error} / ${theirs.error}`);
        if (theirs.error instanceof official.MongoServerError) {
          const shown = ({ message, code, codeName, errorLabels, errorResponse }) => ({ message, code, codeName, errorLabels, errorResponse });
          assert.deepEqual(shown(ours.error), shown(theirs.error));
        }
        // After CursorNotFound there is no cursor to kill; the official driver tries all the same.
        const killsWhatIsGone = theirs.error?.code === 43;
        assert.deepEqual(ours.commands, theirs.commands.filter((command) => !(killsWhatIsGone && command.includes('killCursors'))));
      });
    }
  }
});

describe('a getMore that fails', () => {
  const faults = {
    CursorNotFound: { action: 'error', code: 43, codeName: 'CursorNotFound', errmsg: 'cursor id 5 not found' },
    UnknownError: { action: 'error', code: 8, codeName: 'UnknownError', errmsg: 'no', errorLabels: ['A'] },
    'a retryable error': { action: 'error', code: 11600, codeName: 'InterruptedAtShutdown', errmsg: 'no' },
    'a closed connection': { action: 'close' },
    'a reset connection': { action: 'reset' },
    'half a reply': { action: 'half' },
  };
  const everything = {
    find: (collection) => collection.find({}, { batchSize: 5 }).toArray(),
    findLazy: (collection) => collection.findLazy({}, { batchSize: 5 }),
  };
  let fixture;
  let ours;
  let theirs;
  const unhandled = [];
  const note = (error) => unhandled.push(error);

  before(async () => {
    process.on('unhandledRejection', note);
    fixture = await startFixture();
    await fixture.put('t.numbers', Array.from({ length: 20 }, (_, _id) => bson.serialize({ _id })));
    ours = await MongoClient.connect(fixture.uri);
    theirs = await official.MongoClient.connect(fixture.uri);
  });

  after(async () => {
    await ours?.close();
    await theirs?.close();
    await fixture?.stop();
    process.off('unhandledRejection', note);
  });

  for (const [name, fault] of Object.entries(faults)) {
    test(name, async () => {
      const failed = async (client, read) => {
        await fixture.reset();
        await fixture.faults({ command: 'getMore', times: -1, ...fault });
        const error = await read(client.db('t').collection('numbers')).then((value) => assert.fail(`resolved with ${value.length} documents`), (reason) => reason);
        return { error, getMores: (await fixture.stats()).commands.getMore };
      };
      const theirFailure = await failed(theirs, everything.find);
      for (const read of Object.values(everything)) {
        const { error, getMores } = await failed(ours, read);
        assert.equal(getMores, 1, 'a getMore is not retried');
        assert.equal(error.constructor, theirFailure.error.constructor, String(error));
        assert.deepEqual([error.code, error.codeName], [theirFailure.error.code, theirFailure.error.codeName]);
        if (fault.action === 'error') assert.equal(error.message, theirFailure.error.message);
      }

      await fixture.faults({ command: 'getMore', times: -1, ...fault });
      const collection = ours.db('t').collection('numbers');
      for (const options of [{ batchSize: 5 }, { batchSize: 5, lazy: false }]) {
        const batches = await collection.findCursor({}, options);
        assert.deepEqual(Array.from(await batches.nextBatch(), ({ _id }) => _id), [0, 1, 2, 3, 4]);
        for (let again = 0; again < 3; again++) await assert.rejects(batches.nextBatch(), (error) => error.constructor === theirFailure.error.constructor);
        await batches.close();
      }
      const cursor = collection.find({}, { batchSize: 5 });
      for (let _id = 0; _id < 5; _id++) assert.deepEqual(await cursor.next(), { _id });
      await assert.rejects(cursor.next(), (error) => error.constructor === theirFailure.error.constructor);
      assert.equal(await cursor.next(), null);

      // A cursor that is dropped with its error untold says nothing either.
      await (await collection.findCursor({}, { batchSize: 5 })).nextBatch();
      await delay(20);
      await fixture.reset();
      assert.equal((await collection.find().toArray()).length, 20);
      assert.deepEqual(unhandled, []);
    });
  }
});

for (const [name, Client] of Object.entries(both)) {
  test(`cursor.id: ${name}`, async () => {
    const number = long('-9007199254740993');
    const server = await ScriptedServer.start((command) => (
      command.find ? cursor(number, 'firstBatch', docs(1, 2)) : command.getMore ? cursor(number, 'nextBatch', docs(3)) : { ok: 1 }));
    const client = new Client(server.uri);
    try {
      const open = client.db('d').collection('c').find();
      assert.equal(open.id, undefined);
      await open.next();
      assert.deepEqual(open.id, number);
      await open.close();
      assert.deepEqual(open.id, long('0'));
    } finally {
      await client.close();
      server.stop();
    }
  });
}

test('cursor.id is 0 when read-ahead is at the end', async () => {
  const server = await ScriptedServer.start((command) => (
    command.find ? cursor(long('5'), 'firstBatch', docs(1, 2)) : command.getMore ? cursor(long('0'), 'nextBatch', docs(3)) : { ok: 1 }));
  const client = new MongoClient(server.uri);
  try {
    const open = client.db('d').collection('c').find();
    await open.next();
    while (open.id.toString() !== '0') await delay(5);
    assert.deepEqual(await open.toArray(), docs(2, 3));
  } finally {
    await client.close();
    server.stop();
  }
});

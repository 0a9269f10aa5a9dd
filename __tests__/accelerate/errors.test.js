'use strict';
// Reads that fail, with and without acceleration: the same error, after the same commands.

const test = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const { accelerate } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { DRIVERS, Twins, isOurs } = require('../support/acceleration.js');

const READS = {
  toArray: (c) => c.find({}, { batchSize: 5 }).toArray(),
  'one by one': async (c) => {
    const ids = [];
    try {
      for await (const { _id } of c.find({}, { batchSize: 5 })) ids.push(_id);
    } catch (error) {
      error.seen = ids; // what was handed out before
      throw error;
    }
    return ids;
  },
  findOne: (c) => c.findOne(),
  countDocuments: (c) => c.countDocuments(),
  distinct: (c) => c.distinct('a'),
  estimatedDocumentCount: (c) => c.estimatedDocumentCount(),
};

const find = { find: ['toArray', 'one by one', 'findOne'], getMore: ['toArray', 'one by one'], aggregate: ['countDocuments'], distinct: ['distinct'], count: ['estimatedDocumentCount'] };
const FAULTS = {
  'a server error': { action: 'error', code: 2, codeName: 'BadValue', errmsg: 'no' },
  'a retryable error, once': { action: 'error', code: 11600, codeName: 'InterruptedAtShutdown' },
  'a retryable error, twice': { action: 'error', code: 91, codeName: 'ShutdownInProgress', times: 2 },
  'an error with labels': { action: 'error', code: 5, errorLabels: ['Own', 'RetryableError'] },
  'a cursor that is gone': { action: 'error', code: 43, codeName: 'CursorNotFound' },
  'a connection that closes, once': { action: 'close' },
  'a connection that closes, twice': { action: 'close', times: 2 },
  'a document that is malformed': { action: 'malformed', document: 3, at: 0, patch: new bson.Binary(Uint8Array.of(2, 0, 0, 0)) },
};

// So that a server that was lost is looked for again soon. The last: version 6 leaves a timer of that length behind.
const CLIENT = { minHeartbeatFrequencyMS: 20, heartbeatFrequencyMS: 1000, serverSelectionTimeoutMS: 3000 };

const shown = ({ value, error }) => (error === undefined ? value : {
  name: error.name, class: error.constructor.name, code: error.code, codeName: error.codeName, labels: error.errorLabels, seen: error.seen,
  response: error.errorResponse,
});

for (const [name, mongodb] of Object.entries(DRIVERS)) {
  test(`${name}: reads that fail`, async (t) => {
    const fixture = await startFixture();
    const twins = new Twins(fixture, mongodb);
    t.after(async () => {
      await twins.close();
      await fixture.stop();
    });
    await fixture.put('parity.numbers', Array.from({ length: 12 }, (_, _id) => bson.serialize({ _id, a: _id % 3 })));
    const { plain, fast } = await twins.pair(CLIENT);
    // Both have a connection that works, and the second findOne goes without a cursor.
    for (const client of [plain, fast, fast]) await client.db('parity').collection('numbers').findOne();

    for (const [what, fault] of Object.entries(FAULTS)) {
      for (const [command, reads] of Object.entries(find)) {
        if (fault.action === 'malformed' && (command !== 'find' || reads.includes('distinct'))) continue;
        for (const read of reads) {
          // Where a server is lost it takes half a second to find it again: not in every combination.
          const slow = fault.action === 'close' || /a retryable/.test(what);
          if (slow && !['toArray', 'findOne', 'countDocuments'].includes(read)) continue;
          if (slow && fault.times > 1 && name !== 'mongodb 7') continue;
          await t.test(`${what}: ${command} of ${read}`, async () => {
            const script = { ...fault, command };
            if (fault.action === 'malformed' && read === 'findOne') script.document = 0;
            const run = async (collection) => {
              await fixture.faults(script);
              try {
                return await READS[read](collection);
              } finally {
                await fixture.faults();
              }
            };
            const sent = await twins.both({ name: 'numbers', client: CLIENT }, run, { kills: false });
            const [ours, theirs] = [sent.fast, sent.plain];
            if (fault.action === 'malformed') {
              // The driver does not look at a batch with such a length. Here what is before it is handed out, and a
              // getMore may be under way when it is found.
              delete ours.outcome.error?.seen;
              delete theirs.outcome.error?.seen;
              ours.log = ours.log.filter((entry) => entry.name !== 'getMore');
            }
            if (theirs.outcome.error !== undefined) assert.ok(ours.outcome.error instanceof theirs.outcome.error.constructor, String(ours.outcome.error));
            assert.deepEqual(shown(ours.outcome), shown(theirs.outcome));
            if (fault.action === 'error') assert.equal(ours.outcome.error?.message, theirs.outcome.error?.message);
            const commands = ({ log }) => log.map((entry) => entry.name).filter((sentName) => sentName !== 'killCursors');
            assert.deepEqual(commands(ours), commands(theirs));
            assert.ok(ours.log.every(isOurs));
          });
        }
      }
    }
  });

  test(`${name}: abort`, async (t) => {
    const fixture = await startFixture();
    await fixture.put('parity.numbers', Array.from({ length: 12 }, (_, _id) => bson.serialize({ _id })));
    const client = await mongodb.MongoClient.connect(fixture.uri);
    t.after(async () => {
      await client.close();
      await fixture.stop();
    });
    const collection = accelerate(client.db('parity').collection('numbers'));
    await collection.findOne();
    const reason = new Error('enough');
    await assert.rejects(collection.find({}, { signal: AbortSignal.abort(reason) }).toArray(), reason);
    await assert.rejects(collection.findOne({}, { signal: AbortSignal.abort(reason) }), reason);
    await fixture.faults({ command: 'find', action: 'delay', ms: 300 });
    const controller = new AbortController();
    const reading = collection.find({}, { signal: controller.signal, batchSize: 2 }).toArray();
    setTimeout(() => controller.abort(reason), 30);
    await assert.rejects(reading, reason);
    await fixture.faults();
    assert.equal((await collection.find().toArray()).length, 12);
  });
}

test('a server that is gone', async (t) => {
  const fixture = await startFixture();
  const mongodb = DRIVERS['mongodb 7'];
  const client = await mongodb.MongoClient.connect(fixture.uri, { serverSelectionTimeoutMS: 400 });
  t.after(async () => {
    await client.close();
    await fixture.stop();
  });
  const collection = accelerate(client.db('app').collection('docs'));
  await collection.findOne();
  await fixture.control({ refuse: true });
  await assert.rejects(collection.find().toArray(), (error) => {
    assert.ok(error instanceof mongodb.MongoNetworkError || error instanceof mongodb.MongoServerSelectionError, String(error));
    return true;
  });
  await assert.rejects(collection.find().toArray(), (error) => {
    assert.ok(error instanceof mongodb.MongoServerSelectionError, String(error));
    assert.equal(error.reason.constructor.name, 'TopologyDescription');
    return true;
  });
  await fixture.control({ refuse: false });
  assert.deepEqual(await collection.find().toArray(), []);
});

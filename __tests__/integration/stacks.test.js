'use strict';
// The stack of an error names the line that asked for the read, though the error comes from a socket long after.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const { MongoClient, MongoServerError, MongoNetworkError } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');

let fixture;
let client;
let collection;

before(async () => {
  fixture = await startFixture();
  await fixture.put('t.docs', Array.from({ length: 20 }, (_, _id) => bson.serialize({ _id })));
  client = await MongoClient.connect(fixture.uri, { retryReads: false });
  collection = client.db('t').collection('docs');
});

after(async () => {
  await client?.close();
  await fixture?.stop();
});

const callers = {
  async callerOfToArray() { return await collection.find().toArray(); },
  async callerThatAwaitsFind() { return await collection.find(); },
  async callerOfThen() { return await collection.find().then((docs) => docs); },
  async callerOfFindOne() { return await collection.findOne(); },
  async callerOfFindById() { return await collection.findById('507f1f77bcf86cd799439011'); },
  async callerOfFindLazy() { return await collection.findLazy(); },
  async callerOfNext() { return await collection.find().next(); },
  async callerOfHasNext() { return await collection.find().hasNext(); },
  async callerOfTryNext() { return await collection.find().tryNext(); },
  async callerOfForAwait() { for await (const doc of collection.find()) assert.fail(String(doc)); },
  async callerOfForEach() { await collection.find().forEach(() => {}); },
  async callerOfNextBatch() { return await (await collection.findCursor()).nextBatch(); },
  async callerOfBatchLoop() { for await (const doc of await collection.findCursor()) assert.fail(String(doc)); },
  async callerOfStream() { return await collection.find().stream().toArray(); },
  async callerOfAggregateStream() { return await collection.aggregate([]).stream().toArray(); },
  async callerOfStreamJSON() { return await collection.streamJSON().toArray(); },
  async callerOfStreamAggregateJSON() { return await collection.streamAggregateJSON().toArray(); },
  async callerOfAggregate() { return await collection.aggregate([]).toArray(); },
  async callerThatAwaitsAggregate() { return await collection.aggregate([]); },
  async callerOfExplain() { return await collection.find().explain(); },
  async callerOfCountDocuments() { return await collection.countDocuments(); },
  async callerOfEstimate() { return await collection.estimatedDocumentCount(); },
  async callerOfDistinct() { return await collection.distinct('a'); },
  async callerOfIndexes() { return await collection.indexes(); },
  async callerOfOptions() { return await collection.options(); },
  async callerOfCollections() { return await collection.db.collections(); },
  async callerOfCommand() { return await collection.db.command({ count: 'docs' }); },
  async callerOfListDatabases() { return await collection.db.admin().listDatabases(); },
};
const COMMANDS = ['find', 'aggregate', 'explain', 'count', 'distinct', 'listIndexes', 'listCollections', 'listDatabases'];

for (const [name, call] of Object.entries(callers)) {
  test(name, async () => {
    for (const [fault, Class] of [[{ action: 'error', code: 8, codeName: 'UnknownError', errmsg: 'no' }, MongoServerError], [{ action: 'close' }, MongoNetworkError]]) {
      await fixture.reset();
      await fixture.faults(...COMMANDS.map((command) => ({ command, times: -1, ...fault })));
      await assert.rejects(call(), (error) => error instanceof Class && error.stack.includes(name));
    }
  });
}

test('the stack of a stream is not added to errors that are not of its read', async () => {
  await fixture.reset();
  const reason = new Error('enough');
  const { stack } = reason;
  async function callerOfAbortedStream() {
    return await collection.find({}, { signal: AbortSignal.abort(reason) }).stream().toArray();
  }
  await assert.rejects(callerOfAbortedStream(), (error) => error === reason && error.stack === stack);
});

test('an error in the middle of a loop', async () => {
  async function callerOfGetMore() {
    let seen = 0;
    for await (const { _id } of collection.find({}, { batchSize: 5 })) assert.equal(_id, seen++);
  }
  await fixture.reset();
  await fixture.faults({ command: 'getMore', times: -1, action: 'error', code: 8, codeName: 'UnknownError', errmsg: 'no' });
  await assert.rejects(callerOfGetMore(), (error) => error instanceof MongoServerError && error.stack.includes('callerOfGetMore'));
});

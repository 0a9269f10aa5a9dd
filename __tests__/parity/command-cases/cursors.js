'use strict';
// Reads that go on after the first batch. On `numbers` (20 documents) the commands are as many as it takes; on
// `echo_more` there are always two getMores.

const bson = require('bson');

const id = new bson.ObjectId('507f1f77bcf86cd799439011');
const numbers = (options, more) => ({ name: 'numbers', options, ...more });
const echo = (options, more) => ({ name: 'echo_more', options, ...more });

module.exports = {
  'no options': echo(),
  'batchSize 1': numbers({ batchSize: 1 }),
  'batchSize 7': numbers({ batchSize: 7 }),
  'batchSize that divides': numbers({ batchSize: 5 }),
  'a batchSize above the rest': numbers({ batchSize: 19 }),
  'batchSize by the chain': numbers({ batchSize: 3 }, { chain: (c) => c.batchSize(6) }),
  'a negative batchSize': echo({ batchSize: -3 }),
  'a fractional batchSize': echo({ batchSize: 2.5 }),
  'a large batchSize': echo({ batchSize: 2147483648 }),
  'an infinite batchSize': echo({ batchSize: Infinity }),
  'a batchSize that is no number': echo({ batchSize: '3' }),
  'limit and batchSize': numbers({ limit: 5, batchSize: 2 }),
  'a limit that is a multiple of batchSize': numbers({ limit: 6, batchSize: 2 }),
  'a limit above what there is': numbers({ limit: 100, batchSize: 6 }),
  'limit by the chain': numbers({ batchSize: 2 }, { chain: (c) => c.limit(5) }),
  'limit equal to batchSize': numbers({ limit: 4, batchSize: 4 }),
  'limit 0 and batchSize': numbers({ limit: 0, batchSize: 2 }),
  'a negative limit and batchSize': numbers({ limit: -5, batchSize: 2 }),
  'a limit without batchSize': numbers({ limit: 5 }),
  'a limit without batchSize that the server does not keep': echo({ limit: 2 }),
  'a limit and a batchSize that the server does not keep': echo({ limit: 2, batchSize: 9 }),
  'skip': numbers({ skip: 4, batchSize: 6 }),
  'a text comment': echo({ comment: 'why' }),
  'a document as the comment': echo({ comment: { a: id, b: [1, 2.5, new bson.Long(7)], c: undefined } }),
  'a document as the comment, undefined ignored': echo({ comment: { a: 1, c: undefined }, ignoreUndefined: true }),
  'functions in the comment': echo({ comment: { a() { return 1; } }, serializeFunctions: true }),
  'a null comment': echo({ comment: null }),
  'falsy comments': echo({ comment: '' }),
  'comment by the chain, which is for the find alone': echo(undefined, { chain: (c) => c.comment('late') }),
  'comment of the call and of the chain': echo({ comment: 'early' }, { chain: (c) => c.comment('late') }),
  'maxTimeMS, which is for the find alone': echo({ maxTimeMS: 500 }),
  'maxTimeMS by the chain': echo(undefined, { chain: (c) => c.maxTimeMS(500) }),
  'tailable': echo({ tailable: true, batchSize: 3 }),
  'tailable with awaitData': echo({ tailable: true, awaitData: true, maxAwaitTimeMS: 10, maxTimeMS: 500, batchSize: 2, comment: 'tail' }),
  'maxAwaitTimeMS 0': echo({ tailable: true, awaitData: true, maxAwaitTimeMS: 0 }),
  'a fractional maxAwaitTimeMS': echo({ tailable: true, awaitData: true, maxAwaitTimeMS: 1.5 }),
  'a large maxAwaitTimeMS': echo({ tailable: true, awaitData: true, maxAwaitTimeMS: 2 ** 40 }),
  'a maxAwaitTimeMS that is no number': echo({ tailable: true, awaitData: true, maxAwaitTimeMS: '5' }),
  'maxAwaitTimeMS without tailable': echo({ maxAwaitTimeMS: 10 }),
  'maxAwaitTimeMS by the chain, which has no effect': echo({ tailable: true, awaitData: true }, { chain: (c) => c.maxAwaitTimeMS(10) }),
  'flags by the chain': echo({ maxAwaitTimeMS: 10 }, { chain: (c) => c.addCursorFlag('tailable', true).addCursorFlag('awaitData', true) }),
  'readConcern, which is for the find alone': echo({ readConcern: 'majority' }),
  'every option at once': echo({
    sort: 'a', projection: { a: 1 }, hint: 'h', skip: 1, limit: 50, batchSize: 3, comment: 'c', min: { a: 1 }, max: { a: 2 }, let: { v: 1 },
    collation: { locale: 'de' }, maxTimeMS: 7, allowDiskUse: true, noCursorTimeout: true, readConcern: 'local',
  }),
  'a server API': echo({ batchSize: 2 }, { client: { serverApi: { version: '1', strict: true, deprecationErrors: true } } }),
  'a negative cursor number': echo({ batchSize: 2 }, { cursorId: bson.Long.fromNumber(-5) }),
  'the largest cursor number': echo({ batchSize: 2 }, { cursorId: bson.Long.MAX_VALUE }),
  'the smallest cursor number': echo({ batchSize: 2 }, { cursorId: bson.Long.MIN_VALUE }),
  'a small cursor number': echo({ batchSize: 2 }, { cursorId: bson.Long.fromNumber(1) }),
};

'use strict';
// The reading core and the cursors over it, with a test in the place of the native core.

const test = require('node:test');
const assert = require('node:assert/strict');
const v8 = require('node:v8');
const vm = require('node:vm');
const { setImmediate: turn } = require('node:timers/promises');
const bson = require('bson');
const { Reader, WANT } = require('../../js/cursor/reader.js');
const { BatchCursor } = require('../../js/cursor/batch-cursor.js');
const { FindCursor } = require('../../js/cursor/find-cursor.js');
const { MongoClient } = require('../../js/index.js');
const { DEFAULTS } = require('../../js/bson/options.js');
const { FakeBridge, FakeDecoder, withFakeBridge } = require('../support/fake-bridge.js');

const classes = { BSON: bson, BSONError: bson.BSONError, Long: bson.Long };
const empty = Buffer.alloc(5);

function open() {
  const bridge = new FakeBridge();
  const reader = new Reader(new FakeDecoder(), classes, DEFAULTS);
  reader.submit(bridge, 2, 1, empty, bson.serialize({}));
  return { reader, request: bridge.last };
}

/** A FindCursor whose decoder is the FakeDecoder. */
async function openFind(configure = (cursor) => cursor, options) {
  const client = new MongoClient('mongodb://127.0.0.1:1/d');
  const bridge = withFakeBridge(client);
  await client.connect();
  const cursor = configure(client.db().collection('c').find({}, options));
  return { client, bridge, cursor, get request() { return bridge.last; } };
}

function fakeDecoding(t) {
  const submit = Reader.prototype.submit;
  t.mock.method(Reader.prototype, 'submit', function (...args) {
    this.decoder = new FakeDecoder();
    return submit.apply(this, args);
  });
}

const range = (from, to) => Array.from({ length: to - from }, (_, i) => ({ n: from + i }));

test('everything: chunks become one array, each acknowledged and released once', async () => {
  const { reader, request } = open();
  const done = reader.until(WANT.ALL);
  assert.equal(request.held, 1);
  const chunks = [request.chunk(range(0, 3), { batchEnd: false }), request.chunk(range(3, 5)), request.chunk(range(5, 6))];
  request.end();
  await done;
  assert.deepEqual(reader.takeDocs(), range(0, 6));
  assert.equal(request.acked, 300);
  assert.equal(request.held, 0);
  for (const chunk of chunks) assert.equal(chunk.released, 1);
  assert.equal(reader.failure(), null);
});

test('only a read that keeps its lazy documents says so of their blocks, from the second on', async () => {
  const lazy = { kind: 2 };
  const kept = async ({ reader, request }, level) => {
    const done = reader.until(level);
    const chunks = [0, 1, 2].map((n) => request.chunk(range(n, n + 1), lazy));
    while (reader.pending) {
      await turn();
      if (level !== WANT.ALL) {
        reader.takeDocs();
        reader.until(level);
      }
    }
    request.end();
    await done;
    return chunks.map((chunk) => chunk.kept);
  };
  // With the first block V8 looks for what reads before this one have left.
  assert.deepEqual(await kept(open(), WANT.ALL), [false, true, true]);
  assert.deepEqual(await kept(open(), WANT.DOCUMENT), [false, false, false]);
  const raw = open();
  raw.reader.bsonOptions = { ...DEFAULTS, raw: true };
  assert.deepEqual(await kept(raw, WANT.ALL), [false, false, false], 'raw documents are copies');
});

test('a small result that is complete settles without a turn of the loop', async () => {
  const { reader, request } = open();
  let settled = false;
  reader.until(WANT.ALL).then(() => { settled = true; });
  const chunk = request.chunk(range(0, 1), { transient: true });
  request.end();
  await null;
  assert.ok(settled);
  assert.equal(chunk.detached, 0);
  assert.equal(chunk.released, 0);
});

test('order holds when small chunks follow large ones', async () => {
  const { reader, request } = open();
  const done = reader.until(WANT.ALL);
  request.chunk(range(0, 2));
  const small = request.chunk(range(2, 3), { transient: true });
  request.chunk(range(3, 4));
  request.end();
  await done;
  assert.deepEqual(reader.takeDocs(), range(0, 4));
  assert.equal(small.detached, 1);
});

test('one drain decodes only so much outside the queue', async () => {
  const { reader, request } = open();
  reader.until(WANT.ALL);
  const chunks = Array.from({ length: 20 }, (_, i) => request.chunk(range(i, i + 1), { transient: true, size: 32768 }));
  assert.ok(reader.buffered > 0 && reader.buffered < 20, `${reader.buffered} decoded at once`);
  assert.ok(chunks.some((chunk) => chunk.detached === 1));
  request.end();
  while (!reader.ended || reader.pending) await turn();
  assert.deepEqual(reader.takeDocs(), range(0, 20));
});

test('nothing is decoded or acknowledged that nobody waits for', async () => {
  const { reader, request } = open();
  request.chunk(range(0, 2));
  const small = request.chunk(range(2, 3), { transient: true });
  await turn();
  assert.equal(request.acked, 0);
  assert.equal(request.held, 0);
  assert.equal(small.detached, 1);
  await reader.until(WANT.DOCUMENT);
  assert.deepEqual(reader.shift(), { n: 0 });
  assert.deepEqual(reader.shift(), { n: 1 });
  assert.equal(request.acked, 0, 'nobody has asked for more than the first chunk held');
  await reader.until(WANT.DOCUMENT);
  assert.equal(request.acked, 100);
  assert.deepEqual(reader.shift(), { n: 2 });
  reader.until(WANT.DOCUMENT);
  assert.equal(request.acked, 200);
});

test('the end of a read acknowledges everything', async () => {
  const { reader, request } = open();
  request.chunk(range(0, 2));
  await reader.until(WANT.DOCUMENT);
  assert.equal(request.acked, 0);
  request.end();
  assert.equal(request.acked, 100);
});

test('lazy chunks are never released and never decoded in the inbox', async () => {
  const { reader, request } = open();
  const done = reader.until(WANT.ALL);
  const chunks = [request.chunk(range(0, 1), { transient: true, kind: 2 }), request.chunk(range(1, 2), { kind: 2 })];
  request.end();
  await done;
  assert.deepEqual(reader.takeDocs(), range(0, 2));
  assert.deepEqual(chunks.map((c) => [c.detached, c.released]), [[1, 0], [0, 0]]);
});

test('a decode error rejects the read, cancels it and frees what waits', async () => {
  const { reader, request } = open();
  const done = reader.until(WANT.ALL);
  const bad = new SyntaxError('Invalid regular expression');
  const chunks = [request.chunk([{ n: 0 }, bad, { n: 2 }]), request.chunk(range(3, 4))];
  await done;
  assert.equal(reader.failure(), bad);
  assert.ok(request.cancelled);
  assert.deepEqual(chunks.map((c) => c.released), [1, 1]);
  const late = request.chunk(range(4, 5));
  assert.equal(late.released, 1);
  request.end({ kind: 'cancelled', message: 'cancelled' });
  assert.equal(reader.failure(), bad);
  assert.equal(request.held, 0);
});

test('batches: whole ones, empty ones skipped, null at the end', async () => {
  const { reader, request } = open();
  const cursor = new BatchCursor(reader, undefined, 1000);
  const first = cursor.nextBatch();
  request.chunk(range(0, 2), { batchEnd: false });
  request.chunk(range(2, 3));
  assert.deepEqual(await first, range(0, 3));
  request.chunk([], { size: 0 });
  request.chunk(range(3, 4));
  request.chunk(range(4, 5));
  assert.deepEqual(await cursor.nextBatch(), range(3, 4));
  const [second, third] = [cursor.nextBatch(), cursor.nextBatch()];
  request.end();
  assert.deepEqual(await second, range(4, 5));
  assert.equal(await third, null);
  assert.equal(await cursor.nextBatch(), null);
  assert.ok(cursor.closed);
  assert.equal(request.held, 0);
});

test('a batch partly read document by document gives its rest', async () => {
  const { reader, request } = open();
  const cursor = new BatchCursor(reader, undefined, 1000);
  request.chunk(range(0, 3), { batchEnd: false });
  request.chunk(range(3, 5));
  for await (const doc of cursor) {
    assert.deepEqual(doc, { n: 0 });
    assert.deepEqual(await cursor.nextBatch(), range(1, 5));
    request.end();
  }
});

test('batches without a batchSize: parts of what the server sent', async () => {
  const { reader, request } = open();
  const cursor = new BatchCursor(reader);
  request.chunk(range(0, 3), { batchEnd: false });
  request.chunk(range(3, 4), { batchEnd: false });
  request.chunk([], { batchEnd: true });
  request.chunk(range(4, 6));
  request.end();
  for (const [from, to] of [[0, 3], [3, 4], [4, 6]]) assert.deepEqual(await cursor.nextBatch(), range(from, to));
  assert.equal(await cursor.nextBatch(), null);
});

test('a batch of more than a thousand documents comes in parts, whole chunks of a thousand or more together', async () => {
  const { reader, request } = open();
  const cursor = new BatchCursor(reader, undefined, 5000);
  request.chunk(range(0, 600), { batchEnd: false });
  request.chunk(range(600, 1100), { batchEnd: false });
  request.chunk(range(1100, 1800));
  request.chunk(range(1800, 1900));
  request.end();
  for (const [from, to] of [[0, 1100], [1100, 1800], [1800, 1900]]) assert.deepEqual(await cursor.nextBatch(), range(from, to));
  assert.equal(await cursor.nextBatch(), null);
});

test('documents before an error are handed out, then the error, each time', async () => {
  const { reader, request } = open();
  const cursor = new BatchCursor(reader);
  request.chunk(range(0, 2));
  request.end({ kind: 'server', message: 'gone', code: 43, codeName: 'CursorNotFound', raw: { ok: 0, errmsg: 'gone', code: 43, codeName: 'CursorNotFound' } });
  assert.deepEqual(await cursor.nextBatch(), range(0, 2));
  await assert.rejects(cursor.nextBatch(), { name: 'MongoServerError', code: 43, codeName: 'CursorNotFound' });
  await assert.rejects(cursor.nextBatch(), { code: 43 });
});

test('leaving a loop early cancels and waits for the end', async () => {
  for (const leave of ['break', 'throw']) {
    const { reader, request } = open();
    const cursor = new BatchCursor(reader);
    request.chunk(range(0, 3));
    request.chunk(range(3, 6));
    const loop = (async () => {
      for await (const doc of cursor) {
        if (doc.n === 1 && leave === 'break') break;
        if (doc.n === 1) throw new Error('mine');
      }
    })();
    while (!request.cancelled) await turn();
    let left = false;
    loop.then(() => { left = true; }, () => { left = true; });
    await turn();
    assert.ok(!left, 'it left before the cursor was closed');
    assert.equal(request.held, 1, 'a close someone awaits keeps the process alive');
    request.end({ kind: 'cancelled', message: 'cancelled' });
    if (leave === 'throw') await assert.rejects(loop, { message: 'mine' });
    else await loop;
    assert.equal(request.held, 0);
    assert.equal(await cursor.nextBatch(), null);
  }
});

test('a dropped cursor is cancelled; one that someone waits for is not', async () => {
  v8.setFlagsFromString('--expose-gc');
  const gc = vm.runInNewContext('gc');
  const kept = open();
  const dropped = open();
  let wait;
  (() => {
    const pending = new BatchCursor(kept.reader);
    wait = pending.nextBatch();
    void new BatchCursor(dropped.reader).nextBatch;
  })();
  for (let i = 0; i < 20 && !dropped.request.cancelled; i++) {
    await turn();
    gc();
  }
  assert.ok(dropped.request.cancelled);
  assert.ok(!kept.request.cancelled);
  kept.request.chunk(range(0, 1));
  assert.deepEqual(await wait, range(0, 1));
});

test('FindCursor: nothing is sent before it is read, and then once', async (t) => {
  fakeDecoding(t);
  const { bridge, cursor } = await openFind();
  cursor.sort('a').limit(5).skip(1).project({ a: 1 }).batchSize(2).hint('h').collation({ locale: 'en' }).comment('c').maxTimeMS(5);
  await turn();
  assert.equal(bridge.submitted.length, 0);
  const result = cursor.toArray();
  assert.equal(bridge.submitted.length, 1);
  bridge.last.chunk(range(0, 2));
  bridge.last.end();
  assert.deepEqual(await result, range(0, 2));
  assert.ok(cursor.closed);
  assert.deepEqual(await cursor.toArray(), []);
  assert.equal(await cursor.next(), null);
  assert.equal(bridge.submitted.length, 1);
});

test('FindCursor: await gives the array, twice the same one', async (t) => {
  fakeDecoding(t);
  const { bridge, cursor } = await openFind();
  const awaited = Promise.all([(async () => await cursor)(), cursor.catch(() => 0), cursor.finally(() => {})]);
  await turn();
  bridge.last.chunk(range(0, 2));
  bridge.last.end();
  const [a, b, c] = await awaited;
  assert.deepEqual(a, range(0, 2));
  assert.ok(a === b && b === c);
  assert.equal(bridge.submitted.length, 1);
});

test('FindCursor: setters after the start say so', async () => {
  const { cursor, bridge } = await openFind();
  const result = cursor.toArray();
  for (const set of ['sort', 'limit', 'skip', 'project', 'batchSize', 'hint', 'collation', 'comment', 'maxTimeMS', 'min', 'max', 'filter',
    'returnKey', 'showRecordId', 'allowDiskUse', 'addCursorFlag', 'withReadPreference', 'withReadConcern', 'map', 'maxAwaitTimeMS']) {
    assert.throws(() => cursor[set](1, true), { name: 'MongoCursorInUseError', message: 'Cursor is already initialized' }, set);
  }
  bridge.last.end();
  await result;
});

test('FindCursor: setters check their arguments', async () => {
  const { cursor } = await openFind();
  const bad = [
    [() => cursor.limit('5'), /"limit" requires an integer/], [() => cursor.skip('5'), /"skip" requires an integer/],
    [() => cursor.batchSize(null), /"batchSize" requires an integer/], [() => cursor.maxTimeMS('5'), /maxTimeMS must be a number/],
    [() => cursor.maxAwaitTimeMS('5'), /maxAwaitTimeMS must be a number/], [() => cursor.sort({ a: 'foo' }), /Invalid sort direction: "foo"/],
    [() => cursor.addCursorFlag('x', true), /Flag x is not one of/], [() => cursor.addCursorFlag('tailable', 1), /must be a boolean/],
    [() => cursor.allowDiskUse(), /requires a sort/], [() => cursor.withReadPreference('x'), /mode "x"/], [() => cursor.withReadPreference(5), /Invalid read preference/],
    [() => cursor.addQueryModifier('x', 1), /x is not a valid query modifier/], [() => cursor.addQueryModifier('$x', 1), /Invalid query modifier: \$x/],
    [() => cursor.map(5), /"transform" must be a function/],
  ];
  for (const [call, message] of bad) assert.throws(call, { name: 'MongoInvalidArgumentError', message });
  const tailable = (await openFind(undefined, { tailable: true })).cursor;
  assert.throws(() => tailable.sort('a'), { name: 'MongoTailableCursorError' });
  assert.throws(() => tailable.limit(1), /Tailable cursor does not support limit/);
  assert.throws(() => tailable.skip(1), /skip/);
  assert.throws(() => tailable.batchSize(1), /batchSize/);
});

test('FindCursor: next, hasNext, tryNext, forEach, map', async (t) => {
  fakeDecoding(t);
  const { cursor, bridge } = await openFind((c) => c.map((doc) => doc.n).map(async (n) => n * 10));
  const first = cursor.hasNext();
  bridge.last.chunk(range(0, 2));
  assert.ok(await first);
  assert.equal(cursor.bufferedCount(), 2);
  assert.equal(await cursor.next(), 0);
  bridge.last.chunk([], { size: 0 });
  assert.equal(await cursor.tryNext(), 10);
  assert.equal(await cursor.tryNext(), null, 'an empty live batch');
  bridge.last.chunk(range(2, 5));
  assert.equal(await cursor.next(), 20);
  bridge.last.end();
  const seen = [];
  await cursor.forEach((n) => {
    seen.push(n);
    return n !== 30;
  });
  assert.deepEqual(seen, [30]);
  assert.equal(await cursor.hasNext(), false);
});

test('FindCursor: several next() at once each get their document, in order', async (t) => {
  fakeDecoding(t);
  const { cursor, bridge } = await openFind();
  const all = Promise.all([cursor.next(), cursor.next(), cursor.next(), cursor.next()]);
  assert.equal(bridge.submitted.length, 1);
  bridge.last.chunk(range(0, 1));
  await turn();
  bridge.last.chunk(range(1, 3));
  bridge.last.end();
  assert.deepEqual(await all, [{ n: 0 }, { n: 1 }, { n: 2 }, null]);
});

test('FindCursor: a map that gives null is an error and closes', async (t) => {
  fakeDecoding(t);
  const { cursor, bridge } = await openFind((c) => c.map(() => null));
  const next = cursor.next();
  bridge.last.chunk(range(0, 2));
  while (!bridge.last.cancelled) await turn();
  bridge.last.end();
  await assert.rejects(next, { name: 'MongoAPIError', message: /`null` document/ });
});

test('FindCursor: the error of a getMore comes after the documents and only once', async (t) => {
  fakeDecoding(t);
  const { cursor, bridge } = await openFind();
  const first = cursor.next();
  bridge.last.chunk(range(0, 1));
  bridge.last.end({ kind: 'network', message: 'connection closed' });
  assert.deepEqual(await first, { n: 0 });
  await assert.rejects(cursor.next(), { name: 'MongoNetworkError', message: 'connection closed' });
  assert.equal(await cursor.next(), null);
});

test('FindCursor: toArray rejects on an error however many documents came first', async (t) => {
  fakeDecoding(t);
  const { cursor, bridge } = await openFind();
  const all = cursor.toArray();
  bridge.last.chunk(range(0, 5));
  bridge.last.end({ kind: 'server', message: 'boom', code: 8 });
  await assert.rejects(all, { name: 'MongoServerError', code: 8 });
});

test('FindCursor: close before, during and after', async (t) => {
  fakeDecoding(t);
  const before = await openFind();
  await before.cursor.close();
  assert.equal(await before.cursor.next(), null);
  assert.ok(before.cursor.closed && !before.cursor.killed);
  assert.equal(before.bridge.submitted.length, 0);

  const during = await openFind();
  const pending = during.cursor.next();
  const closing = during.cursor.close();
  assert.equal(await pending, null);
  during.request.end({ kind: 'cancelled', message: 'x' });
  await closing;
  assert.ok(during.cursor.killed);
  await assert.rejects(during.cursor.next(), { name: 'MongoCursorExhaustedError' });
  assert.equal(await during.cursor.hasNext(), false);
  await during.cursor.close();
});

test('FindCursor: the id of a cursor, and toArray that is closed meanwhile', async (t) => {
  fakeDecoding(t);
  const { cursor, bridge } = await openFind();
  assert.equal(cursor.id, undefined);
  const all = cursor.toArray();
  assert.equal(cursor.id, undefined);
  bridge.last.chunk(range(0, 2), { transient: true });
  bridge.last.cursor = { low: -2, high: 5 };
  assert.equal(String(cursor.id), String((5n << 32n) + 0xfffffffen), 'as the core tells it');
  const closing = cursor.close();
  assert.ok(cursor.id.isZero());
  bridge.last.end({ kind: 'cancelled', message: 'x' });
  await closing;
  assert.deepEqual(await all, range(0, 2), 'what had come, as with the official driver');
  assert.ok(cursor.id.isZero());
});

test('FindCursor: rewind reads anew, clone is another one', async (t) => {
  fakeDecoding(t);
  const { cursor, bridge } = await openFind((c) => c.limit(2).hint('h'));
  const first = cursor.toArray();
  bridge.last.end();
  await first;
  cursor.rewind();
  cursor.sort('a');
  const second = cursor.toArray();
  bridge.last.chunk(range(0, 1));
  bridge.last.end();
  assert.deepEqual(await second, range(0, 1));
  const copy = cursor.clone();
  assert.ok(copy instanceof FindCursor);
  const third = copy.toArray();
  bridge.last.end();
  await third;
  assert.ok(bridge.submitted[2].command.equals(bridge.submitted[1].command));
});

test('FindCursor: a stream of documents, and its destruction closes', async (t) => {
  fakeDecoding(t);
  const { cursor, bridge } = await openFind();
  const stream = cursor.stream();
  const seen = [];
  const ended = (async () => { for await (const doc of stream) seen.push(doc); })();
  await turn();
  bridge.last.chunk(range(0, 40));
  bridge.last.end();
  await ended;
  assert.deepEqual(seen, range(0, 40));

  const other = await openFind();
  const broken = other.cursor.stream();
  broken.on('data', () => {});
  await turn();
  other.request.chunk(range(0, 3));
  await turn();
  other.request.end({ kind: 'server', message: 'boom', code: 1 });
  const [error] = await require('node:events').once(broken, 'error');
  assert.equal(error.code, 1);

  const left = await openFind();
  const readable = left.cursor.stream();
  readable.resume();
  await turn();
  readable.destroy();
  await turn();
  assert.ok(left.request.cancelled);
});

test('AbortSignal: before, during and after', async (t) => {
  fakeDecoding(t);
  const reason = new Error('my reason');
  const already = AbortSignal.abort(reason);
  const before = await openFind(undefined, { signal: already });
  await assert.rejects(before.cursor.toArray(), reason);
  await assert.rejects(before.client.db().collection('c').findOne({}, { signal: already }), reason);
  await assert.rejects(before.client.db().collection('c').findLazy({}, { signal: already }), reason);
  await assert.rejects(before.client.db().collection('c').findCursor({}, { signal: already }), reason);
  assert.equal(before.bridge.submitted.length, 0);

  const controller = new AbortController();
  const during = await openFind(undefined, { signal: controller.signal });
  const all = during.cursor.toArray();
  during.request.chunk(range(0, 2));
  controller.abort(reason);
  await assert.rejects(all, reason);
  assert.ok(during.request.cancelled);
  assert.equal(during.request.held, 0);

  const late = new AbortController();
  const after = await openFind(undefined, { signal: late.signal });
  const read = after.cursor.toArray();
  after.request.end();
  await read;
  late.abort(reason);
  assert.ok(!after.request.cancelled);
});

test('an abort after all has arrived frees what nobody has read', async (t) => {
  fakeDecoding(t);
  const controller = new AbortController();
  const { client, bridge } = await openFind();
  const cursor = await client.db().collection('c').findCursor({}, { signal: controller.signal, batchSize: 2 });
  const first = cursor.nextBatch();
  const chunks = [0, 2, 4].map((from) => bridge.last.chunk(range(from, from + 2)));
  bridge.last.end();
  assert.deepEqual(await first, range(0, 2));
  controller.abort(new Error('enough'));
  assert.deepEqual(chunks.map((chunk) => chunk.released), [1, 1, 1]);
  await assert.rejects(cursor.nextBatch(), /enough/);
});

test('a client that is not connected connects for the first read, once for many', async (t) => {
  fakeDecoding(t);
  const client = new MongoClient('mongodb://127.0.0.1:1/d');
  const bridge = withFakeBridge(client);
  const collection = client.collection('d', 'c');
  const reads = [collection.find().toArray(), collection.findOne(), collection.findLazy(), collection.find().next()];
  while (bridge.submitted.length < 4) await turn();
  for (const { request } of bridge.submitted) request.end();
  assert.deepEqual(await Promise.all(reads), [[], null, [], null]);
  assert.equal(bridge.connects.length, 1);
});

test('a connect that fails rejects every read that waits for it, and the next read tries again', async () => {
  const client = new MongoClient('mongodb://127.0.0.1:1/d');
  const bridge = withFakeBridge(client);
  bridge.connectWith = async () => { throw bson.serialize({ kind: 'serverSelection', message: 'no server at 127.0.0.1:1' }); };
  const reads = [client.db().collection('c').find().toArray(), client.db().collection('c').findOne()];
  for (const read of reads) await assert.rejects(read, { name: 'MongoServerSelectionError', message: /127\.0\.0\.1:1/ });
  await assert.rejects(client.connect(), { name: 'MongoServerSelectionError' });
  bridge.connectWith = async () => 7;
  const read = client.db().collection('c').findOne();
  while (bridge.submitted.length === 0) await turn();
  bridge.last.end();
  assert.equal(await read, null);
});

test('close: reads in flight reject, later ones too, connect() opens again', async () => {
  const client = new MongoClient('mongodb://127.0.0.1:1/d');
  const bridge = withFakeBridge(client);
  await client.connect();
  const collection = client.db().collection('c');
  const reads = [collection.find().toArray(), collection.findOne(), collection.find().explain()];
  await turn();
  const settled = Promise.all(reads.map((read) => assert.rejects(read, { name: 'MongoClientClosedError' })));
  await client.close();
  await settled;
  assert.deepEqual(bridge.closed, [1]);
  await assert.rejects(collection.findOne(), { name: 'MongoNotConnectedError', message: /connect\(\) again/ });
  await assert.rejects(collection.find().toArray(), { name: 'MongoNotConnectedError' });
  await client.close();
  await client.connect();
  const read = collection.findOne();
  bridge.last.end();
  assert.equal(await read, null);
  await client[Symbol.asyncDispose]();
});

test('close while connecting closes what was opened', async () => {
  const client = new MongoClient('mongodb://127.0.0.1:1/d');
  const bridge = withFakeBridge(client);
  const read = client.db().collection('c').findOne();
  const failed = assert.rejects(read, { name: 'MongoClientClosedError' });
  await client.close();
  await failed;
  assert.deepEqual(bridge.closed, [1]);
  assert.equal(bridge.submitted.length, 0);
});

test('errors carry the frames of the caller', async (t) => {
  fakeDecoding(t);
  const { client, bridge } = await openFind();
  const collection = client.db().collection('c');
  const ways = {
    async findOneOfMine() { await collection.findOne(); },
    async toArrayOfMine() { await collection.find().toArray(); },
    async awaitOfMine() { await collection.find(); },
    async nextOfMine() { await collection.find().next(); },
    async loopOfMine() { for await (const doc of collection.find()) assert.ok(doc); },
    async lazyOfMine() { await collection.findLazy(); },
    async batchOfMine() { await (await collection.findCursor()).nextBatch(); },
  };
  for (const [name, call] of Object.entries(ways)) {
    const before = bridge.submitted.length;
    const failed = call().then(() => assert.fail(), (error) => error);
    while (bridge.submitted.length === before) await turn();
    await turn();
    bridge.last.end({ kind: 'server', message: 'boom', code: 2 });
    const error = await failed;
    assert.match(error.stack, new RegExp(name), `${name}:\n${error.stack}`);
  }
});

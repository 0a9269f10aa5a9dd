'use strict';
// FindCursor, with a test in the place of the native core.

const test = require('node:test');
const assert = require('node:assert/strict');
const { setImmediate: turn } = require('node:timers/promises');
const { FindCursor } = require('../../js/cursor/find-cursor.js');
const { openFind, fakeDecoding, range } = require('../support/fake-reads.js');

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

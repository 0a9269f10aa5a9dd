'use strict';
// The reading core and the batch cursor over it, with a test in the place of the native core.

const test = require('node:test');
const assert = require('node:assert/strict');
const v8 = require('node:v8');
const vm = require('node:vm');
const { setImmediate: turn } = require('node:timers/promises');
const { WANT } = require('../../js/cursor/reader.js');
const { BatchCursor } = require('../../js/cursor/batch-cursor.js');
const { DEFAULTS } = require('../../js/bson/options.js');
const { open, range } = require('../support/fake-reads.js');

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

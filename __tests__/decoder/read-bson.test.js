'use strict';
// readBSON(): the documents of files, what is wrong with files, and that they are closed.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');
const zlib = require('node:zlib');
const { pathToFileURL } = require('node:url');
const { setImmediate: turn } = require('node:timers/promises');
const { isProxy } = require('node:util').types;
const bson = require('bson');
const bson6 = require('bson6');
const { readBSON } = require('../../js/decoder.js');
const { collect, batches } = require('../support/readers.js');
const { assertSame } = require('../support/same.js');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');

const COUNT = 60_000;
let folder;
let documents; // bytes
let dump;

const document = (n) => bson.serialize({ _id: n, text: `text ${n} \u00e9`, at: new Date(n), list: [1, 'two', { three: 3 }], nested: { n } });
const file = (name, ...parts) => {
  const where = path.join(folder, name);
  fs.writeFileSync(where, Buffer.concat(parts));
  return where;
};

before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-bson-'));
  documents = Array.from({ length: COUNT }, (_, n) => document(n));
  dump = file('dump.bson', ...documents);
});

after(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Whether this process has the file open; where that cannot be looked up, nothing is said. */
function isOpen(where) {
  if (process.platform !== 'linux') return false;
  const real = fs.realpathSync(where);
  return fs.readdirSync('/proc/self/fd').some((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`) === real;
    } catch {
      return false;
    }
  });
}

async function failure(iterable) {
  const seen = [];
  try {
    for await (const doc of iterable) seen.push(doc);
  } catch (error) {
    return { seen, error };
  }
  return { seen, error: null };
}

test('all documents in order, by document and by batch', async () => {
  const expected = documents.map((bytes) => bson.deserialize(bytes));
  assertSame(await collect(readBSON(dump)), expected, 'documents');
  assertSame(await batches(readBSON(dump)), expected, 'batches');
  assertSame(await collect(readBSON(pathToFileURL(dump))), expected, 'a URL');
  assert.equal(isOpen(dump), false);
});

test('batches of a file that is partly read by the iterator', async () => {
  const cursor = readBSON(dump);
  const iterator = cursor[Symbol.asyncIterator]();
  assert.equal((await iterator.next()).value._id, 0);
  assert.equal((await iterator.next()).value._id, 1);
  const rest = await batches(cursor);
  assert.deepEqual([rest[0]._id, rest.length, cursor.closed], [2, COUNT - 2, true]);
  assert.equal(await cursor.nextBatch(), null);
  assert.deepEqual(await iterator.next(), { value: undefined, done: true });
});

test('concurrent calls of next() get every document once', async () => {
  const iterator = readBSON(dump)[Symbol.asyncIterator]();
  const results = await Promise.all(Array.from({ length: 1000 }, () => iterator.next()));
  assert.deepEqual(results.map(({ value }) => value._id).sort((a, b) => a - b), Array.from({ length: 1000 }, (_, n) => n));
  await iterator.return();
});

test('lazy documents', async () => {
  const docs = await collect(readBSON(dump, { lazy: true }));
  assert.equal(docs.length, COUNT);
  assert.ok(docs.every(isProxy));
  for (const n of [0, 1, 30_000, COUNT - 1]) assertSame(docs[n].toObject(), bson.deserialize(documents[n]), `document ${n}`);
});

test('options are those of js-bson', async () => {
  for (const options of [{ promoteValues: false }, { useBigInt64: true }, { raw: true }, { fieldsAsRaw: { list: true } }, { bson: bson6 }]) {
    const { bson: classes = bson, ...theirs } = options;
    const some = file('some.bson', ...documents.slice(0, 5000));
    assertSame(await collect(readBSON(some, options)), documents.slice(0, 5000).map((bytes) => classes.deserialize(bytes, theirs)), JSON.stringify(theirs));
  }
});

test('a compressed file', async (t) => {
  const bytes = Buffer.concat(documents);
  // Of two members, as programs write that compress in parallel.
  const half = Buffer.concat(documents.slice(0, 10_001)).length;
  const gz = file('dump.bson.gz', zlib.gzipSync(bytes.subarray(0, half)), zlib.gzipSync(bytes.subarray(half)));
  assertSame(await collect(readBSON(gz)), documents.map((doc) => bson.deserialize(doc)), 'gzip');
  assert.equal(isOpen(gz), false);

  const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]);
  if (zlib.zstdCompressSync === undefined) {
    const refused = await failure(readBSON(file('dump.bson.zst', zstd)));
    assert.match(refused.error.message, /compressed with zstd, which Node\.js v.* cannot read: unpack it with "zstd -d"/);
    t.diagnostic('this Node.js has no zstd: the refusal alone is tested');
  } else {
    assertSame(await collect(readBSON(file('dump.bson.zst', zlib.zstdCompressSync(bytes)))), documents.map((doc) => bson.deserialize(doc)), 'zstd');
  }
});

test('a compressed file that is cut or damaged gives the documents before', async (t) => {
  const whole = zlib.gzipSync(Buffer.concat(documents));
  // A second member that begins with a block of a kind that does not exist.
  const damaged = Buffer.concat([whole, whole.subarray(0, 10), Buffer.from([7, 0, 0, 0])]);
  for (const [name, bytes] of [['cut', whole.subarray(0, 50_000)], ['cut in the trailer', whole.subarray(0, -3)], ['a damaged member', damaged]]) {
    const path = file('damaged.bson.gz', bytes);
    const { seen: got, error } = await failure(readBSON(path));
    assert.ok(error instanceof bson.BSONError, `${name}: ${error.stack}`);
    assert.match(error.message, /^the compressed file is damaged or its end is missing: .* \(document at offset \d+ of .*damaged\.bson\.gz\)$/, name);
    assert.match(error.cause.code, /^Z_/, name);
    t.diagnostic(`${name}: ${got.length} documents`);
    assertSame(got, documents.slice(0, got.length).map((doc) => bson.deserialize(doc)), name);
    assert.equal(error.offset, documents.slice(0, got.length).reduce((sum, doc) => sum + doc.length, 0), name);
    if (name === 'cut') {
      // What zlib makes of these bytes when it need not find their end.
      const readable = zlib.gunzipSync(bytes, { finishFlush: zlib.constants.Z_SYNC_FLUSH }).length;
      assert.ok(error.offset <= readable && readable - error.offset < documents[got.length].length, `${error.offset} of ${readable}`);
    }
    if (name === 'cut in the trailer') assert.equal(got.length, COUNT);
    assert.equal(isOpen(path), false, name);
  }
});

test('files without documents', async () => {
  assert.deepEqual(await collect(readBSON(file('empty.bson'))), []);
  assert.deepEqual(await collect(readBSON(file('empty.bson.gz', zlib.gzipSync(Buffer.alloc(0))))), []);
  assert.equal(await readBSON(file('empty.bson')).nextBatch(), null);
  assertSame(await collect(readBSON(file('one.bson', bson.serialize({})))), [{}], 'an empty document');
});

test('a document larger than what is read at a time', async () => {
  const big = { _id: 1, s: 'x'.repeat(5 << 20) };
  assertSame(await collect(readBSON(file('big.bson', document(0), bson.serialize(big), document(2)))), [bson.deserialize(document(0)), big, bson.deserialize(document(2))], 'big');
});

test('what is no file', async () => {
  await assert.rejects(readBSON(path.join(folder, 'missing.bson')).nextBatch(), { code: 'ENOENT', syscall: 'open' });
  await assert.rejects(readBSON(folder).nextBatch(), { code: 'EISDIR' });
  for (const bad of [undefined, null, 5, {}, new Uint8Array(5)]) assert.throws(() => readBSON(bad), /Argument "path" must be/);
  assert.throws(() => readBSON(dump, { lazy: 1 }), /Option "lazy"/);
  assert.throws(() => readBSON(dump, { signal: 1 }), /Option "signal"/);
});

test('an archive is refused', async () => {
  const head = Buffer.from([0x6d, 0xe2, 0x99, 0x81]);
  for (const where of [file('a.archive', head, document(1)), file('a.archive.gz', zlib.gzipSync(Buffer.concat([head, document(1)])))]) {
    const { error } = await failure(readBSON(where));
    assert.ok(error instanceof bson.BSONError);
    assert.match(error.message, /archive of mongodump, not a \.bson file.*without --archive/);
    assert.equal(isOpen(where), false);
  }
});

test('broken files: the documents before, then where it is', async () => {
  const good = documents.slice(0, 20_000);
  const at = Buffer.concat(good).length;
  const bad = Buffer.from(document(1));
  bad[4] = 0x20; // a type there is not
  for (const [name, more, message] of [
    ['cut', document(1).subarray(0, 30), /the file ends inside a document: it says it has \d+ bytes, 30 are left/],
    ['three bytes', Buffer.from([1, 2, 3]), /a document has at least 5 bytes, 3 are left/],
    ['zeros', Buffer.alloc(100), /bson size must be >= 5, is 0/],
    ['text', Buffer.from('this is no document at all'), /a document says it has \d+ bytes, more than any server stores/],
    ['malformed', Buffer.concat([bad, document(2)]), /Detected unknown BSON type 20 for fieldname "_id"/],
  ]) {
    const where = file('broken.bson', ...good, more);
    for (const options of [{}, { lazy: true }, { raw: true }]) {
      const { seen, error } = await failure(readBSON(where, options));
      assert.equal(seen.length, good.length, name);
      assert.ok(error instanceof bson.BSONError, `${name}: ${error?.stack}`);
      assert.match(error.message, message);
      assert.ok(error.message.endsWith(`(document at offset ${at} of ${where})`), error.message);
      assert.ok(error.offset >= at && error.offset <= at + more.length, `${name}: ${error.offset}`);
      assert.equal(isOpen(where), false);
    }
  }
});

test('break, close() and an AbortSignal close the file', async () => {
  for await (const doc of readBSON(dump)) if (doc._id === 10) break;
  assert.equal(isOpen(dump), false, 'break');

  const never = readBSON(dump);
  await never.close();
  assert.equal(await never.nextBatch(), null);

  const opening = readBSON(dump);
  const waiting = opening.nextBatch();
  await opening.close();
  assert.equal(await waiting, null, 'close while it is opened');

  const reason = new Error('enough');
  await assert.rejects(readBSON(dump, { signal: AbortSignal.abort(reason) }).nextBatch(), (error) => error === reason);
  const controller = new AbortController();
  let seen = 0;
  await assert.rejects((async () => {
    for await (const doc of readBSON(dump, { signal: controller.signal })) if ((seen = doc._id) === 10) controller.abort(reason);
  })(), (error) => error === reason);
  assert.ok(seen < COUNT - 1);
  for (let n = 0; n < 1000 && isOpen(dump); n++) await turn();
  assert.equal(isOpen(dump), false, 'abort');
});

test('a cursor that nobody holds any more closes its file', { skip: process.platform !== 'linux' && 'open files are looked up in /proc' }, async () => {
  await (async () => {
    const { value } = await readBSON(dump)[Symbol.asyncIterator]().next();
    assert.equal(value._id, 0);
  })();
  assert.equal(isOpen(dump), true);
  for (let n = 0; n < 200 && isOpen(dump); n++) {
    gc();
    await turn();
  }
  assert.equal(isOpen(dump), false);
});

test('memory stays bounded', async () => {
  const where = path.join(folder, 'large.bson');
  const part = Buffer.concat(documents);
  const fd = fs.openSync(where, 'w');
  for (let n = 0; n < 25; n++) fs.writeSync(fd, part);
  fs.closeSync(fd);
  const inUse = () => {
    gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = inUse();
  let most = 0;
  let count = 0;
  for await (const doc of readBSON(where)) if (doc !== null && count++ % 100_000 === 0) most = Math.max(most, inUse());
  assert.equal(count, 25 * COUNT);
  const { size } = fs.statSync(where);
  assert.ok(size > 150 << 20);
  assert.ok(most - before < 50 << 20, `${most - before} bytes more while ${size} were read`);
});

'use strict';

const test = require('node:test');
const assert = require('node:assert');
const bson = require('bson');
const { startFixture } = require('../support/fixture-server');
const { WorkerPool } = require('../../js/pool/pool.js');
const { pack, unpack } = require('../../js/pool/values.js');
const { resolveBson } = require('../../js/bson/classes.js');

const { ObjectId, Decimal128, Long, Binary, Timestamp } = bson;
const rich = (i) => ({
  _id: new ObjectId(`65f0a1b2c3d4e5f6071829${(i + 16).toString(16)}`),
  n: i,
  at: new Date(1e12 + i),
  price: Decimal128.fromString(`${i}.10`),
  big: Long.fromString('9223372036854775807'),
  nested: { tags: ['a', i, null], bin: new Binary(Buffer.from([1, 2, i])) },
  ts: new Timestamp({ t: 1, i }),
  re: /a.c/i,
});

let fixture;
let pool;
const documents = Array.from({ length: 40 }, (_, i) => rich(i));

test.before(async () => {
  fixture = await startFixture();
  await fixture.put('app.rich', documents.map((doc) => bson.serialize(doc)));
  await fixture.load('app.many', 'mixed45', 12_000);
  pool = await WorkerPool.create({ uri: fixture.uri, size: 2 });
});
test.after(async () => {
  await pool.close();
  await fixture.stop();
});

test('reduce: the accumulator and the number of documents', async () => {
  assert.deepStrictEqual(await pool.reduce('app', 'rich', {}, {}, (acc, doc) => acc + doc.n, 0), { acc: 780, count: 40 });
  const chosen = await pool.reduce('app', 'rich', { _id: documents[3]._id }, {}, (acc, doc) => acc + doc.n, 100);
  assert.deepStrictEqual(chosen, { acc: 103, count: 1 });
  const none = await pool.reduce('app', 'nothing', {}, {}, (acc, doc) => acc + doc.n, { empty: true });
  assert.deepStrictEqual(none, { acc: { empty: true }, count: 0 });
});

test('reduce: read options count, and many batches', async () => {
  assert.strictEqual((await pool.reduce('app', 'many', {}, { limit: 150, batchSize: 40 }, (acc) => acc + 1, 0)).acc, 150);
  assert.strictEqual((await pool.reduce('app', 'many', {}, {}, (acc) => acc + 1, 0)).acc, 12_000);
  const { acc } = await pool.reduce('app', 'rich', {}, { projection: { n: 1 }, limit: 1 }, (_, doc) => Object.keys(doc), null);
  assert.deepStrictEqual(acc, ['_id', 'n']);
});

for (const lazy of [true, false]) {
  test(`reduce: documents have their real types, and come back with them (lazy: ${lazy})`, async () => {
    const { acc } = await pool.reduce('app', 'rich', {}, { lazy }, (all, doc) => {
      all.push([doc._id.constructor.name, doc.at instanceof Date, doc.price.toString(), doc.big.toString(), doc.re.source]);
      return all;
    }, []);
    assert.deepStrictEqual(acc, documents.map((doc) => ['ObjectId', true, doc.price.toString(), '9223372036854775807', 'a.c']));

    const { acc: whole } = await pool.reduce('app', 'rich', {}, { lazy }, (all, doc) => [...all, doc], []);
    assert.deepStrictEqual(whole, documents);
  });
}

test('init arrives as itself, and so does acc', async () => {
  const init = { ids: [documents[0]._id], price: documents[0].price, big: documents[0].big, at: documents[0].at, d: 1.5, i: 7, z: -0 };
  const { acc } = await pool.reduce('app', 'rich', {}, { limit: 1 }, (value) => value, init);
  assert.deepStrictEqual(acc, init);
  assert.strictEqual((await pool.reduce('app', 'rich', {}, {}, (n, doc) => n + BigInt(doc.n), 5n)).acc, 785n);
  const buffer = Buffer.from('bytes');
  assert.deepStrictEqual((await pool.reduce('app', 'rich', {}, { limit: 1 }, (v) => v, { buffer })).acc, { buffer });
  assert.strictEqual((await pool.reduce('app', 'rich', {}, { limit: 1 }, (v) => v, undefined)).acc, undefined);
  const large = 'x'.repeat(20e6);
  assert.strictEqual((await pool.reduce('app', 'rich', {}, { limit: 1 }, (v) => v, large)).acc, large);
});

test('reducers: async functions, methods, and what is in init', async () => {
  assert.strictEqual((await pool.reduce('app', 'rich', {}, {}, async (acc, doc) => acc + doc.n, 0)).acc, 780);
  const object = { add(acc, doc) { return acc + doc.n; } };
  assert.strictEqual((await pool.reduce('app', 'rich', {}, {}, object.add, 0)).acc, 780);
  assert.strictEqual((await pool.reduce('app', 'rich', {}, {}, function (acc, doc) { return acc + doc.n; }, 0)).acc, 780);
});

test('find: the documents, equal to those of the official driver', async () => {
  assert.deepStrictEqual(await pool.find('app', 'rich'), documents);
  assert.deepStrictEqual(await pool.find('app', 'rich', {}, { limit: 2 }), documents.slice(0, 2));
  const { MongoClient } = require('mongodb');
  const official = await MongoClient.connect(fixture.uri);
  try {
    assert.deepStrictEqual(await pool.find('app', 'many'), await official.db('app').collection('many').find({}).toArray());
  } finally {
    await official.close();
  }
});

test('a reducer that throws rejects with its error and the worker\'s stack, and the pool goes on', async () => {
  await assert.rejects(
    pool.reduce('app', 'many', {}, {}, () => { throw new RangeError('too much'); }, 0),
    (error) => error instanceof RangeError && error.message === 'too much' && /in the worker/.test(error.stack));
  await assert.rejects(pool.reduce('app', 'rich', {}, {}, () => Promise.reject(new TypeError('later')), 0), { name: 'TypeError' });
  const outside = 5;
  await assert.rejects(pool.reduce('app', 'rich', {}, {}, (acc) => acc + outside, 0), /outside is not defined .*put what it needs into init/);
  await assert.rejects(pool.reduce('app', 'rich', {}, {}, () => new Map(), 0), /acc is a Map/);
  assert.strictEqual((await pool.reduce('app', 'rich', {}, {}, (acc) => acc + 1, 0)).acc, 40);
  assert.strictEqual((await fixture.stats()).cursors.open, 0);
});

test('an error of the server keeps its class, code and name', async () => {
  await fixture.faults({ action: 'error', command: 'find', code: 13, codeName: 'Unauthorized', times: 2 });
  await assert.rejects(pool.reduce('app', 'rich', {}, {}, (acc) => acc, 0),
    { name: 'MongoServerError', code: 13, codeName: 'Unauthorized' });
  await assert.rejects(pool.find('app', 'rich'), { name: 'MongoServerError', code: 13 });
  await fixture.faults();
});

test('a worker that dies rejects its tasks and is replaced', async () => {
  const own = await WorkerPool.create({ uri: fixture.uri, size: 1 });
  try {
    const other = own.reduce('app', 'many', {}, {}, (acc) => acc + 1, 0).catch((error) => error.message);
    await assert.rejects(own.reduce('app', 'rich', {}, {}, () => process.exit(9), 0), /worker of the pool ended with exit code 9/);
    assert.match(String(await other), /12000|exit code 9|object Object/);
    assert.strictEqual((await own.reduce('app', 'rich', {}, {}, (acc) => acc + 1, 0)).acc, 40);
    assert.strictEqual(own.size, 1);
  } finally {
    await own.close();
  }
});

test('close({ force: true }) with work in flight: the work rejects clearly, an endless reducer too', async () => {
  const own = await WorkerPool.create({ uri: fixture.uri, size: 2 });
  const work = [
    own.reduce('app', 'many', {}, {}, () => { for (;;); }, 0),
    own.reduce('app', 'many', {}, {}, (acc) => acc, 0),
    own.find('app', 'many'),
  ].map((promise) => promise.then(() => 'done', (error) => error));
  await own.close({ force: true });
  for (const outcome of await Promise.all(work)) {
    assert.strictEqual(outcome.name, 'MongoClientClosedError');
    assert.match(outcome.message, /worker pool was closed/);
  }
  await assert.rejects(own.find('app', 'rich'), { name: 'MongoClientClosedError' });
  await own.close();
});

test('all workers share one topology', async () => {
  const before = (await fixture.stats()).connections.total;
  const { MongoClient } = require('../..');
  const client = await MongoClient.connect(fixture.uri);
  try {
    assert.strictEqual(client.stats().core.deployments, 1);
    await Promise.all(Array.from({ length: 6 }, () => pool.reduce('app', 'rich', {}, {}, (acc) => acc + 1, 0)));
    assert.ok((await fixture.stats()).connections.total - before <= 6, 'a topology of its own would have opened more');
  } finally {
    await client.close();
  }
});

test('bad arguments reject before any I/O, naming the argument', async () => {
  const invalid = (message) => ({ name: 'MongoInvalidArgumentError', message });
  await assert.rejects(WorkerPool.create(), invalid(/uri/));
  await assert.rejects(WorkerPool.create({ uri: fixture.uri, size: 0 }), invalid(/size/));
  await assert.rejects(WorkerPool.create({ uri: fixture.uri, size: 1.5 }), invalid(/size/));
  await assert.rejects(WorkerPool.create({ uri: fixture.uri, maxPoolSize: 5 }), invalid(/maxPoolSize.*clientOptions/));
  await assert.rejects(WorkerPool.create({ uri: 'http://x' }), { name: 'MongoParseError' });
  await assert.rejects(pool.reduce('app', 'rich', {}, {}, 'x', 0), invalid(/reducer/));
  await assert.rejects(pool.reduce('app', 'rich', {}, {}, Math.max, 0), invalid(/reducer/));
  await assert.rejects(pool.reduce('app', 'rich', 'x', {}, (a) => a, 0), invalid(/filter/i));
  await assert.rejects(pool.reduce('app', 'rich', {}, {}, (a) => a, { f() {} }), invalid(/init\.f is a function/));
  await assert.rejects(pool.reduce('app', '', {}, {}, (a) => a, 0), invalid(/name/));
});

test('values: mixed int64 and binary classes are refused, not silently changed', () => {
  const classes = resolveBson({});
  const round = (value) => unpack(pack(value, 'init', classes), classes);
  assert.deepStrictEqual(round([1n, { a: 2n }]), [1n, { a: 2n }]);
  assert.deepStrictEqual(round([Long.fromNumber(1)]), [Long.fromNumber(1)]);
  assert.throws(() => pack([1n, Long.ONE], 'init', classes), /BigInts and Longs/);
  assert.throws(() => pack([Buffer.from('a'), new Binary(Buffer.from('a'))], 'init', classes), /Buffers and Binaries/);
  assert.throws(() => pack({ a: [new Set()] }, 'init', classes), /init\.a\[0\] is a Set/);
});

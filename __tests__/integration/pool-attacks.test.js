'use strict';
// What goes wrong around a worker pool: hostile reducers, dying workers, aborts, broken servers, odd options.

const test = require('node:test');
const assert = require('node:assert');
const bson = require('bson');
const bson6 = require('bson6');
const { setTimeout: sleep } = require('node:timers/promises');
const { startFixture } = require('../support/fixture-server');
const { WorkerPool, MongoClient, ReadPreference } = require('../..');

let fixture;
let pool;
test.before(async () => {
  fixture = await startFixture();
  await fixture.load('app.many', 'mixed45', 6_000);
  pool = await WorkerPool.create({ uri: fixture.uri, size: 2 });
});
test.after(async () => {
  await pool.close();
  await fixture.stop();
});

const count = (on = pool, options = {}) => on.reduce('app', 'many', {}, options, (acc) => acc + 1, 0);
const works = async (on = pool) => assert.strictEqual((await count(on)).acc, 6_000);

async function until(condition) {
  for (let i = 0; i < 100; i++) {
    if (await condition()) return;
    await sleep(20);
  }
  assert.fail('it did not come about');
}

test('reducers that throw anything', async () => {
  const thrown = async (reducer) => await pool.reduce('app', 'many', {}, { limit: 3 }, reducer, {}).then(assert.fail, (error) => error);
  for (const [reducer, message] of [
    [() => { throw null; }, /threw null/],
    [() => { throw undefined; }, /threw undefined/],
    [() => { throw Symbol('x'); }, /threw Symbol\(x\)/],
    [() => { throw Object.create(null); }, /threw a object/],
    [() => { throw Object.freeze(new RangeError('frozen')); }, /^frozen$/],
    [() => { throw Object.assign(new Error('odd'), { name: {}, code: () => 1, fault: new Uint8Array(5) }); }, /^odd$/],
    [() => { const e = new Error(''); Object.defineProperty(e, 'message', { get() { throw e; } }); throw e; }, /^$/],
    [() => { const p = Proxy.revocable(new Error(), {}); p.revoke(); throw p.proxy; }, /threw a object/],
    [() => ({ get then() { throw new Error('at then'); } }), /^at then$/],
    [() => ({ then(_, reject) { reject('a string'); } }), /threw a string/],
    [async () => { throw new TypeError('async'); }, /^async$/],
    [(acc) => { Object.defineProperty(acc, 'g', { enumerable: true, get() { throw new Error('at the end'); } }); return acc; }, /Cannot redefine|at the end/],
    [function overflow(acc, doc) { return overflow(acc, doc); }, /call stack/],
    [() => { noSuchName = 1; return noSuchName; }, /noSuchName is not defined.*put what it needs into init/], // eslint-disable-line no-undef
  ]) {
    const error = await thrown(reducer);
    assert.ok(error instanceof Error, String(reducer));
    assert.match(error.message, message, String(reducer));
  }
  await works();
  await until(async () => (await fixture.stats()).cursors.open === 0);
});

test('what a reducer starts and leaves behind cannot hang others', async () => {
  const own = await WorkerPool.create({ uri: fixture.uri, size: 1 });
  try {
    await assert.rejects(own.reduce('app', 'many', {}, { batchSize: 100 }, (acc) => {
      if (acc === 0) Promise.reject(new Error('floating'));
      return new Promise((resolve) => setTimeout(resolve, 1, acc + 1));
    }, 0), /worker of the pool died: floating/);
    await works(own);
    await assert.rejects(own.reduce('app', 'many', {}, {}, () => {
      setTimeout(() => { throw new Error('later'); });
      return new Promise(() => {});
    }, 0), /worker of the pool died: later/);
    await works(own);
    const never = own.reduce('app', 'many', {}, {}, () => new Promise(() => {}), 0);
    await works(own); // the thread is free for others while that one waits
    const rejected = assert.rejects(never, { name: 'MongoClientClosedError' });
    await own.close({ force: true });
    await rejected;
  } finally {
    await own.close();
  }
});

for (const lazy of [false, true]) {
  test(`documents that a reducer keeps stay what they were (lazy: ${lazy})`, async () => {
    const { acc } = await pool.reduce('app', 'many', {}, { lazy, batchSize: 700 }, (kept, doc) => {
      kept.push(doc);
      return kept;
    }, []);
    const client = await MongoClient.connect(fixture.uri);
    try {
      assert.deepStrictEqual(acc, await client.db('app').collection('many').find().toArray());
    } finally {
      await client.close();
    }
  });

  test(`a reducer may do to documents what it likes (lazy: ${lazy})`, async () => {
    const { acc } = await pool.reduce('app', 'many', {}, { lazy, limit: 500 }, (sum, doc) => {
      doc.quantity = 1;
      delete doc._id;
      doc.tags.length = 0;
      Object.freeze(doc);
      return sum + doc.quantity + doc.tags.length + ('_id' in doc ? 1000 : 0);
    }, 0);
    assert.strictEqual(acc, 500);
    await works();
  });
}

test('raw documents', async () => {
  const { acc } = await pool.reduce('app', 'many', {}, { raw: true, limit: 300 }, (sum, doc) => sum + doc.readInt32LE(0), 0);
  const raw = await pool.find('app', 'many', {}, { raw: true, limit: 300 });
  assert.strictEqual(acc, raw.reduce((sum, doc) => sum + doc.length, 0));
  assert.strictEqual(typeof bson.deserialize(raw[0]).quantity, 'number');
});

test('a document that cannot be decoded: the reader\'s error, in both operations', async () => {
  await fixture.put('app.bad', [
    bson.serialize({ n: 1 }),
    bson.serialize({ n: 2, re: new bson.BSONRegExp('(?i)a', '') }),
    bson.serialize({ n: 3 }),
  ]);
  await assert.rejects(pool.find('app', 'bad'), { name: 'SyntaxError' });
  await assert.rejects(pool.reduce('app', 'bad', {}, {}, (acc, doc) => acc + doc.n, 0), { name: 'SyntaxError' });
  const { acc } = await pool.reduce('app', 'bad', {}, { bsonRegExp: true }, (sum, doc) => sum + doc.n, 0);
  assert.strictEqual(acc, 6);
});

test('a server that breaks off in the middle: the error, and not a short result', async () => {
  for (const fault of [{ action: 'close' }, { action: 'error', code: 43, codeName: 'CursorNotFound' }]) {
    await fixture.faults({ command: 'getMore', nth: 3, ...fault });
    await assert.rejects(count(pool, { batchSize: 500 }), (error) => /^Mongo/.test(error.name) && (fault.code === undefined || error.code === 43));
    await fixture.faults({ command: 'getMore', nth: 3, ...fault });
    await assert.rejects(pool.find('app', 'many', {}, { batchSize: 500 }), { name: /^Mongo/ });
  }
  await fixture.faults();
  await works();
});

test('options of a find count: comment on the getMore, signal, lazy', async () => {
  await fixture.startLog();
  await count(pool, { batchSize: 3000, comment: 'from the pool' });
  const commands = (await fixture.takeLog()).filter(({ name }) => name === 'find' || name === 'getMore');
  await fixture.reset();
  assert.deepStrictEqual(commands.map(({ name, command }) => [name, bson.deserialize(command).comment]),
    commands.map(({ name }) => [name, 'from the pool']));
  assert.ok(commands.length >= 2);
  await assert.rejects(count(pool, { lazy: 1 }), { name: 'MongoInvalidArgumentError', message: /"lazy"/ });
  await assert.rejects(count(pool, { signal: 1 }), { name: 'MongoInvalidArgumentError', message: /"signal"/ });
  await assert.rejects(count(pool, { session: {} }), { name: 'MongoInvalidArgumentError', message: /"session"/ });
});

test('an abort rejects with its reason and closes the server\'s cursor', async () => {
  const reason = new Error('enough');
  await assert.rejects(count(pool, { signal: AbortSignal.abort(reason) }), reason);

  await fixture.faults({ command: 'getMore', nth: 2, action: 'delay', ms: 300 }, { command: 'getMore', nth: 4, action: 'delay', ms: 300 });
  const late = new AbortController();
  const pending = [
    assert.rejects(count(pool, { batchSize: 50, signal: late.signal }), reason),
    assert.rejects(pool.find('app', 'many', {}, { batchSize: 50, signal: late.signal }), reason),
  ];
  await sleep(60);
  late.abort(reason);
  await Promise.all(pending);
  await until(async () => (await fixture.stats()).cursors.open === 0);
  await fixture.faults();

  // The reason may be anything, also what looks like something of ours.
  for (const odd of ['text', { packed: { name: 'X' } }]) {
    await assert.rejects(count(pool, { signal: AbortSignal.abort(odd) }), (thrown) => thrown === odd);
  }
  await works();
});

test('every worker dies at once under many tasks: all settle, and no more threads start than there are seats', async () => {
  const own = await WorkerPool.create({ uri: fixture.uri, size: 2 });
  try {
    const doomed = Array.from({ length: 20 }, () => own.reduce('app', 'many', {}, {}, () => process.exit(4), 0).catch((error) => error.message));
    for (const outcome of await Promise.all(doomed)) assert.match(outcome, /exit code 4/);
    const threads = await Promise.all(Array.from({ length: 30 }, () => own.reduce('app', 'many', {}, { limit: 1 },
      () => process.getBuiltinModule('node:worker_threads').threadId, 0)));
    assert.strictEqual(new Set(threads.map(({ acc }) => acc)).size, 2);
    assert.strictEqual(own.size, 2);
  } finally {
    await own.close();
  }
});

test('many pools, many tasks, closed while others work', async () => {
  const pools = await Promise.all(Array.from({ length: 6 }, (_, i) => WorkerPool.create({ uri: fixture.uri, size: 1 + (i % 2) })));
  const work = pools.flatMap((one, i) => Array.from({ length: 5 }, async () => {
    const outcome = await count(one, { batchSize: 300 }).then(({ acc }) => acc, (error) => error.name);
    return [i, outcome];
  }));
  await Promise.all([pools[0].close({ force: true }), pools[3].close(true)]);
  for (const [i, outcome] of await Promise.all(work)) {
    assert.ok(outcome === 6_000 || (i % 3 === 0 && outcome === 'MongoClientClosedError'), `pool ${i}: ${outcome}`);
  }
  await Promise.all(pools.map((one) => one.close()));
  await works();
});

test('client options that no thread can be sent are the main thread\'s matter', async () => {
  const own = await WorkerPool.create({
    uri: fixture.uri,
    size: 1,
    clientOptions: { bson: bson6, readPreference: new ReadPreference('secondaryPreferred'), appName: 'attack', pkFactory: { createPk() {} } },
  });
  try {
    const { acc } = await own.reduce('app', 'many', {}, { limit: 1 }, (_, doc) => doc._id, null);
    assert.ok(acc instanceof bson6.ObjectId);
    assert.ok((await own.find('app', 'many', {}, { limit: 1 }))[0]._id instanceof bson6.ObjectId);
  } finally {
    await own.close();
  }
});

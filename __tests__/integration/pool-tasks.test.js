'use strict';
// What a worker pool does beside reduce and find on one worker: reductions over all workers, map, run, functions of modules,
// time limits and close().

const test = require('node:test');
const assert = require('node:assert');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { setTimeout: sleep } = require('node:timers/promises');
const bson = require('bson');
const { startFixture } = require('../support/fixture-server');
const { WorkerPool, MongoClient, MongoOperationTimeoutError } = require('../..');

const COMMONJS = path.join(__dirname, '..', 'fixtures', 'pool-functions.js');
const ESM = path.join(__dirname, '..', 'fixtures', 'pool-functions.mjs');
const of = (name, module = COMMONJS) => ({ module, export: name });
const MANY = 2_500;
const NUMBERS = 2_500;
const TOTAL = (NUMBERS * (NUMBERS - 1)) / 2;

let fixture;
let pool;
test.before(async () => {
  fixture = await startFixture();
  await fixture.load('app.many', 'mixed45', MANY);
  await fixture.put('app.numbers', Array.from({ length: NUMBERS }, (_, n) => bson.serialize({ _id: new bson.ObjectId(), n, pad: 'x'.repeat(300) })));
  pool = await WorkerPool.create({ uri: fixture.uri, size: 2 });
});
test.after(async () => {
  await pool.close();
  await fixture.stop();
});

const plus = (a, b) => a + b;
const count = (on = pool, options = {}, settings = undefined, reducer = (acc) => acc + 1) => on.reduce('app', 'many', {}, options, reducer, 0, settings);
const closedCursors = async () => {
  for (let i = 0; i < 200; i++) {
    if ((await fixture.stats()).cursors.open === 0) return;
    await sleep(20);
  }
  assert.fail('a cursor stayed open');
};
async function withPool(settings, use) {
  const own = await WorkerPool.create({ uri: fixture.uri, size: 2, ...settings });
  try {
    await use(own);
  } finally {
    await own.close({ force: true });
  }
}

test('combine: one query over all workers, each document once', async () => {
  await fixture.startLog();
  const merge = (a, b) => ({ threads: { ...a.threads, ...b.threads }, ids: [...a.ids, ...b.ids] });
  const { acc, count: reduced } = await pool.reduce('app', 'many', {}, { batchSize: 300 }, of('idsOfTwo'), { threads: {}, ids: [] }, { combine: merge });
  const finds = (await fixture.takeLog()).filter(({ name }) => name === 'find');
  await fixture.reset();
  assert.strictEqual(finds.length, 1, 'one query');
  assert.strictEqual(reduced, MANY);
  assert.strictEqual(Object.keys(acc.threads).length, 2, 'both workers');
  assert.ok(acc.ids[0] instanceof bson.ObjectId);
  const client = await MongoClient.connect(fixture.uri);
  const ids = (await client.db('app').collection('many').find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => String(_id));
  await client.close();
  assert.deepStrictEqual(acc.ids.map(String).sort(), ids.sort());
});

test('combine: small and empty results, lazy and raw documents, options, async functions, modules, one worker', async () => {
  assert.deepStrictEqual(await pool.reduce('app', 'none', {}, {}, plus, 5, { combine: plus }), { acc: 5, count: 0 });
  assert.deepStrictEqual(await count(pool, { limit: 7 }, { combine: plus }), { acc: 7, count: 7 });
  for (const lazy of [true, false]) {
    assert.deepStrictEqual(await pool.reduce('app', 'numbers', {}, { lazy, batchSize: 90 }, (sum, doc) => sum + doc.n, 0, { combine: plus }), { acc: TOTAL, count: NUMBERS });
  }
  const raw = await count(pool, { raw: true }, { combine: plus }, (acc, doc) => acc + doc.readInt32LE(0));
  const documents = await pool.find('app', 'many', {}, { raw: true });
  assert.strictEqual(raw.acc, documents.reduce((sum, doc) => sum + doc.length, 0));
  assert.strictEqual((await count(pool, {}, { combine: async (a, b) => a + b }, async (acc) => acc + 1)).acc, MANY);
  assert.deepStrictEqual(await count(pool, {}, { combine: of('plus') }, of('count')), { acc: MANY, count: MANY });
  assert.strictEqual((await count(pool, {}, { combine: null })).acc, MANY);
  await withPool({ size: 1 }, async (own) => assert.strictEqual((await count(own, {}, { combine: plus })).acc, MANY));
});

test('combine: an error in any part rejects the whole, closes the cursor, and the pool goes on', async () => {
  const outside = 1;
  for (const [settings, reducer, expected] of [
    [{ combine: plus }, () => { throw new RangeError('in a share'); }, { name: 'RangeError', message: 'in a share', stack: /in the worker:/ }],
    [{ combine: () => { throw new RangeError('at the end'); } }, plus, { name: 'RangeError', message: 'at the end' }],
    [{ combine: (a, b) => a + b + outside }, (acc) => acc + 1, { name: 'ReferenceError', message: /outside is not defined.*another thread/ }],
    [{ combine: () => new Map() }, (acc) => acc + 1, { message: /acc is a Map/ }],
    [{ combine: plus }, async () => { throw new TypeError('later'); }, { name: 'TypeError' }],
    [{ combine: () => process.exit(7) }, (acc) => acc + 1, { message: /ended with exit code 7/ }],
  ]) {
    await assert.rejects(count(pool, { batchSize: 200 }, settings, reducer), expected);
    assert.strictEqual((await count(pool, {}, { combine: plus })).acc, MANY);
  }
  // One of two dies, in the middle.
  const [doomed] = await Promise.all([pool.run(of('thread')), pool.run(of('thread'))]);
  await assert.rejects(pool.reduce('app', 'many', {}, { batchSize: 200 }, of('oneOfTwoDies'), { doomed, n: 0 }, { combine: (a, b) => ({ n: a.n + b.n }) }), /exit code 8/);
  assert.strictEqual((await count(pool, {}, { combine: plus })).acc, MANY);
  for (const fault of [{ action: 'close' }, { action: 'error', code: 43, codeName: 'CursorNotFound' }]) {
    await fixture.faults({ command: 'getMore', nth: 3, ...fault });
    await assert.rejects(count(pool, { batchSize: 500 }, { combine: plus }), { name: /^Mongo/ });
  }
  await fixture.faults();
  await closedCursors();
  assert.strictEqual((await count(pool, {}, { combine: plus })).acc, MANY);
});

test('map: what a function makes of some documents at a time, in order', async () => {
  const arrays = await pool.map('app', 'numbers', {}, {}, (docs) => Float64Array.from(docs, (doc) => doc.n));
  assert.deepStrictEqual(arrays.map(({ constructor: { name }, length }) => [name, length]), [['Float64Array', 1000], ['Float64Array', 1000], ['Float64Array', 500]]);
  assert.deepStrictEqual(arrays.flatMap((array) => [...array]), Array.from({ length: NUMBERS }, (_, n) => n));

  const objects = await pool.map('app', 'numbers', { }, { batchSize: 600, limit: 1500, lazy: true }, async (docs, call) => ({
    call, n: Int32Array.from(docs, (doc) => doc.n), ids: Buffer.concat(docs.map((doc) => doc._id.id)),
  }));
  assert.deepStrictEqual(objects.map(({ call, n, ids }) => [call, n.length, ids.length]), [[0, 600, 7200], [1, 600, 7200], [2, 300, 3600]]);
  assert.deepStrictEqual(await pool.map('app', 'none', {}, {}, () => new ArrayBuffer(1)), []);
  const [first] = await pool.map('app', 'numbers', {}, { limit: 3 }, of('prices'));
  assert.deepStrictEqual(first, new Float64Array([0, 1, 2]));
});

test('map: what cannot be handed over is refused, with its path', async () => {
  for (const [fn, message] of [
    [(docs) => docs, /the result of call 0\[0\]\._id is an instance of ObjectId/],
    [() => [new Date()], /call 0\[0\] is an instance of Date/],
    [() => { throw new RangeError('own'); }, /^own$/],
    [() => (globalThis.kept ??= new Float64Array(2)), /the result of call 1 has been handed over before/],
  ]) await assert.rejects(pool.map('app', 'numbers', {}, {}, fn), { message });
  await closedCursors();
});

test('run: arguments and results', async () => {
  const id = new bson.ObjectId();
  const at = new Date(5);
  assert.deepStrictEqual(await pool.run(of('echo'), [id, { at }, 5n, undefined, null, [1]]), [id, { at }, 5n, undefined, null, [1]].map((x) => x ?? null));
  assert.deepStrictEqual(await pool.run(of('kinds'), [id, at, Buffer.from('x'), new Float32Array(2), new ArrayBuffer(2), undefined]),
    ['ObjectId', 'Date', 'Uint8Array', 'Float32Array', 'ArrayBuffer', 'undefined']);
  assert.deepStrictEqual(await pool.run(of('id')), new bson.ObjectId('65f0a1b2c3d4e5f607182930'));
  assert.deepStrictEqual(await pool.run(of('squares'), [3]), { n: 3, squares: new Float64Array([0, 1, 4]) });
  assert.strictEqual(await pool.run(of('reads'), ['app', 'numbers']), NUMBERS);
  assert.strictEqual(await pool.run(of('later', ESM), [4]), 8);
  assert.strictEqual(await pool.run(ESM, [4]), 6);
  assert.strictEqual(await pool.run(pathToFileURL(ESM), [4]), 6);
  assert.strictEqual(await pool.run(of('never'), [], { signal: AbortSignal.abort('no') }).catch((reason) => reason), 'no');

  const kept = new Float64Array([1, 2]);
  const given = new Float64Array([3]);
  const [copy, moved] = await pool.run(of('echo'), [kept, given], { transfer: [given.buffer] });
  assert.deepStrictEqual([copy, moved], [new Float64Array([1, 2]), new Float64Array([3])]);
  assert.deepStrictEqual([kept.length, given.length], [2, 0]);
});

test('functions of modules: CommonJS, ES modules, and what is not there', async () => {
  const sum = (fn) => pool.reduce('app', 'numbers', {}, {}, fn, 0).then(({ acc }) => acc);
  assert.strictEqual(await sum(of('sum')), TOTAL);
  assert.strictEqual(await sum(of('sum', ESM)), TOTAL);
  assert.strictEqual(await sum(of('sum', pathToFileURL(ESM))), TOTAL);
  assert.strictEqual(await sum({ module: ESM }), 2 * NUMBERS);
  const invalid = (message) => ({ name: 'MongoInvalidArgumentError', message });
  await assert.rejects(sum(of('missing')), invalid(/"reducer": the module .*pool-functions\.js exports no function "missing"; it exports .*sum/));
  await assert.rejects(sum(of('notAFunction')), invalid(/exports no function "notAFunction"/));
  await assert.rejects(sum(of('sum', '/no/such/file.js')), invalid(/"reducer": the module \/no\/such\/file\.js could not be loaded/));
  await assert.rejects(pool.run('./relative.js'), invalid(/"module".*absolute/));
  await assert.rejects(pool.run(of('echo'), 'x'), invalid(/"args"/));
  await assert.rejects(pool.run(of('echo'), [() => {}]), invalid(/args\[0\] is a function/));
  await assert.rejects(pool.run(of('echo'), [], { transfer: [5] }), invalid(/"transfer"/));
  await assert.rejects(pool.run(of('echo'), [], { combine: plus }), invalid(/unknown setting "combine"/));
  await assert.rejects(pool.run(of('documents')), invalid(/the result is a Map/));
  await assert.rejects(count(pool, {}, { combine: 5 }), invalid(/"combine"/));
  await assert.rejects(count(pool, {}, { merge: plus }), invalid(/unknown setting "merge"/));
  await assert.rejects(pool.map('app', 'numbers', {}, {}, 5), invalid(/"fn"/));
  await assert.rejects(count(pool, { timeoutMS: -1 }), invalid(/"timeoutMS"/));
  await assert.rejects(pool.close({ abort: true }), invalid(/unknown setting "abort"; there is force/));
  await assert.rejects(WorkerPool.create({ uri: fixture.uri, resourceLimits: { heap: 5 } }), invalid(/unknown resource limit "heap"/));
});

test('errors carry the worker\'s stack, code and cause', async () => {
  await assert.rejects(pool.run(of('fails')), (error) => {
    assert.ok(error instanceof RangeError);
    assert.deepStrictEqual([error.message, error.code, error.cause.message], ['out of range', 'EOWN', 'deep']);
    assert.match(error.stack, /pool-tasks\.test\.js[^]*in the worker:[^]*pool-functions\.js:\d+/);
    return true;
  });
});

const long = {
  reduce: (own, options) => own.reduce('app', 'many', {}, { ...options, batchSize: 100 }, (acc) => new Promise((resolve) => { setTimeout(resolve, 50, acc); }), 0),
  combine: (own, options) => own.reduce('app', 'many', {}, { ...options, batchSize: 100 }, (acc) => new Promise((resolve) => { setTimeout(resolve, 50, acc); }), 0, { combine: (a, b) => a + b }),
  map: (own, options) => own.map('app', 'many', {}, { ...options, batchSize: 100 }, () => new Promise((resolve) => { setTimeout(resolve, 500); })),
  find: (own, options) => own.find('app', 'many', {}, { ...options, batchSize: 100, filter: undefined }),
  run: (own, options) => own.run(of('never'), [], options),
};
const spinning = {
  reduce: (own, options) => own.reduce('app', 'many', {}, options, () => { for (;;); }, 0),
  combine: (own, options) => own.reduce('app', 'many', {}, options, () => { for (;;); }, 0, { combine: (a, b) => a + b }),
  map: (own, options) => own.map('app', 'many', {}, options, () => { for (;;); }),
  run: (own, options) => own.run(of('spins'), [], options),
};

test('abort during each of them: the reason, at once, and the cursor is closed', async () => {
  await fixture.faults({ command: 'getMore', nth: 3, action: 'delay', ms: 400 });
  const reason = new Error('enough');
  for (const [name, start] of Object.entries(long)) {
    const controller = new AbortController();
    const outcome = start(pool, { signal: controller.signal }).then(() => `${name} was done`, (error) => error);
    if (name === 'find') controller.abort(reason); // or it may be done before
    else setTimeout(() => controller.abort(reason), 100);
    assert.strictEqual(await outcome, reason, name);
  }
  await fixture.faults();
  await closedCursors();
  assert.strictEqual((await count()).acc, MANY);
});

for (const [name, start] of Object.entries(spinning)) {
  test(`${name}: a function that never returns meets its time limit; its thread is replaced, and no other work is lost silently`, async () => {
    await withPool({ size: 2 }, async (own) => {
      await assert.rejects(start(own, { timeoutMS: 150 }), (error) => {
        assert.ok(error instanceof MongoOperationTimeoutError);
        assert.match(error.message, /timeoutMS of 150 ms/);
        return true;
      });
      // More than there are free workers: some of these wait for the one that is being replaced.
      const after = await Promise.all(Array.from({ length: 4 }, () => count(own, { limit: 500 })));
      assert.deepStrictEqual(after.map(({ acc }) => acc), Array(4).fill(500));
      assert.strictEqual(own.size, 2);
    });
  });
}

test('a time limit that is not met costs nothing; one that is, with others in the same thread, not theirs', async () => {
  assert.strictEqual((await count(pool, { timeoutMS: 60_000 })).acc, MANY);
  await withPool({ size: 1 }, async (own) => {
    const limited = assert.rejects(own.run(of('never'), [], { timeoutMS: 50 }), MongoOperationTimeoutError);
    const others = await Promise.all([count(own), own.find('app', 'numbers'), own.run(of('echo'), [1])]);
    assert.deepStrictEqual([others[0].acc, others[1].length, others[2]], [MANY, NUMBERS, [1]]);
    await limited;
  });
});

test('run: the signal of an aborted call reaches the function', async () => {
  const where = new SharedArrayBuffer(4);
  const controller = new AbortController();
  const call = pool.run(of('untilAborted'), [where], { signal: controller.signal });
  setTimeout(() => controller.abort(new Error('enough')), 300);
  await assert.rejects(call, /enough/);
  for (let i = 0; i < 200 && Atomics.load(new Int32Array(where), 0) === 0; i++) await sleep(10);
  assert.strictEqual(Atomics.load(new Int32Array(where), 0), 1);
});

test('a worker that dies of each cause rejects its tasks and is replaced', async () => {
  await withPool({ size: 1, resourceLimits: { maxOldGenerationSizeMb: 40 } }, async (own) => {
    const fill = (acc) => { for (;;) acc.push(new Array(1e5).fill(acc.length)); };
    for (const [start, message] of [
      [() => own.run(of('exits')), /ended with exit code 5/],
      [() => own.map('app', 'many', {}, {}, () => process.exit(4)), /ended with exit code 4/],
      [() => own.map('app', 'many', {}, {}, () => { setTimeout(() => { throw new Error('uncaught'); }); return new Promise(() => {}); }), /died: uncaught/],
      [() => own.reduce('app', 'many', {}, {}, fill, []), /died: .*memory limit/],
      [() => own.reduce('app', 'many', {}, {}, fill, [], { combine: plus }), /died: .*memory limit/],
    ]) {
      const beside = own.run(of('never')).catch((error) => error);
      await assert.rejects(start(), { message });
      assert.match((await beside).message, message, 'the other task of that worker');
      assert.strictEqual((await own.reduce('app', 'numbers', {}, {}, (acc) => acc + 1, 0)).acc, NUMBERS);
    }
  });
});

test('close() waits for everything under way, and refuses all that comes later', async () => {
  const own = await WorkerPool.create({ uri: fixture.uri, size: 2 });
  const work = [count(own), count(own, {}, { combine: plus }), own.find('app', 'numbers'), own.map('app', 'numbers', {}, {}, of('prices')), own.run(of('squares'), [5])];
  const closed = own.close();
  const refused = { name: 'MongoClientClosedError', message: /worker pool was closed/ };
  const later = [count(own), count(own, {}, { combine: plus }), own.find('app', 'numbers'), own.map('app', 'numbers', {}, {}, of('prices')), own.run(of('squares'), [5])];
  for (const one of later) await assert.rejects(one, refused);
  const [reduced, combined, found, mapped, ran] = await Promise.all(work);
  assert.deepStrictEqual([reduced.acc, combined.acc, found.length, mapped.length, ran.squares.length], [MANY, MANY, NUMBERS, 3, 5]);
  await closed;
  await own.close();
});

for (const when of ['at once', 'after close() has waited']) {
  test(`close({ force: true }) ${when}: everything under way rejects`, async () => {
    const own = await WorkerPool.create({ uri: fixture.uri, size: 2 });
    const work = [...Object.entries(long).filter(([name]) => name !== 'find'), ...Object.entries(spinning)].map(([name, start]) => (
      start(own, {}).then(() => `${name} was done`, (error) => error.name)));
    const waiting = when === 'at once' ? null : own.close();
    await sleep(50);
    await own.close({ force: true });
    await waiting;
    assert.deepStrictEqual(await Promise.all(work), work.map(() => 'MongoClientClosedError'));
  });
}

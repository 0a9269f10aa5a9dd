'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { shadow } = require('../../js/shadow/index.js');

/** Runs shadow and gives what the caller got with what was reported. */
async function run(nativeFn, officialFn, options) {
  const divergences = [];
  const outcome = await shadow(nativeFn, officialFn, (divergence) => divergences.push(divergence), options)
    .then((value) => ({ value }), (error) => ({ error }));
  return { ...outcome, divergences };
}

const never = () => new Promise(() => {});
const failing = (message) => async () => { throw new Error(message); };

test('equal results: the official object itself, and no report', async () => {
  const official = [{ a: 1 }];
  const { value, divergences } = await run(async () => [{ a: 1 }], async () => official);
  assert.strictEqual(value, official);
  assert.deepStrictEqual(divergences, []);
});

test('a difference: the official result, and a report of the first differing path with both values', async () => {
  const native = [{ a: 1, b: { c: 2 } }];
  const official = [{ a: 1, b: { c: 3 } }];
  const { value, divergences } = await run(() => native, () => official);
  assert.strictEqual(value, official);
  assert.deepStrictEqual(divergences, [
    { reason: 'value', path: '[0].b.c', index: 0, native, official, nativeValue: 2, officialValue: 3, nativeClass: 'number', officialClass: 'number' },
  ]);
  assert.strictEqual(divergences[0].rust, native);
});

test('our failure is a divergence, thrown or rejected', async () => {
  for (const fail of [failing('ours'), () => { throw new Error('ours'); }]) {
    const { value, divergences } = await run(fail, async () => [1]);
    assert.deepStrictEqual(value, [1]);
    assert.strictEqual(divergences.length, 1);
    assert.strictEqual(divergences[0].reason, 'native threw');
    assert.strictEqual(divergences[0].error.message, 'ours');
    assert.deepStrictEqual(divergences[0].rust, []);
  }
});

test('our hang is a divergence, and the official result is not held up for longer than the limit', async () => {
  const { value, divergences } = await run(never, async () => [1], { limitMS: 20 });
  assert.deepStrictEqual(value, [1]);
  assert.strictEqual(divergences[0].reason, 'native timed out');
});

test('the official failure is the caller\'s error, and a divergence only when ours did not fail alike', async () => {
  const alone = await run(async () => [1], failing('official'));
  assert.strictEqual(alone.error.message, 'official');
  assert.strictEqual(alone.divergences[0].reason, 'official threw');

  const alike = await run(failing('same'), failing('same'));
  assert.strictEqual(alike.error.message, 'same');
  assert.deepStrictEqual(alike.divergences, []);

  const differently = await run(() => { throw new TypeError('ours'); }, failing('official'));
  assert.strictEqual(differently.error.message, 'official');
  assert.strictEqual(differently.divergences[0].error.name, 'TypeError');
});

test('a result that throws while it is compared is a divergence', async () => {
  const { value, divergences } = await run(
    async () => [{ get a() { throw new SyntaxError('bad value'); } }], async () => [{ a: 1 }]);
  assert.deepStrictEqual(value, [{ a: 1 }]);
  assert.strictEqual(divergences[0].error.message, 'bad value');
});

test('an awaitable cursor counts as its result', async () => {
  const { divergences } = await run(() => ({ then: (resolve) => resolve([1]) }), async () => [1]);
  assert.deepStrictEqual(divergences, []);
});

test('what onDivergence throws or rejects with becomes a warning, never the caller\'s error', async () => {
  for (const callback of [() => { throw new Error('logger'); }, async () => { throw new Error('logger'); }]) {
    const warned = new Promise((resolve) => process.once('warning', resolve));
    assert.strictEqual(await shadow(() => 1, () => 2, callback), 2);
    assert.match((await warned).message, /logger/);
  }
});

test('bad arguments reject with the argument\'s name, before anything runs', async () => {
  const called = [];
  const fn = () => called.push(1);
  await assert.rejects(shadow(null, fn, fn), { name: 'MongoInvalidArgumentError', message: /nativeFn/ });
  await assert.rejects(shadow(fn, 5, fn), { name: 'MongoInvalidArgumentError', message: /officialFn/ });
  await assert.rejects(shadow(fn, fn), { name: 'MongoInvalidArgumentError', message: /onDivergence/ });
  await assert.rejects(shadow(fn, fn, fn, { limitMS: -1 }), { name: 'MongoInvalidArgumentError', message: /limitMS/ });
  assert.deepStrictEqual(called, []);
});

test('errors that cannot be read, on any side, are never the caller\'s', async () => {
  const evil = new Error('evil');
  Object.defineProperty(evil, 'name', { get() { throw new Error('from the getter'); } });
  const both = await run(() => { throw evil; }, failing('official'));
  assert.strictEqual(both.error.message, 'official');
  assert.strictEqual(both.divergences[0].reason, 'native threw');
  const thenable = await run(() => ({ get then() { throw evil; } }), async () => 1);
  assert.deepStrictEqual([thenable.value, thenable.divergences[0].reason], [1, 'native threw']);
  const warned = new Promise((resolve) => process.once('warning', resolve));
  assert.strictEqual(await shadow(() => 1, () => 2, () => { throw Object.create(null); }), 2);
  assert.match((await warned).message, /cannot be read/);
});

test('limitMS may be Infinity', async () => {
  const slow = () => new Promise((resolve) => { setTimeout(resolve, 60, [1]); });
  assert.deepStrictEqual((await run(slow, async () => [1], { limitMS: Infinity })).divergences, []);
});

'use strict';
// Lives of whole processes: each case is a child whose exit code, signal and output are asserted. That a process
// ends, or does not, has no assertion from inside.

const test = require('node:test');
const assert = require('node:assert');
const path = require('node:path');
const { startFixture } = require('../support/fixture-server');
const { runChild, CLEAN } = require('../support/run-child');

const CHILD = path.join(__dirname, '..', 'fixtures', 'lifecycle-child.js');

let fixture;

test.before(async () => {
  fixture = await startFixture();
  await fixture.load('test.docs', 'mixed45', 5000);
});
test.after(() => fixture.stop());
test.afterEach(() => fixture.control({ delayMS: 0 }));

const run = (scenario) => runChild(CHILD, [scenario, fixture.uri]);

const endings = [
  ['an idle client that was never closed', 'idle', { ...CLEAN, stdout: 'read 3' }],
  ['a closed client', 'closed', { ...CLEAN, stdout: 'read 3' }],
  ['a batch cursor left half read', 'abandoned-batches', { ...CLEAN, stdout: 'batch 100' }],
  ['a cursor left after next()', 'abandoned-next', { ...CLEAN, stdout: 'document object' }],
  ['a loop left early', 'abandoned-loop', { ...CLEAN, stdout: 'document object' }],
  ['a cursor opened and never read', 'unwanted-cursor', { ...CLEAN, stdout: 'opened' }],
  ['close() during reads', 'close-during-reads', { ...CLEAN, stdout: 'settled 3' }],
  ['the addon loaded twice in one thread', 'load-twice', { ...CLEAN, stdout: 'read 8' }],
  ['the addon loaded first in a worker, 20 times', 'worker-first', { ...CLEAN, stdout: 'after 5' }],
];
for (const [name, scenario, expected] of endings) {
  test(`the process ends by itself: ${name}`, async () => {
    assert.deepStrictEqual(await run(scenario), expected);
  });
}

test('a read that someone awaits keeps the process alive', async () => {
  await fixture.control({ delayMS: 700 });
  assert.deepStrictEqual(await run('awaited-find'), { ...CLEAN, stdout: 'read 7' });
  assert.deepStrictEqual(await run('awaited-batch'), { ...CLEAN, stdout: 'batch 10' });
});

test('process.exit() during reads, 30 times with three readers each', async () => {
  for (let i = 0; i < 30; i++) {
    assert.deepStrictEqual(await run('exit-during-reads'), { ...CLEAN, code: 7, stdout: '' }, `run ${i}`);
  }
});

test('worker.terminate() during reads, 30 times with three readers each', async () => {
  assert.deepStrictEqual(await run('terminate-workers'), { ...CLEAN, stdout: 'after 5' });
});

test('an uncaught exception during reads ends the process as Node does', async () => {
  const result = await run('uncaught-during-reads');
  assert.match(result.stderr, /on purpose/);
  assert.deepStrictEqual({ ...result, stderr: '' }, { ...CLEAN, code: 1, stdout: '' });
});

test('SIGTERM during reads: without a handler the signal ends the process, with one the handler runs', async () => {
  for (let i = 0; i < 5; i++) {
    assert.deepStrictEqual(await run('sigterm-during-reads'), { ...CLEAN, code: null, signal: 'SIGTERM', stdout: '' });
    assert.deepStrictEqual(await run('sigterm-handled'), { ...CLEAN, code: 3, stdout: 'handled' });
  }
});

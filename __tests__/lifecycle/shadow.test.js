'use strict';
// What shadow mode does to the process it runs in.

const { test, before, after, beforeEach } = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { startFixture } = require('../support/fixture-server.js');
const { runChild, CLEAN } = require('../support/run-child.js');

const CHILD = path.join(__dirname, '..', 'fixtures', 'shadow-child.js');
const COUNT = 500;

let fixture;
let other;

before(async () => {
  [fixture, other] = await Promise.all([startFixture(), startFixture()]);
});
after(() => Promise.all([fixture?.stop(), other?.stop()]));
beforeEach(async () => {
  await other.reset();
  for (const server of [fixture, other]) await server.load('d.docs', 'mixed45', COUNT);
});

const run = (scenario, options) => runChild(CHILD, [scenario, fixture.uri, other.uri], options);

test('a native side that hangs neither holds the process nor is an unhandled rejection', async () => {
  await other.faults({ command: 'find', action: 'never', times: -1 });
  const timedOut = 'native timed out';
  assert.deepEqual(await run('hanging'), { ...CLEAN, stdout: `${COUNT},1,${COUNT} ${timedOut},${timedOut},${timedOut}` });
});

test('nor does a cursor that is left half read', async () => {
  const { stdout, ...ending } = await run('abandoned');
  assert.match(stdout, /^document /);
  assert.deepEqual({ ...ending, stdout: '' }, CLEAN);
});

test('what shadowing keeps of a large result is bounded', async () => {
  for (const server of [fixture, other]) await server.load('d.docs', 'mixed45', 60_000); // 73 MB of BSON
  const { stdout, ...ending } = await run('memory', { nodeArgs: ['--expose-gc'] });
  assert.deepEqual({ ...ending, stdout: '' }, CLEAN);
  const { mostMB, ...result } = JSON.parse(stdout);
  assert.deepEqual(result, { count: 60_000, equal: 1, documents: 60_000 });
  // As objects the two results have several times their 146 MB; each side has one batch of the server's at a time.
  assert.ok(mostMB < 220, `${mostMB} MB`);
});

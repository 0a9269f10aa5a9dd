'use strict';
// A panic in the core is the error of the request it happened in, with the Go stack; everything else goes on.

const test = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { BSON } = require('bson');
const { startFixture } = require('../support/fixture-server');
const { runChild } = require('../support/run-child');

const CHILD = path.join(__dirname, '..', 'fixtures', 'panic-child.js');

let fixture;
test.before(async () => {
  fixture = await startFixture();
  await fixture.load('test.docs', 'mixed45', 5000);
});
test.after(() => fixture.stop());

// Where the panic is, and a function its stack must lead to.
const STACKS = { request: /fetch\.Find/, producer: /producer/, fetch: /\(\*find\)\.fetch/, encode: /\(\*job\)\.encode/, deliver: /handOut/, listen: /dispatch/ };

test('in each kind of goroutine', async () => {
  const { stdout, stderr, code, signal } = await runChild(CHILD, [fixture.uri], { env: { RUMONGO_TEST_HOOKS: '1' } });
  assert.deepEqual([code, signal, stderr], [0, null, '']);
  const { results, ...left } = JSON.parse(stdout);
  assert.equal(results.length, 13);
  for (const { where, mode, documents, fault, goesOn } of results) {
    const name = `${where} ${mode}`;
    assert.equal(fault?.kind, 'internal', name);
    assert.match(fault.message, new RegExp(`on purpose: ${where}`), name);
    assert.match(fault.stack, STACKS[where], name);
    assert.ok(documents < 5000 && goesOn, name);
  }
  assert.ok(left.goroutines <= 2, `${left.goroutines} goroutines are left`);
  assert.deepEqual([left.requests, left.bytesUnderWay], [0, 0]);
  for (let i = 0; i < 100 && (await fixture.stats()).cursors.open > 0; i++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal((await fixture.stats()).cursors.open, 0);
});

test('reaches the caller as an error with the Go stack', () => {
  const { errorFromFault } = require('../../js/errors.js');
  const { resolveBson } = require('../../js/bson/classes.js');
  const fault = BSON.serialize({ kind: 'internal', message: 'internal error in the native core: x', labels: [], stack: 'goroutine 7 [running]:\nmain.x()' });
  const error = errorFromFault(fault, resolveBson({}));
  assert.match(`${error.message}\n${error.stack}\n${error.cause?.stack ?? error.cause}`, /goroutine 7/);
});

test('without the variable there are no hooks', async () => {
  const { stdout } = await runChild(CHILD, [fixture.uri], { env: { RUMONGO_TEST_HOOKS: '' } });
  const faults = JSON.parse(stdout).results.map(({ fault }) => fault?.kind ?? null);
  assert.deepEqual(new Set(faults), new Set([null, 'invalidArgument']));
});

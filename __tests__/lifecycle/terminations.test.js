'use strict';
// 200 workers ended at random moments, four at a time, all on one topology with the main thread.

const test = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { startFixture } = require('../support/fixture-server');
const { runChild } = require('../support/run-child');

const CHILD = path.join(__dirname, '..', 'fixtures', 'terminations-child.js');
const COUNT = 200;

test(`${COUNT} workers terminated at random moments leave nothing behind`, async (t) => {
  const fixture = await startFixture();
  t.after(() => fixture.stop());
  await fixture.load('test.docs', 'mixed45', 5000);
  const { stdout, ...rest } = await runChild(CHILD, [fixture.uri, String(COUNT), '4']);
  assert.deepEqual(rest, { code: 0, signal: null, stderr: '', hung: false });
  assert.deepEqual(JSON.parse(stdout), {
    terminated: COUNT, failed: 0, reads: true, environments: 1, clients: 1, deployments: 1, bytesUnderWay: 0,
  });
  for (let i = 0; i < 100 && (await fixture.stats()).cursors.open > 0; i++) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal((await fixture.stats()).cursors.open, 0, 'cursors left open on the server');
});

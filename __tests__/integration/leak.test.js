'use strict';
// A loop of reads of every kind, their unhappy ends included, comes back to a flat line.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const { startFixture } = require('../support/fixture-server.js');

const CHILD = path.join(__dirname, '..', 'fixtures', 'leak-child.js');
const MB = 2 ** 20;

let fixture;
let points;
before(async () => {
  fixture = await startFixture();
  await fixture.load('app.many', 'mixed45', 1_500);
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', CHILD, fixture.uri], { timeout: 120_000 });
  points = JSON.parse(stdout);
});
after(() => fixture?.stop());

test('counters come back to zero', () => {
  for (const { reads, lazy, core } of points) {
    assert.deepEqual({ reads, lazy, bytes: core.bytesUnderWay }, { reads: 0, lazy: { batches: 0, bytes: 0 }, bytes: 0 });
    assert.deepEqual([core.clients, core.deployments, core.environments], [1, 1, 1]);
  }
});

test('goroutines and handles do not grow', () => {
  const [first, , last] = points;
  assert.ok(last.core.goroutines <= first.core.goroutines + 4, JSON.stringify(points.map(({ core }) => core.goroutines)));
  assert.ok(last.handles <= first.handles + 1, JSON.stringify(points.map(({ handles }) => handles)));
});

test('memory does not grow: JavaScript heap, buffers, Go heap, the whole process', () => {
  const [, middle, last] = points;
  const grown = (of) => (of(last) - of(middle)) / MB;
  const report = JSON.stringify(points.map(({ rss, heapUsed, external, core }) =>
    [rss, heapUsed, external, core.goHeapBytes].map((bytes) => Math.round(bytes / MB))));
  assert.ok(grown(({ heapUsed }) => heapUsed) < 4, report);
  assert.ok(grown(({ arrayBuffers }) => arrayBuffers) < 4, report);
  assert.ok(grown(({ external }) => external) < 4, report);
  assert.ok(grown(({ core }) => core.goHeapBytes) < 24, report);
  assert.ok(grown(({ rss }) => rss) < 60, report);
});

test('the server is left with no open cursor', async () => {
  for (let i = 0; i < 50 && (await fixture.stats()).cursors.open > 0; i++) await new Promise((resolve) => { setTimeout(resolve, 20); });
  assert.equal((await fixture.stats()).cursors.open, 0);
});

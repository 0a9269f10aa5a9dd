'use strict';
// The HTTP example runs as it is, and closes what it opens.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { startFixture } = require('../support/fixture-server.js');
const { runChild } = require('../support/run-child.js');

test('examples/json-server.js', async () => {
  const fixture = await startFixture();
  try {
    await fixture.load('test.things', 'mixed45', 50);
    const example = path.join(__dirname, '..', '..', 'examples', 'json-server.js');
    const { code, stdout, stderr } = await runChild(example, ['test', 'things', '20'], { env: { MONGODB_URI: fixture.uri, EXAMPLE_SECONDS: '0.3' } });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^\/before +[\d.]+ requests\/s .*\n\/json +[\d.]+ requests\/s .*\n\/stream +[\d.]+ requests\/s .*longest [\d.]+ ms$/);
    assert.equal((await fixture.stats()).cursors.open, 0);
  } finally {
    await fixture.stop();
  }
});

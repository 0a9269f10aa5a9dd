'use strict';
// RUMONGO_DEBUG=1: a line on stderr for each read, with figures and never with values.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const { startFixture } = require('../support/fixture-server.js');

const CHILD = path.join(__dirname, '..', 'fixtures', 'debug-child.js');
const LINE = /^rumongo: (\S+) (\d+) documents (\d+) bytes (\d+\.\d) ms( failed| cancelled)?$/;

let fixture;
before(async () => {
  fixture = await startFixture();
  await fixture.load('app.people', 'mixed45', 1000);
});
after(() => fixture?.stop());

const run = (env) => promisify(execFile)(process.execPath, [CHILD, fixture.uri], { env: { ...process.env, ...env }, timeout: 30_000 });

test('each read is one line: namespace, documents, bytes, ms', async () => {
  const { stdout, stderr } = await run({ RUMONGO_DEBUG: '1' });
  assert.equal(stdout, '');
  assert.doesNotMatch(stderr, /hidden|4711|\$fails/);
  const lines = stderr.trim().split('\n').filter((line) => line !== '--').map((line) => {
    const match = LINE.exec(line);
    assert.ok(match, `not a line of the log: ${line}`);
    const [, namespace, documents, bytes, ms, how = ''] = match;
    return { namespace, documents: Number(documents), bytes: Number(bytes), ms: Number(ms), how: how.trim() };
  });
  const sorted = (list) => [...list].sort((a, b) => String(a).localeCompare(String(b)));
  assert.deepEqual(
    sorted(lines.filter(({ how }) => how !== 'cancelled').map(({ namespace, documents, how }) => [namespace, documents, how].join(' '))),
    sorted([
      'app.people 0 ', 'app.people 0 ', 'app.people 1000 ', 'app.people 1000 ', 'app.people 1000 ', 'app.nothing 0 ',
      'app.people 0 failed', 'app.people 0 ', 'app.people 5 ',
    ]));
  const [early] = lines.filter(({ how }) => how === 'cancelled');
  assert.ok(early.documents >= 100 && early.documents <= 1000);
  for (const { documents, bytes, ms } of lines) {
    assert.equal(documents > 0, bytes > 0);
    assert.ok(ms >= 0 && ms < 30_000);
  }
});

test('without it, and with any other value, nothing is written', async () => {
  for (const value of ['', '0']) {
    const { stderr } = await run({ RUMONGO_DEBUG: value });
    assert.equal(stderr.replaceAll('--\n', ''), '');
  }
});

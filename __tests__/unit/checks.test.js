'use strict';
// npm run check: a line for each check, and what could not be checked is not shown as passed.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { test } = require('node:test');
const { runChecks } = require('../../scripts/checks');
const { NotCheckable, passed, skipped, failed, judge, run } = require('../../scripts/checks/command.js');

test('one line each, the output of what failed below it, and the counts', () => {
  const lines = [];
  const counts = runChecks([
    { name: 'a', run: () => passed('3 files') },
    { name: 'b', run: () => skipped('no network') },
    { name: 'n', run: () => { throw new NotCheckable('no checkout'); } },
    { name: 'c', run: (fix) => failed(`exit code 1, fix ${fix}`, 'a.js:1 wrong') },
  ], { fix: true, print: (line) => lines.push(line) });
  assert.deepEqual(lines, ['ok       a: 3 files', 'skipped  b: no network', 'skipped  n: no checkout', 'FAILED   c: exit code 1, fix true', 'a.js:1 wrong']);
  assert.deepEqual(counts, { ok: 1, skipped: 2, FAILED: 1 });
});

test('a command: its exit code decides, and one that is missing is skipped', () => {
  assert.deepEqual(judge(run(process.execPath, ['-e', '']), 'fine', 'node'), passed('fine'));
  assert.deepEqual(judge(run(process.execPath, ['-e', 'console.log("wrong"); process.exit(3)']), 'fine', 'node'), failed('exit code 3', 'wrong'));
  assert.deepEqual(judge(run('rumongo-no-such-tool', []), 'fine', 'the tool'), skipped('the tool is not installed'));
});

test('a check that there is not is named, with those there are', () => {
  const script = path.join(__dirname, '..', '..', 'scripts', 'check.js');
  const { status, stderr } = spawnSync(process.execPath, [script, 'eslint', 'spelling'], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^No check spelling\. There are: 'gofmt' .*'eslint'.*'npm audit' 'govulncheck', and --fix$/m);
});

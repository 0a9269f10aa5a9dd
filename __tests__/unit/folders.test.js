'use strict';
// CONTRIBUTING.md says of every folder what it is for.

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const root = path.join(__dirname, '..', '..');

/** Folders whose content is data, or which only hold the one file they are named for. */
const DATA = /(^|\/)testdata(\/|$)|^bench\/(results|charts)$/;

function folders() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const all = new Set();
  for (const file of listed) {
    for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) all.add(folder);
  }
  return [...all].filter((folder) => !DATA.test(folder)).sort();
}

test('every folder has its row, and every row its folder', (t) => {
  if (!fs.existsSync(path.join(root, '.git'))) return t.skip('not a git checkout: which folders belong to the project is not known');
  const section = /## Where things are\n([\s\S]*?)\n## /.exec(fs.readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8'))[1];
  const rows = [...section.matchAll(/^\| `([^`]+)\/` \| (.+) \|$/gm)];
  assert.deepEqual(rows.map(([, folder]) => folder).sort(), folders());
  for (const [, folder, what] of rows) assert.ok(what.length > 10, `${folder}: what it is for`);
});

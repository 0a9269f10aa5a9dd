'use strict';
// `npm test`: the one command that proves the product. Installs and builds what is missing, then formatting, vet and
// tests of the Go side (race detector on), then every __tests__/**/*.test.js. Tests start the servers they need.
// `npm test -- unit lazy` runs only those folders' JavaScript tests.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { root, step, ensureReady } = require('./ensure');

// Helpers of tests, and what its own command runs (stress).
const NOT_HERE = new Set(['support', 'fixtures', 'stress']);

function testFiles(folders) {
  const tests = path.join(root, '__tests__');
  return fs.readdirSync(tests, { recursive: true })
    .filter((file) => file.endsWith('.test.js') || file.endsWith('.test.mjs'))
    .filter((file) => !NOT_HERE.has(file.split(path.sep)[0]))
    .filter((file) => folders.length === 0 || folders.includes(file.split(path.sep)[0]))
    .map((file) => path.join('__tests__', file))
    .sort();
}

function checkFormatting() {
  const { stdout, status } = spawnSync('gofmt', ['-l', 'core', 'tools'], { cwd: root, encoding: 'utf8' });
  if (status !== 0 || stdout.trim() !== '') {
    console.error(`gofmt: these files are not formatted:\n${stdout}`);
    process.exit(1);
  }
}

function main(folders) {
  ensureReady();
  if (folders.length === 0) {
    checkFormatting();
    step('Go vet', 'go', ['vet', './...']);
    // Without cgo there is no race detector on Linux, so it stays on; core/cabi is the one package that cannot be
    // tested outside a host process and has no tests of its own.
    step('Go tests', 'go', ['test', '-race', './...']);
    step('Go vet (dev server)', 'go', ['vet', './...'], { cwd: path.join(root, 'tools', 'devserver') });
  }
  const files = testFiles(folders);
  if (files.length === 0) {
    console.error(`No test files in ${folders.join(', ') || '__tests__'}`);
    process.exit(1);
  }
  step('JavaScript tests', process.execPath, ['--test', '--test-reporter=spec', ...files]);
}

main(process.argv.slice(2));

'use strict';
// `npm test`: the one command that proves the product. Installs and builds what is missing, then the fast checks of
// the code, the Go tests (race detector on), then every __tests__/**/*.test.js. Tests start the servers they need.
// `npm test -- unit lazy` runs only those folders' JavaScript tests.

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

function checkCode() {
  const { FAST, runChecks } = require('./checks');
  console.log('\n> Checks of the code (npm run check has more)');
  if (runChecks(FAST).FAILED > 0) process.exit(1);
}

function main(folders) {
  ensureReady();
  if (folders.length === 0) {
    checkCode();
    // Without cgo there is no race detector on Linux, so it stays on; core/cabi is the one package that cannot be
    // tested outside a host process and has no tests of its own.
    step('Go tests', 'go', ['test', '-race', './...']);
  }
  const files = testFiles(folders);
  if (files.length === 0) {
    console.error(`No test files in ${folders.join(', ') || '__tests__'}`);
    process.exit(1);
  }
  step('JavaScript tests', process.execPath, ['--test', '--test-reporter=spec', ...files]);
}

main(process.argv.slice(2));

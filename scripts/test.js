'use strict';
// `npm test`: the one command that proves the product. Installs and builds what is missing, then the fast checks of
// the code, the Go tests (race detector on), then every __tests__/**/*.test.js. Tests start the servers they need.
// `npm test -- unit lazy integration/reads` runs only those JavaScript tests: of folders, and of files by how they begin.

const fs = require('node:fs');
const path = require('node:path');
const { root, step, ensureReady } = require('./ensure');

// Helpers of tests, and what its own command runs (stress).
const NOT_HERE = new Set(['support', 'fixtures', 'stress']);

/** @param {string[]} wanted folders, or beginnings of a file's name after its folder; all if empty */
function testFiles(wanted) {
  const tests = path.join(root, '__tests__');
  const files = fs.readdirSync(tests, { recursive: true })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => /\.test\.m?js$/.test(file) && !NOT_HERE.has(file.split('/')[0]))
    .sort();
  if (wanted.length === 0) return files;
  const of = (name) => files.filter((file) => (name.includes('/') ? file.startsWith(name) : file.split('/')[0] === name));
  const none = wanted.filter((name) => of(name).length === 0);
  if (none.length > 0) throw new Error(`no test files in ${none.join(', ')}; folders: ${[...new Set(files.map((file) => file.split('/')[0]))].join(', ')}`);
  return [...new Set(wanted.flatMap(of))];
}

function checkCode() {
  const { FAST, runChecks } = require('./checks');
  console.log('\n> Checks of the code (npm run check has more)');
  if (runChecks(FAST).FAILED > 0) process.exit(1);
}

function main(wanted) {
  const files = testFiles(wanted);
  ensureReady();
  if (wanted.length === 0) {
    checkCode();
    // Without cgo there is no race detector on Linux, so it stays on; core/cabi is the one package that cannot be
    // tested outside a host process and has no tests of its own.
    step('Go tests', 'go', ['test', '-race', './...']);
  }
  step('JavaScript tests', process.execPath, ['--test', '--test-reporter=spec', ...files.map((file) => path.join('__tests__', file))]);
}

module.exports = { testFiles };

if (require.main === module) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(`npm test: ${error.message}`);
    process.exit(1);
  }
}

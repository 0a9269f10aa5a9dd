'use strict';
// Formatting and lint of the three languages, and the declarations by the TypeScript compiler. With --fix the formatters
// write what they would have.

const fs = require('node:fs');
const path = require('node:path');
const { root } = require('../ensure');
const { passed, skipped, failed, run, runPackage, judge, files } = require('./command');

const MODULES = ['.', 'tools/devserver']; // Go modules: of the product, and of a tool that needs much more
const glue = () => files('napi/*.cc', 'napi/*.h', 'core/cabi/*.c', 'core/cabi/*.h');

/** Runs the same in every Go module; the first that fails is told. */
function inModules(command, args, said) {
  for (const cwd of MODULES) {
    const found = run(command, args, { cwd: path.join(root, cwd) });
    if (found.missing || found.status !== 0) return judge(found, said, command);
  }
  return passed(said);
}

function gofmt(fix) {
  const { missing, status, stdout, output } = run('gofmt', [fix ? '-w' : '-l', 'core', 'tools']);
  if (missing) return skipped('gofmt is not installed');
  if (status !== 0 || stdout !== '') return failed('files are not formatted: npm run check -- --fix', output);
  return passed(`${files('*.go').length} files`);
}

function clangFormat(fix) {
  const names = glue();
  return judge(runPackage('.bin/clang-format', [...(fix ? ['-i'] : ['--dry-run', '-Werror']), ...names]), `${names.length} files`);
}

function eslint(fix) {
  return judge(runPackage('eslint/bin/eslint.js', ['.', ...(fix ? ['--fix'] : [])]), `${files('*.js', '*.mjs').length} files`);
}

function staticcheck() {
  const tool = ['tool', `-modfile=${path.join(root, 'tools', 'checks', 'go.mod')}`, 'staticcheck'];
  return inModules('go', [...tool, './...'], `${MODULES.length} modules`);
}

function types() {
  const tests = fs.readdirSync(path.join(root, '__tests__', 'types')).filter((file) => file.endsWith('.test.js'));
  return judge(run(process.execPath, ['--test', ...tests.map((file) => path.join('__tests__', 'types', file))]),
    'index.d.ts and types/ compile, as do programs that use them');
}

module.exports = [
  { name: 'gofmt', fast: true, run: gofmt },
  { name: 'clang-format', fast: true, run: clangFormat },
  { name: 'eslint', fast: true, run: eslint },
  { name: 'go vet', fast: true, run: () => inModules('go', ['vet', './...'], `${MODULES.length} modules`) },
  { name: 'staticcheck', run: staticcheck },
  { name: 'dead code', fast: true, run: () => judge(runPackage('knip/bin/knip.js', []), 'no unused files, exports or packages (knip)') },
  { name: 'types', run: types },
];

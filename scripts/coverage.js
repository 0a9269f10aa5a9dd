'use strict';
// `npm run coverage`: how much of the product the tests run. Go by its own tests, JavaScript by V8's own figures over the
// tests that need no clock and no child processes that are killed. `npm run coverage -- unit lazy` takes only those folders'
// JavaScript tests. It fails below MINIMUM. CONTRIBUTING.md has the last figures.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { root, step, ensureReady } = require('./ensure');

const MINIMUM = 85;
const FOLDERS = ['unit', 'integration', 'json', 'columns', 'decoder', 'lazy', 'model', 'accelerate'];
// core/cabi cannot be tested outside a host process; what it does is in the JavaScript tests, and in none of these figures.
const NOT_MEASURED = new Set(['rumongo-go/core/cabi', 'rumongo-go/core/coretest', 'rumongo-go/core/coretest/corpus']);

const output = path.join(root, 'coverage');
const c8 = path.join(root, 'node_modules', 'c8', 'bin', 'c8.js');

function goPackages() {
  const { stdout, stderr, status } = spawnSync('go', ['list', './core/...'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`go list failed: ${stderr}`);
  return stdout.trim().split('\n').filter((name) => !NOT_MEASURED.has(name));
}

/** Percent of Go's lines: a line is covered where any statement that begins on it, or goes on there, was run. */
function goLines(profile) {
  const lines = new Map();
  for (const text of fs.readFileSync(profile, 'utf8').trim().split('\n').slice(1)) {
    const [, file, from, to, count] = /^(.+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$/.exec(text);
    for (let line = Number(from); line <= Number(to); line++) {
      const key = `${file}:${line}`;
      lines.set(key, (lines.get(key) ?? false) || count !== '0');
    }
  }
  const covered = [...lines.values()].filter(Boolean).length;
  return { covered, total: lines.size, percent: 100 * covered / lines.size };
}

function main(folders) {
  ensureReady();
  fs.rmSync(output, { recursive: true, force: true });
  fs.mkdirSync(output, { recursive: true });
  const packages = goPackages();
  const profile = path.join(output, 'go.out');
  step('Go tests', 'go', ['test', '-cover', `-coverpkg=${packages.join(',')}`, `-coverprofile=${profile}`, ...packages]);
  // Figures of each process, in a folder of its own: some hundred megabytes, which nobody wants afterwards.
  const raw = path.join(output, 'raw');
  step('JavaScript tests', process.execPath, [c8, '--temp-directory', raw, '--reporter=none', '--include', 'js/**', '--include', 'bin/**',
    process.execPath, path.join(__dirname, 'test.js'), ...folders]);
  step('JavaScript', process.execPath, [c8, 'report', '--temp-directory', raw, '--merge-async', '--all', '--include', 'js/**', '--include', 'bin/**',
    '--reports-dir', path.join(output, 'js'), '--reporter=html', '--reporter=json-summary', '--reporter=text-summary']);
  fs.rmSync(raw, { recursive: true, force: true });
  const { lines } = JSON.parse(fs.readFileSync(path.join(output, 'js', 'coverage-summary.json'), 'utf8')).total;
  const figures = [['Go (core/ without cabi)', goLines(profile)], ['JavaScript (js/, bin/)', { ...lines, percent: lines.pct }]];
  for (const [name, { covered, total, percent }] of figures) {
    console.log(`${name}: ${percent.toFixed(1)} % of lines (${covered} of ${total})`);
    if (percent < MINIMUM) {
      console.error(`${name}: ${MINIMUM} % wanted`);
      process.exitCode = 1;
    }
  }
}

main(process.argv.slice(2).length > 0 ? process.argv.slice(2) : FOLDERS);

'use strict';
// What a clean clone lacks, supplied: npm packages, then the addon. Shared by `npm run demo` and `npm test`, so this
// file may require nothing but Node itself.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');

/**
 * Runs a command in the project's root with its output shown; ends this process with the command's exit code when it
 * fails, because nothing after it can work.
 * @param {string} title what the user is told
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 */
function step(title, command, args, options = {}) {
  console.log(`\n> ${title}: ${command} ${args.join(' ')}`);
  const result = spawnSync(command, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: 'inherit',
  });
  if (result.error) {
    console.error(`${title}: cannot run ${command}: ${result.error.message}`);
    process.exit(1);
  }
  if (result.status !== 0) {
    console.error(`${title} failed (${result.signal ?? `exit code ${result.status}`})`);
    process.exit(result.status || 1);
  }
}

/** npm keeps its own copy of the lock file in node_modules: what was installed, and when. */
function installed() {
  const modified = (file) => fs.statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return modified('node_modules/.package-lock.json') >= modified('package-lock.json');
}

/** Installs npm packages when they are missing or older than the lock file, and builds the addon when it is missing or older than its sources. */
function ensureReady() {
  if (!installed()) step('Installing packages', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  step('Building what is out of date', process.execPath, [path.join(__dirname, 'build.js'), '--if-needed']);
}

module.exports = { root, step, ensureReady };

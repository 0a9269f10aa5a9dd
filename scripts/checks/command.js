'use strict';
// What a check may answer, and the commands that most of them are.
//
// A check is { name, fast?, run }, and run() answers one of these; what was not checked is never shown as passed.

const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { root } = require('../ensure');

/** @param {string} said what was found to be right, in a few words */
const passed = (said) => ({ state: 'ok', said });
/** @param {string} why it could not be checked here */
const skipped = (why) => ({ state: 'skipped', said: why });
/** @param {string} output what is wrong, for the terminal */
const failed = (said, output = '') => ({ state: 'FAILED', said, output });

/** Thrown where a check finds out halfway that it cannot say anything here. */
class NotCheckable extends Error {}

/** Runs a command in the project's root. */
function run(command, args, options = {}) {
  const { error, status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20, ...options });
  return { missing: error?.code === 'ENOENT', status: error ? -1 : status, stdout: stdout ?? '', output: `${stdout ?? ''}${stderr ?? ''}${error ? error.message : ''}`.trim() };
}

/** A tool of a package in node_modules, run by this Node. */
const runPackage = (bin, args) => run(process.execPath, [path.join(root, 'node_modules', bin), ...args]);

/** A check that is a command which says by its exit code whether all is right. */
function judge({ missing, status, output }, said, tool) {
  if (missing) return skipped(`${tool} is not installed`);
  return status === 0 ? passed(said) : failed(`exit code ${status}`, output);
}

/** The files that git tracks, or would, by patterns. */
function files(...patterns) {
  const { status, stdout, output } = run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', ...patterns]);
  if (status !== 0) throw new NotCheckable(`which files belong to the project is not known: git ls-files: ${output.split('\n')[0]}`);
  return stdout.split('\n').filter(Boolean);
}

module.exports = { NotCheckable, passed, skipped, failed, run, runPackage, judge, files };

'use strict';
// The Node versions that lifecycle tests run under: the one that runs the tests, and others from npm's `node` package.
// The addon is Node-API, so the same build must load in all of them.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const CACHE = path.join(__dirname, '..', '..', 'node_modules', '.cache', 'rumongo-go-node');

/** Majors tested beside the running one. */
const OTHERS = ['22', '24'];

/**
 * @returns {{ name: string, node: string | null, why?: string }[]} node: the executable, or null where it cannot be had
 */
function nodeVersions() {
  const running = process.versions.node.split('.')[0];
  return [
    { name: `Node ${process.versions.node}`, node: process.execPath },
    ...OTHERS.filter((major) => major !== running).map(find),
  ];
}

function find(major) {
  const prefix = path.join(CACHE, major);
  const node = path.join(prefix, 'node_modules', 'node', 'bin', 'node');
  try {
    if (!works(node)) install(prefix, major);
    return { name: `Node ${execFileSync(node, ['-v'], { encoding: 'utf8' }).trim().slice(1)}`, node };
  } catch (error) {
    return { name: `Node ${major}`, node: null, why: `node@${major} cannot be installed from npm: ${String(error.message).split('\n', 1)[0]}` };
  }
}

function works(node) {
  try {
    execFileSync(node, ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// Into a folder of its own and renamed: test files run in parallel processes.
function install(prefix, major) {
  fs.mkdirSync(CACHE, { recursive: true });
  const fresh = fs.mkdtempSync(path.join(CACHE, 'fresh-'));
  try {
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', fresh, `node@${major}`], {
      cwd: fresh, stdio: 'pipe', timeout: 120_000,
    });
    try {
      fs.renameSync(fresh, prefix);
    } catch (error) {
      if (!works(path.join(prefix, 'node_modules', 'node', 'bin', 'node'))) throw error;
    }
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true });
  }
}

module.exports = { nodeVersions };

'use strict';
// Runs one life of a process and tells how it ended.

const { spawn } = require('node:child_process');

// Not a speed check: what has not ended by then hangs.
const HANG_MS = 60_000;

/**
 * @param {string} file
 * @param {string[]} args
 * @param {{ node?: string, nodeArgs?: string[], env?: object, cwd?: string, wrap?: string[] }} [options]
 * wrap: a command that runs Node (`['bash', '-c', 'ulimit -n 60; exec "$@"', 'bash']`)
 * @returns {Promise<{ code, signal, stdout, stderr, hung }>}
 */
function runChild(file, args, { node = process.execPath, nodeArgs = [], env, cwd, wrap = [] } = {}) {
  const [command, ...rest] = [...wrap, node, ...nodeArgs, file, ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], cwd, env: { ...process.env, ...env } });
    child.stdout.setEncoding('utf8'); // characters may come in two parts
    child.stderr.setEncoding('utf8');
    let stdout = '';
    let stderr = '';
    let hung = false;
    child.stdout.on('data', (data) => { stdout += data; });
    child.stderr.on('data', (data) => { stderr += data; });
    const timer = setTimeout(() => {
      hung = true;
      child.kill('SIGKILL');
    }, HANG_MS);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout: stdout.trim(), stderr: stderr.trim(), hung });
    });
  });
}

/** How a process ends that has nothing to complain about. */
const CLEAN = Object.freeze({ code: 0, signal: null, stdout: '', stderr: '', hung: false });

module.exports = { runChild, CLEAN };

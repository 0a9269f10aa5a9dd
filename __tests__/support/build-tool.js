'use strict';

// Builds a Go tool of this repository into tools/bin/ when it is missing or older than its sources.

const fs = require('node:fs');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { isAlive } = require('../../js/cli/is-alive.js');

const root = path.resolve(__dirname, '..', '..');
const bin = path.join(root, 'tools', 'bin');

/**
 * @param {string} name the folder below tools/, and the binary's name
 * @param {{ log?: (line: string) => void }} [options] log: where "building" goes; stderr by default
 * @returns {Promise<string>} the path of the binary
 */
async function buildTool(name, { log = (line) => console.error(line) } = {}) {
  const source = path.join(root, 'tools', name);
  const target = path.join(bin, process.platform === 'win32' ? `${name}.exe` : name);
  if (isFresh(target, source)) return target;
  fs.mkdirSync(bin, { recursive: true });
  const release = await lock(`${target}.lock`);
  try {
    if (isFresh(target, source)) return target; // another process built it meanwhile
    log(`Building tools/${name} (the first build takes up to a minute) ...`);
    // A new file is renamed over the old one: a running server keeps its own binary.
    const fresh = `${target}.${process.pid}`;
    await run('go', ['build', '-trimpath', '-o', fresh, '.'], source);
    fs.renameSync(fresh, target);
    return target;
  } finally {
    release();
  }
}

function isFresh(target, source) {
  let built;
  try {
    built = fs.statSync(target).mtimeMs;
  } catch {
    return false;
  }
  return newest(source) <= built;
}

// Test files do not go into the binary. The tool's own module, or else the main one, does.
function newest(folder) {
  let time = 0;
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) time = Math.max(time, newest(full));
    else if (/(?<!_test)\.go$|^go\.(mod|sum)$/.test(entry.name)) time = Math.max(time, fs.statSync(full).mtimeMs);
  }
  return time;
}

// Test files run in parallel processes, and a cold build keeps every core busy: one at a time.
async function lock(file) {
  for (;;) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => fs.rmSync(file, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned(file)) fs.rmSync(file, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

// Two processes may both find a lock abandoned and both build: they write files of their own, so that is
// only slow.
function isAbandoned(file) {
  try {
    const pid = Number(fs.readFileSync(file, 'utf8'));
    if (pid > 0) return !isAlive(pid);
    return Date.now() - fs.statSync(file).mtimeMs > 5000; // empty: its owner is just writing it, or died
  } catch {
    return false; // released meanwhile
  }
}

function run(command, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (data) => { output += data; });
    child.stderr.on('data', (data) => { output += data; });
    child.on('error', (error) => {
      reject(error.code === 'ENOENT'
        ? new Error(`${command} is not installed: the test servers are built with Go 1.26 or later (https://go.dev/dl/)`)
        : error);
    });
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} failed in ${cwd}:\n${output}`));
    });
  });
}

module.exports = { buildTool };

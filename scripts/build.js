'use strict';
// Builds the core (Go, c-shared) and the addon (C++, node-gyp) into build/Release. Run by `npm install` with
// --if-needed, which does nothing when a platform package is there or the outputs are newer than all their sources, and by
// `npm run build`.
// Uses nothing but Node before it has checked that the rest is there.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { compileCore } = require('./compile-core');
const { nodeGyp, addonStep } = require('./compile-addon');
const { locate, packageFor } = require('../js/native/locate');
const { checkNode, checkPlatform, coreName, target } = require('../js/native/platform');

const root = path.join(__dirname, '..');
const outDir = path.join(root, 'build', 'Release');
const core = path.join(outDir, coreName());
const addon = path.join(outDir, 'rumongo.node');
// Says which Node, machine and package version the outputs are for: file times alone would miss a changed machine.
const stamp = path.join(outDir, 'rumongo.stamp');
const { version } = require('../package.json');

function fail(message) {
  console.error(`\nrumongo-go: ${message}\n`);
  process.exit(1);
}

function run(title, command, args, options = {}) {
  console.log(`rumongo-go: ${title}`);
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (result.error) fail(`${title} failed: cannot run ${command}: ${result.error.message}`);
  if (result.status !== 0) fail(`${title} failed; the output above says why.`);
}

/** The first line a command prints, or null when there is no such command. */
function firstLine(command, args) {
  const result = spawnSync(command, args, { encoding: 'utf8', cwd: root });
  return result.error || result.status !== 0 ? null : result.stdout.split('\n', 1)[0];
}

function compilers() {
  return process.env.CXX ? [process.env.CXX] : ['g++', 'c++', 'clang++'];
}

/** Collects everything that is missing, so that nobody has to run the build once per missing tool. */
function checkTools() {
  const missing = [];
  const go = firstLine('go', ['version']);
  const wanted = /^go (\d+\.\d+)/m.exec(fs.readFileSync(path.join(root, 'go.mod'), 'utf8'))[1];
  if (go === null) {
    missing.push(`Go ${wanted} or later, which compiles the core: https://go.dev/dl/ (then make sure that "go version" works)`);
  }
  if (!compilers().some((command) => firstLine(command, ['--version']) !== null)) {
    missing.push('a C++ compiler (C++17): "apt install build-essential", "dnf install gcc-c++ make" or "xcode-select --install"');
  }
  if (process.platform !== 'win32' && firstLine('make', ['--version']) === null) {
    missing.push('make: it comes with the packages named for the C++ compiler');
  }
  if (!['python3', 'python'].some((command) => firstLine(process.env.PYTHON ?? command, ['--version']) !== null)) {
    missing.push('Python 3, which node-gyp needs: "apt install python3" or https://www.python.org');
  }
  if (missing.length > 0) {
    const name = target();
    const other = name === null ? '' : `\nOr without them: let npm install the prebuilt binaries, ${packageFor(name)}@${version} (no --omit=optional; if the lock `
      + 'file lacks it, delete package-lock.json and node_modules and install anew).';
    fail(`cannot build, these tools are missing:\n${missing.map((line) => `  - ${line}`).join('\n')}${other}`);
  }
}

function* sources(dir) {
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'testdata') yield* sources(file);
    } else if (!entry.name.endsWith('_test.go')) {
      yield file;
    }
  }
}

const mtime = (file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function newest(files) {
  let latest = 0;
  for (const file of files) latest = Math.max(latest, mtime(file));
  return latest;
}

const at = (...names) => path.join(root, ...names);
const coreSources = () => newest([...sources(at('core')), at('go.mod'), at('go.sum'), at('scripts', 'compile-core.js')]);
const addonSources = () => newest([...sources(at('napi')), at('core', 'cabi', 'abi.h'), at('core', 'cabi', 'mask.h'), at('binding.gyp')]);
const stampText = () => `${version} ${process.platform} ${process.arch} ${process.version}\n`;

function stampMatches() {
  try {
    return fs.readFileSync(stamp, 'utf8') === stampText();
  } catch {
    return false;
  }
}

function buildCore() {
  // Linked under another name and moved: a Node process that runs has the old file mapped, and must keep it.
  const fresh = path.join(outDir, `fresh-${process.pid}-${coreName()}`);
  const { command, args, env } = compileCore({ out: fresh });
  run('building the core (Go)', command, args, { env });
  fs.rmSync(fresh.replace(/\.[^.]+$/, '.h'), { force: true });
  fs.renameSync(fresh, core);
}

/** An output is as old as the start of its build: a source that changed meanwhile may not be in it. */
function date(file, started) {
  fs.utimesSync(file, started, started);
}

function buildAddon() {
  const gyp = nodeGyp();
  if (gyp === null || !resolves('node-addon-api')) {
    fail('the packages node-gyp and node-addon-api are missing: run "npm install" in the repository, or "npm rebuild rumongo-go" in your project.');
  }
  const gypRun = (title, step) => {
    const { command, args } = addonStep(gyp, step);
    run(title, command, args);
  };
  if (mtime(at('build', 'config.gypi')) < mtime(at('binding.gyp')) || !stampMatches()) {
    gypRun('configuring the addon', 'configure');
  }
  gypRun('building the addon (C++)', 'build');
}

function resolves(name) {
  try {
    return require.resolve(name) !== '';
  } catch {
    return false;
  }
}

/** An installed package needs no build where the platform package beside it fits. */
function prebuilt() {
  const { from, packageFolder } = locate();
  return from === 'package' && require(path.join(packageFolder, 'package.json')).version === version;
}

function main() {
  const ifNeeded = process.argv.includes('--if-needed');
  const problem = checkNode() ?? checkPlatform();
  if (problem) fail(problem);
  if (ifNeeded && prebuilt()) return;
  const coreFresh = mtime(core) > coreSources() && stampMatches();
  const addonFresh = mtime(addon) > addonSources() && stampMatches();
  if (ifNeeded && coreFresh && addonFresh) return;
  checkTools();
  fs.mkdirSync(outDir, { recursive: true });
  const started = new Date();
  if (!ifNeeded || !coreFresh) {
    buildCore();
    date(core, started);
  }
  if (!ifNeeded || !addonFresh) {
    buildAddon();
    date(addon, started);
  }
  fs.writeFileSync(stamp, stampText());
  console.log(`rumongo-go: built ${path.relative(process.cwd(), outDir) || outDir}`);
}

main();

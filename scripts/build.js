'use strict';
// Builds the core (Go, c-shared) and the addon (C++, node-gyp) into build/Release. Run by `npm install` with
// --if-needed, which does nothing when the outputs are newer than all their sources, and by `npm run build`.
// Uses nothing but Node before it has checked that the rest is there.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { checkNode, checkPlatform, coreName } = require('../js/native/platform');

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
    fail(`cannot build, these tools are missing:\n${missing.map((line) => `  - ${line}`).join('\n')}`);
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
const coreSources = () => newest([...sources(at('core')), at('go.mod'), at('go.sum')]);
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
  const goEnv = { ...process.env, CGO_ENABLED: '1' };
  // Linked under another name and moved: a Node process that runs has the old file mapped, and must keep it.
  const fresh = path.join(outDir, `fresh-${process.pid}-${coreName()}`);
  const soname = process.platform === 'darwin' ? `-Wl,-install_name,@rpath/${coreName()}` : `-Wl,-soname,${coreName()}`;
  // asyncpreemptoff: Go would interrupt its threads with SIGURG, and a program that handles SIGURG would get those signals,
  // in a handler that a goroutine's stack has no room for (core/cabi/mask.c). A GODEBUG variable still wins.
  const ldflags = `-s -w -X main.version=${version} -X runtime.godebugDefault=asyncpreemptoff=1 -extldflags=${soname}`;
  run('building the core (Go)', 'go',
    ['build', '-trimpath', '-buildmode=c-shared', '-ldflags', ldflags, '-o', fresh, './core/cabi'], { env: goEnv });
  fs.rmSync(fresh.replace(/\.[^.]+$/, '.h'), { force: true });
  fs.renameSync(fresh, core);
}

/** An output is as old as the start of its build: a source that changed meanwhile may not be in it. */
function date(file, started) {
  fs.utimesSync(file, started, started);
}

/** --nodedir when the running Node was installed with its headers: no download, and they fit exactly. */
function nodeDir() {
  const prefix = path.dirname(path.dirname(fs.realpathSync(process.execPath)));
  return fs.existsSync(path.join(prefix, 'include', 'node', 'node_api.h')) ? [`--nodedir=${prefix}`] : [];
}

function buildAddon() {
  let gyp;
  try {
    gyp = require.resolve('node-gyp/bin/node-gyp.js');
    require.resolve('node-addon-api');
  } catch {
    fail('the packages node-gyp and node-addon-api are missing: run "npm install" in the package directory first.');
  }
  const gypRun = (title, command, extra = []) => run(title, process.execPath,
    [gyp, command, '--release', '--loglevel=warn', ...nodeDir(), ...extra]);
  if (mtime(at('build', 'config.gypi')) < mtime(at('binding.gyp')) || !stampMatches()) {
    gypRun('configuring the addon', 'configure');
  }
  gypRun('building the addon (C++)', 'build');
}

function main() {
  const ifNeeded = process.argv.includes('--if-needed');
  const problem = checkNode() ?? checkPlatform();
  if (problem) fail(problem);
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

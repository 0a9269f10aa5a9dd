'use strict';
// `npm run sanitize`: the addon's C++ built with AddressSanitizer and UndefinedBehaviorSanitizer, under the tests that use
// most of it. Node and the Go core are as always; the sanitizer's library is preloaded and leaves fault signals to Go, and
// leaks are not reported, because neither V8 nor Go frees everything at the end (the memory tests look for leaks). Linux,
// with GCC or Clang. `npm run sanitize -- __tests__/lifecycle/bridge.test.js` runs other tests.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { root, ensureReady, step } = require('./ensure');

const TESTS = ['lifecycle/bridge', 'lifecycle/exit', 'lifecycle/terminations', 'lifecycle/panics', 'integration/cursor', 'integration/read-ahead',
  'integration/cursors-closed', 'lifecycle/monitoring'].map((name) => path.join('__tests__', `${name}.test.js`));
const CXX = process.env.CXX || 'g++';
const FLAGS = ['-std=c++17', '-O1', '-g', '-fPIC', '-shared', '-fsanitize=address,undefined', '-fno-omit-frame-pointer', '-fno-exceptions'];
const DEFINES = ['NAPI_VERSION=9', 'NAPI_DISABLE_CPP_EXCEPTIONS', 'NODE_ADDON_API_DISABLE_DEPRECATED', 'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
  'BUILDING_NODE_EXTENSION'].map((name) => `-D${name}`);

/** Where node-gyp has, or the installation itself has, Node's headers. */
function nodeHeaders() {
  const places = [path.join(path.dirname(path.dirname(fs.realpathSync(process.execPath))), 'include', 'node'),
    path.join(os.homedir(), '.cache', 'node-gyp', process.versions.node, 'include', 'node')];
  const found = places.find((place) => fs.existsSync(path.join(place, 'node_api.h')));
  if (found === undefined) throw new Error(`Node's headers are in none of ${places.join(', ')}`);
  return found;
}

function sanitizerLibrary() {
  const { stdout, error } = spawnSync(CXX, ['-print-file-name=libasan.so'], { encoding: 'utf8' });
  if (error || !path.isAbsolute(stdout.trim())) throw new Error(`${CXX} has no libasan.so: install GCC's libasan`);
  return stdout.trim();
}

function build(dir) {
  const release = path.join(root, 'build', 'Release');
  const sources = fs.readdirSync(path.join(root, 'napi')).filter((file) => file.endsWith('.cc')).map((file) => path.join('napi', file));
  const include = require('node-addon-api').include_dir.replaceAll('"', '');
  const file = path.join(dir, 'rumongo.node');
  step('Building the addon with sanitizers', CXX, [...FLAGS, ...DEFINES, `-I${nodeHeaders()}`, `-I${include}`, '-Icore/cabi', ...sources, '-o', file,
    `-L${release}`, '-lrumongo', `-Wl,-rpath,${release}`, '-Wl,-z,nodelete']);
  return file;
}

/** A write behind a malloc'd block in a native module must be reported, or the rest means nothing. */
function checkThatItReports(dir, env) {
  const source = path.join(dir, 'overflow.cc');
  const file = path.join(dir, 'overflow.node');
  fs.writeFileSync(source, `#include <cstdlib>
    extern "C" void *napi_register_module_v1(void *, void *exports) {
      volatile char *block = static_cast<char *>(malloc(16));
      block[16] = 1;
      free((void *)block);
      return exports;
    }`);
  step('Building a module with a fault', CXX, [...FLAGS.map((flag) => flag.replace(',undefined', '')), source, '-o', file]);
  const { stderr } = spawnSync(process.execPath, ['-e', `process.dlopen({ exports: {} }, ${JSON.stringify(file)})`], { env, encoding: 'utf8' });
  if (!/heap-buffer-overflow/.test(stderr)) throw new Error(`AddressSanitizer did not report an overflow on purpose:\n${stderr}`);
  console.log('AddressSanitizer reports an overflow on purpose');
}

function main(tests) {
  if (process.platform !== 'linux') throw new Error('npm run sanitize works on Linux');
  ensureReady();
  const dir = path.join(root, 'build', 'sanitize');
  fs.mkdirSync(dir, { recursive: true });
  const env = {
    ...process.env,
    LD_PRELOAD: sanitizerLibrary(),
    ASAN_OPTIONS: 'detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:use_sigaltstack=0:halt_on_error=1:abort_on_error=1',
    UBSAN_OPTIONS: 'halt_on_error=1:print_stacktrace=1',
    RUMONGO_BINDING: build(dir),
  };
  checkThatItReports(dir, env);
  const { status, signal } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', ...tests], { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`the tests ended with ${signal ?? `exit code ${status}`}`);
}

try {
  main(process.argv.length > 2 ? process.argv.slice(2) : TESTS);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

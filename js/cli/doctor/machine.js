'use strict';
// The part of a checkup that needs no server: Node, the machine and its limits, the packages, the binary.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { createRequire } = require('node:module');
const { checkNode, checkPlatform } = require('../../native/platform.js');
const binding = require('../../native/binding.js');
const { locate } = require('../../native/locate.js');
const { resolveBson } = require('../../bson/classes.js');
const { version } = require('../../../package.json');

const SECTION = 'This machine';
const FEW_FILES = 1024;
const PACKAGES = { bson: [6, 7], mongodb: [6, 7], mongoose: [8, 9] };
// What changes how this package, Go, Node or the official driver behave.
const SHOWN = ['RUMONGO_BINDING', 'RUMONGO_DEBUG', 'RUMONGO_PPROF', 'RUMONGO_TEST_HOOKS', 'GOGC', 'GOMEMLIMIT', 'GOMAXPROCS', 'GODEBUG',
  'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_TLS_REJECT_UNAUTHORIZED', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'UV_THREADPOOL_SIZE', 'MALLOC_ARENA_MAX', 'LD_PRELOAD', 'LD_LIBRARY_PATH'];
const ONLY_SET = ['MONGODB_URI', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'];

async function checkMachine(checkup, env) {
  const { versions } = process;
  const note = (name, value, more) => checkup.note(SECTION, name, value, more);
  const problem = (message) => (message === null ? {} : { status: 'fail', remedy: message });
  note('rumongo-go', version);
  note('Node.js', `${versions.node}, V8 ${versions.v8}, N-API ${versions.napi}, OpenSSL ${versions.openssl}`, problem(checkNode()));
  const report = diagnosticReport();
  const { glibcVersionRuntime: glibc, osRelease } = report.header;
  const libc = process.platform === 'linux' ? `, ${glibc ? `glibc ${glibc}` : 'musl'}` : '';
  note('platform', `${process.platform} ${process.arch}${libc}, kernel ${osRelease}`, problem(checkPlatform()));
  note('processors', processors());
  note('memory', memory());
  files(note, report.userLimits?.open_files);
  for (const [name, majors] of Object.entries(PACKAGES)) installed(note, name, majors);
  note('environment', environment(env), environmentProblem(env));
  const bson = await checkup.step(SECTION, 'BSON classes', async () => {
    const classes = resolveBson();
    return { value: `those of bson ${classes.version}`, result: classes.BSON };
  });
  const { file, why } = locate();
  note('binary', file === null ? why : `${shortest(file)}\n${why}`, file === null ? { status: 'fail', remedy: 'See the error of its loading, below.' } : {});
  await checkup.step(SECTION, 'addon', async () => loaded(bson));
}

function diagnosticReport() {
  const exclude = process.report.excludeNetwork;
  process.report.excludeNetwork = true; // network interfaces are the slow part, and nobody's business
  try {
    return process.report.getReport();
  } finally {
    process.report.excludeNetwork = exclude;
  }
}

function processors() {
  const quota = firstOf(['/sys/fs/cgroup/cpu.max']);
  const [limit, period] = quota?.trim().split(' ') ?? ['max'];
  const cgroup = limit === 'max' ? 'no cgroup limit' : `cgroup limit ${Number(limit) / Number(period)}`;
  return `${os.availableParallelism()} of ${os.cpus().length}${process.platform === 'linux' ? `, ${cgroup}` : ''}`;
}

function memory() {
  const gb = (bytes) => `${(bytes / 2 ** 30).toFixed(1)} GB`;
  const limit = process.constrainedMemory();
  // Without a limit it is 0, or a number larger than any machine has.
  return `${gb(os.totalmem())}, ${limit > 0 && limit < os.totalmem() ? `cgroup limit ${gb(limit)}` : 'no cgroup limit'}`;
}

function firstOf(names) {
  for (const name of names) {
    try {
      return fs.readFileSync(name, 'utf8');
    } catch {
      // Another kind of system.
    }
  }
  return undefined;
}

function files(note, limits) {
  if (limits === undefined) return;
  const few = Number(limits.soft) < FEW_FILES; // NaN for unlimited
  note('open files', `${limits.soft} (ulimit -n), at most ${limits.hard}`, few ? { status: 'warn', remedy: `Raise it (ulimit -n ${FEW_FILES * 4}): each connection is one.` } : {});
}

/** As the application in the working directory would find it. */
function installed(note, name, majors) {
  let found;
  try {
    found = manifestOf(name);
  } catch {
    note(name, 'not installed');
    return;
  }
  const known = majors.includes(Number.parseInt(found.version, 10));
  note(name, `${found.version} (${shortest(found.folder)})`,
    known ? {} : { status: 'warn', remedy: `Versions ${majors.join(' and ')} of ${name} are tested: npm install ${name}@${majors.at(-1)}.` });
}

/** From its main file upwards: not every package lets its package.json be required. */
function manifestOf(name) {
  const file = createRequire(path.join(process.cwd(), 'noop.js')).resolve(name);
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const text = firstOf([path.join(folder, 'package.json')]);
    const manifest = text === undefined ? {} : JSON.parse(text);
    if (manifest.name === name) return { folder, version: manifest.version };
  }
  throw new Error(`${name} has no package.json`);
}

function environment(env) {
  const shown = SHOWN.filter((name) => env[name]).map((name) => `${name}=${env[name]}`);
  const set = ONLY_SET.filter((name) => env[name]).map((name) => `${name} is set`);
  return [...shown, ...set].join('\n') || 'nothing that concerns it';
}

function environmentProblem(env) {
  if (/asyncpreemptoff=0/.test(env.GODEBUG ?? '')) {
    return { status: 'warn', remedy: 'Leave asyncpreemptoff=0 away from GODEBUG where the process has a handler for SIGURG (docs/process.md).' };
  }
  if (env.NODE_EXTRA_CA_CERTS && firstOf([env.NODE_EXTRA_CA_CERTS]) === undefined) {
    return { status: 'warn', remedy: 'Correct NODE_EXTRA_CA_CERTS: the file cannot be read, and Node.js goes on without it.' };
  }
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    return { status: 'warn', remedy: 'Name the authority with tlsCAFile or NODE_EXTRA_CA_CERTS: NODE_TLS_REJECT_UNAUTHORIZED is not heeded here, and the official driver heeds it.' };
  }
  if (env.RUMONGO_TEST_HOOKS) return { status: 'warn', remedy: 'Unset RUMONGO_TEST_HOOKS: it is for this package\'s own tests.' };
  return {};
}

/** @param {object | undefined} bson what the core says of itself is BSON */
function loaded(bson) {
  const { abi, coreAbi, version: built } = binding.load();
  const value = `version ${built}, ABI ${abi} (addon) and ${coreAbi} (core)`;
  if (bson === undefined) return { value };
  const { goVersion, driverVersion } = bson.deserialize(require('../../native/bridge.js').stats());
  return { value: `${value}, ${goVersion}, mongo-driver ${driverVersion}` };
}

/** A path as seen from the working directory, where it is below that. */
function shortest(file) {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith('..') ? file : relative;
}

module.exports = { checkMachine };

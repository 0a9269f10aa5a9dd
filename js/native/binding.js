'use strict';
// Finds and loads the addon, makes sure that it belongs to these JavaScript files, and explains a failure.

const fs = require('node:fs');
const path = require('node:path');
const { checkNode, checkPlatform, describe } = require('./platform');
const { version } = require('../../package.json');

/** The number of core/cabi/abi.h that these files were written for. */
const ABI = 4;

const BUILT = path.join(__dirname, '..', '..', 'build', 'Release', 'rumongo.node');

const ELF_MAGIC = 0x7f454c46;
const ELF_64_BIT = 2;

/**
 * Loads the addon. RUMONGO_BINDING names another file than the local build.
 * @returns {object} the addon's exports
 */
function load() {
  const file = process.env.RUMONGO_BINDING ? path.resolve(process.env.RUMONGO_BINDING) : BUILT;
  let binding;
  try {
    refuseTruncated(file);
    refuseTruncated(path.join(path.dirname(file), 'librumongo.so'));
    binding = require(file);
  } catch (error) {
    throw explain(file, error);
  }
  check(binding, file);
  return binding;
}

function check(binding, file) {
  if (binding.abi !== ABI || binding.coreAbi !== ABI) {
    throw mismatch(file, `its binary interface is ${binding.abi} (addon) and ${binding.coreAbi} (core), expected ${ABI}`);
  }
  if (binding.version !== version) {
    throw mismatch(file, `it was built for rumongo-go ${binding.version}, this is ${version}`);
  }
}

function mismatch(file, what) {
  const error = new Error(`rumongo-go: ${file} does not belong to these JavaScript files: ${what}. `
    + 'Run "npm rebuild rumongo-go" (in the repository itself: "npm run build").');
  error.code = 'ERR_RUMONGO_BINDING_MISMATCH';
  return error;
}

function explain(file, cause) {
  const remedy = checkNode() ?? checkPlatform() ?? remedyFor(cause);
  const error = new Error(`rumongo-go: the native addon cannot be loaded (${describe()}).\n${remedy}\nTried ${file}: ${cause.message}`, { cause });
  error.code = 'ERR_RUMONGO_BINDING';
  return error;
}

/**
 * Loading a library whose end is missing (a full disk, a copy that was interrupted) is a bus error, which ends the
 * process. In ELF the table of sections is at the end of the file, so its place tells how long the file must be.
 */
function refuseTruncated(file) {
  let fd;
  try {
    fd = fs.openSync(file, 'r');
  } catch {
    return; // loading says why
  }
  try {
    const header = Buffer.alloc(64);
    if (fs.readSync(fd, header) < header.length || header.readUInt32BE(0) !== ELF_MAGIC || header[4] !== ELF_64_BIT) return;
    const [at, size, count] = header[5] === 1
      ? [header.readBigUInt64LE(0x28), header.readUInt16LE(0x3a), header.readUInt16LE(0x3c)]
      : [header.readBigUInt64BE(0x28), header.readUInt16BE(0x3a), header.readUInt16BE(0x3c)];
    const { size: actual } = fs.fstatSync(fd);
    const needed = at + BigInt(size * count);
    if (needed > BigInt(actual)) throw new Error(`${file} is truncated: it has ${actual} of at least ${needed} bytes`);
  } finally {
    fs.closeSync(fd);
  }
}

function remedyFor(cause) {
  const rebuild = 'run "npm rebuild rumongo-go" (in the repository itself: "npm run build")';
  if (cause.code === 'ERR_DLOPEN_DISABLED') {
    return 'This process was started without native addons: leave --no-addons away, or with --permission add --allow-addons.';
  }
  if (process.env.RUMONGO_BINDING && cause.code === 'MODULE_NOT_FOUND') {
    return 'The environment variable RUMONGO_BINDING names a file that is not there: correct it, or unset it to use the package\'s own build.';
  }
  if (cause.code === 'MODULE_NOT_FOUND') {
    return `It has not been built: ${rebuild}. That needs Go and a C++ compiler, and npm's --ignore-scripts must be off.`;
  }
  if (/librumongo/.test(cause.message)) {
    return `The core library beside it is missing or damaged: ${rebuild}.`;
  }
  if (/GLIBC(XX)?_/.test(cause.message)) {
    return `It was built on a newer Linux than this one: ${rebuild} here.`;
  }
  if (/wrong ELF class|invalid ELF header|incompatible architecture|mach-o/i.test(cause.message)) {
    return `node_modules was copied from another kind of machine: ${rebuild} here.`;
  }
  return `Its files may be damaged: ${rebuild}.`;
}

module.exports = { load, check, ABI };

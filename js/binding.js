'use strict';
// Finds and loads the addon, makes sure that it belongs to these JavaScript files, and explains a failure.

const path = require('node:path');
const { checkNode, checkPlatform, describe } = require('./platform');
const { version } = require('../package.json');

/** The number of core/cabi/abi.h that these files were written for. */
const ABI = 2;

const BUILT = path.join(__dirname, '..', 'build', 'Release', 'rumongo.node');

/**
 * Loads the addon. RUMONGO_BINDING names another file than the local build.
 * @returns {object} the addon's exports
 */
function load() {
  const file = process.env.RUMONGO_BINDING || BUILT;
  let binding;
  try {
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

function remedyFor(cause) {
  const rebuild = 'run "npm rebuild rumongo-go" (in the repository itself: "npm run build")';
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

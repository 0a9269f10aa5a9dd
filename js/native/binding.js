'use strict';
// Loads the addon that `locate` chose, and makes sure that it belongs to these JavaScript files.

const { locate } = require('./locate');
const { explain } = require('./explain');
const { inspect } = require('./elf');
const { version } = require('../../package.json');

/** The number of core/cabi/abi.h that these files were written for. */
const ABI = 4;

/** @returns {object} the addon's exports */
function load() {
  const location = locate();
  const { file, core } = location;
  if (file === null) throw explain(location, null);
  let binding;
  try {
    refuseTruncated(file);
    refuseTruncated(core);
    binding = require(file);
  } catch (error) {
    throw explain(location, error);
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
    + 'Run "npm install rumongo-go" or, where it is built from source, "npm rebuild rumongo-go" (in the repository itself: "npm run build").');
  error.code = 'ERR_RUMONGO_BINDING_MISMATCH';
  return error;
}

/**
 * Loading a library whose end is missing (a full disk, a copy that was interrupted) is a bus error, which ends the
 * process.
 */
function refuseTruncated(file) {
  const head = inspect(file);
  if (head !== null && head.needed > head.size) {
    throw new Error(`${file} is truncated: it has ${head.size} of at least ${head.needed} bytes`);
  }
}

module.exports = { load, check, ABI };

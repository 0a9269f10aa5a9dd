'use strict';
// Why the addon does not load, in one error: the machine, one sentence on the cause with the exact remedy, what was tried.

const path = require('node:path');
const { checkNode, checkPlatform, describe } = require('./platform');
const { inspect } = require('./elf');
const { version } = require('../../package.json');

const BUILD = 'run "npm rebuild rumongo-go" (in the repository itself: "npm run build"), which needs Go and a C++ compiler';

/**
 * @param {import('./locate').Location} location
 * @param {Error | null} cause what loading the file said; null: there was no file
 * @param {{ versions?: NodeJS.ProcessVersions, libc?: string }} [machine] another than this one, for tests
 */
function explain(location, cause, { versions = process.versions, libc } = {}) {
  const remedy = checkNode(versions.node) ?? checkPlatform(process.platform, libc) ?? forProcess(cause) ?? (cause === null ? forNone(location) : forFile(location, cause))
    ?? forElectron(versions) ?? `Its files may be damaged: ${again(location)}.`;
  const error = new Error(`rumongo-go: the native addon cannot be loaded (${describe()}).\n${remedy}\nTried\n  ${tried(location, cause)}`,
    cause === null ? undefined : { cause });
  error.code = 'ERR_RUMONGO_BINDING';
  return error;
}

function tried({ tried: places, file: chosen, packageName }, cause) {
  return places.map(({ from, file, found }) => {
    const what = `${from}: ${file ?? packageName ?? 'no package for this machine'}: `;
    if (file === chosen && cause !== null) return what + cause.message;
    return what + (found ? 'there, not used' : 'not there');
  }).join('\n  ');
}

/** How to get the files once more, from where they came. */
function again({ from, packageName }) {
  return from === 'package' ? `run "npm install --force ${packageName}@${version}"` : BUILD;
}

function forProcess(cause) {
  return cause?.code === 'ERR_DLOPEN_DISABLED'
    ? 'This process was started without native addons: leave --no-addons away, or with --permission add --allow-addons.' : null;
}

function forNone({ target, packageName, packageFolder, foreign }) {
  if (packageName === null) {
    return `There are no prebuilt binaries for ${process.platform} ${process.arch}: ${BUILD}; npm's --ignore-scripts must be off.`;
  }
  if (packageFolder !== null) {
    return `The package ${packageName} has lost its files: run "npm install --force ${packageName}@${version}".`;
  }
  if (foreign.length > 0) {
    return `node_modules was copied from another kind of machine: it holds ${foreign.join(' and ')}, this machine needs ${packageName}. `
      + 'Delete node_modules and run "npm install" here (in a Dockerfile: name node_modules in .dockerignore).';
  }
  return `The optional dependency ${packageName} was not installed. If npm ran with --omit=optional or --no-optional, leave that away. If the `
    + 'lock file was written on another kind of machine, npm may have left this one\'s package out of it: delete node_modules and '
    + `package-lock.json and run "npm install", or add it by "npm install --save-optional ${packageName}@${version}". Or build for ${target}: ${BUILD}.`;
}

function forFile(location, cause) {
  const { file, core, from } = location;
  if (from === 'environment' && cause.code === 'MODULE_NOT_FOUND') {
    return 'The environment variable RUMONGO_BINDING names a file that is not there: correct it, or unset it to use the package\'s own binaries.';
  }
  for (const part of [file, core]) {
    const arch = inspect(part)?.arch ?? process.arch;
    if (arch !== process.arch) {
      return `${path.basename(part)} is for the processor ${arch}, this Node.js is for ${process.arch}: ${from === 'environment'
        ? 'let RUMONGO_BINDING name another file, or unset it' : 'delete node_modules and run "npm install" with this Node.js'}.`;
    }
  }
  if (/app\.asar[\\/]/.test(file)) {
    return 'A native addon cannot be loaded from an archive of Electron: add "**/node_modules/rumongo-go*/**" to asarUnpack.';
  }
  if (/wrong ELF class|invalid ELF header|incompatible architecture|mach-o/i.test(cause.message)) {
    return `node_modules was copied from another kind of machine, or ${path.basename(file)} is no addon: delete node_modules and run "npm install" `
      + `here, or ${again(location)}.`;
  }
  if (/GLIBC(XX)?_|CXXABI_/.test(cause.message)) {
    return `It needs a newer C or C++ library than this Linux has (prebuilt: glibc 2.28, as Node.js 20 itself): ${BUILD} here.`;
  }
  if (/librumongo/.test(cause.message)) {
    return `The core library beside it is missing or damaged: ${again(location)}.`;
  }
  return null;
}

function forElectron(versions) {
  if (!versions.electron) return null;
  return `Electron ${versions.electron} is not supported: run rumongo-go in a plain Node.js process beside it (child_process.fork with `
    + 'execPath of a Node.js), or keep the official driver there.';
}

module.exports = { explain };

'use strict';
// The machines that binaries are made for, and the compilers that make them.

const { TARGETS, target: hostTarget } = require('../../js/native/platform');

// Debian's names: apt-get install gcc-aarch64-linux-gnu g++-aarch64-linux-gnu.
const CROSS = {
  'linux-x64-gnu': { cc: 'x86_64-linux-gnu-gcc', cxx: 'x86_64-linux-gnu-g++' },
  'linux-arm64-gnu': { cc: 'aarch64-linux-gnu-gcc', cxx: 'aarch64-linux-gnu-g++' },
  'darwin-x64': { cc: 'clang -arch x86_64', cxx: 'clang++ -arch x86_64' },
  'darwin-arm64': { cc: 'clang -arch arm64', cxx: 'clang++ -arch arm64' },
};

/** What the packages' manifests and the compilers' commands need to know of a target. */
function describeTarget(name) {
  if (!TARGETS.includes(name)) throw new Error(`There is no target ${name}; there are ${TARGETS.join(', ')}`);
  const [platform, arch] = name.split('-');
  return { name, platform, arch, libc: platform === 'linux' ? 'glibc' : null };
}

/** @returns {{ cc?: string, cxx?: string }} empty: the machine's own compilers */
function compilersFor(name) {
  if (name === hostTarget()) return {};
  const { platform } = describeTarget(name);
  if (platform !== process.platform) {
    throw new Error(`${name} cannot be built on ${process.platform}: that needs a ${platform} machine (.github/workflows/prebuild.yml has one)`);
  }
  return CROSS[name];
}

module.exports = { describeTarget, compilersFor, hostTarget };

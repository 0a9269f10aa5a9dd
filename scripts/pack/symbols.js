'use strict';
// What the binaries ask of the C and C++ libraries of a Linux: not more than Node.js 20 itself asks, so that they load
// wherever it runs. `node scripts/pack/symbols.js [folder]` checks the local build or the one in the folder.

const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { run } = require('./run');

/** The highest versions in the official binaries of Node.js 20, by `readelf --version-info` (x64 and arm64). */
const HIGHEST = { GLIBC: '2.28', GLIBCXX: '3.4.21', CXXABI: '1.3.9', GCC: '4.2.0' };

const hasReadelf = () => spawnSync('readelf', ['--version']).error === undefined;

function compare(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    if ((left[i] ?? 0) !== (right[i] ?? 0)) return (left[i] ?? 0) - (right[i] ?? 0);
  }
  return 0;
}

/** @returns {Record<string, string>} the highest version needed of each library, such as { GLIBC: '2.17' } */
function neededVersions(file) {
  const needs = run('readelf', ['--version-info', '--wide', file]).split('Version needs section')[1] ?? '';
  const highest = {};
  for (const [, library, version] of needs.matchAll(/Name: ([A-Z]+)_(\S+)/g)) {
    if (highest[library] === undefined || compare(version, highest[library]) > 0) highest[library] = version;
  }
  return highest;
}

/** @returns {string[]} what is too new, empty when nothing is */
function tooNew(needed) {
  return Object.entries(needed).filter(([library, version]) => HIGHEST[library] === undefined || !/^[\d.]+$/.test(version)
    || compare(version, HIGHEST[library]) > 0).map(([library, version]) => `${library}_${version}`);
}

/** Throws when a file of the folder needs more. @returns {Record<string, Record<string, string>>} by file */
function checkSymbols(folder) {
  const result = {};
  for (const file of fs.readdirSync(folder).filter((name) => /\.(so|node)$/.test(name))) {
    const needed = neededVersions(path.join(folder, file));
    const more = tooNew(needed);
    if (more.length > 0) {
      throw new Error(`${path.join(folder, file)} needs ${more.join(', ')}; Node.js 20 needs ${Object.entries(HIGHEST).map((pair) => pair.join('_')).join(', ')}: `
        + 'give the new function its old version in core/cabi/glibc.h');
    }
    result[file] = needed;
  }
  return result;
}

module.exports = { HIGHEST, checkSymbols, neededVersions, tooNew, hasReadelf };

if (require.main === module) {
  try {
    console.log(checkSymbols(process.argv[2] ?? path.join(__dirname, '..', '..', 'build', 'Release')));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

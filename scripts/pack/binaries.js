'use strict';
// Core and addon of one target, compiled beside the repository's own build: stripped, and the same bytes each time, from
// whatever folder.

const fs = require('node:fs');
const path = require('node:path');
const { compileCore } = require('../compile-core');
const { nodeGyp, addonStep } = require('../compile-addon');
const { coreName } = require('../../js/native/platform');
const { ADDON } = require('../../js/native/locate');
const { describeTarget, compilersFor } = require('./targets');
const { run } = require('./run');

const root = path.join(__dirname, '..', '..');

/**
 * @param {string} target
 * @param {string} dir where it is built; emptied first
 * @param {Record<string, string>} [env] more of the environment
 * @returns {string} the folder with the two files
 */
function buildBinaries(target, dir, env = {}) {
  const { platform, arch } = describeTarget(target);
  const { cc, cxx } = compilersFor(target);
  fs.rmSync(dir, { recursive: true, force: true });
  const release = path.join(dir, 'build', 'Release');
  fs.mkdirSync(release, { recursive: true });
  const core = compileCore({ out: path.join(release, coreName(platform)), platform, arch, cc });
  run(core.command, core.args, { cwd: root, env: { ...core.env, ...env } });

  fs.copyFileSync(path.join(root, 'binding.gyp'), path.join(dir, 'binding.gyp'));
  fs.cpSync(path.join(root, 'napi'), path.join(dir, 'napi'), { recursive: true });
  fs.cpSync(path.join(root, 'core', 'cabi'), path.join(dir, 'core', 'cabi'), { recursive: true });
  // Where binding.gyp looks for node-addon-api.
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(dir, 'node_modules'));
  const compilers = cc ? { CC: cc, CXX: cxx, LINK: cxx } : {};
  for (const step of ['configure', 'build']) {
    const { command, args } = addonStep(nodeGyp(), step, [`--arch=${arch}`]);
    run(command, args, { cwd: dir, env: { ...process.env, ...compilers, CXXFLAGS: `-ffile-prefix-map=${dir}=. -ffile-prefix-map=${root}=.`, ...env } });
  }
  if (platform === 'darwin') run('strip', ['-x', path.join(release, ADDON)]); // on Linux binding.gyp's linker flags do it
  return release;
}

module.exports = { buildBinaries };

'use strict';
// The node-gyp commands that make the addon, for a local build and for the published binaries. The installed package has
// this file too, so it uses nothing but Node.

const fs = require('node:fs');
const path = require('node:path');

/**
 * The repository has node-gyp as a development dependency. The package has not (7 MB with its own): npm, pnpm and yarn
 * bring one, and name it to the scripts they run.
 * @returns {string | null}
 */
function nodeGyp() {
  try {
    return require.resolve('node-gyp/bin/node-gyp.js');
  } catch {
    return process.env.npm_config_node_gyp ?? null;
  }
}

/** --nodedir when the running Node was installed with its headers: no download, and they fit exactly. */
function nodeDir() {
  const prefix = path.dirname(path.dirname(fs.realpathSync(process.execPath)));
  return fs.existsSync(path.join(prefix, 'include', 'node', 'node_api.h')) ? [`--nodedir=${prefix}`] : [];
}

/**
 * @param {string} gyp from nodeGyp()
 * @param {'configure' | 'build'} step configure also takes the compilers from the environment
 * @param {string[]} [extra]
 * @returns {{ command: string, args: string[] }} to be run in the folder of binding.gyp
 */
function addonStep(gyp, step, extra = []) {
  return { command: process.execPath, args: [gyp, step, '--release', '--loglevel=warn', ...nodeDir(), ...extra] };
}

module.exports = { nodeGyp, addonStep };

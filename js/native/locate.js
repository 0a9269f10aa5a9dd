'use strict';
// Which file is the addon, and why that one. Everybody who wants to know asks here: the loader, the installer, doctor.
// Nothing is loaded, and nothing but Node and the platform package's own place is needed.

const fs = require('node:fs');
const path = require('node:path');
const { TARGETS, target, coreName } = require('./platform');

const ADDON = 'rumongo.node';
const ROOT = path.join(__dirname, '..', '..');

/** The npm package that brings the binaries for a target; it is installed as an optional dependency. */
const packageFor = (name) => `rumongo-go-${name}`;

/** The folder of an installed package, or null. Its package.json is asked for: a folder alone may be a left-over. */
function folderOf(name) {
  try {
    return path.dirname(require.resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}

const exists = (file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

/**
 * @typedef {object} Location
 * @property {string | null} file the addon that is loaded, or null: there is none
 * @property {string | null} core the core library beside it
 * @property {'environment' | 'build' | 'package' | null} from where it was found
 * @property {string} why one sentence, for people
 * @property {string | null} target such as linux-x64-gnu; null: there are no prebuilt binaries for this machine
 * @property {string | null} packageName the platform package of that target
 * @property {string | null} packageFolder where that is installed, if it is
 * @property {string[]} foreign the platform packages that are installed for other machines; looked for when there is no file
 * @property {{ from: string, file: string | null, found: boolean }[]} tried in the order of choice
 */

/**
 * The first of: the file that RUMONGO_BINDING names, the build in the package's own folder, the platform package.
 * @param {{ env?: object, root?: string, platform?: string, arch?: string, folderOf?: (name: string) => string | null }} [machine]
 *   another than this one, for tests
 * @returns {Location}
 */
function locate(machine = {}) {
  const { env = process.env, root = ROOT, platform = process.platform, arch = process.arch } = machine;
  const find = machine.folderOf ?? folderOf;
  const name = target(platform, arch);
  const packageName = name && packageFor(name);
  const packageFolder = packageName && find(packageName);
  const location = {
    file: null, core: null, from: null, why: '', target: name, packageName, packageFolder, foreign: [], tried: [],
  };
  const choose = (from, file, why) => Object.assign(location, { file, core: path.join(path.dirname(file), coreName(platform)), from, why });

  if (env.RUMONGO_BINDING) {
    // What somebody asked for by name is taken or refused, never replaced.
    const file = path.resolve(env.RUMONGO_BINDING);
    location.tried.push({ from: 'environment', file, found: exists(file) });
    return choose('environment', file, 'The environment variable RUMONGO_BINDING names it.');
  }
  const built = path.join(root, 'build', 'Release', ADDON);
  const packaged = packageFolder && path.join(packageFolder, ADDON);
  location.tried.push({ from: 'build', file: built, found: exists(built) },
    { from: 'package', file: packaged, found: packaged !== null && exists(packaged) });
  const [local, prebuilt] = location.tried;
  if (local.found) return choose('build', built, 'It was built from source on this machine, which goes before a platform package.');
  if (prebuilt.found) return choose('package', packaged, `The package ${packageName} brings it; there is no local build.`);
  location.foreign = TARGETS.filter((other) => other !== name).map(packageFor).filter((other) => find(other) !== null);
  location.why = packageName === null
    ? `There is no local build, and no platform package for ${platform} ${arch}.`
    : `There is no local build, and the package ${packageName} is ${packageFolder ? 'damaged' : 'not installed'}.`;
  return location;
}

module.exports = { locate, packageFor, ADDON };

'use strict';
// `npm run pack`: binaries for this machine, its platform package and the main package, into dist/.
//   --target linux-arm64-gnu   another machine (repeatable)
//   --prebuilt folder          take the binaries in folder/<target>/ instead of compiling them; each is a target

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { TARGETS } = require('../../js/native/platform');
const { hostTarget, describeTarget } = require('./targets');
const { buildBinaries } = require('./binaries');
const { packPlatform, packMain } = require('./packages');
const { checksums } = require('./sbom');

const root = path.join(__dirname, '..', '..');
const DIST = path.join(root, 'dist');

/** @returns {Record<string, string>} the folders of a folder that are named for a target */
function prebuiltIn(folder) {
  if (folder === undefined) return {};
  const found = fs.readdirSync(folder).filter((name) => TARGETS.includes(name));
  if (found.length === 0) throw new Error(`${path.resolve(folder)} has no folder that is named for a target (${TARGETS.join(', ')})`);
  return Object.fromEntries(found.map((name) => [name, path.resolve(folder, name)]));
}

/**
 * @param {{ targets: string[], prebuilt?: Record<string, string>, dist?: string }} options prebuilt: folders of binaries,
 *   by target; the others are compiled
 * @returns {{ name: string, file: string, folder: string, unpackedSize: number }[]} the main package last
 */
function pack({ targets, prebuilt = {}, dist = DIST }) {
  targets.forEach(describeTarget);
  fs.mkdirSync(dist, { recursive: true });
  for (const old of fs.readdirSync(dist).filter((name) => name.endsWith('.tgz'))) fs.rmSync(path.join(dist, old));
  const packed = targets.map((target) => packPlatform(target, prebuilt[target] ?? buildBinaries(target, path.join(dist, 'work', target)), dist));
  packed.push(packMain(targets, dist));
  fs.writeFileSync(path.join(dist, 'SHA256SUMS'), checksums(packed.map(({ file }) => file)));
  return packed;
}

/** What is asked for, or else this machine and all that is built already; always in one order. */
function chooseTargets(asked, prebuilt) {
  const chosen = new Set(asked ?? [hostTarget(), ...Object.keys(prebuilt)]);
  for (const name of chosen) describeTarget(name);
  return TARGETS.filter((name) => chosen.has(name));
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** One line a package. */
function report(packed) {
  return packed.map(({ file, unpackedSize }) => `${path.basename(file)}: ${megabytes(fs.statSync(file).size)}, installed ${megabytes(unpackedSize)}`).join('\n');
}

module.exports = { pack, report, prebuiltIn, chooseTargets };

if (require.main === module) {
  try {
    const { values } = parseArgs({ options: { target: { type: 'string', multiple: true }, prebuilt: { type: 'string' } } });
    const prebuilt = prebuiltIn(values.prebuilt);
    console.log(report(pack({ targets: chooseTargets(values.target, prebuilt), prebuilt })));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

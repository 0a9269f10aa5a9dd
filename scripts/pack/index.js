'use strict';
// `npm run pack`: binaries for this machine, its platform package and the main package, into dist/.
//   --target linux-arm64-gnu   another machine (repeatable)
//   --binaries build/Release   take these instead of compiling (one target)

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { hostTarget, describeTarget } = require('./targets');
const { buildBinaries } = require('./binaries');
const { packPlatform, packMain } = require('./packages');
const { checksums } = require('./sbom');

const root = path.join(__dirname, '..', '..');
const DIST = path.join(root, 'dist');

/**
 * @param {{ targets: string[], binaries?: string, dist?: string }} options
 * @returns {{ name: string, file: string, folder: string, unpackedSize: number }[]} the main package last
 */
function pack({ targets, binaries, dist = DIST }) {
  fs.mkdirSync(dist, { recursive: true });
  for (const old of fs.readdirSync(dist).filter((name) => name.endsWith('.tgz'))) fs.rmSync(path.join(dist, old));
  const packed = targets.map((target) => packPlatform(target, binaries ?? buildBinaries(target, path.join(dist, 'work', target)), dist));
  packed.push(packMain(targets, dist));
  fs.writeFileSync(path.join(dist, 'SHA256SUMS'), checksums(packed.map(({ file }) => file)));
  return packed;
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** One line a package. */
function report(packed) {
  return packed.map(({ file, unpackedSize }) => `${path.basename(file)}: ${megabytes(fs.statSync(file).size)}, installed ${megabytes(unpackedSize)}`).join('\n');
}

module.exports = { pack, report, DIST };

if (require.main === module) {
  try {
    const { values } = parseArgs({ options: { target: { type: 'string', multiple: true }, binaries: { type: 'string' } } });
    const targets = values.target ?? [hostTarget()];
    targets.forEach(describeTarget);
    if (values.binaries && targets.length !== 1) throw new Error('--binaries are those of one --target');
    console.log(report(pack({ targets, binaries: values.binaries && path.resolve(values.binaries) })));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

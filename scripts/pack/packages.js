'use strict';
// The npm packages, written and packed into dist/: one for each target, and the main one, which names them as optional
// dependencies. The repository's own package.json does not, because `npm ci` would want them before they are published.

const fs = require('node:fs');
const path = require('node:path');
const { coreName } = require('../../js/native/platform');
const { packageFor, ADDON } = require('../../js/native/locate');
const { describeTarget } = require('./targets');
const { componentsOf, licencesText } = require('./modules');
const { billOfMaterials, checksums } = require('./sbom');
const { HIGHEST, checkSymbols } = require('./symbols');
const { run } = require('./run');

const root = path.join(__dirname, '..', '..');
const own = require('../../package.json');

function npmPack(dir, to) {
  const [{ filename, unpackedSize }] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', to], { cwd: dir }));
  return { file: path.join(to, filename), unpackedSize };
}

function writeJson(file, value) {
  fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

function emptied(dir) {
  fs.rmSync(dir, { recursive: true, force: true });
  fs.mkdirSync(dir, { recursive: true });
  return dir;
}

function platformManifest({ name, platform, arch, libc }, files) {
  return {
    name: packageFor(name),
    version: own.version,
    description: `The binaries of rumongo-go for ${name}. Not to be installed by itself: rumongo-go depends on it`,
    license: own.license,
    os: [platform],
    cpu: [arch],
    ...(libc && { libc: [libc] }),
    engines: own.engines,
    main: ADDON,
    preferUnplugged: true, // Yarn: a shared library cannot be loaded from an archive
    files,
  };
}

function platformReadme({ name, platform }, symbols) {
  const needs = platform !== 'linux' ? '' : `\nThey need no newer libraries than Node.js 20 itself: ${Object.entries(HIGHEST).map((pair) => pair.join('_')).join(', ')}. `
    + `Found: ${Object.entries(symbols).map(([file, versions]) => `${file} ${Object.entries(versions).map((pair) => pair.join('_')).join(', ')}`).join('; ')}.\n`;
  return `# ${packageFor(name)}\n\nThe binaries of [rumongo-go](https://www.npmjs.com/package/rumongo-go) ${own.version} for ${name}. npm installs this package with it where it fits.\n${needs}
| file | what it is |
|---|---|
| ${ADDON} | the addon (Node-API) |
| ${coreName(platform)} | the core (Go), which the addon loads from its own folder |
| sbom.cdx.json | the bill of materials, CycloneDX |
| THIRD_PARTY_LICENSES | the licences of all that is linked in |
| SHA256SUMS | checksums of these files: \`sha256sum -c SHA256SUMS\` |
`;
}

/**
 * @param {string} targetName
 * @param {string} binaries the folder with addon and core
 * @param {string} dist
 * @returns {{ name: string, file: string, unpackedSize: number, folder: string }}
 */
function packPlatform(targetName, binaries, dist) {
  const target = describeTarget(targetName);
  const folder = emptied(path.join(dist, packageFor(targetName)));
  const names = [ADDON, coreName(target.platform)];
  const files = names.map((name) => path.join(folder, name));
  for (const name of names) {
    fs.copyFileSync(path.join(binaries, name), path.join(folder, name));
    fs.chmodSync(path.join(folder, name), 0o755);
  }
  const symbols = target.platform === 'linux' ? checkSymbols(folder) : {};
  const components = componentsOf(files[1]);
  const manifest = platformManifest(target, [...names, 'sbom.cdx.json', 'THIRD_PARTY_LICENSES', 'SHA256SUMS']);
  writeJson(path.join(folder, 'package.json'), manifest);
  writeJson(path.join(folder, 'sbom.cdx.json'), billOfMaterials(manifest, files, components));
  fs.writeFileSync(path.join(folder, 'THIRD_PARTY_LICENSES'), licencesText(components));
  fs.writeFileSync(path.join(folder, 'README.md'), platformReadme(target, symbols));
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  fs.writeFileSync(path.join(folder, 'SHA256SUMS'),
    checksums([...names, 'sbom.cdx.json', 'THIRD_PARTY_LICENSES', 'LICENSE'].map((name) => path.join(folder, name))));
  return { name: manifest.name, folder, ...npmPack(folder, dist) };
}

/**
 * @param {string[]} targets whose packages it names
 * @param {string} dist
 */
function packMain(targets, dist) {
  const folder = emptied(path.join(dist, own.name));
  const [{ files }] = JSON.parse(run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root }));
  for (const { path: file } of files) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.copyFileSync(path.join(root, file), path.join(folder, file));
  }
  const { devDependencies, scripts, ...manifest } = own;
  writeJson(path.join(folder, 'package.json'), {
    ...manifest,
    scripts: { install: scripts.install },
    optionalDependencies: Object.fromEntries(targets.map((target) => [packageFor(target), own.version])),
  });
  return { name: own.name, folder, ...npmPack(folder, dist) };
}

module.exports = { packPlatform, packMain };

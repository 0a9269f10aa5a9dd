'use strict';
// The software bill of materials of a platform package: CycloneDX 1.5 in JSON. No time and no serial number in it, so
// that packing twice gives the same bytes.

const fs = require('node:fs');
const path = require('node:path');
const crypto = require('node:crypto');

const sha256 = (file) => crypto.createHash('sha256').update(fs.readFileSync(file)).digest('hex');

/**
 * @param {{ name: string, version: string, license: string }} manifest of the package
 * @param {string[]} files the binaries
 * @param {ReturnType<import('./modules').componentsOf>} components
 */
function billOfMaterials(manifest, files, components) {
  const ref = `pkg:npm/${manifest.name}@${manifest.version}`;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { 'type': 'library', 'bom-ref': ref, 'name': manifest.name, 'version': manifest.version, 'purl': ref, 'licenses': [{ license: { id: manifest.license } }] },
    },
    components: [
      ...files.map((file) => ({
        'type': 'file', 'bom-ref': `file:${path.basename(file)}`, 'name': path.basename(file), 'hashes': [{ alg: 'SHA-256', content: sha256(file) }],
      })),
      ...components.map(({ name, version, purl, sum, licence }) => ({
        'type': 'library', 'bom-ref': purl, name, version, purl, 'licenses': [{ license: { id: licence } }],
        ...(sum && { properties: [{ name: 'go:sum', value: sum }] }),
      })),
    ],
    dependencies: [{ ref, dependsOn: components.map(({ purl }) => purl) }],
  };
}

/** Lines as sha256sum writes and checks them. */
function checksums(files) {
  return files.map((file) => `${sha256(file)}  ${path.basename(file)}\n`).join('');
}

module.exports = { billOfMaterials, checksums };

'use strict';
// What `npm run release` refuses. The rest of it is packing, which has its own tests, and npm.

const test = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { wrongVersions, unready, parse } = require('../../scripts/release');
const { hostTarget } = require('../../scripts/pack/targets');

const ROOT = path.join(__dirname, '..', '..');
const manifest = { version: '1.2.3' };
const lock = { version: '1.2.3', packages: { '': { version: '1.2.3' } } };

test('versions that do not agree', () => {
  const changelog = '# Changelog\n\n## 1.2.3 (2030-01-01)\n\n## 1.2.2\n';
  assert.deepStrictEqual(wrongVersions({ manifest, lock, changelog }), []);
  assert.match(wrongVersions({ manifest, lock: { ...lock, version: '1.2.2' }, changelog }).join(), /package-lock\.json says 1\.2\.2, package\.json 1\.2\.3/);
  assert.match(wrongVersions({ manifest, lock, changelog: '## 1.2.30\n' }).join(), /first heading of CHANGELOG\.md is "1\.2\.30"/);
  assert.match(wrongVersions({ manifest: { version: 'next' }, lock, changelog }).join(), /"next" is no version/);
});

test('this repository agrees with itself', () => {
  const read = (file) => fs.readFileSync(path.join(ROOT, file), 'utf8');
  assert.deepStrictEqual(wrongVersions({ manifest: JSON.parse(read('package.json')), lock: JSON.parse(read('package-lock.json')), changelog: read('CHANGELOG.md') }), []);
});

test('a rehearsal may be unreleased, a publication not', () => {
  assert.match(unready({ manifest, changelog: '## 1.2.3 (unreleased)\n' }).join(), /needs a date/);
  assert.deepStrictEqual(unready({ manifest, changelog: '## 1.2.3 (2030-01-01)\n' }), []);
});

test('publishing wants to be confirmed, with the version, and runs all tests', () => {
  assert.throws(() => parse([], manifest), /either --dry-run, or --confirm 1\.2\.3/);
  assert.throws(() => parse(['--dry-run', '--confirm', '1.2.3'], manifest), /either/);
  assert.throws(() => parse(['--confirm', '1.2.4'], manifest), /--confirm 1\.2\.4 is not the version in package\.json, 1\.2\.3/);
  assert.throws(() => parse(['--confirm', '1.2.3', '--tests', 'none'], manifest), /all tests run/);
  assert.strictEqual(parse(['--confirm', '1.2.3'], manifest).dryRun, false);
});

test('targets and tests', { skip: hostTarget() === null && 'this machine is no target' }, (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-release-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  assert.deepStrictEqual(parse(['--dry-run'], manifest), { targets: [hostTarget()], prebuilt: {}, tests: [], dryRun: true });
  assert.deepStrictEqual(parse(['--dry-run', '--tests', 'package unit'], manifest).tests, ['package', 'unit']);
  assert.strictEqual(parse(['--dry-run', '--tests', 'none'], manifest).tests, null);
  assert.throws(() => parse(['--dry-run', '--target', 'beos-x64'], manifest), /no target beos-x64; there are linux-x64-gnu/);
  assert.throws(() => parse(['--dry-run', '--prebuilt', folder], manifest), /no folder that is named for a target/);
  fs.mkdirSync(path.join(folder, 'darwin-arm64'));
  const { targets, prebuilt } = parse(['--dry-run', '--prebuilt', folder], manifest);
  assert.deepStrictEqual([...targets].sort(), [...new Set([hostTarget(), 'darwin-arm64'])].sort());
  assert.deepStrictEqual(prebuilt, { 'darwin-arm64': path.join(folder, 'darwin-arm64') });
});

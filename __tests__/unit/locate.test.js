'use strict';
// Which file is the addon, and the one error when there is none that fits: each cause has its own sentence and remedy.

const test = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { locate, packageFor } = require('../../js/native/locate');
const { explain } = require('../../js/native/explain');
const { TARGETS, target, coreName } = require('../../js/native/platform');
const { version } = require('../../package.json');

const linux = { platform: 'linux', arch: 'x64' };
const PACKAGE = 'rumongo-go-linux-x64-gnu';

/** A folder with the places that are named in it, each with an addon of a few bytes. */
function places(t, { build = false, packages = [] }) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-locate-'));
  t.after(() => fs.rmSync(root, { recursive: true }));
  const put = (dir) => {
    fs.mkdirSync(dir, { recursive: true });
    for (const name of ['rumongo.node', 'librumongo.so']) fs.writeFileSync(path.join(dir, name), 'an addon');
  };
  if (build) put(path.join(root, 'build', 'Release'));
  for (const name of packages) put(path.join(root, name));
  const folderOf = (name) => (packages.includes(name) ? path.join(root, name) : null);
  return { ...linux, env: {}, root, folderOf };
}

test('every target has a package, and no machine has two', () => {
  assert.deepStrictEqual(TARGETS.map(packageFor), ['rumongo-go-linux-x64-gnu', 'rumongo-go-linux-arm64-gnu', 'rumongo-go-darwin-x64',
    'rumongo-go-darwin-arm64']);
  assert.deepStrictEqual(['linux', 'darwin'].flatMap((platform) => ['x64', 'arm64'].map((arch) => target(platform, arch))), TARGETS);
  assert.strictEqual(target('linux', 's390x'), null);
  assert.strictEqual(target('win32', 'x64'), null);
});

test('the order: environment, local build, platform package, nothing', (t) => {
  const all = places(t, { build: true, packages: [PACKAGE] });
  const named = locate({ ...all, env: { RUMONGO_BINDING: 'own/rumongo.node' } });
  assert.deepStrictEqual([named.file, named.from], [path.resolve('own/rumongo.node'), 'environment']);
  assert.match(named.why, /RUMONGO_BINDING/);

  const built = locate(all);
  assert.deepStrictEqual([built.file, built.from], [path.join(all.root, 'build', 'Release', 'rumongo.node'), 'build']);
  assert.strictEqual(built.core, path.join(all.root, 'build', 'Release', coreName('linux')));
  assert.match(built.why, /built from source/);

  const packed = places(t, { packages: [PACKAGE] });
  const prebuilt = locate(packed);
  assert.deepStrictEqual([prebuilt.file, prebuilt.from], [path.join(packed.root, PACKAGE, 'rumongo.node'), 'package']);
  assert.match(prebuilt.why, /rumongo-go-linux-x64-gnu brings it/);

  const none = locate(places(t, {}));
  assert.deepStrictEqual([none.file, none.core, none.from, none.packageName], [null, null, null, PACKAGE]);
  assert.match(none.why, /not installed/);
});

test('what this process loads is the build of this repository, or what RUMONGO_BINDING says', () => {
  const location = locate();
  assert.strictEqual(location.from, process.env.RUMONGO_BINDING ? 'environment' : 'build');
  assert.ok(fs.existsSync(location.file) && fs.existsSync(location.core));
});

/** The error of a machine where there is no file. */
const missing = (machine) => explain(locate(machine), null);

test('no file: a missing optional dependency', (t) => {
  const { message, code } = missing(places(t, {}));
  assert.strictEqual(code, 'ERR_RUMONGO_BINDING');
  assert.match(message, new RegExp(`cannot be loaded \\(${process.platform} ${process.arch}.*Node\\.js ${process.versions.node}`));
  assert.match(message, /optional dependency rumongo-go-linux-x64-gnu was not installed.*--omit=optional.*lock file.*delete node_modules and package-lock\.json/);
  assert.ok(message.includes(`npm install --save-optional ${PACKAGE}@${version}`));
  assert.match(message, /Tried\n {2}build: .*rumongo\.node: not there\n {2}package: rumongo-go-linux-x64-gnu: not there$/);
});

test('no file: node_modules of another kind of machine', (t) => {
  const { message } = missing(places(t, { packages: ['rumongo-go-darwin-arm64'] }));
  assert.match(message, /copied from another kind of machine: it holds rumongo-go-darwin-arm64, this machine needs rumongo-go-linux-x64-gnu\. Delete node_modules/);
});

test('no file: a package without its files', (t) => {
  const machine = places(t, { packages: [PACKAGE] });
  fs.rmSync(path.join(machine.root, PACKAGE, 'rumongo.node'));
  assert.ok(missing(machine).message.includes(`has lost its files: run "npm install --force ${PACKAGE}@${version}"`));
});

test('no file: a machine without prebuilt binaries', (t) => {
  assert.match(missing({ ...places(t, {}), arch: 's390x' }).message, /There are no prebuilt binaries for .*npm rebuild rumongo-go.*needs Go and a C\+\+ compiler/);
});

test('musl and an old Node go before all else', { skip: process.platform !== 'linux' && 'musl is a matter of Linux' }, (t) => {
  for (const machine of [places(t, {}), places(t, { packages: [PACKAGE] })]) {
    const location = locate(machine);
    const cause = location.file && new Error('Error relocating: initial-exec TLS resolves to dynamic definition');
    assert.match(explain(location, cause, { libc: 'musl' }).message, /musl \(Alpine Linux\) is not supported.*node:20-slim/);
    assert.match(explain(location, cause, { versions: { node: '18.20.1' } }).message, /20\.19\.0 or later is needed, this is 18\.20\.1/);
  }
});

test('Electron, and its archives', (t) => {
  const location = locate(places(t, { packages: [PACKAGE] }));
  const electron = { versions: { ...process.versions, electron: '99.1.0' } };
  assert.match(explain(location, new Error('undefined symbol'), electron).message, /Electron 99\.1\.0 is not supported: run rumongo-go in a plain Node\.js/);
  assert.match(explain({ ...location, file: '/x/app.asar/node_modules/rumongo-go-linux-x64-gnu/rumongo.node' }, new Error('no'), electron).message, /asarUnpack/);
});

test('a C library that is too old', (t) => {
  const location = locate(places(t, { packages: [PACKAGE] }));
  assert.match(explain(location, new Error("version `GLIBC_2.28' not found")).message, /newer C or C\+\+ library than this Linux has.*glibc 2\.28.*npm rebuild/);
});

test('a binary for another processor, by its own head', { skip: process.platform !== 'linux' && 'reads ELF files' }, (t) => {
  const { RUMONGO_BINDING, ...env } = process.env;
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-locate-'));
  t.after(() => fs.rmSync(dir, { recursive: true }));
  const { file, core } = locate({ env });
  const copies = [file, core].map((from) => {
    const copy = path.join(dir, path.basename(from));
    fs.copyFileSync(from, copy);
    return copy;
  });
  const machine = process.arch === 'arm64' ? 0x3e : 0xb7;
  for (const copy of copies.reverse()) { // the core alone first
    const fd = fs.openSync(copy, 'r+');
    fs.writeSync(fd, Buffer.from([machine]), 0, 1, 0x12);
    fs.closeSync(fd);
    const location = locate({ env: { RUMONGO_BINDING: path.join(dir, 'rumongo.node') } });
    assert.throws(() => require(location.file), (error) => {
      assert.match(explain(location, error).message,
        new RegExp(`${path.basename(copy)} is for the processor ${process.arch === 'arm64' ? 'x64' : 'arm64'}, this Node\\.js is for ${process.arch}`));
      return true;
    });
  }
});

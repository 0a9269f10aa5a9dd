'use strict';
// Loading the addon, and what users are told when it cannot be built or loaded.

const test = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const binding = require('../../js/native/binding');
const platform = require('../../js/native/platform');
const { version } = require('../../package.json');

const ROOT = path.join(__dirname, '..', '..');
const BUILD = path.join(ROOT, 'scripts', 'build.js');
const RELEASE = path.join(ROOT, 'build', 'Release');

test('Node versions', () => {
  for (const good of ['20.19.0', '20.20.2', '22.0.0', '100.0.0']) assert.strictEqual(platform.checkNode(good), null);
  for (const old of ['18.20.0', '20.18.9', '0.12.0']) {
    assert.match(platform.checkNode(old), new RegExp(`20\\.19\\.0 or later.*${old.replaceAll('.', '\\.')}.*nodejs\\.org`));
  }
});

test('platforms', () => {
  assert.strictEqual(platform.checkPlatform('linux', 'glibc'), null);
  assert.strictEqual(platform.checkPlatform('darwin', null), null);
  assert.match(platform.checkPlatform('linux', 'musl'), /Alpine.*glibc/);
  assert.match(platform.checkPlatform('win32', null), /win32 is not supported/);
  assert.match(platform.describe(), /Node\.js \d+/);
});

test('an addon of another build is refused with the remedy', () => {
  const good = { abi: binding.ABI, coreAbi: binding.ABI, version };
  binding.check(good, 'x.node');
  for (const [what, bad] of [
    ['addon', { ...good, abi: binding.ABI + 1 }],
    ['core', { ...good, coreAbi: 0 }],
    ['version', { ...good, version: '0.0.0' }],
  ]) {
    assert.throws(() => binding.check(bad, 'x.node'),
      { code: 'ERR_RUMONGO_BINDING_MISMATCH', message: /x\.node does not belong.*npm rebuild/s }, what);
  }
});

function loadFrom(file) {
  const script = `try { require(${JSON.stringify(path.join(ROOT, 'js', 'native', 'binding'))}).load(); console.log('loaded'); }
    catch (error) { console.log(error.code + ' ' + error.message); }`;
  return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', env: { ...process.env, RUMONGO_BINDING: file } }).stdout;
}

test('a missing or damaged addon is explained', (t) => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-binding-'));
  t.after(() => fs.rmSync(dir, { recursive: true }));
  const at = (name) => path.join(dir, name);

  assert.match(loadFrom(at('none.node')), /ERR_RUMONGO_BINDING .*RUMONGO_BINDING names a file that is not there.*none\.node/s);
  fs.writeFileSync(at('junk.node'), 'junk');
  assert.match(loadFrom(at('junk.node')), /ERR_RUMONGO_BINDING .*npm rebuild/s);
  fs.copyFileSync(path.join(RELEASE, 'rumongo.node'), at('alone.node'));
  assert.match(loadFrom(at('alone.node')), /ERR_RUMONGO_BINDING .*core library beside it is missing/s);
});

test('a truncated addon or core library is explained, and no bus error', { skip: process.platform !== 'linux' }, (t) => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-binding-'));
  t.after(() => fs.rmSync(dir, { recursive: true }));
  const names = ['rumongo.node', 'librumongo.so'];
  for (const damaged of names) {
    for (const name of names) fs.copyFileSync(path.join(RELEASE, name), path.join(dir, name));
    for (const size of [fs.statSync(path.join(dir, damaged)).size - 1, 5000]) {
      fs.truncateSync(path.join(dir, damaged), size);
      assert.match(loadFrom(path.join(dir, 'rumongo.node')), new RegExp(`ERR_RUMONGO_BINDING .*npm rebuild.*${damaged} is truncated: it has ${size} of`, 's'));
    }
  }
});

test('a process without addons is told so', () => {
  const result = spawnSync(process.execPath, ['--no-addons', '-e', `require(${JSON.stringify(path.join(ROOT, 'js', 'native', 'binding'))}).load()`], { encoding: 'utf8' });
  assert.match(result.stderr, /without native addons: leave --no-addons away/);
});

test('addon and core can be moved together', { skip: process.platform !== 'linux' }, (t) => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-binding-'));
  t.after(() => fs.rmSync(dir, { recursive: true }));
  for (const name of ['rumongo.node', 'librumongo.so']) fs.copyFileSync(path.join(RELEASE, name), path.join(dir, name));
  assert.strictEqual(loadFrom(path.join(dir, 'rumongo.node')).trim(), 'loaded');
});

test('requiring the package does not load the addon', () => {
  const result = spawnSync(process.execPath, ['-e', `require(${JSON.stringify(ROOT)})`],
    { encoding: 'utf8', env: { ...process.env, RUMONGO_BINDING: '/none/none.node' } });
  assert.deepStrictEqual([result.status, result.stderr], [0, '']);
});

test('a build without its tools names all that are missing, and how to get them', () => {
  const result = spawnSync(process.execPath, [BUILD], { encoding: 'utf8', env: { PATH: '/none' } });
  assert.strictEqual(result.status, 1);
  for (const tool of [/Go \d+\.\d+ or later.*go\.dev/, /C\+\+ compiler.*build-essential/, /make/, /Python 3/]) {
    assert.match(result.stderr, tool);
  }
});

test('a build that is not needed does nothing, quickly', () => {
  const before = fs.statSync(path.join(RELEASE, 'rumongo.node')).mtimeMs;
  const result = spawnSync(process.execPath, [BUILD, '--if-needed'], { encoding: 'utf8', env: { PATH: '/none' } });
  assert.deepStrictEqual([result.status, result.stdout, result.stderr], [0, '', '']);
  assert.strictEqual(fs.statSync(path.join(RELEASE, 'rumongo.node')).mtimeMs, before);
});

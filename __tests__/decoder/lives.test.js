'use strict';
// Whole processes that decode: what they load, that they end, and threads that are ended in the middle.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const bson = require('bson');
const { runChild, CLEAN } = require('../support/run-child.js');

let folder;
let dump;

before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-lives-'));
  dump = path.join(folder, 'dump.bson');
  fs.writeFileSync(dump, Buffer.concat(Array.from({ length: 100_000 }, (_, n) => bson.serialize({ _id: n, text: 'some text', list: [1, 2, 3] }))));
});

after(() => fs.rmSync(folder, { recursive: true, force: true }));

const index = JSON.stringify(path.join(__dirname, '..', '..'));
const run = (source) => {
  const script = path.join(folder, 'life.js');
  fs.writeFileSync(script, `'use strict';\nconst fs = require('node:fs');\nconst { deserialize, deserializeMany, readBSON } = require(${index});\nconst dump = ${JSON.stringify(dump)};\n${source}`);
  return runChild(script, [], { cwd: path.join(__dirname, '..', '..') });
};

test('a few documents do not load the core', { skip: process.platform !== 'linux' && 'what is loaded is looked up in /proc' }, async () => {
  const loaded = "console.log(fs.readFileSync('/proc/self/maps', 'latin1').includes('librumongo'));";
  const small = await run(`const one = Buffer.from([5, 0, 0, 0, 0]);\ndeserialize(one);\ndeserializeMany(Buffer.concat([one, one])).then(() => { ${loaded} });`);
  assert.deepEqual(small, { ...CLEAN, stdout: 'false' });
  const large = await run(`deserializeMany(fs.readFileSync(dump)).then(() => { ${loaded} });`);
  assert.deepEqual(large, { ...CLEAN, stdout: 'true' });
});

test('a process ends while a file is read halfway and nobody waits; one that waits goes on', async () => {
  assert.deepEqual(await run('globalThis.cursor = readBSON(dump);\ncursor.nextBatch().then((docs) => console.log(docs[0]._id));'), { ...CLEAN, stdout: '0' });
  assert.deepEqual(await run('(async () => { let n = 0; for await (const doc of readBSON(dump)) n++; console.log(n); })();'), { ...CLEAN, stdout: '100000' });
});

test('threads that are ended while they decode', async () => {
  const inside = `const fs = require('node:fs');
    const { deserializeMany, readBSON } = require(${index});
    const bytes = fs.readFileSync(${JSON.stringify(dump)});
    (async () => {
      for (;;) {
        await deserializeMany(bytes);
        for await (const doc of readBSON(${JSON.stringify(dump)}, { lazy: true })) if (doc._id === 50000) break;
      }
    })();`;
  assert.deepEqual(await run(`const { Worker } = require('node:worker_threads');
    const source = ${JSON.stringify(inside)};
    (async () => {
      for (let n = 0; n < 6; n++) {
        const worker = new Worker(source, { eval: true });
        worker.on('error', (error) => { console.error(error); });
        await new Promise((resolve) => worker.once('online', resolve));
        await new Promise((resolve) => setTimeout(resolve, 60 + 60 * n));
        await worker.terminate();
      }
      console.log((await deserializeMany(fs.readFileSync(dump))).length);
    })();`), { ...CLEAN, stdout: '100000' });
});

'use strict';
// `npx rumongo-go cat`: the lines it prints are those of JSON.stringify and EJSON.stringify.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const bson = require('bson');
const { runChild } = require('../support/run-child.js');

const BIN = path.join(__dirname, '..', '..', 'bin', 'rumongo-go.js');
const { EJSON } = bson;

let folder;
before(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-cat-')); });
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const file = (name, ...parts) => {
  const where = path.join(folder, name);
  fs.writeFileSync(where, Buffer.concat(parts));
  return where;
};
const cat = (...args) => runChild(BIN, ['cat', ...args]);
const documents = Array.from({ length: 5000 }, (_, n) => bson.serialize({
  _id: new bson.ObjectId(), n, half: n / 2, one: new bson.Double(1), long: bson.Long.fromString('9007199254740993'), at: new Date(n), text: `\u00e9 ${n}`,
  ref: n % 100 === 0 ? new bson.DBRef('c', n) : null, list: [{ n }, 'x'],
}));

const forms = {
  '--canonical': (doc, indent) => EJSON.stringify(bson.deserialize(doc, { promoteValues: false }), undefined, indent, { relaxed: false }),
  '--relaxed': (doc, indent) => EJSON.stringify(bson.deserialize(doc), undefined, indent, { relaxed: true }),
  '--json': (doc, indent) => JSON.stringify(bson.deserialize(doc), null, indent),
};

for (const [form, text] of Object.entries(forms)) {
  test(`cat ${form}`, async () => {
    const dump = file('dump.bson', ...documents);
    const plain = { code: 0, signal: null, stdout: documents.map((doc) => text(doc)).join('\n'), stderr: '', hung: false };
    assert.deepEqual(await cat(dump, form), plain);
    if (form === '--canonical') assert.deepEqual(await cat(file('dump.bson.gz', zlib.gzipSync(Buffer.concat(documents)))), plain, 'the default');
    const some = documents.slice(0, 100);
    assert.equal((await cat(file('some.bson', ...some), form, '--pretty')).stdout, some.map((doc) => text(doc, 2)).join('\n'));
  });
}

test('nothing to print', async () => {
  assert.deepEqual(await cat(file('empty.bson')), { code: 0, signal: null, stdout: '', stderr: '', hung: false });
});

test('a damaged file: what is before the damage, a complaint, and 3', async () => {
  const { code, stdout, stderr } = await cat(file('cut.bson', ...documents.slice(0, 10), Buffer.from([1, 2, 3])), '--json');
  assert.equal(code, 3);
  assert.equal(stdout.split('\n').length, 10);
  assert.match(stderr, /^rumongo-go cat: the file ends inside a document: .*3 are left \(document at offset \d+ of .*cut\.bson\)$/);
});

test('files that are none', async () => {
  const missing = await cat(path.join(folder, 'missing.bson'));
  assert.equal(missing.code, 3);
  assert.match(missing.stderr, /ENOENT/);
  const archive = await cat(file('a.archive', Buffer.from([0x6d, 0xe2, 0x99, 0x81]), documents[0]));
  assert.equal(archive.code, 3);
  assert.match(archive.stderr, /archive of mongodump/);
  for (const [args, message] of [[[], /the file is missing/], [['a', 'b'], /one file at a time/], [['a', '--json', '--relaxed'], /do not go together/], [['a', '--yaml'], /Unknown option/]]) {
    const { code, stdout, stderr } = await cat(...args);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, message);
  }
});

test('a reader that leaves is no error', async () => {
  const dump = file('large.bson', ...Array(40).fill(Buffer.concat(documents)));
  const child = spawn(process.execPath, [BIN, 'cat', dump], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (data) => { stderr += data; });
  child.stdout.once('data', () => child.stdout.destroy());
  const [code, signal] = await new Promise((resolve) => child.once('close', (...how) => resolve(how)));
  assert.deepEqual([code, signal, stderr], [0, null, '']);
});

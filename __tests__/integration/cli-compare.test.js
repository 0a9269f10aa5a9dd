'use strict';
// `npx rumongo-go compare` over a server that can be made to answer the two drivers differently.

const { test, before, after, beforeEach } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { setTimeout: sleep } = require('node:timers/promises');
const bson = require('bson');
const official = require('mongodb');
const { main } = require('../../js/cli/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { startDevServer } = require('../support/dev-server.js');
const { runChild } = require('../support/run-child.js');

const root = path.join(__dirname, '..', '..');
const COUNT = 300;
const documents = Array.from({ length: COUNT }, (_, n) => bson.serialize({ _id: n, name: `n${n}`, at: new Date(n), id: new bson.ObjectId(n.toString(16).padStart(24, '0')), tags: [n, 'x', { d: null }] }));

let fixture;

before(async () => {
  fixture = await startFixture();
  await fixture.put('app.users', documents);
});
after(() => fixture?.stop());
beforeEach(() => fixture.reset());

async function compare(...args) {
  const out = { stdout: '', stderr: '' };
  const stream = (name) => ({ write(text) { out[name] += text; } });
  const code = await main(['compare', '--uri', fixture.uri, '--ns', 'app.users', '--rounds', '1', ...args], { stdout: stream('stdout'), stderr: stream('stderr'), env: {} });
  return { code, ...out };
}

const READS = ['find', 'findLazy', 'findCursor', 'findCursor lazy: false', 'findJSON'];

test('the same: exit code 0, a verdict for each read, the table and the advice', async () => {
  const { code, stdout, stderr } = await compare();
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /^app\.users: 300 documents, 0\.\d\d MB\n/);
  for (const name of READS) assert.match(stdout, new RegExp(`^  equal      ${name}: 300 documents$`, 'm'));
  assert.match(stdout, /^The results are the same\.$/m);
  for (const name of ['mongodb find\\(\\)\\.toArray\\(\\)', ...READS]) assert.match(stdout, new RegExp(`^${name}( \\(.*\\))? +[\\d.]+ +[\\d,]+ +[\\d.]+ +[\\d.]+`, 'm'));
  assert.match(stdout, /^Which read suits\n {2}find: suits this result/m);
  assert.match(stderr, /connecting to mongodb:\/\/\S+ \.\.\.\nreading with the official driver \.\.\.\nfind: comparing \.\.\./);
});

test('on a terminal progress is taken away before each line of the result', async () => {
  let screen = '';
  const terminal = { isTTY: true, write(text) { screen += text; } };
  assert.equal(await main(['compare', '--uri', fixture.uri, '--ns', 'app.users', '--rounds', '1'], { stdout: terminal, stderr: terminal, env: {} }), 0);
  const lines = screen.split('\n').map((line) => line.split('\r\x1b[2K').at(-1));
  assert.match(lines[0], /^app\.users: 300 documents/);
  for (const line of lines) assert.doesNotMatch(line, /connecting|reading with|: comparing|measuring/);
});

test('the query goes to both drivers, with its types', async () => {
  await fixture.startLog();
  const { code, stdout } = await compare('--filter', '{"at":{"$date":"1970-01-01T00:00:00.003Z"},"_id":{"$in":[3,{"$numberLong":"4"}]}}', '--projection', '{"name":1}', '--limit', '7');
  assert.equal(code, 0);
  assert.match(stdout, /^app\.users: 1 documents/);
  const finds = (await fixture.takeLog()).filter(({ name }) => name === 'find');
  const asked = finds.map(({ driver, command }) => {
    const { filter, projection, limit } = bson.deserialize(command);
    return [driver === 'nodejs', { filter, projection, limit }];
  });
  for (const [, query] of asked) assert.deepEqual(query, { filter: { at: new Date(3), _id: { $in: [3, 4] } }, projection: { name: 1 }, limit: 7 });
  assert.deepEqual(new Set(asked.map(([theirs]) => theirs)), new Set([true, false]));
});

test('one read differs: exit code 1, and where', async () => {
  // The official driver reads first, find is second; the same again after each reading of the official driver.
  const doc = 5;
  const at = Buffer.from(documents[doc]).indexOf('n5\0');
  const patched = (nth) => ({ command: 'find', nth, times: 1, action: 'malformed', document: doc, at, patch: Buffer.from('N') });
  await fixture.faults(patched(2), patched(4), patched(6));
  const { code, stdout } = await compare();
  assert.equal(code, 1, stdout);
  assert.match(stdout, /^ {2}DIFFERENT {2}find: value at \[5\]\.name: rumongo-go 'N5' \(string\), official 'n5' \(string\); still so after 3 reads$/m);
  assert.match(stdout, /^ {2}equal {6}findLazy/m);
  assert.match(stdout, /^The results DIFFER\./m);
});

test('data that changes between two reads is read again', async () => {
  await fixture.faults({ command: 'find', nth: 2, times: 1, action: 'malformed', document: 0, at: Buffer.from(documents[0]).indexOf('n0\0'), patch: Buffer.from('N') });
  const { code, stdout } = await compare();
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^ {2}equal {6}find: 300 documents, at attempt 2: the data was changing$/m);
});

test('one read fails: exit code 1, its error, and figures of the others', async () => {
  await fixture.faults({ command: 'find', nth: 3, times: 1, action: 'error', code: 8000, errmsg: 'not today' });
  const { code, stdout } = await compare();
  assert.equal(code, 1, stdout);
  assert.match(stdout, /^ {2}DIFFERENT {2}findLazy: native threw: not today$/m);
  assert.doesNotMatch(stdout, /^findLazy \(/m);
  assert.match(stdout, /^findJSON +\d/m);
});

test('the official driver cannot read it: exit code 3', async () => {
  await fixture.faults({ command: 'find', times: -1, action: 'error', code: 13, errmsg: 'not authorized' });
  const { code, stdout, stderr } = await compare();
  assert.deepEqual([code, stdout], [3, '']);
  assert.match(stderr, /rumongo-go compare: not authorized/);
});

test('nothing there, and a limit', async () => {
  const empty = await compare('--limit', '0', '--ns', 'app.nothing');
  assert.equal(empty.code, 0, empty.stderr);
  assert.match(empty.stdout, /^app\.nothing: 0 documents[\s\S]*\nNothing was found, so nothing was compared: look at --ns and --filter\.\n$/);
  assert.match((await compare('--limit', '20')).stdout, /^app\.users: 20 documents, .* MB \(stopped at --limit 20\)/);
});

const bin = path.join(root, 'bin', 'rumongo-go.js');
const asProcess = (uri, ...args) => runChild(bin, ['compare', '--uri', uri, '--ns', 'app.users', '--rounds', '1', ...args]);

test('as a process: a read that fails while it is measured ends it', async () => {
  await fixture.faults({ command: 'find', nth: 8, times: -1, action: 'error', code: 8000, errmsg: 'not today' }); // 1 and 5 to compare
  const { code, stdout, stderr, hung } = await asProcess(fixture.uri);
  assert.deepEqual([code, hung], [3, false]);
  assert.match(stdout, /The results are the same\.$/);
  assert.match(stderr, /^rumongo-go compare: not today$/m);
});

test('as a process: no server', async () => {
  const { code, stdout, stderr } = await asProcess('mongodb://bob:s3cr3t@127.0.0.1:1/?serverSelectionTimeoutMS=300');
  assert.deepEqual([code, stdout], [3, '']);
  assert.match(stderr, /^connecting to mongodb:\/\/\*\*\*@127\.0\.0\.1:1\/\S* \.\.\.\nrumongo-go compare: (the official driver|rumongo-go) cannot connect: ./);
});

test('as a process: SIGINT closes the cursors of both', async () => {
  await fixture.load('app.many', 'mixed45', 2000);
  // The getMore of whoever asks first does not come back.
  await fixture.faults({ command: 'getMore', times: -1, action: 'never' });
  const child = spawn(process.execPath, [bin, 'compare', '--uri', fixture.uri, '--ns', 'app.many'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (data) => { stderr += data; });
  while ((await fixture.stats()).cursors.open === 0) await sleep(20);
  child.kill('SIGINT');
  const [code, signal] = await once(child, 'exit');
  assert.deepEqual([code, signal], [130, null]);
  assert.match(stderr, /interrupted \(SIGINT\)/);
  assert.equal((await fixture.stats()).cursors.open, 0);
});

test('as a process: whoever reads the output may leave', async () => {
  const { code, stdout, stderr } = await runChild(bin, ['compare', '--uri', fixture.uri, '--ns', 'app.users', '--rounds', '1'], {
    wrap: ['bash', '-c', 'set -o pipefail; "$@" | head -n 1', 'bash'],
  });
  assert.deepEqual([code, stdout], [0, 'app.users: 300 documents, 0.03 MB'], stderr);
});

test('as a process: with a sort over the dev server, and without the official driver', async () => {
  const server = await startDevServer();
  const client = await official.MongoClient.connect(server.uri);
  try {
    const users = client.db('cli_compare').collection('users');
    await users.deleteMany({});
    await users.insertMany(Array.from({ length: 200 }, (_, n) => ({ n, born: new Date(n) })));
    const args = ['compare', '--uri', server.uri, '--ns', 'cli_compare.users', '--sort', '{"n":-1}', '--rounds', '1', '--filter', '{"n":{"$lt":{"$numberInt":"150"}}}'];
    const { code, signal, stdout } = await runChild(bin, args);
    assert.deepEqual([code, signal], [0, null], stdout);
    assert.match(stdout, /^cli_compare\.users: 150 documents/);
    await users.drop();
  } finally {
    await client.close();
    await server.stop();
  }

  // A copy without anything beside it.
  const alone = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-go-cli-'));
  try {
    for (const name of ['bin', 'js', 'package.json']) fs.cpSync(path.join(root, name), path.join(alone, name), { recursive: true });
    const { code, stderr } = await runChild(path.join(alone, 'bin', 'rumongo-go.js'), ['compare', '--uri', 'mongodb://localhost/', '--ns', 'a.b'], { cwd: alone });
    assert.equal(code, 3);
    assert.match(stderr, /the package "mongodb" cannot be found from here.*npm install mongodb/);
    // Where packages see only what they ask for, an application on Mongoose has the driver inside it: then it goes on to the filter.
    fs.mkdirSync(path.join(alone, 'node_modules'));
    fs.symlinkSync(path.join(root, 'node_modules', 'mongoose'), path.join(alone, 'node_modules', 'mongoose'));
    const inside = await runChild(path.join(alone, 'bin', 'rumongo-go.js'), ['compare', '--uri', 'mongodb://localhost/', '--ns', 'a.b', '--filter', '[]'], { cwd: alone });
    assert.deepEqual([inside.code, inside.stderr.split('\n')[0]], [2, 'rumongo-go compare: --filter must be an object, such as \'{"age":{"$gt":30}}\'']);
  } finally {
    fs.rmSync(alone, { recursive: true });
  }
});

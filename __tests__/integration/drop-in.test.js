'use strict';
// examples/rumongo-drop-in.js was written for rumongo. Here it runs with both packages; nothing but the import differs,
// and nothing but the types in what it prints.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { execFile, spawn } = require('node:child_process');
const { promisify } = require('node:util');
const { startDevServer } = require('../support/dev-server.js');

const root = path.resolve(__dirname, '..', '..');
const text = fs.readFileSync(path.join(root, 'examples', 'rumongo-drop-in.js'), 'utf8');
const IMPORT = "require('rumongo-go')";

let server;
before(async () => {
  server = await startDevServer();
});
after(() => server?.stop());

/** Runs the program; what it printed, as [what, value]. */
function run(program) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, MONGODB_URI: server.uri, EXAMPLE_DB: 'drop_in_test' };
    const child = spawn(process.execPath, ['-'], { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    let errors = '';
    child.stdout.on('data', (data) => { out += data; });
    child.stderr.on('data', (data) => { errors += data; });
    const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code !== 0) return reject(new Error(`it ended with ${signal ?? code}: ${out}${errors}`));
      return resolve(out.trim().split('\n').map((line) => {
        const colon = line.indexOf(': ');
        return [line.slice(0, colon), JSON.parse(line.slice(colon + 2))];
      }));
    });
    child.stdin.end(program);
  });
}

/** rumongo's wrappers as the JSON of the values they stand for. */
function unwrapped(value) {
  if (Array.isArray(value)) return value.map(unwrapped);
  if (value === null || typeof value !== 'object') return value;
  if (typeof value.$oid === 'string') return value.$oid;
  if (value.$date !== undefined) return new Date(Number(value.$date.$numberLong ?? value.$date)).toISOString();
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrapped(inner)]));
}

test('a program for rumongo runs on rumongo-go, with one line changed', async (t) => {
  assert.equal(text.split(IMPORT).length, 2, 'one import');
  const ours = await run(text);
  assert.ok(ours.length > 20);
  const printed = Object.fromEntries(ours);
  assert.match(printed['by id'][0]._id, /^0{23}3$/, 'an ObjectId, not a wrapper');
  assert.equal(printed.reduced.count, 40);
  assert.deepEqual(printed.shadowed.slice(1), [0]);

  try {
    require('rumongo');
  } catch (error) {
    return t.skip(`rumongo does not load here: ${error.message.split('\n')[0]}`);
  }
  const theirs = await run(text.replace(IMPORT, "require('rumongo')"));
  assert.deepEqual(ours.map(([what]) => what), theirs.map(([what]) => what));
  for (let i = 0; i < ours.length; i++) assert.deepEqual(ours[i], [theirs[i][0], unwrapped(theirs[i][1])]);
  assert.notDeepEqual(ours, theirs, 'the types are richer');
});

test('the other example runs as well', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['examples/reduce.js', 'drop_in_test', 'users', 'age'],
    { cwd: root, env: { ...process.env, MONGODB_URI: server.uri }, timeout: 30_000 });
  assert.match(stdout, /name: 'user 00'/);
  const [, first, all] = /of the first 10,000: (\d+)\nage of all 60: (\d+)/.exec(stdout);
  assert.equal(first, all);
});

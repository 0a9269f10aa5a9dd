'use strict';
// How processes with a worker pool end. Each is a child: "never exits" and "crashes" have no assertion inside.

const test = require('node:test');
const assert = require('node:assert');
const path = require('node:path');
const { fork } = require('node:child_process');
const { startFixture } = require('../support/fixture-server');

const CHILD = path.join(__dirname, '..', 'fixtures', 'pool-child.js');
const LIMIT = 60_000;

let fixture;
test.before(async () => {
  fixture = await startFixture();
  await fixture.load('app.many', 'mixed45', 20_000);
});
test.after(() => fixture.stop());

function run(scenario, { args = [], uri = fixture.uri, execArgv = [], onMessage } = {}) {
  return new Promise((resolve, reject) => {
    const child = fork(CHILD, [scenario, uri, ...args], { execArgv, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    let out = '';
    let errors = '';
    child.stdout.on('data', (data) => { out += data; });
    child.stderr.on('data', (data) => { errors += data; });
    if (onMessage) child.on('message', (message) => onMessage(child, message));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${scenario} did not end; it printed: ${out}${errors}`));
    }, LIMIT);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, out: out.trim(), errors });
    });
  });
}

async function ends(scenario, options) {
  const { code, signal, out, errors } = await run(scenario, options);
  assert.deepStrictEqual({ code, signal }, { code: 0, signal: null }, errors);
  return out;
}

test('an idle pool that nobody closed does not keep the process alive', async () => {
  assert.strictEqual(await ends('idle'), '20000');
});

test('a reduction that somebody waits for does', async () => {
  assert.strictEqual(await ends('awaited'), '20000');
});

test('create() with no server keeps the process alive until it rejects', async () => {
  assert.strictEqual(await ends('unreachable'), 'MongoServerSelectionError true');
});

test('a worker that cannot be replaced because the server is gone: a clear error, and the process ends', async () => {
  const own = await startFixture();
  try {
    await own.load('app.many', 'mixed45', 500);
    const out = await ends('deadWorkers', {
      uri: own.uri,
      onMessage: async (child) => {
        await own.stop();
        child.send('stopped');
      },
    });
    assert.match(out, /^A worker of the pool ended with exit code 3\n(MongoServerSelectionError|MongoNetworkError)$/);
  } finally {
    await own.stop();
  }
});

test('process.exit() at any moment of reductions does not crash', async () => {
  for (let delay = 0; delay < 10; delay++) await ends('exitWhileReducing', { args: [delay] });
});

test('an uncaught exception of the application while workers reduce ends the process as it would without', async () => {
  const { code, signal, errors } = await run('throwWhileReducing');
  assert.deepStrictEqual({ code, signal }, { code: 1, signal: null });
  assert.match(errors, /of the application/);
});

test('close() at any moment settles every promise', async () => {
  assert.strictEqual(await ends('closeAnyTime'), 'all settled');
});

test('workers that died left nothing behind in the core', async () => {
  const [before, after] = JSON.parse(await ends('releases'));
  assert.deepStrictEqual(after, before);
});

test('a reducer that uses up its thread\'s memory: its task rejects, the pool goes on', async () => {
  const out = await ends('outOfMemory', { execArgv: ['--max-old-space-size=60'] });
  assert.match(out, /memory limit.*\n20000$/s);
});

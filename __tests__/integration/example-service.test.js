'use strict';
// The service of examples/, before and after: the same answers, and no failure under load. What it measures is not looked at.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const official = require('mongodb');
const { startDevServer } = require('../support/dev-server.js');
const { runChild } = require('../support/run-child.js');

const folder = path.join(__dirname, '..', '..', 'examples', 'service');
const run = (server, ...args) => runChild(path.join(folder, 'run.js'), ['--requests', '6', '--documents', '80', ...args], { env: { MONGODB_URI: server.uri } });

let server;

before(async () => {
  server = await startDevServer();
});
after(() => server?.stop());

async function finds(args) {
  const { code, stdout, stderr } = await run(server, ...args);
  assert.deepEqual([code, stderr], [0, ''], stdout);
  for (const route of ['/health', '/orders', '/report']) assert.match(stdout, new RegExp(`^The same answer of both to ${route}: [\\d,]+ characters`, 'm'));
  const rows = stdout.split('\n').filter((line) => /^(before|after) +\//.test(line)).map((line) => line.split(/ {2,}/));
  assert.deepEqual(rows.map(([service, route]) => [service.trim(), route]), [['before', '/orders'], ['after', '/orders'], ['before', '/report'], ['after', '/report']]);
  for (const row of rows) assert.ok(row.length === 9 && row.slice(2).every((value) => Number(value) >= 0), String(row));
  assert.match(stdout, /^All answers were the same\.$/m);
}

test('over the dev server', () => finds([]));
test('over a server that sends from memory', () => finds(['--memory']));

test('another answer: exit code 1', async () => {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-go-service-'));
  try {
    const other = path.join(scratch, 'other.js');
    fs.writeFileSync(other, `
      const server = require('node:http').createServer((request, response) => response.end('{"ok":true}'));
      server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));
      process.once('SIGTERM', () => server.close());
    `);
    const { code, stderr } = await run(server, path.join(folder, 'before.js'), other);
    assert.equal(code, 1);
    assert.equal(stderr, '/health: the answers differ in headers');
  } finally {
    fs.rmSync(scratch, { recursive: true });
  }
});

test('arguments', async () => {
  for (const [args, message] of [[['--requests', '0'], '--requests must be'], [['--documents', 'x'], '--documents must be'], [['one.js'], 'two services']]) {
    const { code, stderr } = await run(server, ...args);
    assert.deepEqual([code, stderr.startsWith(message)], [1, true], stderr);
  }
});

for (const file of ['before.js', 'after.js']) {
  test(`${file}: writes are the official driver's, and it ends when it is asked to`, async () => {
    const client = await official.MongoClient.connect(server.uri);
    const orders = client.db('service_example').collection('orders');
    try {
      await orders.insertOne({ number: 'a', state: 'new' });
      const service = spawn(process.execPath, [path.join(folder, file)], {
        env: { ...process.env, MONGODB_URI: server.uri, DATABASE: 'service_example', PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [url] = await once(service.stdout, 'data');
      const pack = async (number) => (await fetch(`${String(url).trim()}/orders/${number}/pack`, { method: 'POST' })).status;
      assert.deepEqual([await pack('a'), await pack('b')], [204, 404]);
      assert.equal((await orders.findOne({ number: 'a' })).state, 'packed');
      service.kill('SIGTERM');
      assert.deepEqual(await once(service, 'exit'), [0, null]);
    } finally {
      await client.db('service_example').dropDatabase();
      await client.close();
    }
  });
}

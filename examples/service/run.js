'use strict';
// Both services under the same load: a heavy route, and beside it /health, whose latency shows what the heavy one does to
// everybody else. Starts the dev server and fills it with orders, or uses MONGODB_URI (a database of its own, dropped at the end).
//
//   node examples/service/run.js [--requests 20] [--documents 2000] [--memory] [before.js after.js]
//
// --memory: instead of the dev server one that sends documents from memory, as fast as a MongoDB on another machine would.
// Exit code 0 when both services gave the same answers, also under load.

const { fork } = require('node:child_process');
const { once } = require('node:events');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { ensureReady } = require('../../scripts/ensure');

const SERVICES = ['before.js', 'after.js'].map((file) => path.join(__dirname, file));
const HEAVY = ['/orders', '/report'];
const CONNECTIONS = 4; // that ask for the heavy route
const LIGHT_RATE = 50; // requests to /health a second, whatever becomes of them: waiting counts as latency
const DATABASE = 'rumongo_go_service';
const DEV_SERVER_NOTE = `Most of the time is the dev server's own, on the same cores: compare /health and the loop delays here, and all of it with
--memory or with a server of yours in MONGODB_URI.`;

async function main() {
  const { requests, documents, memory, files } = readArguments();
  ensureReady();
  const server = await startServer(memory);
  const client = await require('mongodb').MongoClient.connect(server.uri);
  const services = [];
  try {
    await fill(client.db(DATABASE).collection('orders'), documents);
    for (const file of files) services.push(await start(file, server.uri));
    const answers = await compareAnswers(services);
    await compareUnderLoad(services, answers, requests);
    if (!memory && !server.real) console.log(DEV_SERVER_NOTE);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await client.db(DATABASE).dropDatabase().catch(() => {}); // matters on a real server only
    await client.close();
    await server.stop();
  }
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { requests: { type: 'string', default: '20' }, documents: { type: 'string', default: '2000' }, memory: { type: 'boolean', default: false } },
  });
  for (const name of ['requests', 'documents']) {
    if (!/^[1-9]\d*$/.test(values[name])) throw new Error(`--${name} must be a whole number, 1 or more, got "${values[name]}"`);
  }
  if (positionals.length !== 0 && positionals.length !== 2) throw new Error('two services: one before, one after');
  const files = positionals.length === 0 ? SERVICES : positionals.map((file) => path.resolve(file));
  return { requests: Number(values.requests), documents: Number(values.documents), memory: values.memory, files };
}

function startServer(memory) {
  const log = { log: console.log };
  return memory ? require('../../__tests__/support/fixture-server').startFixture(log) : require('../../__tests__/support/dev-server').startDevServer(log);
}

async function fill(orders, count) {
  const make = require('../../scripts/demo-documents').orders(42);
  console.log(`Filling a collection with ${count.toLocaleString('en')} orders ...`);
  await orders.drop().catch(() => {}); // of an earlier run on a real server
  for (let done = 0; done < count; done += 1000) {
    await orders.insertMany(Array.from({ length: Math.min(1000, count - done) }, (_, i) => make(done + i)));
  }
}

/** A service in a process of its own, as it would be in production. */
async function start(file, uri) {
  const child = fork(file, {
    env: { ...process.env, MONGODB_URI: uri, DATABASE, PORT: '0' },
    execArgv: ['--require', path.join(__dirname, 'loop-delay.js')],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const [line] = await Promise.race([once(child.stdout, 'data'), exited.then(([code]) => { throw new Error(`${file} ended with code ${code}`); })]);
  return {
    name: path.basename(file, '.js'),
    url: String(line).trim(),
    async loopDelay(what) {
      child.send(what);
      return (await once(child, 'message'))[0];
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** @returns {Promise<Map<string, string>>} the body of each route's answer, which is the same from both */
async function compareAnswers(services) {
  const answers = new Map();
  for (const route of ['/health', ...HEAVY]) {
    const [theirs, ours] = await Promise.all(services.map(async ({ url }) => {
      const response = await fetch(url + route);
      const { date, ...headers } = Object.fromEntries(response.headers);
      return { status: response.status, headers, body: await response.text() };
    }));
    if (theirs.status !== 200) throw new Error(`${route}: status ${theirs.status}: ${theirs.body}`);
    for (const part of ['status', 'headers', 'body']) {
      if (JSON.stringify(ours[part]) !== JSON.stringify(theirs[part])) throw new Error(`${route}: the answers differ in ${part}`);
    }
    answers.set(route, theirs.body);
    console.log(`The same answer of both to ${route}: ${theirs.body.length.toLocaleString('en')} characters, and the same headers`);
  }
  return answers;
}

async function compareUnderLoad(services, answers, requests) {
  const { table } = require('../../bench/report');
  const rows = [['service', 'route', 'requests/s', 'p50 ms', 'p99 ms', '/health p50 ms', '/health p99 ms', 'loop delay p99 ms', 'longest ms']];
  for (const route of HEAVY) {
    for (const service of services) {
      console.log(`${service.name}: ${requests} requests to ${route}, ${CONNECTIONS} at a time, beside ${LIGHT_RATE} a second to /health ...`);
      const { heavy, light, delay } = await load(service, route, answers, requests);
      const perSecond = requests / ((heavy.finish - heavy.start) / 1000);
      rows.push([service.name, route, ...[perSecond, heavy.latency.p50, heavy.latency.p99, light.latency.p50, light.latency.p99, delay.p99, delay.max]
        .map((value) => value.toFixed(value < 10 ? 1 : 0))]);
    }
  }
  console.log(`\n${table(rows)}\n\nAll answers were the same.`);
}

/** All heavy requests have their answer when it is over, however slow the server is. */
async function load(service, route, answers, requests) {
  const autocannon = require('autocannon');
  for (let i = 0; i < 5; i++) await (await fetch(service.url + route)).text(); // compiled code, the server's caches
  await service.loopDelay('reset');
  const ask = (what, options) => {
    const expected = ascii(answers.get(what));
    return autocannon({ url: service.url + what, timeout: 600, verifyBody: (body) => ascii(body) === expected, ...options });
  };
  const light = ask('/health', { connections: 1, overallRate: LIGHT_RATE, duration: 3600 });
  const heavy = await ask(route, { connections: Math.min(CONNECTIONS, requests), amount: requests });
  const delay = await service.loopDelay('read');
  light.stop();
  const results = { heavy, light: await light, delay };
  for (const [what, { errors, non2xx, mismatches }] of [[route, results.heavy], ['/health', results.light]]) {
    if (errors + non2xx + mismatches > 0) throw new Error(`${service.name}${what} under load: ${errors} errors, ${non2xx} failed, ${mismatches} other answers`);
  }
  return results;
}

// autocannon decodes a body piece by piece, so a character that comes in two parts is lost; compareAnswers has looked at those.
const ascii = (text) => text.replace(/[^\0-\x7f]/g, '');

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});

'use strict';
// Every code block of the documentation is run, compiled or looked up, so that none is out of date. One that cannot be has a
// comment before it that says why: `<!-- not run: ... -->`.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const { Writable } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const { createRequire } = require('node:module');
const official = require('mongodb');
const { root, read, documents, blocks, prose } = require('../support/markdown.js');
const { words, complaintsOf } = require('../support/shell-check.js');
const { program, complaints, NODE_NEXT, inRoot } = require('../types/compile.js');
const { startDevServer } = require('../support/dev-server.js');

const native = require(root);
const AsyncFunction = (async () => {}).constructor;
const MOST_NOT_RUN = 3; // whoever adds one should think twice

let server;
let folder; // the working directory of the blocks: with a dump, and a module for workers
let client;

before(async () => {
  server = await startDevServer();
  const writer = await official.MongoClient.connect(server.uri);
  const fill = async (database, name, docs) => {
    await writer.db(database).collection(name).deleteMany({});
    await writer.db(database).collection(name).insertMany(docs);
  };
  await fill('migration', 'users', Array.from({ length: 50 }, (_, i) => ({ name: i === 0 ? 'Ada' : `user ${i}`, age: i + 20, born: new Date(i * 1e10) })));
  const orders = Array.from({ length: 50 }, (_, i) => ({ open: i % 2 === 0, total: i, at: new Date(i * 1e10), address: { city: `city ${i % 3}` } }));
  await fill('shop', 'orders', orders);
  await writer.close();

  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-go-docs-'));
  fs.mkdirSync(path.join(folder, 'dump', 'app'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'dump', 'app', 'orders.bson.gz'), zlib.gzipSync(Buffer.concat(orders.map((order) => official.BSON.serialize(order)))));
  fs.writeFileSync(path.join(folder, 'report.js'), 'exports.monthly = async function monthly(date) { return date instanceof Date; };\n');
  process.chdir(folder);
  client = await native.MongoClient.connect(server.uri);
});

after(async () => {
  await client?.close();
  process.chdir(root);
  if (folder) fs.rmSync(folder, { recursive: true });
  await server?.stop();
});

const fromRoot = createRequire(path.join(root, 'package.json'));
const resolve = (name) => (name.startsWith('./') ? path.join(folder, name) : name === 'rumongo-go' ? root : fromRoot.resolve(name));
const requireHere = Object.assign((name) => require(resolve(name)), { resolve });
const quiet = { ...console, log() {}, error() {} }; // what a block prints is for its reader

/** What blocks take for granted: what each is, and what is done with it afterwards. */
const GIVEN = {
  require: () => requireHere,
  uri: () => server.uri,
  assert: () => assert,
  console: () => quiet,
  MongoClient: () => native.MongoClient,
  client: () => client,
  orders: () => client.db('shop').collection('orders'),
  pipeline: () => pipeline,
  response: () => new Writable({ write: (chunk, encoding, done) => done() }),
  total: () => 0,
  add: () => () => {},
  histogram: () => ({ observe() {} }),
  log: () => ({ info() {} }),
  pool: (t) => {
    const pool = native.WorkerPool.create({ uri: server.uri, size: 2 });
    t.after(async () => (await pool).close());
    return pool;
  },
};

async function runBlock(code, t) {
  const names = Object.keys(GIVEN).filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  const values = [];
  for (const name of names) values.push(await GIVEN[name](t));
  // In a block of its own: it may declare what is given.
  const result = await new AsyncFunction(...names, `{\n${code}\n}`)(...values);
  if (result instanceof Response) await result.arrayBuffer();
}

/** Go code that is quoted is in the sources, line by line. */
function quotedGo(code) {
  const source = sourcesOf('core', '.go');
  return code.split('\n').map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('// package') && !source.includes(line));
}

function sourcesOf(place, extension) {
  return fs.readdirSync(path.join(root, place), { recursive: true }).filter((name) => name.endsWith(extension)).map((name) => read(path.join(place, name))).join('\n');
}

/** Names that are called, in what is no whole program. */
function unknownNames(code) {
  const source = sourcesOf('js', '.js');
  return [...code.matchAll(/(\w+)\(/g)].map(([, name]) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(source));
}

const CHECKS = {
  js: runBlock,
  ts(code) {
    const file = inRoot('__tests__', 'docs', 'block.mts');
    assert.deepEqual(complaints(program(NODE_NEXT, { [file]: `${code}\nexport {};\n` })), []);
  },
  sh: (code) => assert.deepEqual(complaintsOf(code), []),
  go: (code) => assert.deepEqual(quotedGo(code), []),
  // Diagrams: the files in them are there.
  text(code) {
    const files = code.match(/\b(?:js|core|napi)\/[\w./-]+/g) ?? [];
    assert.ok(files.length > 0, 'what is no diagram of files is marked <!-- not run: why -->');
    assert.deepEqual(files.filter((file) => !fs.existsSync(path.join(root, file))), []);
  },
};

let run = 0;
let notRun = 0;
for (const file of documents()) {
  for (const { line, heading, language, code, marker } of blocks(file)) {
    const first = code.split('\n').find((text) => !/^const \{?.*require/.test(text) && text !== '');
    const name = `${file}:${line}, ${heading}: ${first}`;
    if (marker?.kind === 'not run') {
      notRun++;
      test(name, { skip: marker.reason }, () => {});
      continue;
    }
    run++;
    test(name, async (t) => {
      if (marker?.kind === 'signatures') return assert.deepEqual(unknownNames(code), []);
      const check = CHECKS[language];
      assert.ok(check, `a block of the language "${language}" is not looked at: js, ts, sh, go or text, or <!-- not run: why --> before it`);
      return await check(code, t);
    });
  }
}

test('what is not run says why, and is little', (t) => {
  t.diagnostic(`${run} blocks are checked, ${notRun} are not`);
  assert.ok(run > 40);
  assert.ok(notRun <= MOST_NOT_RUN, `${notRun} blocks are not run`);
  for (const file of documents()) for (const { marker } of blocks(file)) if (marker?.kind === 'not run') assert.ok(marker.reason.length > 10, file);
});

test('commands in running text exist, too', () => {
  for (const file of documents()) {
    for (const [, span] of prose(file).matchAll(/(?<!`)`([^`]+)`(?!`)/g)) {
      const command = span.replace(/\s+/g, ' ');
      if (/^(npm (run|test)|npx rumongo-go)\b/.test(command) && !command.includes('<')) assert.deepEqual(complaintsOf(command), [], `${file}: ${command}`);
    }
  }
});

test('the check of shell blocks finds what is wrong', () => {
  assert.deepEqual(words('A=1 npx x --f \'{"a b":1}\' -- "c d" | jq .x # no | more'), ['A=1', 'npx', 'x', '--f', '{"a b":1}', '--', 'c d', '|', 'jq', '.x']);
  const bad = ['npm run nothing', 'npm run bench --quick', 'npm run bench -- --quack', 'npm install nothing', 'npm test -- nothing', 'npx rumongo-go nothing', 'npx rumongo-go export --nothing',
    'npx nothing', 'node nothing.js', 'node --nothing app.js', 'go test ./nothing', 'nothing at all', 'npm test && npm run nothing', 'export A=1; diff a b'];
  for (const line of bad) assert.equal(complaintsOf(line).length, 1, line);
  for (const line of ['npm run bench -- --quick', 'A=1 npm test -- unit', 'npx rumongo-go cat x.bson --pretty', 'node --max-semi-space-size=64 app.js', '# nothing']) assert.deepEqual(complaintsOf(line), []);
});

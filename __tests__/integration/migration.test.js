'use strict';
// The snippets of MIGRATION.md and README.md run.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { createRequire } = require('node:module');
const official = require('mongodb');
const { startDevServer } = require('../support/dev-server.js');

const root = path.resolve(__dirname, '..', '..');
const files = ['MIGRATION.md', 'README.md'];
const AsyncFunction = (async () => {}).constructor;

let server;

before(async () => {
  server = await startDevServer();
  const client = await official.MongoClient.connect(server.uri);
  const users = client.db('migration').collection('users');
  await users.deleteMany({});
  await users.insertMany(Array.from({ length: 50 }, (_, i) => ({ name: i === 0 ? 'Ada' : `user ${i}`, age: i + 20, born: new Date(i * 1e10) })));
  await client.close();
});

after(() => server?.stop());

const fromRoot = createRequire(path.join(root, 'package.json'));
const requireHere = (name) => (name === 'rumongo-go' ? require(root) : fromRoot(name));

/** The js blocks of a text: [what it is about, its first line of interest, the code]. */
function* snippetsOf(text) {
  let heading = '';
  for (const part of text.split(/^(?=#)|^(?=```js)/m)) {
    heading = /^#+ (.*)/.exec(part)?.[1] ?? heading;
    const code = /^```js\n(.*?)^```/ms.exec(part)?.[1];
    if (code === undefined) continue;
    const first = code.trim().split('\n').find((line) => !/^const \{?.*require/.test(line) && line !== '');
    yield [heading, first, code];
  }
}

const quiet = { ...console, log() {} }; // what a snippet prints is for its reader

let found = 0;
for (const file of files) {
  for (const [heading, first, code] of snippetsOf(fs.readFileSync(path.join(root, file), 'utf8'))) {
    found++;
    test(`${file}, ${heading}: ${first}`, async () => {
      await new AsyncFunction('require', 'uri', 'assert', 'console', code)(requireHere, server.uri, assert, quiet);
    });
  }
}

test('there are snippets', () => {
  assert.ok(found >= 8);
});

'use strict';
// The snippets of MIGRATION.md run.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { createRequire } = require('node:module');
const official = require('mongodb');
const { startDevServer } = require('../support/dev-server.js');

const root = path.resolve(__dirname, '..', '..');
const text = fs.readFileSync(path.join(root, 'MIGRATION.md'), 'utf8');
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

let heading = '';
for (const part of text.split(/^(?=#)|^(?=```js)/m)) {
  heading = /^#+ (.*)/.exec(part)?.[1] ?? heading;
  const snippet = /^```js\n(.*?)^```/ms.exec(part)?.[1];
  if (snippet === undefined) continue;
  const first = snippet.trim().split('\n').find((line) => !/^const \{?.*require/.test(line) && line !== '');
  test(`${heading}: ${first}`, async () => {
    await new AsyncFunction('require', 'uri', 'assert', snippet)(requireHere, server.uri, assert);
  });
}

test('there are snippets', () => {
  assert.ok(text.match(/```js/g).length >= 5);
});

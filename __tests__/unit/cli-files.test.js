'use strict';
// What a command leaves on disk, and what it hands to other processes.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Checkup } = require('../../js/cli/doctor/checkup.js');
const { checkNetwork } = require('../../js/cli/doctor/network.js');
const { saveState } = require('../../js/cli/export/state.js');

test('a state that cannot be saved leaves nothing beside its place', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-state-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const place = path.join(folder, 'out.partial.state');
  fs.mkdirSync(place); // a file cannot be renamed to a folder
  await assert.rejects(saveState(place, { documents: 0, bytes: 0 }));
  assert.deepEqual(fs.readdirSync(folder), ['out.partial.state']);
});

test('the doctor looks up a host that reads like an option of node', async () => {
  const hider = { host() {}, clean: (text) => text, foreign: (text) => text };
  const checkup = new Checkup({ timeoutMS: 60_000, hider, onCheck() {} });
  await checkNetwork(checkup, { core: {}, official: { hosts: [{ host: '--version', port: 1 }] } }, hider);
  const { status, value } = checkup.checks.find(({ section }) => section === 'DNS');
  assert.equal(status, 'fail');
  assert.match(value, /getaddrinfo .*--version/);
});

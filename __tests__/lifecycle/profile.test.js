'use strict';
// RUMONGO_PPROF: a CPU profile of the Go side, complete when the process has ended, whichever way it ends.

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { gunzipSync } = require('node:zlib');
const { runChild, CLEAN } = require('../support/run-child');

const load = `require(${JSON.stringify(path.join(__dirname, '..', '..', 'js', 'native', 'binding'))}).load()`;

for (const [title, script] of [['its end', load], ['process.exit', `${load}; process.exit(0)`]]) {
  test(`a profile of the Go side is written at ${title}`, async (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-profile-'));
    t.after(() => fs.rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'child.js');
    fs.writeFileSync(file, script);
    assert.deepEqual(await runChild(file, [], { env: { RUMONGO_PPROF: path.join(folder, 'go') } }), CLEAN);
    const profiles = fs.readdirSync(folder).filter((name) => /^go\.\d+\.pprof$/.test(name));
    assert.equal(profiles.length, 1);
    const profile = gunzipSync(fs.readFileSync(path.join(folder, profiles[0]))).toString('latin1');
    for (const word of ['samples', 'cpu', 'nanoseconds']) assert.ok(profile.includes(word), word);
  });
}

test('a profile that cannot be written is said, and nothing else happens', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-profile-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'child.js');
  fs.writeFileSync(file, load);
  const { stderr, ...rest } = await runChild(file, [], { env: { RUMONGO_PPROF: path.join(folder, 'none', 'go') } });
  assert.match(stderr, /RUMONGO_PPROF.*no such file/);
  assert.deepEqual({ ...rest, stderr: '' }, CLEAN);
});

'use strict';
// Whole lives of processes under every Node version that can be had: how each ends is the assertion.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { BSON } = require('bson');
const { startFixture } = require('../support/fixture-server');
const { nodeVersions } = require('../support/node-versions');
const { nativeModule } = require('../support/native-module');
const { runChild, CLEAN } = require('../support/run-child');

const CHILD = path.join(__dirname, '..', 'fixtures', 'matrix-child.js');
const LIFECYCLE = path.join(__dirname, '..', 'fixtures', 'lifecycle-child.js');
const LEVELS = 100;

let fixture;
let dir;
const modules = {};

before(async () => {
  fixture = await startFixture();
  await fixture.load('test.docs', 'mixed45', 5000);
  await fixture.put('test.deep', [BSON.serialize(nested(LEVELS))]);
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-matrix-'));
  for (const name of ['handler', 'crash']) modules[name] = nativeModule(name, dir);
});
after(async () => {
  fs.rmSync(dir, { recursive: true, force: true });
  await fixture.stop();
});

/** A document of so many levels, documents and arrays by turns. */
function nested(levels) {
  let value = 1;
  for (let i = levels; i > 1; i--) value = i % 2 ? [value] : { d: value };
  return { d: value };
}

const out = (stdout, more) => ({ ...CLEAN, stdout, ...more });
const signalled = (signal, stdout = '') => ({ ...CLEAN, code: null, signal, stdout });

// [case, how it ends, { argument, nodeArgs, wrap, cwd }]
const cases = [
  ['connecting', out('MongoServerSelectionError')],
  ['exit-connecting', out('', { code: 5 })],
  ['exit-idle', out('', { code: 6 })],
  ['open-cursors', out('open 10')],
  ['open-cursors', out('open 10', { code: 9 }), { argument: '9' }],
  ['lazy-alive', out('alive 5001 object\nat exit true')],
  ['lazy-alive', out('alive 5001 object\nat exit true', { code: 8 }), { argument: '8' }],
  ['unhandled-rejection', { code: 1, stderr: /MongoServerSelectionError/ }],
  ['sigint', signalled('SIGINT')],
  ['sigint-handled', out('handled', { code: 4 })],
  ['sigurg-handler', out('urgent 0')],
  ['children', out('ran 60')],
  ['close-everywhere', out('3')],
  ['many-workers-first', out('5')],
  ['load-and-reload', out('5')],
  ['worker-stages', out('5')],
  ['fork', out('9 0 null 4')],
  ['cluster', out('9 0 null, 9 0 null, 4')],
  ['wasm-trap', out('traps 100')],
  ['vm-contexts', out('3 true')],
  ['no-code-generation', out('5000 compiled 0'), { nodeArgs: ['--disallow-code-generation-from-strings'] }],
  ['small-heap', out('75000'), { nodeArgs: ['--max-old-space-size=32'] }],
  ['small-stack', out('100 100 100')],
  ['tiny-stack', out('true RangeError 5')],
];

const linux = process.platform === 'linux';
const linuxCases = [
  ['signal-masks', out('true  0')],
  ['too-many-files', out('true\ntrue\ntrue\n3'), { wrap: ['bash', '-c', 'ulimit -n 80; exec "$@"', 'bash'] }],
];

// A fault in native code ends the process as without the addon: by the handler of a crash reporter, or by the signal.
const faults = [
  ['no handler', ['read', 'crash'], signalled('SIGSEGV')],
  ['a handler before the addon', ['handler', 'read', 'crash'], out('native handler', { code: 42 })],
  ['a handler after the addon', ['read', 'handler', 'read', 'crash'], out('native handler', { code: 42 })],
];

for (const { name, node, why } of nodeVersions()) {
  describe(name, { skip: node === null && why, concurrency: 3 }, () => {
    for (const [scenario, expected, options] of linux ? [...cases, ...linuxCases] : cases) {
      test([scenario, options?.argument, ...(options?.nodeArgs ?? [])].filter(Boolean).join(' '), async () => {
        const { argument, ...how } = options ?? {};
        check(await runChild(CHILD, [scenario, fixture.uri, ...(argument ? [argument] : [])], { node, ...how }), expected);
      });
    }

    test('--heapsnapshot-signal', async () => {
      const cwd = fs.mkdtempSync(path.join(dir, 'heap-'));
      const { stdout, code, signal } = await runChild(CHILD, ['heap-snapshot', fixture.uri], { node, cwd, nodeArgs: ['--heapsnapshot-signal=SIGUSR2'] });
      assert.deepEqual([stdout, code, signal], ['1', 0, null]);
    });

    test('--cpu-prof', async () => {
      const cwd = fs.mkdtempSync(path.join(dir, 'prof-'));
      const run = await runChild(LIFECYCLE, ['closed', fixture.uri], { node, cwd, nodeArgs: ['--cpu-prof'] });
      assert.deepEqual(run, out('read 3'));
      assert.equal(fs.readdirSync(cwd).filter((file) => file.endsWith('.cpuprofile')).length, 1);
    });

    for (const [title, steps, expected] of faults) {
      test(`a fault in native code, ${title}`, async () => {
        const argument = steps.map((step) => modules[step] ?? step).join(',');
        const { stderr, ...run } = await runChild(CHILD, ['native-crash', fixture.uri, argument], { node });
        assert.deepEqual({ ...run, stderr: '' }, expected, stderr);
      });
    }
  });
}

function check(run, expected) {
  if (!(expected.stderr instanceof RegExp)) return assert.deepEqual(run, expected);
  assert.equal(run.code, expected.code, run.stderr);
  assert.match(run.stderr, expected.stderr);
}

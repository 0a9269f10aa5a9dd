'use strict';
// `npm run stress`: what is too long for `npm test`. A soak of mixed reads with faults and workers (STRESS_MINUTES, 10 if
// not set), the memory trials in full, and a thousand worker terminations. `npm run stress -- soak` runs only the parts
// named: soak, memory, cursor, terminations.

const assert = require('node:assert/strict');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { root, ensureReady } = require('./ensure');

const MB = 1 << 20;
const COUNT = 3000;
const minutes = Number(process.env.STRESS_MINUTES || 10);

/** Runs Node with its errors shown; resolves with its standard output. */
function node(args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.on('data', (data) => { stdout += data; });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`${args.join(' ')} ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

async function noCursors(fixture) {
  for (let i = 0; i < 200 && (await fixture.stats()).cursors.open > 0; i++) await new Promise((resolve) => setTimeout(resolve, 50));
  return (await fixture.stats()).cursors.open;
}

const parts = {
  async soak(fixture) {
    for (const set of ['mixed45', 'arrays', 'optional20', 'nulls20', 'text', 'types']) await fixture.load(`test.${set}`, set, COUNT);
    await fixture.load('test.small', 'mixed45', 500);
    await fixture.reset();
    const child = path.join('__tests__', 'stress', 'soak-child.js');
    // glibc gives each worker thread a malloc arena, and what hundreds of workers leave in them is not given back, with or
    // without us: RSS then says nothing. Without workers it is flat.
    const arenas = { MALLOC_ARENA_MAX: '2' };
    const result = JSON.parse(await node(['--expose-gc', child, fixture.uri, String(Math.round(minutes * 60_000))], arenas));
    const { counts, before, after, left } = result;
    console.log(JSON.stringify({ ...result, cursors: (await fixture.stats()).cursors }, null, 2));
    const grown = (name) => after[name] - before[name];
    // What a leak of a kilobyte in each thousandth read would be cannot be seen; a batch in each hundredth can.
    assert.ok(grown('rss') < 100 * MB, `RSS grew by ${Math.round(grown('rss') / MB)} MB`);
    assert.ok(grown('external') < 10 * MB, 'external memory grew');
    assert.ok(grown('blockBytes') < 10 * MB, 'buffers grew');
    assert.ok(grown('heapUsed') < 20 * MB, 'the heap grew');
    assert.ok(grown('goroutines') <= 10, `${grown('goroutines')} more goroutines`);
    assert.ok(grown('files') <= 60, `${grown('files')} more files`); // the pool's sockets
    for (const name of ['environments', 'clients', 'deployments', 'requests', 'bytesUnderWay']) assert.equal(grown(name), 0, name);
    // On a busy machine the first command of a read that was aborted may take longer than the core waits for it.
    assert.ok(left <= counts.abort / 200, `${left} cursors are open on the server after reads without faults`);
    assert.ok(counts.find > 0 && counts.findLazy > 0 && counts.workers > 0);
  },

  async memory(fixture) {
    const { FLAT, RELEASED, HELD, load, measure, assertFlat, assertReleased, assertHeld } = require('../__tests__/support/memory-trials');
    await load(fixture, { large: 1000 });
    for (const [trial, , rounds] of FLAT) {
      const result = await measure(fixture, trial, rounds);
      report(trial, rounds, result);
      assertFlat(result);
      assert.equal(await noCursors(fixture), 0);
    }
    for (const trial of RELEASED) assertReleased(report(trial, 200, await measure(fixture, trial, 200)));
    for (const trial of HELD) assertHeld(report(trial, 100, await measure(fixture, trial, 100)));
  },

  /** A million documents. */
  async cursor(fixture) {
    const { STREAMED, load, assertStreamed } = require('../__tests__/support/memory-trials');
    await load(fixture, { large: 50_000 });
    for (const trial of STREAMED) {
      console.log(`1,000,000 documents, ${trial}: at most ${await assertStreamed(fixture, trial, 15)} MB more`);
    }
  },

  async terminations(fixture) {
    await fixture.load('test.docs', 'mixed45', 5000);
    console.log(await node([path.join('__tests__', 'fixtures', 'terminations-child.js'), fixture.uri, '1000', '6']));
    assert.equal(await noCursors(fixture), 0);
  },
};

function report(trial, rounds, result) {
  const mb = (n) => Math.round(n / MB);
  const line = (u) => `RSS ${mb(u.rss)} MB, external ${mb(u.external)}, buffers ${mb(u.blockBytes)}, goroutines ${u.goroutines}, files ${u.files}`;
  console.log(`${rounds} x ${trial}: ${line(result.before)} -> ${line(result.after)}`);
  return result;
}

async function main(names) {
  for (const name of names) assert.ok(parts[name], `no part is called ${name}; there are ${Object.keys(parts).join(', ')}`);
  ensureReady();
  const { startFixture } = require('../__tests__/support/fixture-server');
  for (const name of names.length > 0 ? names : Object.keys(parts)) {
    console.log(`\n> ${name}`);
    const fixture = await startFixture();
    try {
      await parts[name](fixture);
    } finally {
      await fixture.stop();
    }
  }
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exit(1);
});

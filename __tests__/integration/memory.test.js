'use strict';
// Nothing grows: memory of both heaps, buffers, goroutines, files. Each trial has a process of its own.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const { startFixture } = require('../support/fixture-server');
const { FLAT, STREAMED, STREAMED_MB, RELEASED, HELD, load, measure, assertFlat, assertStreamed, assertReleased, assertHeld } = require('../support/memory-trials');

const LARGE = 40_000;
let fixture;

before(async () => {
  fixture = await startFixture();
  await load(fixture, { large: LARGE });
});
after(() => fixture.stop());

for (const [trial, rounds] of FLAT) {
  test(`${rounds} times ${trial}: everything is back where it was`, async () => {
    assertFlat(await measure(fixture, trial, rounds));
    for (let i = 0; i < 100 && (await fixture.stats()).cursors.open > 0; i++) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal((await fixture.stats()).cursors.open, 0);
  });
}

for (const trial of RELEASED) {
  test(`${trial}: the batch is let go`, async () => assertReleased(await measure(fixture, trial, 40)));
}

for (const trial of HELD) {
  test(`${trial}: the batch is kept, and counted`, async () => assertHeld(await measure(fixture, trial, 40)));
}

for (const trial of STREAMED) {
  test(`${4 * LARGE} documents, ${trial}: within ${STREAMED_MB} MB`, () => assertStreamed(fixture, trial, 3));
}

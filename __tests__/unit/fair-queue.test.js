'use strict';
const test = require('node:test');
const assert = require('node:assert');
const { FairQueue, push } = require('../../js/fair-queue');

/** A queue on a clock and an event loop of the test's own. */
function make(turnMs = 2) {
  let time = 0;
  const later = [];
  const queue = new FairQueue({ turnMs, now: () => time, later: (fn) => later.push(fn) });
  return { queue, later, spend: (ms) => { time += ms; }, turn: () => later.shift()() };
}

test('jobs take turns', () => {
  const { queue, turn } = make();
  const log = [];
  const job = (name, slices) => () => {
    log.push(name);
    return --slices === 0;
  };
  queue.push(job('a', 3));
  queue.push(job('b', 1));
  queue.push(job('c', 2));
  assert.deepStrictEqual(log, [], 'push runs nothing');
  turn();
  assert.deepStrictEqual(log, ['a', 'b', 'c', 'a', 'c', 'a']);
  assert.strictEqual(queue.length, 0);
});

test('a turn of the loop ends when its time is up, and another follows', () => {
  const { queue, later, spend, turn } = make(2);
  let slices = 0;
  queue.push(() => {
    spend(0.9);
    return ++slices === 7;
  });
  turn();
  assert.strictEqual(slices, 3);
  turn();
  assert.strictEqual(slices, 6);
  turn();
  assert.strictEqual(slices, 7);
  assert.strictEqual(later.length, 0, 'an empty queue asks for no turn');
});

test('a job that is slower than the turn still gets one slice a turn', () => {
  const { queue, spend, turn } = make(2);
  let slices = 0;
  queue.push(() => {
    spend(100);
    return ++slices === 2;
  });
  turn();
  turn();
  assert.strictEqual(slices, 2);
});

test('after something long in the same turn of the loop timers come first, once', () => {
  const { queue, later, spend, turn } = make(2);
  let slices = 0;
  queue.push(() => {
    spend(2);
    return ++slices === 3;
  });
  spend(15); // V8's collector, between the timers and the queue
  turn();
  assert.strictEqual(slices, 0, 'it lets the loop turn');
  assert.strictEqual(later.length, 1, 'and comes back');
  spend(15);
  turn();
  assert.strictEqual(slices, 1, 'in a loop that is always busy it works every other time');
  spend(15);
  turn();
  assert.strictEqual(slices, 1);
  spend(1);
  turn();
  assert.strictEqual(slices, 2);
  spend(3);
  turn();
  assert.strictEqual(slices, 3, 'what takes no longer than two turns of its own does not stop it');
  assert.strictEqual(later.length, 0);
});

test('a job may push jobs', () => {
  const { queue, turn } = make();
  const log = [];
  queue.push(() => {
    queue.push(() => log.push('inner') > 0);
    return log.push('outer') > 0;
  });
  turn();
  assert.deepStrictEqual(log, ['outer', 'inner']);
});

test('an error that escapes from a job does not stop the others', () => {
  const { queue, later, turn } = make();
  let done = false;
  queue.push(() => { throw new Error('escaped'); });
  queue.push(() => (done = true));
  assert.throws(turn, /escaped/);
  assert.strictEqual(later.length, 1);
  turn();
  assert.ok(done);
  assert.strictEqual(queue.length, 0);
});

test('a long queue does not keep what is done', () => {
  const { queue, turn } = make(Infinity);
  for (let k = 0; k < 5000; k++) {
    let slices = 3;
    queue.push(() => --slices === 0);
  }
  turn();
  assert.strictEqual(queue.length, 0);
  assert.strictEqual(queue.ring.length, 0);
});

test('timers run while jobs wait', async () => {
  const end = performance.now() + 60;
  let finished = 0;
  const spin = () => {
    const until = performance.now() + 0.5;
    while (performance.now() < until);
    if (performance.now() < end) return false;
    finished++;
    return true;
  };
  for (let k = 0; k < 10; k++) push(spin);
  let ticks = 0;
  let longest = 0;
  let last = performance.now();
  while (finished < 10) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    ticks++;
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  assert.ok(ticks >= 3, `${ticks} timers in 60 ms, the longest wait ${longest} ms`);
});

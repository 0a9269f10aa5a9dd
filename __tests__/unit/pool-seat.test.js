'use strict';
// The life of a pool's seat, moment by moment, with a worker that does what the test says.

const test = require('node:test');
const assert = require('node:assert');
const { EventEmitter } = require('node:events');
const { setImmediate: turn } = require('node:timers/promises');
const { Seat } = require('../../js/pool/seat.js');

class FakeWorker extends EventEmitter {
  sent = [];
  refs = 1;
  terminated = 0;
  ref() { this.refs = 1; }
  unref() { this.refs = 0; }
  postMessage(message) { this.sent.push(message); }
  async terminate() { this.terminated++; this.emit('exit', 1); }
  ready() { this.emit('message', { ready: true }); }
}

function seatWith(configure = () => {}) {
  const workers = [];
  const seat = new Seat(() => {
    const worker = new FakeWorker();
    configure(worker, workers.length);
    workers.push(worker);
    return worker;
  });
  return { seat, workers };
}

const task = (id, part) => ({ id, message: { id, op: 'reduce' }, transfer: [], part });
const outcome = (promise) => promise.then((value) => ({ value }), (error) => ({ error }));

async function ready() {
  const made = seatWith((worker) => setImmediate(() => worker.ready()));
  await made.seat.open();
  return { seat: made.seat, worker: made.workers[0], workers: made.workers };
}

test('open: callers share one worker, which is let go when it is connected', async () => {
  const { seat, workers } = seatWith();
  const opens = [seat.open(), seat.open(), seat.open()];
  assert.strictEqual(workers.length, 1);
  assert.deepStrictEqual([seat.load, workers[0].refs, seat.connected], [3, 1, false]);
  workers[0].ready();
  await Promise.all(opens);
  assert.deepStrictEqual([seat.load, workers[0].refs, seat.connected], [0, 0, true]);
});

for (const [how, end, message] of [
  ['says that it cannot connect', (w) => w.emit('message', { failure: { name: 'Error' } }), undefined],
  ['throws', (w) => w.emit('error', new Error('boom')), /died: boom/],
  ['throws nothing at all', (w) => w.emit('error', undefined), /died/],
  ['exits', (w) => w.emit('exit', 7), /exit code 7/],
  ['sends what cannot be read', (w) => w.emit('messageerror', new Error('clone')), /cannot be read: clone/],
]) {
  test(`a worker that ${how} while it starts: waiting tasks reject, the next one starts another`, async () => {
    const { seat, workers } = seatWith();
    const waiting = [outcome(seat.open()), outcome(seat.run(task(1))), outcome(seat.run(task(2)))];
    end(workers[0]);
    for (const { error } of await Promise.all(waiting)) {
      assert.ok(error, 'rejected');
      if (message) assert.match(error.message, message);
    }
    assert.deepStrictEqual([seat.load, workers[0].refs, workers[0].sent.length], [0, 0, 0]);
    const again = seat.run(task(3));
    workers[1].ready();
    await turn();
    assert.deepStrictEqual(workers[1].sent, [{ id: 3, op: 'reduce' }]);
    workers[1].emit('message', { id: 3, acc: 5 });
    assert.strictEqual((await again).acc, 5);
  });
}

test('a thread that cannot be made: an error for those who waited, and another attempt later', async () => {
  let fail = true;
  const { seat, workers } = seatWith((worker) => {
    if (fail) throw new RangeError('no thread');
    setImmediate(() => worker.ready());
  });
  await assert.rejects(seat.open(), /no thread/);
  await assert.rejects(seat.run(task(1)), /no thread/);
  assert.strictEqual(seat.load, 0);
  fail = false;
  await seat.open();
  assert.strictEqual(workers.length, 1);
});

test('a worker that dies with tasks: they reject once, whatever else it says; other workers are not touched', async () => {
  const { seat, worker, workers } = await ready();
  const lost = [outcome(seat.run(task(1))), outcome(seat.run(task(2)))];
  worker.emit('error', new Error('boom'));
  const again = seat.run(task(3));
  worker.emit('exit', 1);
  worker.emit('message', { id: 3, acc: 'from the dead' });
  for (const { error } of await Promise.all(lost)) assert.match(error.message, /boom/);
  assert.strictEqual(workers.length, 2);
  await turn();
  workers[1].emit('message', { id: 3, acc: 'right' });
  assert.strictEqual((await again).acc, 'right');
  assert.deepStrictEqual([seat.load, workers[1].refs], [0, 0]);
});

test('close: while starting, in flight, twice, and before anything', async () => {
  const closed = new Error('closed');
  const starting = seatWith();
  const waits = [outcome(starting.seat.open()), outcome(starting.seat.run(task(1)))];
  await starting.seat.close(closed);
  for (const { error } of await Promise.all(waits)) assert.strictEqual(error, closed);
  assert.strictEqual(starting.workers[0].terminated, 1);
  starting.workers[0].ready(); // too late
  assert.strictEqual(starting.seat.connected, false);

  const { seat, worker } = await ready();
  const inFlight = outcome(seat.run(task(1)));
  await Promise.all([seat.close(closed), seat.close(closed)]);
  assert.strictEqual((await inFlight).error, closed);
  assert.strictEqual(worker.terminated, 1);
  await assert.rejects(seat.run(task(2)), closed);
  await assert.rejects(seat.open(), closed);

  const both = await ready();
  const controller = new AbortController();
  const torn = outcome(both.seat.run(task(1), controller.signal));
  both.seat.close(closed);
  controller.abort(new Error('too late')); // in the same turn
  assert.strictEqual((await torn).error, closed);

  const unused = seatWith();
  await unused.seat.close(closed);
  assert.strictEqual(unused.workers.length, 0);
});

test('abort: before, while the worker starts, and in flight', async () => {
  const reason = new Error('enough');
  const { seat, workers } = seatWith();
  await assert.rejects(seat.run(task(1), AbortSignal.abort(reason)), reason);
  assert.strictEqual(workers.length, 0);

  const early = new AbortController();
  const waiting = outcome(seat.run(task(2), early.signal));
  early.abort(reason);
  assert.strictEqual((await waiting).error, reason);
  workers[0].ready();
  await turn();
  assert.deepStrictEqual(workers[0].sent, [], 'a task that nobody waits for is not sent');
  assert.deepStrictEqual([seat.load, workers[0].refs], [0, 0]);

  const late = new AbortController();
  const running = outcome(seat.run(task(3), late.signal));
  late.abort(reason);
  assert.strictEqual((await running).error, reason);
  assert.deepStrictEqual(workers[0].sent.at(-1), { id: 3, op: 'cancel' });
  workers[0].emit('message', { id: 3, acc: 1 }); // crossed on the way
  late.abort(reason);
  assert.strictEqual(seat.load, 1, 'it may still be busy with it');
  workers[0].emit('message', { id: 3, cancelled: true });
  assert.strictEqual(seat.load, 0);

  const unused = new AbortController();
  const done = seat.run(task(4), unused.signal);
  workers[0].emit('message', { id: 4, acc: 1 });
  await done;
  const sent = workers[0].sent.length;
  unused.abort(reason);
  assert.strictEqual(workers[0].sent.length, sent, 'an abort after the answer is nobody\'s business');
});

test('a worker that does not confirm an abort is ended; what it had not begun goes to the next one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { seat, workers } = seatWith();
  const controller = new AbortController();
  const stuck = outcome(seat.run(task(1), controller.signal));
  workers[0].ready();
  await turn();
  const beside = outcome(seat.run(task(2)));
  controller.abort(new Error('enough'));
  const waiting = outcome(seat.run(task(3)));
  seat.tell(task(3), { id: 3, op: 'feed' });
  assert.deepStrictEqual(workers[0].sent.map(({ id, op }) => [id, op]), [[1, 'reduce'], [2, 'reduce'], [1, 'cancel']]);
  assert.match((await stuck).error.message, /enough/);

  t.mock.timers.tick(1000);
  assert.match((await beside).error.message, /was ended: 1000 ms after an abort/);
  assert.strictEqual(workers[0].terminated, 1);
  workers[1].ready();
  await turn();
  assert.deepStrictEqual(workers[1].sent, [{ id: 3, op: 'reduce' }, { id: 3, op: 'feed' }]);
  workers[1].emit('message', { id: 3, acc: 7 });
  assert.strictEqual((await waiting).value.acc, 7);
  assert.deepStrictEqual([seat.load, workers.length, workers[1].refs], [0, 2, 0]);
});

test('a worker that confirms an abort goes on, with what was held back', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { seat, workers } = seatWith();
  const controller = new AbortController();
  const aborted = outcome(seat.run(task(1), controller.signal));
  workers[0].ready();
  await turn();
  controller.abort(new Error('enough'));
  const next = outcome(seat.run(task(2)));
  assert.strictEqual(workers[0].sent.length, 2);
  workers[0].emit('message', { id: 1, cancelled: true });
  assert.deepStrictEqual(workers[0].sent.at(-1), { id: 2, op: 'reduce' });
  t.mock.timers.tick(5000);
  workers[0].emit('message', { id: 2, acc: 7 });
  assert.strictEqual((await next).value.acc, 7);
  assert.match((await aborted).error.message, /enough/);
  assert.deepStrictEqual([seat.load, workers.length, workers[0].terminated], [0, 1, 0]);
});

test('a message that cannot be sent rejects that task alone', async () => {
  const { seat, worker } = await ready();
  worker.postMessage = () => { throw new TypeError('cannot clone'); };
  await assert.rejects(seat.run(task(1)), /cannot clone/);
  assert.deepStrictEqual([seat.load, worker.refs], [0, 0]);
});

test('parts go to their task until it is answered', async () => {
  const { seat, worker } = await ready();
  const parts = [];
  const done = seat.run(task(1, (part) => parts.push(part)));
  worker.emit('message', { id: 1, part: 'a' });
  worker.emit('message', { id: 2, part: 'of nobody' });
  worker.emit('message', { id: 1, part: 'b' });
  worker.emit('message', { id: 1 });
  await done;
  assert.deepStrictEqual(parts, ['a', 'b']);
});

'use strict';
// One reduction over all workers: this thread fetches, hands the core's frames to whoever has least to do, and never makes
// a document. Each worker has an accumulator of its own; at the end a worker combines them.

const { WANT } = require('../cursor/reader.js');

// Chunks of 256 KB that a worker may have: enough for it to have work while this thread does something else.
const AHEAD = 4;

/**
 * The decoder of a reader whose "documents" are whole chunks, copied into memory to hand over. The workers give it back, so
 * that a long read neither allocates nor leaves garbage on this thread.
 */
class Copies {
  #free = [];

  decode(bytes, out) {
    const buffer = this.#free.findLast(({ byteLength }) => byteLength >= bytes.length) ?? new ArrayBuffer(bytes.length + (bytes.length >> 3));
    this.#free = this.#free.filter((one) => one !== buffer);
    const copy = new Uint8Array(buffer, 0, bytes.length);
    copy.set(bytes);
    out.push(copy);
  }

  takeBack(buffer) {
    this.#free.push(buffer);
  }
}

/** What one worker does of it. */
class Share {
  waiting = 0; // chunks it has not reduced
  answer = null; // a promise, once it has begun

  /**
   * @param {import('./seat.js').Seat} seat
   * @param {import('./seat.js').Task} task
   */
  constructor(seat, task) {
    this.seat = seat;
    this.task = task;
  }

  begin(signal, onPart) {
    this.task.part = (buffer) => {
      this.waiting--;
      onPart(buffer);
    };
    this.answer = this.seat.run(this.task, signal);
  }

  give(frames) {
    this.waiting++;
    this.seat.tell(this.task, { id: this.task.id, op: 'feed', frames }, [frames.buffer]);
  }

  finish() {
    this.seat.tell(this.task, { id: this.task.id, op: 'finish' });
    return this.answer;
  }
}

/**
 * @param {(decoder: object) => import('../cursor/reader.js').Reader} open starts the read
 * @param {Share[]} shares one for each seat; those with documents begin
 * @param {AbortSignal} signal
 * @returns {Promise<{ acc: object, count: number }[]>} the packed accumulators
 * @throws what a share rejects with, or the read
 */
async function spread(open, shares, signal) {
  const copies = new Copies();
  const reader = open(copies);
  // A share that fails must not leave the others waiting for more.
  const stop = new AbortController();
  let wake = () => {};
  let failed = null;
  const fail = (error) => {
    failed ??= { error };
    reader.fail(error);
    stop.abort(error);
    wake();
  };
  const abort = () => fail(signal.reason);
  signal?.addEventListener('abort', abort, { once: true });
  const begun = () => shares.filter(({ answer }) => answer !== null);

  const free = async () => {
    for (;;) {
      if (failed !== null) throw failed.error;
      const share = least(shares);
      if (share.waiting < AHEAD) return share;
      await new Promise((resolve) => { wake = resolve; });
    }
  };
  try {
    for (;;) {
      while (reader.buffered === 0 && !reader.exhausted && !reader.stopped) await reader.until(WANT.DOCUMENT);
      if (reader.buffered === 0) break;
      const frames = reader.shift();
      const share = await free();
      if (share.answer === null) {
        share.begin(stop.signal, (buffer) => {
          if (buffer !== null) copies.takeBack(buffer);
          wake();
        });
        share.answer.catch(fail);
      }
      share.give(frames);
    }
    reader.throwIfFailed();
    return await Promise.all(begun().map((share) => share.finish()));
  } catch (error) {
    fail(error);
    await Promise.allSettled(begun().map(({ answer }) => answer));
    throw failed.error;
  } finally {
    reader.cancel();
    signal?.removeEventListener('abort', abort);
  }
}

/** Of equals the one that has begun, so that a small result stays in one worker; a new one for the second chunk. */
function least(shares) {
  return shares.reduce((best, share) => (
    share.waiting < best.waiting || (share.waiting === best.waiting && share.answer !== null && best.answer === null) ? share : best));
}

module.exports = { spread, Share };

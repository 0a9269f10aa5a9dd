'use strict';
// What a worker does for the pool: one class for each operation. `run()` resolves to the answer, or rejects with what was
// thrown; `cancel()` comes when nobody waits any more.

const { WANT } = require('../cursor/reader.js');
const { decoderFor } = require('../decoders.js');
const { MODES, openReader } = require('../reads/read.js');
const { pack, unpack } = require('./values.js');
const { transferable, send, receive } = require('./transferables.js');
const { packFailure, packFault } = require('./failure.js');

/** One read of this thread. */
class ReadTask {
  constructor(message, thread) {
    this.message = message;
    this.thread = thread;
    this.reader = null;
    this.cancelled = false;
  }

  get isSource() {
    return this.message.fn?.source !== undefined;
  }

  cancel() {
    this.cancelled = true;
    this.reader?.cancel();
  }

  decoder() {
    const { client } = this.thread;
    return decoderFor(client.bridge, client.bsonClasses, this.message.bsonOptions, this.message.mode);
  }

  open(decoder) {
    const { command, params, bsonOptions, namespace } = this.message;
    this.reader = openReader(this.thread.client, { command, params, decoder, bsonOptions, namespace });
    if (this.cancelled) this.reader.cancel();
    return this.reader;
  }

  /** Documents as they come, until there are no more. */
  async *documents() {
    const reader = this.open(this.decoder());
    try {
      for (;;) {
        while (reader.buffered === 0 && !reader.exhausted && !reader.stopped) await reader.until(WANT.DOCUMENT);
        if (reader.buffered === 0) return;
        yield reader.takeDocs();
      }
    } finally {
      reader.cancel();
    }
  }

  /** What the read ended with, packed, the core's own words as such; null when it went well. */
  ending() {
    const { fault, thrown } = this.reader;
    if (thrown !== null) return packFailure(thrown.error);
    return fault === null ? null : packFault(fault);
  }
}

/** Hands a task's frames to the main thread as they are: it builds the objects, in the slices of its fair queue. */
class Find extends ReadTask {
  async run() {
    const reader = this.open({
      decode: (bytes, out) => {
        const copy = bytes.slice();
        this.thread.post({ id: this.message.id, part: copy }, [copy.buffer]);
        out.length = 0;
      },
    });
    await reader.until(WANT.ALL);
    const failure = this.ending();
    return failure === null ? {} : { failure };
  }
}

/** An accumulator on its way over documents. */
class Reduction {
  constructor(reducer, acc) {
    this.reducer = reducer;
    this.acc = acc;
    this.count = 0;
  }

  async over(docs) {
    const { reducer } = this;
    let { acc } = this;
    for (const doc of docs) {
      acc = reducer(acc, doc);
      if (typeof acc?.then === 'function') acc = await acc;
      this.count++;
    }
    this.acc = acc;
  }

  answer(bsonClasses) {
    const acc = pack(this.acc, 'acc', bsonClasses);
    return { acc, count: this.count, transfer: acc.bytes === null ? [] : [acc.bytes.buffer] };
  }
}

async function reductionOf({ fn, init }, { load, client }) {
  return new Reduction(await load(fn, 'reducer'), unpack(init, client.bsonClasses));
}

class Reduce extends ReadTask {
  async run() {
    const reduction = await reductionOf(this.message, this.thread);
    for await (const docs of this.documents()) await reduction.over(docs);
    const failure = this.ending();
    return failure === null ? reduction.answer(this.thread.client.bsonClasses) : { failure };
  }
}

/** A share of a reduction whose documents the main thread fetches and hands round, as the core's frames. */
class Share extends ReadTask {
  #chain;
  #finished;
  #finish;

  constructor(message, thread) {
    super(message, thread);
    this.#finished = new Promise((resolve, reject) => {
      this.#finish = { resolve, reject };
    });
    this.#chain = reductionOf(message, thread);
    this.#chain.catch(this.#finish.reject);
  }

  async run() {
    const reduction = await this.#finished;
    return reduction.answer(this.thread.client.bsonClasses);
  }

  feed({ frames }) {
    this.#chain = this.#chain.then(async (reduction) => {
      if (this.cancelled) return reduction;
      const docs = [];
      this.decoder().decode(frames, docs);
      await reduction.over(docs);
      // Lazy and raw documents refer to their chunk, others do not.
      const part = this.message.mode === MODES.EAGER ? frames.buffer : null;
      this.thread.post({ id: this.message.id, part }, part === null ? [] : [part]);
      return reduction;
    });
    this.#chain.catch(this.#finish.reject);
  }

  finish() {
    this.#chain.then(this.#finish.resolve, () => {}); // its error was passed on already
  }

  cancel() {
    super.cancel();
    this.finish();
  }
}

/** Makes one accumulator of those of the shares. */
class Combine extends ReadTask {
  async run() {
    const { message, thread: { load, client: { bsonClasses } } } = this;
    const combine = await load(message.fn, 'combine');
    const [first, ...others] = message.accs.map((acc) => unpack(acc, bsonClasses));
    let acc = first;
    for (const other of others) acc = await combine(acc, other);
    const packed = pack(acc, 'acc', bsonClasses);
    return { acc: packed, transfer: packed.bytes === null ? [] : [packed.bytes.buffer] };
  }
}

/** Gives a function some documents at a time and hands over what it makes of them. */
class MapBatches extends ReadTask {
  #calls = 0;

  async run() {
    const fn = await this.thread.load(this.message.fn, 'fn');
    const { size } = this.message;
    let waiting = [];
    for await (const docs of this.documents()) {
      for (const doc of docs) {
        waiting.push(doc);
        if (waiting.length < size) continue;
        await this.#give(fn, waiting);
        waiting = [];
      }
      if (this.cancelled) break;
    }
    const failure = this.ending();
    if (failure !== null) return { failure };
    if (waiting.length > 0) await this.#give(fn, waiting);
    return {};
  }

  async #give(fn, docs) {
    const call = this.#calls++;
    const { value, transfer } = transferable(await fn(docs, call), `the result of call ${call}`);
    this.thread.post({ id: this.message.id, part: value }, transfer);
  }
}

/** Calls the export of a module. */
class Run extends ReadTask {
  #controller = new AbortController();

  cancel() {
    this.#controller.abort();
  }

  async run() {
    const { message, thread: { load, client } } = this;
    const fn = await load(message.fn, 'module');
    const args = message.args.map((arg) => receive(arg, client.bsonClasses));
    const result = await fn.apply({ client, signal: this.#controller.signal }, args);
    const { sent, transfer } = send(result, 'the result', client.bsonClasses);
    return { result: sent, transfer };
  }
}

const KINDS = { find: Find, reduce: Reduce, share: Share, combine: Combine, map: MapBatches, run: Run };

module.exports = { KINDS };

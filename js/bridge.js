'use strict';
// Requests to the native core and the completions that come back; see docs/architecture.md, "The bridge".
//
// There is one Bridge per environment (main thread or worker). The addon calls drain() once for all completions that
// have arrived; their records are read from memory with typed arrays, so a completion costs no call into the addon.

const binding = require('./binding');

const OP = Object.freeze({ COMMAND: 1, FIND: 2 });
const KIND = Object.freeze({ FRAMES: 1, LAZY: 2, REPLY: 3, CLIENT: 4 });

// Mirror of RecordHeader in napi/inbox.h: float64 token, then uint32s.
const RECORD = Object.freeze({ KIND_AND_FLAGS: 2, COUNT: 3, LENGTH: 4, SLOT: 5, SIZE: 6, BYTES: 32 });
const FLAG = Object.freeze({ BATCH_END: 1, LAST: 2, FAULT: 4 });
const NO_SLOT = 0xffffffff;

/** Views over memory that holds records. */
class Arena {
  constructor(buffer) {
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer, 0, buffer.byteLength >> 2);
    this.tokens = new Float64Array(buffer, 0, buffer.byteLength >> 3);
  }
}

/** One delivery of documents; the fields are described in docs/architecture.md. */
class Chunk {
  constructor(bridge, kind, count, batchEnd, bytes, slot) {
    this.bridge = bridge;
    this.kind = kind;
    this.count = count;
    this.batchEnd = batchEnd;
    this.bytes = bytes;
    this.size = bytes.length;
    this.slot = slot; // of a pooled block, until release()
    this.transient = false;
  }

  /** Gives the memory back; nothing may view it afterwards. Without effect where there is nothing to give back. */
  release() {
    const { slot } = this;
    if (slot === NO_SLOT) return;
    this.slot = NO_SLOT;
    this.bytes = EMPTY;
    this.bridge.releaseSlot(slot);
  }

  /** The bytes as memory of their own, to keep: a copy, except of lazy and reply blocks, which are that already. */
  detach() {
    if (this.transient || this.slot !== NO_SLOT) {
      const copy = this.bytes.slice();
      this.release();
      this.bytes = copy;
      this.transient = false;
    }
    return this.bytes;
  }
}

const EMPTY = new Uint8Array(0);

/** One operation in the core. It completes exactly once, with the sink's end(). */
class Request {
  constructor(bridge, token, sink) {
    this.bridge = bridge;
    this.token = token;
    this.sink = sink;
    this.holds = 0;
    this.owed = 0; // bytes of chunks that are delivered and not acknowledged
    this.ended = false;
    this.cancelled = false;
  }

  /**
   * Says that bytes of chunks (their size) have been consumed; the core then reads on. What is owed after the end still
   * counts against what all reads of the process may have under way.
   */
  ack(bytes) {
    const paid = Math.min(bytes, this.owed);
    if (!(paid > 0)) return;
    this.owed -= paid;
    this.bridge.native.ack(this.token, paid);
    if (this.ended && this.owed === 0) debts.unregister(this);
  }

  /** Stops the operation. No chunk arrives after this; end() still does, if it has not yet. */
  cancel() {
    if (this.cancelled || (this.ended && this.owed === 0)) return;
    this.cancelled = true;
    this.owed = 0;
    this.bridge.native.cancel(this.token);
    if (this.ended) debts.unregister(this);
  }

  /** Keeps the process alive until as many letGo(), or the end. */
  hold() {
    if (!this.ended && this.holds++ === 0) this.bridge.hold();
  }

  letGo() {
    if (this.holds > 0 && --this.holds === 0) this.bridge.letGo();
  }

  /** @param {Uint8Array | null} fault */
  finish(fault) {
    this.ended = true;
    this.bridge.requests.delete(this.token);
    if (this.owed > 0) debts.register(this, { native: this.bridge.native, token: this.token }, this);
    if (this.holds > 0) {
      this.holds = 0;
      this.bridge.letGo();
    }
    this.sink.end(fault);
  }
}

/** Requests that ended with chunks nobody has acknowledged: when they are collected, nobody will. */
const debts = new FinalizationRegistry(({ native, token }) => native.cancel(token));

/** A sink for operations that answer once: a promise of what read() makes of the chunk. */
class PromiseSink {
  constructor(read) {
    this.value = undefined;
    this.read = read;
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  chunk(chunk) { this.value = this.read(chunk); }

  end(fault) {
    if (fault) this.reject(fault);
    else this.resolve(this.value);
  }
}

const clientIdOf = ({ bytes }) => new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true);

class Bridge {
  /** @param {object} native the addon's exports, not opened yet */
  constructor(native) {
    this.native = native;
    this.requests = new Map();
    this.lastToken = 0;
    this.held = 0; // requests that keep the process alive
    this.buffers = []; // ArrayBuffers of pooled blocks, by slot
    this.external = true; // until the runtime refuses external ArrayBuffers
    this.thrown = []; // what sinks threw during this drain
    this.arenas = native.open((arena, bytes, overflow) => this.drain(arena, bytes, overflow)).map((buffer) => new Arena(buffer));
  }

  connect(params) {
    return this.once(clientIdOf, (token) => this.native.connect(token, params));
  }

  closeClient(id) {
    return this.once(() => {}, (token) => this.native.closeClient(token, id));
  }

  submit(op, client, command, params, sink) {
    const token = ++this.lastToken;
    this.native.submit(token, op, client, command, params);
    const request = new Request(this, token, sink);
    this.requests.set(token, request);
    return request;
  }

  definition(kind, id, version) { return this.native.definition(kind, id, version); }

  stats() { return this.native.stats(); }

  /** One answer as a promise; it keeps the process alive. A fault rejects with its BSON bytes. */
  once(read, start) {
    const sink = new PromiseSink(read);
    const token = ++this.lastToken;
    start(token);
    const request = new Request(this, token, sink);
    this.requests.set(token, request);
    request.hold();
    return sink.promise;
  }

  hold() { if (this.held++ === 0) this.native.hold(true); }

  letGo() { if (--this.held === 0) this.native.hold(false); }

  releaseSlot(slot) {
    if (!this.native.release(slot)) this.buffers[slot] = undefined;
  }

  /** Called by the addon, once for many completions. Promise reactions run when it has returned. */
  drain(arena, bytes, overflow) {
    this.read(this.arenas[arena], bytes);
    if (overflow !== undefined) {
      for (const buffer of overflow) this.read(new Arena(buffer), buffer.byteLength);
    }
    if (this.thrown.length > 0) this.rethrow();
  }

  read(arena, bytes) {
    const { words, tokens } = arena;
    for (let at = 0; at < bytes;) {
      const word = at >> 2;
      const size = words[word + RECORD.SIZE];
      const kindAndFlags = words[word + RECORD.KIND_AND_FLAGS];
      try {
        this.complete(arena, at, tokens[at >> 3], kindAndFlags & 0xff, kindAndFlags >> 8,
          words[word + RECORD.COUNT], words[word + RECORD.LENGTH], words[word + RECORD.SLOT]);
      } catch (error) {
        this.thrown.push(error);
      }
      at += size;
    }
  }

  complete(arena, at, token, kind, flags, count, length, slot) {
    const request = this.requests.get(token);
    if (request === undefined || request.cancelled) {
      if (slot !== NO_SLOT) this.releaseSlot(slot);
      if (request !== undefined && (flags & FLAG.LAST)) {
        request.finish((flags & FLAG.FAULT) ? inlineBytes(arena, at, length).slice() : CANCELLED);
      }
      return;
    }
    if (flags & FLAG.FAULT) {
      request.finish(inlineBytes(arena, at, length).slice());
      return;
    }
    try {
      if (kind !== 0) {
        const chunk = this.chunk(arena, at, kind, flags, count, length, slot);
        // A result that is one small chunk is over: the core has not charged it, and there is nothing to read on.
        if (!(chunk.transient && (flags & FLAG.LAST))) request.owed += length;
        request.sink.chunk(chunk);
      }
    } finally {
      if (flags & FLAG.LAST) request.finish(null);
    }
  }

  chunk(arena, at, kind, flags, count, length, slot) {
    const batchEnd = (flags & FLAG.BATCH_END) !== 0;
    if (slot === NO_SLOT) {
      const chunk = new Chunk(this, kind, count, batchEnd, inlineBytes(arena, at, length), NO_SLOT);
      chunk.transient = true;
      return chunk;
    }
    if (kind === KIND.FRAMES) {
      const buffer = this.buffers[slot] ?? (this.external ? this.native.wrap(slot, length) : undefined);
      if (buffer !== undefined) {
        this.buffers[slot] = buffer;
        return new Chunk(this, kind, count, batchEnd, new Uint8Array(buffer, 0, length), slot);
      }
    } else if (this.external) {
      const buffer = this.native.wrap(slot, length);
      if (buffer !== undefined) return new Chunk(this, kind, count, batchEnd, new Uint8Array(buffer), NO_SLOT);
    }
    this.external = false;
    return new Chunk(this, kind, count, batchEnd, new Uint8Array(this.native.copy(slot, length)), NO_SLOT);
  }

  /** A sink that throws is a bug of its caller: reported like any uncaught exception, when all completions are read. */
  rethrow() {
    for (const error of this.thrown.splice(0)) process.nextTick(() => { throw error; });
  }
}

function inlineBytes(arena, at, length) {
  return arena.bytes.subarray(at + RECORD.BYTES, at + RECORD.BYTES + length);
}

/** {kind: 'cancelled', message: ..., labels: []}: for an operation that was done when cancel() was called. */
const CANCELLED = (() => {
  const message = 'the operation was cancelled';
  const string = (name, value) => {
    const length = Buffer.alloc(4);
    length.writeInt32LE(value.length + 1);
    return Buffer.concat([Buffer.from(`\x02${name}\0`), length, Buffer.from(`${value}\0`)]);
  };
  const body = Buffer.concat([string('kind', 'cancelled'), string('message', message), Buffer.from('\x04labels\0\x05\0\0\0\0\0')]);
  const length = Buffer.alloc(4);
  length.writeInt32LE(body.length + 4);
  return new Uint8Array(Buffer.concat([length, body]));
})();

let shared;

/** The environment's bridge; the addon is loaded on first use, so that requiring the package never fails. */
function bridge() {
  return shared ??= new Bridge(binding.load());
}

module.exports = {
  OP,
  KIND,
  Bridge,
  connect: (params) => bridge().connect(params),
  closeClient: (id) => bridge().closeClient(id),
  submit: (op, client, command, params, sink) => bridge().submit(op, client, command, params, sink),
  definition: (kind, id, version) => bridge().definition(kind, id, version),
  stats: () => bridge().stats(),
};

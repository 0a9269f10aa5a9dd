'use strict';
// Requests to the native core and the completions that come back; see docs/architecture.md, "The bridge".
//
// There is one Bridge per environment (main thread or worker). The addon calls drain() once for all completions that
// have arrived; their records are read from memory with typed arrays, so a completion costs no call into the addon.

const { subscribe } = require('node:diagnostics_channel');
const binding = require('./binding');
const { Arena, Chunk, RECORD, EVENT, FLAG, NO_SLOT } = require('./chunk');
const { Request, CANCELLED } = require('./request');

const OP = Object.freeze({ COMMAND: 1, FIND: 2, DECODE: 3 });
const KIND = Object.freeze({ FRAMES: 1, LAZY: 2, REPLY: 3, CLIENT: 4, TEXT: 5, CURSOR: 6, COLUMNS: 7 });

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

const clientIdOf = ({ bytes }) => new Float64Array(bytes.buffer, bytes.byteOffset, 1)[0];

class Bridge {
  /** @param {object} native the addon's exports, not opened yet */
  constructor(native) {
    this.native = native;
    this.requests = new Map();
    this.lastToken = 0;
    this.held = 0; // requests that keep the process alive
    this.buffers = []; // ArrayBuffers of pooled blocks, by slot
    this.external = true; // until the runtime refuses external ArrayBuffers
    this.sources = new Map(); // where events come from, while anybody listens; by the token of the connect
    this.thrown = []; // what sinks and listeners threw during this drain
    this.received = { frames: 0, lazy: 0, text: 0, columns: 0, replies: 0, bytes: 0 }; // chunks
    this.arenas = native.open((arena, bytes, overflow, events) => this.drain(arena, bytes, overflow, events)).map((buffer) => new Arena(buffer));
    this.eventArena = this.arenas.pop();
    // Said before the child is made, which happens in the same turn; see napi/signals.h.
    subscribe('child_process', () => process.nextTick(() => native.childMade()));
  }

  /**
   * @param {AbortSignal} [signal] gives up; the answer is then a fault, or the id when that was under way
   * @param {import('../monitoring/source.js').EventSource} [source] hears of all that happens
   */
  connect(params, signal, source) {
    return this.once(clientIdOf, (token) => {
      if (source !== undefined) {
        source.token = token;
        this.register(source);
      }
      this.native.connect(token, params, source?.mask ?? 0);
      signal?.addEventListener('abort', () => this.native.cancel(token), { once: true });
    });
  }

  closeClient(id) {
    return this.once(() => {}, (token) => this.native.closeClient(token, id));
  }

  /** The source's mask has changed. */
  listen(source) {
    this.register(source);
    this.native.listen(source.token, source.mask);
  }

  register(source) {
    if (source.mask !== 0) this.sources.set(source.token, source);
    else this.sources.delete(source.token);
  }

  /** Nothing of the source is delivered any more. */
  forget(source) { this.sources.delete(source.token); }

  submit(op, client, command, params, sink) {
    const token = ++this.lastToken;
    this.native.submit(token, op, client, command, params);
    const request = new Request(this, token, sink);
    this.requests.set(token, request);
    return request;
  }

  definition(kind, id, version) { return this.native.definition(kind, id, version); }

  stats() { return this.native.stats(); }

  /** The addon's memory for chunks: that of the process, and what of it waits for reuse in this environment. */
  memory() {
    const [blocks, bytes, idle, pooled] = this.native.memory();
    return { blocks, bytes, idle, pooled };
  }

  /** Lazy blocks whose ArrayBuffers are not collected yet. */
  lazyMemory() {
    const [, , , , batches, bytes] = this.native.memory();
    return { batches, bytes };
  }

  /** Extended JSON text (UTF-8) as BSON: { value }, or a fault. */
  ejson(text) { return this.native.ejson(text); }

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

  /**
   * Called by the addon, once for many completions. Promise reactions run when it has returned. Events come first: those of
   * a command are then told before its read goes on.
   */
  drain(arena, bytes, overflow, events) {
    if (typeof events === 'number') this.tell(this.eventArena, events);
    else if (events !== undefined) this.tell(new Arena(events), events.byteLength);
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

  tell({ bytes, words, tokens }, size) {
    for (let at = 0; at < size;) {
      const word = at >> 2;
      const source = this.sources.get(tokens[at >> 3]);
      if (source !== undefined) {
        const info = at + EVENT.BYTES;
        const body = info + words[word + EVENT.INFO];
        try {
          source.deliver(words[word + EVENT.KIND], bytes.subarray(info, body), bytes.subarray(body, body + words[word + EVENT.BODY]),
            this.requests.get(tokens[(at >> 3) + EVENT.TOKEN])?.sink);
        } catch (error) {
          this.thrown.push(error);
        }
      }
      at += words[word + EVENT.SIZE];
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
    if (kind === KIND.CURSOR) {
      const word = (at + RECORD.BYTES) >> 2;
      request.cursor = { low: arena.words[word] | 0, high: arena.words[word + 1] | 0 };
      return;
    }
    try {
      if (kind !== 0) {
        this.count(kind, length);
        const chunk = this.chunk(arena, at, kind, flags, count, length, slot);
        // A result that is one small chunk is over: the core has not charged it, and there is nothing to read on.
        if (!(chunk.transient && (flags & FLAG.LAST))) request.owed += length;
        request.sink.chunk(chunk);
      }
    } finally {
      if (flags & FLAG.LAST) request.finish(null);
    }
  }

  count(kind, length) {
    const { received } = this;
    received.bytes += length;
    if (kind === KIND.FRAMES) received.frames++;
    else if (kind === KIND.LAZY) received.lazy++;
    else if (kind === KIND.TEXT) received.text++;
    else if (kind === KIND.COLUMNS) received.columns++;
    else received.replies++;
  }

  chunk(arena, at, kind, flags, count, length, slot) {
    const batchEnd = (flags & FLAG.BATCH_END) !== 0;
    const bytes = slot === NO_SLOT ? inlineBytes(arena, at, length) : null;
    return new Chunk(this, kind, count, batchEnd, length, slot, bytes);
  }

  /** The bytes of a chunk's block. One that is not pooled is in the hands of its ArrayBuffer from here on. */
  open(chunk) {
    const { slot, size } = chunk;
    const pooled = chunk.kind === KIND.FRAMES;
    let buffer = pooled ? this.buffers[slot] : undefined;
    if (buffer === undefined && this.external) {
      // V8 looks at what young ArrayBuffers hold (and, from 32 MB on, collects) only when it makes the memory for one. In
      // a read that keeps all its documents it would find nothing, at once again with the next block, and copy them all.
      if (!pooled && !chunk.kept) new ArrayBuffer(1);
      buffer = this.native.wrap(slot, size);
      if (pooled) this.buffers[slot] = buffer;
    }
    if (!pooled || buffer === undefined) chunk.slot = NO_SLOT;
    if (buffer !== undefined) {
      chunk.counted = !pooled;
      return new Uint8Array(buffer, 0, size);
    }
    this.external = false;
    return new Uint8Array(this.native.copy(slot, size));
  }

  /** A sink or listener that throws is a bug of its author: reported like any uncaught exception, when all completions are read. */
  rethrow() {
    for (const error of this.thrown.splice(0)) process.nextTick(() => { throw error; });
  }
}

function inlineBytes(arena, at, length) {
  return arena.bytes.subarray(at + RECORD.BYTES, at + RECORD.BYTES + length);
}

let shared;

/** The environment's bridge; the addon is loaded on first use, so that requiring the package never fails. */
function bridge() {
  return shared ??= new Bridge(binding.load());
}

module.exports = {
  OP,
  KIND,
  Bridge,
  connect: (params, signal, source) => bridge().connect(params, signal, source),
  listen: (source) => bridge().listen(source),
  forget: (source) => bridge().forget(source),
  closeClient: (id) => bridge().closeClient(id),
  submit: (op, client, command, params, sink) => bridge().submit(op, client, command, params, sink),
  definition: (kind, id, version) => bridge().definition(kind, id, version),
  stats: () => bridge().stats(),
  memory: () => bridge().memory(),
  lazyMemory: () => bridge().lazyMemory(),
  droppedEvents: () => bridge().native.droppedEvents(),
  received: () => ({ ...bridge().received }),
  ejson: (text) => bridge().ejson(text),
};

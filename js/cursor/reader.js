'use strict';
// The core of every read: takes the chunks of one request, turns them into documents when somebody
// wants them, and settles each wait exactly once.
//
// Rules
// 1. Chunks are decoded in order, by jobs on the fair queue; only small ones, which live in the inbox
//    until `chunk` returns, are decoded there and then.
// 2. Nothing is decoded that nobody waits for: an unread cursor stays bytes, and unacknowledged bytes
//    stop the fetch.
// 3. The request keeps the process alive only while a wait is pending (hold and letGo come in pairs).
// 4. A reader never refers to its cursor: the bridge holds the reader, and a cursor nobody holds must
//    be collectable, because its collection is what cancels the request.
// 5. Waits resolve, never reject: the caller asks for `failure()` and throws it from its own async
//    function, whose frames V8 then finds for the stack. Nothing is ever rejected unhandled.
// 6. The last decoded chunk is acknowledged when somebody wants more than it held. A read that owes nothing is always
//    allowed its next batch, so slow readers would otherwise each have one beyond what the process allows.

const fairQueue = require('../fair-queue.js');
const { errorFromFault } = require('../errors.js');

const FRAMES = 1;
const LAZY = 2;
const TEXT = 5;
const COLUMNS = 7;

/** What a wait waits for, weakest first; several waits share the strongest. */
const WANT = Object.freeze({ NOTHING: 0, DOCUMENT: 1, TURN: 2, BATCH: 3, ALL: 4 });

// Bytes decoded outside the fair queue during one drain of the inbox, about a millisecond's worth.
const INLINE_BYTES = 256 * 1024;
let inlineBytes = 0;

function resetInline() {
  inlineBytes = 0;
}

function mayDecodeInline(size) {
  if (inlineBytes === 0) queueMicrotask(resetInline);
  inlineBytes += size;
  return inlineBytes <= INLINE_BYTES;
}

class Reader {
  /**
   * @param {{decode(bytes: Uint8Array, out: any[]): void}} decoder
   * @param {object} bsonClasses
   * @param {object} bsonOptions
   */
  constructor(decoder, bsonClasses, bsonOptions) {
    this.decoder = decoder;
    this.bsonClasses = bsonClasses;
    this.bsonOptions = bsonOptions;
    this.request = null;
    this.chunks = [];
    this.taken = 0; // chunks[0..taken) are decoded
    this.docs = [];
    this.given = 0; // docs[0..given) are handed out
    this.partDocs = Infinity; // so many documents are enough of a batch
    this.batchComplete = false; // docs reaches the end of a batch or of its part
    this.want = WANT.NOTHING;
    this.wait = null;
    this.queued = false;
    this.ended = false;
    this.cancelled = false;
    this.fault = null;
    this.thrown = null; // { error }: what stopped the read on this side
    this.endings = null; // called once at the end
    this.watched = false; // see release.js
    this.context = null; // AsyncResource of the caller, for listeners to its commands
    this.dones = null; // called once when, beside that, no chunk waits
    this.documents = 0; // received
    this.bytes = 0;
    this.unpaid = 0; // bytes of the last chunk, not acknowledged yet
  }

  /** Sends the request. The bridge copies both byte arrays during the call. */
  submit(bridge, op, clientId, command, params) {
    this.request = bridge.submit(op, clientId, command, params, this);
    if (this.wait !== null) this.request.hold(); // pair: settle
  }

  // ---- what a cursor asks for

  get buffered() {
    return this.docs.length - this.given;
  }

  /** Chunks wait to be decoded. */
  get pending() {
    return this.taken < this.chunks.length;
  }

  /** Nothing is left and nothing will come. */
  get exhausted() {
    return this.ended && !this.pending && this.given === this.docs.length;
  }

  /** Resolves when `level` is met or can no longer be. Ask `failure()` when there is nothing then. */
  until(level) {
    if (level > this.want) this.want = level;
    if (this.wait === null) {
      let resolve;
      const promise = new Promise((done) => {
        resolve = done;
      });
      this.wait = { promise, resolve };
      this.request?.hold(); // pair: settle
    }
    const { promise } = this.wait;
    if (this.stopped || (this.ended && !this.pending)) this.settle();
    else if (this.pending) this.schedule();
    else this.pay();
    return promise;
  }

  /** The next decoded document. Call only when `buffered` is not 0. */
  shift() {
    const doc = this.docs[this.given];
    this.docs[this.given++] = undefined;
    if (this.given === this.docs.length) this.resetDocs();
    return doc;
  }

  /** All decoded documents, at most `limit`. */
  takeDocs(limit = Infinity) {
    const first = this.given;
    if (first === 0 && limit >= this.docs.length) {
      const { docs } = this;
      this.resetDocs();
      return docs;
    }
    const docs = this.docs.slice(first, first + Math.min(limit, this.docs.length - first));
    this.docs.fill(undefined, first, first + docs.length);
    this.given += docs.length;
    if (this.given === this.docs.length) this.resetDocs();
    return docs;
  }

  resetDocs() {
    this.docs = [];
    this.given = 0;
  }

  /** The error the read ended with, or null. Makes the error: call it in the user's async frames. */
  failure() {
    if (this.thrown !== null) return this.thrown.error;
    if (this.fault === null || this.cancelled) return null;
    const error = errorFromFault(this.fault, this.bsonClasses, this.bsonOptions);
    this.thrown = { error };
    return error;
  }

  /** Throws what the read ended with, if anything, even when that is a null reason of an abort. As `failure()`. */
  throwIfFailed() {
    const error = this.failure();
    if (error !== null || this.thrown !== null) throw error;
  }

  get stopped() {
    return this.cancelled || this.thrown !== null;
  }

  /** Stops the read with an error of this side (abort, closed client, a document that cannot be decoded). */
  fail(error) {
    if (this.stopped) return;
    this.thrown = { error };
    this.abandon();
  }

  /** Stops the read without one. The core closes the server's cursor. */
  cancel() {
    if (this.stopped) return;
    this.cancelled = true;
    this.abandon();
  }

  /** Cancels and resolves when the core has finished with the request. */
  close() {
    this.cancel();
    if (this.ended || this.request === null) return Promise.resolve();
    this.request.hold(); // pair: the ending below
    return new Promise((resolve) => {
      this.onEnd(() => {
        this.request.letGo();
        resolve();
      });
    });
  }

  onEnd(callback) {
    if (this.ended) callback();
    else (this.endings ??= []).push(callback);
  }

  /** Calls back when the read has ended and holds no chunk any more: all are decoded, or it was stopped. */
  onDone(callback) {
    if (this.ended && !this.pending) callback();
    else (this.dones ??= []).push(callback);
  }

  // ---- what the bridge calls

  chunk(chunk) {
    if (this.stopped) {
      if (!chunk.transient) chunk.release();
      return;
    }
    this.documents += chunk.count;
    this.bytes += chunk.size;
    if (!chunk.transient) {
      this.chunks.push(chunk);
    } else if (chunk.kind === FRAMES && this.want !== WANT.NOTHING && !this.pending
      && mayDecodeInline(chunk.size)) {
      this.decode(chunk);
      return;
    } else {
      chunk.detach();
      this.chunks.push(chunk);
    }
    if (this.want !== WANT.NOTHING) this.schedule();
  }

  end(fault) {
    this.ended = true;
    this.fault = fault;
    const endings = this.endings;
    this.endings = null;
    this.pay();
    if (endings !== null) for (const ending of endings) ending();
    if (!this.pending) this.settle();
  }

  // ---- inside

  schedule() {
    if (this.queued) return;
    this.queued = true;
    fairQueue.push(() => this.work());
  }

  /** One slice of the fair queue: one chunk. True when this reader has no more to do for now. */
  work() {
    if (this.want !== WANT.NOTHING && this.pending) {
      const chunk = this.chunks[this.taken];
      this.chunks[this.taken++] = undefined;
      if (!this.pending) this.resetChunks();
      this.decode(chunk);
    }
    this.queued = this.want !== WANT.NOTHING && this.pending;
    return !this.queued;
  }

  resetChunks() {
    this.chunks = [];
    this.taken = 0;
  }

  decode(chunk) {
    const { batchEnd, size } = chunk;
    // Raw documents are copies.
    chunk.kept = chunk.kind === LAZY && this.want === WANT.ALL && this.docs.length > 0 && !this.bsonOptions.raw;
    try {
      if (chunk.count > 0 || chunk.kind === TEXT || chunk.kind === COLUMNS) this.decoder.decode(chunk.bytes, this.docs, chunk.counted);
    } catch (error) {
      // What was decoded before the bad document is still handed out, then the error.
      this.fail(error);
    } finally {
      if (chunk.kind !== LAZY && !chunk.transient) chunk.release();
    }
    const complete = this.batchComplete = batchEnd || this.buffered >= this.partDocs;
    if (this.stopped) return;
    this.pay();
    this.unpaid = size;
    if (this.isMet(complete) || (this.ended && !this.pending)) this.settle();
    if (this.ended || (this.want !== WANT.NOTHING && !this.pending)) this.pay();
  }

  pay() {
    const { unpaid } = this;
    if (unpaid === 0) return;
    this.unpaid = 0;
    this.request.ack(unpaid);
  }

  isMet(batchEnd) {
    switch (this.want) {
      case WANT.DOCUMENT:
        return this.buffered > 0;
      case WANT.TURN:
        return batchEnd || this.buffered > 0;
      case WANT.BATCH:
        return batchEnd && this.buffered > 0;
      default:
        return false;
    }
  }

  abandon() {
    for (let i = this.taken; i < this.chunks.length; i++) this.chunks[i].release();
    this.resetChunks();
    this.unpaid = 0; // cancel() forgives it
    if (this.request === null) this.end(null); // never sent
    else this.request.cancel(); // after the end, too: what was never acknowledged is given back
    this.settle();
  }

  settle() {
    this.want = WANT.NOTHING;
    if (this.dones !== null && this.ended && !this.pending) {
      const { dones } = this;
      this.dones = null;
      for (const done of dones) done();
    }
    const { wait } = this;
    if (wait === null) return;
    this.wait = null;
    this.request?.letGo(); // pair: until, submit
    wait.resolve();
  }
}

module.exports = { Reader, WANT };

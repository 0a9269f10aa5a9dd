'use strict';
// What the core delivers: the layout of the inbox, and a chunk of documents with the life of its memory.

// Mirror of RecordHeader in napi/inbox.h: float64 token, then uint32s.
const RECORD = Object.freeze({ KIND_AND_FLAGS: 2, COUNT: 3, LENGTH: 4, SLOT: 5, SIZE: 6, BYTES: 32 });
// Mirror of rmg_event in core/cabi/abi.h: float64 source and token, then uint32s; info and body follow.
const EVENT = Object.freeze({ TOKEN: 1, KIND: 4, INFO: 5, BODY: 6, SIZE: 7, BYTES: 32 });
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

const EMPTY = new Uint8Array(0);

/** One delivery of documents; the fields are described in docs/architecture.md. */
class Chunk {
  #bytes; // null until somebody wants those of a block

  constructor(bridge, kind, count, batchEnd, size, slot, bytes = null) {
    this.bridge = bridge;
    this.kind = kind;
    this.count = count;
    this.batchEnd = batchEnd;
    this.size = size;
    this.slot = slot; // of a pooled block, until release(); of another one, until bytes is read
    this.transient = bytes !== null;
    this.kept = false; // so are the blocks of this read before it
    this.counted = false; // the addon counts the bytes until they are collected
    this.#bytes = bytes;
  }

  /**
   * The ArrayBuffer of a lazy block is not made on arrival but here: while chunks wait to be read theirs would grow old,
   * and what V8 finds old it frees late.
   */
  get bytes() {
    return this.#bytes ??= this.bridge.open(this);
  }

  /** Gives the memory back; nothing may view it afterwards. Without effect where there is nothing to give back. */
  release() {
    const { slot } = this;
    if (slot === NO_SLOT) return;
    this.slot = NO_SLOT;
    this.#bytes = EMPTY;
    this.bridge.releaseSlot(slot);
  }

  /** The bytes as memory of their own, to keep: a copy, except of lazy and reply blocks, which are that already. */
  detach() {
    const { bytes } = this;
    if (!this.transient && this.slot === NO_SLOT) return bytes;
    const copy = bytes.slice();
    this.release();
    this.#bytes = copy;
    this.transient = false;
    return copy;
  }
}

module.exports = { Arena, Chunk, RECORD, EVENT, FLAG, NO_SLOT };

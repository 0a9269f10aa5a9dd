'use strict';
// One operation in the core, seen from JavaScript.

// The core is told of acknowledged bytes when there are so many, or when JavaScript has nothing else in hand: each time may
// wake one of its threads. An eighth of what JavaScript is given at a time (aheadLimit in core/fetch/window.go).
const PAY_AT = 512 * 1024;

/** Requests that ended with chunks nobody has acknowledged: when they are collected, nobody will. */
const debts = new FinalizationRegistry(({ native, token }) => native.cancel(token));

/** One operation in the core. It completes exactly once, with the sink's end(). */
class Request {
  constructor(bridge, token, sink) {
    this.bridge = bridge;
    this.token = token;
    this.sink = sink;
    this.holds = 0;
    this.owed = 0; // bytes of chunks that are delivered and not acknowledged
    this.paid = 0; // bytes that are acknowledged, and the core has not been told
    this.ended = false;
    this.cancelled = false;
    this.cursor = null; // the number of the server's cursor, as { low, high }, once it is known
  }

  /**
   * Says that bytes of chunks (their size) have been consumed; the core then reads on. What is owed after the end still
   * counts against what all reads of the process may have under way.
   */
  ack(bytes) {
    const paid = Math.min(bytes, this.owed);
    if (!(paid > 0)) return;
    this.owed -= paid;
    this.paid += paid;
    if (this.owed > 0 && this.paid < PAY_AT) return; // what is in hand will be acknowledged, too
    this.bridge.native.ack(this.token, this.paid);
    this.paid = 0;
    if (this.ended && this.owed === 0) debts.unregister(this);
  }

  /** Stops the operation. No chunk arrives after this; end() still does, if it has not yet. */
  cancel() {
    if (this.cancelled || (this.ended && this.owed === 0)) return;
    this.cancelled = true;
    this.owed = this.paid = 0;
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

module.exports = { Request, CANCELLED };

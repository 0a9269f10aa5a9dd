'use strict';
// A bridge with no core behind it: it records what is submitted, and a test plays the core.

const bson = require('bson');

class FakeRequest {
  constructor(sink) {
    this.sink = sink;
    this.acked = 0;
    this.held = 0;
    this.cancelled = false;
    this.over = false;
  }

  ack(bytes) { this.acked += bytes; }
  cancel() { this.cancelled = true; }
  hold() { this.held += 1; }
  letGo() { this.held -= 1; }

  /** What a core does next: a chunk of documents (decoded by FakeDecoder) ... */
  chunk(docs, { batchEnd = true, transient = false, kind = 1, size = 100 } = {}) {
    const chunk = {
      kind, count: docs.length, batchEnd, transient, size, bytes: docs, released: 0, detached: 0,
      release() { this.released += 1; },
      detach() {
        this.detached += 1;
        this.transient = false;
      },
    };
    this.sink.chunk(chunk);
    if (chunk.transient) chunk.bytes = null; // the inbox is reused
    return chunk;
  }

  /** ... or the end. */
  end(fault = null) {
    this.over = true;
    this.sink.end(fault === null ? null : bson.serialize(fault));
  }
}

/** "Decodes" the array of documents that FakeRequest.chunk passes off as bytes; a document that is an Error is thrown. */
class FakeDecoder {
  decode(docs, out) {
    for (const doc of docs) {
      if (doc instanceof Error) throw doc;
      out.push(doc);
    }
  }
}

class FakeBridge {
  constructor() {
    this.OP = { COMMAND: 1, FIND: 2 };
    this.submitted = [];
    this.connects = [];
    this.closed = [];
    this.connectWith = async () => 1;
  }

  async connect(params) {
    this.connects.push(bson.deserialize(params));
    return await this.connectWith();
  }

  listen() {}

  forget() {}

  async closeClient(id) {
    this.closed.push(id);
  }

  submit(op, clientId, command, params, sink) {
    const request = new FakeRequest(sink);
    this.submitted.push({ op, clientId, command: Buffer.from(command), params: bson.deserialize(params), request });
    return request;
  }

  /** The latest request. */
  get last() {
    return this.submitted.at(-1).request;
  }

  definition() {
    return null;
  }

  stats() {
    return bson.serialize({});
  }
}

/** Makes a client talk to a FakeBridge. */
function withFakeBridge(client, bridge = new FakeBridge()) {
  Object.defineProperty(client, 'bridge', { value: bridge });
  return bridge;
}

module.exports = { FakeBridge, FakeDecoder, withFakeBridge };

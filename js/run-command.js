'use strict';
// One command, one reply document.

const { errorFromFault } = require('./errors.js');
const { DEFAULTS } = require('./bson-options.js');

/** Collects the reply of a COMMAND; the counterpart of Reader for requests without a cursor. */
class ReplySink {
  constructor() {
    this.bytes = null;
    this.stopped = false;
    this.ended = false;
    this.failureOf = null;
    this.request = null;
    this.endings = [];
    this.done = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  chunk(chunk) {
    if (chunk.transient) chunk.detach();
    this.bytes = chunk.bytes;
    this.request.ack(chunk.size);
  }

  end(fault) {
    this.ended = true;
    this.fault = fault;
    for (const ending of this.endings) ending();
    this.resolve();
  }

  onEnd(callback) {
    if (this.ended) callback();
    else this.endings.push(callback);
  }

  fail(error) {
    if (this.stopped || this.ended) return;
    this.stopped = true;
    this.failureOf = { error };
    this.request?.cancel();
    this.resolve();
  }
}

/**
 * @param {import('./client.js').MongoClient} client connected or not
 * @param {string} db
 * @param {Uint8Array} command
 * @param {{readPreference?, signal?, bsonOptions?}} options
 * @returns {Promise<object>} the reply, decoded with the BSON options
 */
async function runCommand(client, db, command, { readPreference, signal, bsonOptions = DEFAULTS } = {}) {
  signal?.throwIfAborted();
  client.checkUsable();
  const { bsonClasses, bridge } = client;
  const params = { db, retryReads: client.settings.retryReads };
  if (readPreference !== undefined && readPreference.mode !== 'primary') params.readPreference = readPreference.toJSON();

  const sink = new ReplySink();
  client.track(sink);
  const abort = () => sink.fail(signal.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    if (client.coreId === null) await client.autoConnect();
    if (!sink.stopped) {
      sink.request = bridge.submit(bridge.OP.COMMAND, client.coreId, command, bsonClasses.BSON.serialize(params), sink);
      sink.request.hold();
      await sink.done;
      sink.request.letGo();
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    client.untrack(sink);
  }
  if (sink.failureOf !== null) throw sink.failureOf.error;
  if (sink.fault != null) throw errorFromFault(sink.fault, bsonClasses, bsonOptions);
  const { promoteLongs, promoteValues, promoteBuffers, useBigInt64, bsonRegExp } = bsonOptions;
  return bsonClasses.BSON.deserialize(sink.bytes, { promoteLongs, promoteValues, promoteBuffers, useBigInt64, bsonRegExp });
}

module.exports = { runCommand };

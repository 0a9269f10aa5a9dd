'use strict';
// One command, one reply document.

const { errorFromFault } = require('../errors.js');
const { DEFAULTS } = require('../bson/options.js');
const { contextOf, observe } = require('../monitoring/observe.js');

/** Collects the reply of a COMMAND; the counterpart of Reader for requests without a cursor. */
class ReplySink {
  /** @param {AsyncResource | null} context the caller's, for listeners to its command */
  constructor(context, bsonOptions) {
    this.context = context;
    this.bsonOptions = bsonOptions;
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

/** The parameters of a COMMAND, see docs/architecture.md. */
function commandParams({ settings }, db, readPreference, retryReads = settings.retryReads) {
  const params = { db, retryReads };
  if (readPreference !== undefined && readPreference.mode !== 'primary') params.readPreference = readPreference.toJSON();
  return params;
}

/** How the official driver decodes a whole reply with these BSON options. */
function commandOptions({ raw, promoteLongs, promoteValues, promoteBuffers, useBigInt64, bsonRegExp, enableUtf8Validation }) {
  return {
    raw, promoteLongs, promoteValues, promoteBuffers, useBigInt64, bsonRegExp, validation: { utf8: enableUtf8Validation !== false },
  };
}

/**
 * @param {import('../client.js').MongoClient} client connected or not
 * @param {string} db
 * @param {Uint8Array} command
 * @param {{readPreference?, signal?, bsonOptions?, retryReads?: boolean}} options retryReads: default as the client
 * @returns {Promise<object>} the reply, decoded with the BSON options
 */
async function runCommand(client, db, command, options = {}) {
  options.signal?.throwIfAborted();
  client.checkUsable();
  const sink = new ReplySink(contextOf(client), options.bsonOptions ?? DEFAULTS);
  const observation = observe(client, command, { db });
  if (observation === null) return await answer(client, db, command, sink, options);
  observation.run(() => {});
  try {
    const reply = await answer(client, db, command, sink, options);
    observation.end({ documents: 1, bytes: sink.bytes.byteLength }, false);
    return reply;
  } catch (error) {
    observation.end({ documents: 0, bytes: 0 }, true, () => error);
    throw error;
  }
}

async function answer(client, db, command, sink, { readPreference, signal, retryReads }) {
  const { bsonClasses, bridge } = client;
  const { bsonOptions } = sink;
  const params = bsonClasses.BSON.serialize(commandParams(client, db, readPreference, retryReads));

  client.track(sink);
  const abort = () => sink.fail(signal.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    if (client.coreId === null) await client.autoConnect();
    if (!sink.stopped) {
      sink.request = bridge.submit(bridge.OP.COMMAND, client.coreId, command, params, sink);
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
  return bsonClasses.BSON.deserialize(sink.bytes, commandOptions(bsonOptions));
}

module.exports = { runCommand, commandParams, commandOptions };

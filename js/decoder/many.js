'use strict';
// Documents that follow one another, as in a dump or the body of a message.

const { resolveBson } = require('../bson/classes.js');
const { invalidArgument } = require('../errors.js');
const { AHEAD, AT_ONCE, Plan, SEGMENT, Segment, decodeSome, segmentEnd } = require('./segments.js');

/**
 * All documents in bytes. Little is decoded at once; of more, the core's threads do their part and this one makes the
 * objects in turns, so that the event loop goes on. The bytes must not change meanwhile.
 *
 * @param {Uint8Array} bytes
 * @param {object} [options] those of js-bson; `bson`; `signal`: an AbortSignal
 * @returns {Promise<object[]>} rejects with what bson.deserialize throws for the first bad document
 */
async function deserializeMany(bytes, options) {
  const signal = options?.signal;
  if (signal != null && !(typeof signal.addEventListener === 'function' && 'aborted' in signal)) {
    throw invalidArgument('Option "signal" must be an AbortSignal');
  }
  signal?.throwIfAborted();
  const { plan, buf } = prepare(bytes, options);
  if (buf.length <= AT_ONCE) return decodeAll(plan, buf);
  const abort = signal == null ? null : onAbort(signal);
  try {
    return await inSegments(plan, buf, abort);
  } finally {
    abort?.off();
  }
}

/** The same on the spot. */
function deserializeManySync(bytes, options) {
  const { plan, buf } = prepare(bytes, options);
  return decodeAll(plan, buf);
}

function prepare(bytes, options) {
  const bson = resolveBson(options);
  const plan = new Plan(bson, options);
  if (Buffer.isBuffer(bytes)) return { plan, buf: bytes };
  if (ArrayBuffer.isView(bytes)) return { plan, buf: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
  if (bytes instanceof ArrayBuffer || bytes instanceof SharedArrayBuffer) return { plan, buf: Buffer.from(bytes) };
  bson.BSON.deserialize(bytes); // which throws
  throw new bson.BSONError('Buffer expected');
}

function decodeAll(plan, buf) {
  const documents = [];
  decodeSome(plan, buf, 0, Infinity, documents);
  return documents;
}

/** Settles as soon as the signal is aborted: with its reason, as a value, so that nothing is rejected unhandled. */
function onAbort(signal) {
  let abort;
  const aborted = new Promise((resolve) => {
    abort = () => resolve({ reason: signal.reason });
  });
  signal.addEventListener('abort', abort, { once: true });
  return { aborted, off: () => signal.removeEventListener('abort', abort) };
}

async function inSegments(plan, buf, abort) {
  const all = [];
  const ahead = [];
  try {
    for (let at = 0; at < buf.length || ahead.length > 0;) {
      while (ahead.length < AHEAD && at < buf.length) {
        const end = segmentEnd(buf, at, SEGMENT);
        // What is left where no document is: to see what js-bson says.
        const next = end === at ? buf.length : end;
        ahead.push(new Segment(plan, buf.subarray(at, next)));
        at = next;
      }
      const reading = ahead[0].read();
      const done = await (abort === null ? reading : Promise.race([reading, abort.aborted]));
      if ('reason' in done) throw done.reason;
      if (done.error !== null) throw done.error;
      for (const document of done.documents) all.push(document);
      ahead.shift();
    }
    return all;
  } finally {
    for (const segment of ahead) segment.cancel();
  }
}

module.exports = { deserializeMany, deserializeManySync };

'use strict';
// RUMONGO_DEBUG=1: one line to stderr for each read, with what it was about and never with values.

const enabled = process.env.RUMONGO_DEBUG === '1';

/** Logs the reader when all it received is decoded, or dropped. */
function logRead(reader, namespace) {
  const start = performance.now();
  reader.whenDone = () => {
    const ms = (performance.now() - start).toFixed(1);
    const how = reader.thrown !== null || (reader.fault !== null && !reader.cancelled) ? ' failed' : reader.cancelled ? ' cancelled' : '';
    process.stderr.write(`rumongo: ${namespace} ${reader.documents} documents ${reader.bytes} bytes ${ms} ms${how}\n`);
  };
}

module.exports = { enabled, logRead };

'use strict';
// RUMONGO_DEBUG=1: one line to stderr for each read, with what it was about and never with values.

const enabled = process.env.RUMONGO_DEBUG === '1';

/**
 * @param {{ namespace: string, documents: number, bytes: number, ms: number, cancelled: boolean }} read
 * @param {boolean} failed
 */
function log({ namespace, documents, bytes, ms, cancelled }, failed) {
  const how = failed ? ' failed' : cancelled ? ' cancelled' : '';
  process.stderr.write(`rumongo: ${namespace} ${documents} documents ${bytes} bytes ${ms.toFixed(1)} ms${how}\n`);
}

module.exports = { enabled, log };

'use strict';

const { buildTool } = require('./build-tool');
const { startProcess } = require('./server-process');

/**
 * A MongoDB-protocol server for integration tests and the demo. MONGODB_URI replaces it: then stop()
 * does nothing, and `real` is true.
 * @returns {Promise<{ uri: string, real: boolean, stop(): Promise<void> }>}
 */
async function startDevServer(options) {
  const uri = process.env.MONGODB_URI;
  if (uri) return { uri, real: true, async stop() {} };
  const server = await startProcess(await buildTool('devserver', options));
  return { ...server, real: false };
}

module.exports = { startDevServer };

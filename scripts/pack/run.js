'use strict';

const { spawnSync } = require('node:child_process');

/**
 * Runs a command of the packing to its end; its errors are shown.
 * @returns {string} what it printed
 */
function run(command, args, options = {}) {
  const { status, signal, stdout, error } = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28, ...options });
  if (error) throw new Error(`cannot run ${command}: ${error.message}`);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${signal ?? `exit code ${status}`}${stdout ? `:\n${stdout}` : ''}`);
  return stdout;
}

module.exports = { run };

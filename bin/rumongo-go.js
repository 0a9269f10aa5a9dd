#!/usr/bin/env node
'use strict';

const { main } = require('../js/cli/index.js');

// Whoever reads may leave before the end, as `head` does: then there is nobody to tell, and the exit code still counts.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    // A command that writes much there takes its errors itself.
    if (error.code !== 'EPIPE' && stream.listenerCount('error') === 1) throw error;
  });
}

main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});

'use strict';
// The official driver looks for @mongodb-js/zstd, of which the major version it names fetches or compiles a binary when
// it is installed. The first major has the same two functions and comes with its binaries, so it stands in.

const Module = require('node:module');

const resolve = Module._resolveFilename;
Module._resolveFilename = function resolveFilename(request, ...rest) {
  return resolve.call(this, request === '@mongodb-js/zstd' ? 'zstd1' : request, ...rest);
};

/** Why there is no zstd here, null if there is. */
function missingZstd() {
  try {
    require('zstd1');
    return null;
  } catch (error) {
    return `the official driver's zstd cannot be loaded: ${error.message.split('\n')[0]}`;
  }
}

module.exports = { missingZstd };

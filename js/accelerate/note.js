'use strict';
// RUMONGO_DEBUG=1: why a read, or all of a client, is left to the official driver.

const { enabled } = require('../debug.js');

/** @param {() => string} text without values */
function note(text) {
  if (enabled) process.stderr.write(`rumongo: ${text()}\n`);
}

module.exports = { note };

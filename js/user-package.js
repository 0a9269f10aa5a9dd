'use strict';
// Finds a package as the application would: from its main module and working directory first, then
// from here. Values and errors must be instances of the classes the application's own code holds.

const path = require('node:path');
const { createRequire } = require('node:module');

function roots() {
  const found = [];
  const main = require.main?.filename ?? process.argv[1];
  if (typeof main === 'string' && path.isAbsolute(main)) found.push(main);
  try {
    found.push(path.join(process.cwd(), 'noop.js'));
  } catch {
    // The working directory was removed: the other places remain.
  }
  found.push(__filename);
  return found;
}

/** The exports of the package, or null when it is nowhere to be found. A package that fails to load throws. */
function findPackage(name) {
  for (const from of roots()) {
    let location;
    const requireFrom = createRequire(from);
    try {
      location = requireFrom.resolve(name);
    } catch {
      continue;
    }
    return requireFrom(location);
  }
  return null;
}

module.exports = { findPackage };

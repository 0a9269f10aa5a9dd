'use strict';
// Finds the `mongodb` package that an official client comes from. Values and errors have to be of its classes, and there
// may be several of it in one process: Mongoose brings its own.

const { findPackage } = require('../user-package.js');

const ENTRY = /[\\/]node_modules[\\/].*mongodb[^\\/]*[\\/]lib[\\/]index\.js$/;

const madeBy = (client, exported) => typeof exported?.MongoClient === 'function' && client instanceof exported.MongoClient
  && typeof exported.BSON?.deserialize === 'function';

/**
 * @param client an official MongoClient
 * @param given the exports of a mongodb package that may be it: the user's option, or Mongoose's own
 * @returns the exports, or null
 */
function driverPackage(client, given) {
  if (madeBy(client, given)) return given;
  try {
    const found = findPackage('mongodb');
    if (madeBy(client, found)) return found;
  } catch {
    // One that does not load is not where the client comes from.
  }
  for (const [file, module] of Object.entries(require.cache)) {
    if (ENTRY.test(file) && madeBy(client, module?.exports)) return module.exports;
  }
  return null;
}

module.exports = { driverPackage };

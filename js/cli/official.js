'use strict';

const { findPackage } = require('../user-package.js');

const OLDEST = 6;

/** The application's official driver, which may be one that only its Mongoose can see. */
function officialDriver() {
  const mongodb = findPackage('mongodb') ?? findPackage('mongoose')?.mongo;
  if (typeof mongodb?.MongoClient !== 'function') {
    throw new Error('this command reads with the official driver too, and the package "mongodb" cannot be found from here; run it in your application\'s folder, or npm install mongodb');
  }
  if (typeof mongodb.BSON?.calculateObjectSize !== 'function') throw new Error(`the package "mongodb" must be version ${OLDEST} or later; npm install mongodb`);
  return mongodb;
}

module.exports = { officialDriver };

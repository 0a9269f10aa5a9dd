'use strict';
// accelerate(): official clients, databases and collections, Mongoose models and connections whose reads run in the core.
// What is not a read, and what the core cannot do as the official driver does, stays with the official driver.

const { Acceleration, accelerationOf } = require('./acceleration.js');
const { MongooseAcceleration, isMongooseCollection, isModel, isConnection } = require('./mongoose.js');
const { driverPackage } = require('./driver-package.js');
const { settingsOf } = require('./settings.js');
const { note } = require('./note.js');
const { MongoClient } = require('../client.js');
const { invalidArgument } = require('../errors.js');

const isClient = (x) => typeof x.db === 'function' && typeof x.startSession === 'function' && x.s?.isMongoClient === true;
const isDb = (x) => typeof x.collection === 'function' && typeof x.databaseName === 'string' && isOfficial(x.client);
const isCollection = (x) => typeof x.find === 'function' && typeof x.collectionName === 'string' && isOfficial(x.client);
const isOfficial = (client) => client != null && typeof client === 'object' && isClient(client);

const WHAT = 'an official Collection, Db or MongoClient, or a Mongoose model or connection';
const OPTIONS = ['mongodb', 'readAhead'];

const mongooseAccelerations = new WeakMap(); // Mongoose object -> MongooseAcceleration
const refused = new WeakMap(); // object -> why it is left to the official driver

/**
 * @template T
 * @param {T} x
 * @param {{mongodb?: object, readAhead?: boolean}} [options]
 * @returns {T} the same object
 */
function accelerate(x, options) {
  const checked = checkOptions(options);
  if (x === null || (typeof x !== 'object' && typeof x !== 'function')) throw notAccelerated(x);
  if (accelerationOf(x)?.active || mongooseAccelerations.has(x)) return x;
  if (isModel(x) || isMongooseCollection(x) || isConnection(x)) return accelerateMongoose(x, checked);
  if (!isClient(x) && !isDb(x) && !isCollection(x)) throw notAccelerated(x);
  return accelerateOfficial(x, checked);
}

function accelerateOfficial(x, options) {
  const client = isClient(x) ? x : x.client;
  const mongodb = driverPackage(client, options.mongodb);
  const reason = mongodb === null
    ? 'the mongodb package it comes from cannot be found, give it as { mongodb: require(\'mongodb\') }'
    : settingsOf(client, mongodb).reason ?? (Object.isExtensible(x) && Object.isExtensible(client) ? null : 'it cannot be changed');
  if (reason !== null) {
    refused.set(x, reason);
    note(() => `a client is left to the official driver: ${reason}`);
    return x;
  }
  refused.delete(x);
  const acceleration = new Acceleration(x, client, mongodb, options);
  if (isClient(x)) return acceleration.client(x);
  return isDb(x) ? acceleration.db(x) : acceleration.collection(x);
}

function accelerateMongoose(x, options) {
  const acceleration = new MongooseAcceleration(
    x,
    (collection, mongodb) => accelerateOfficial(collection, { ...options, mongodb: options.mongodb ?? mongodb }),
    restore,
  );
  mongooseAccelerations.set(x, acceleration);
  if (isConnection(x)) acceleration.connection(x);
  else acceleration.collection(isModel(x) ? x.collection : x);
  return x;
}

/** Takes the acceleration of an object back. @returns the object */
function restore(x) {
  const mongoose = mongooseAccelerations.get(x);
  if (mongoose !== undefined) {
    mongooseAccelerations.delete(x);
    mongoose.end();
  }
  const acceleration = accelerationOf(x);
  if (acceleration !== undefined) {
    acceleration.release(x);
    if (acceleration.root === x) acceleration.end();
  }
  return x;
}

/**
 * How the reads of an object are going.
 * @returns {{accelerated: boolean, reason: string|null, native: number, official: number}} the reads are those of its client
 */
function status(x) {
  const mongoose = mongooseAccelerations.get(x);
  if (mongoose !== undefined) return sum(mongoose.collections().map(status));
  const acceleration = accelerationOf(x);
  if (acceleration === undefined) return { accelerated: false, reason: refused.get(x) ?? 'accelerate() was not called with it', native: 0, official: 0 };
  const { connection, reads } = acceleration.transport;
  return { accelerated: connection.reason === null, reason: connection.reason, ...reads };
}

/** Of the collections of a Mongoose object, which may be of several clients. */
function sum(parts) {
  const total = { accelerated: parts.length > 0, reason: null, native: 0, official: 0 };
  for (const { accelerated, reason, native, official } of parts) {
    total.accelerated &&= accelerated;
    total.reason ??= reason;
    total.native = Math.max(total.native, native);
    total.official = Math.max(total.official, official);
  }
  return total;
}

function checkOptions(options) {
  if (options === undefined || options === null) return {};
  if (typeof options !== 'object' || Array.isArray(options)) throw invalidArgument('Argument "options" of accelerate must be an object');
  for (const name of Object.keys(options)) {
    if (!OPTIONS.includes(name)) throw invalidArgument(`Option "${name}" of accelerate is not known; there are ${OPTIONS.join(', ')}`);
  }
  if (options.readAhead != null && typeof options.readAhead !== 'boolean') throw invalidArgument('Option "readAhead" must be true or false');
  if (options.mongodb != null && typeof options.mongodb.MongoClient !== 'function') throw invalidArgument('Option "mongodb" must be the exports of the mongodb package');
  return options;
}

function notAccelerated(x) {
  const got = x === null ? 'null' : typeof x === 'object' || typeof x === 'function' ? x.constructor?.name || typeof x : typeof x;
  const remedy = x?.client instanceof MongoClient || x instanceof MongoClient ? '; the reads of rumongo-go\'s own objects are native already'
    : isMongoose(x) ? '; give it mongoose.connection, or a model' : '';
  return invalidArgument(`accelerate() takes ${WHAT}, got ${got}${remedy}`);
}

const isMongoose = (x) => x != null && typeof x.Schema === 'function' && x.connection != null;

module.exports = { accelerate: Object.assign(accelerate, { restore, status }) };

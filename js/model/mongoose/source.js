'use strict';
// The collection of ours behind a collection of Mongoose's: of a client that was given, or of one that connects as the
// Mongoose connection has, and closes with it.

const { settingsOf } = require('../../accelerate/settings.js');
const { driverPackage } = require('../../accelerate/driver-package.js');
const { NativeClient } = require('../../accelerate/command-events.js');
const { closingLayer } = require('../../accelerate/driver-objects.js');
const { addLayer, removeLayer } = require('../../accelerate/layers.js');
const { apiError, invalidArgument, familyOf } = require('../../errors.js');

const clients = new WeakMap(); // official client -> NativeClient

/** One for all models of a connection. */
function clientOf(official, mongoose) {
  let native = clients.get(official);
  if (native !== undefined) return native;
  const mongodb = driverPackage(official, mongoose?.mongo);
  const settings = mongodb === null ? { reason: 'the mongodb package it comes from cannot be found' } : settingsOf(official, mongodb);
  if (settings.reason !== undefined) {
    throw apiError(`rumongo-go cannot connect as this Mongoose connection does: ${settings.reason}. `
      + 'Give a client of your own, as in Model.fromMongoose(User, client), or leave these reads to Mongoose');
  }
  native = new NativeClient(settings, official, mongodb);
  const close = async () => {
    clients.delete(official);
    removeLayer(official, layer);
    await native.close();
  };
  const layer = closingLayer(Object.getPrototypeOf(official), { connection: { close } });
  addLayer(official, layer);
  clients.set(official, native);
  return native;
}

class Source {
  #wrapper; // Mongoose's collection
  #given;
  #client = null;
  #collection = null;

  constructor(wrapper, client) {
    this.#wrapper = wrapper;
    this.#given = client;
    this.failed = thrower(wrapper.conn.base.mongo);
    if (client !== undefined) checkClient(client, wrapper.conn.base);
  }

  /** Whether reads do without the Mongoose connection. */
  get independent() {
    return this.#given !== undefined;
  }

  /** The collection, or null while the Mongoose connection is not open. */
  now() {
    const { conn } = this.#wrapper;
    if (this.#given !== undefined) return this.#of(this.#given, conn.name ?? this.#given.db().databaseName);
    if (this.#wrapper.buffer && this.#wrapper._shouldBufferCommands()) return null;
    return this.#open(conn);
  }

  /** The collection, when the connection is open: waiting ends as Mongoose's own does, after bufferTimeoutMS. */
  async wait() {
    const collection = this.now();
    if (collection !== null) return collection;
    const { conn } = this.#wrapper;
    if (this.#wrapper._shouldBufferCommands()) await conn._waitForConnect();
    const opened = this.#open(conn);
    if (opened === null) throw apiError(`The Mongoose connection of "${this.#wrapper.name}" is not open: await mongoose.connect(uri) first`);
    return opened;
  }

  #open(conn) {
    const official = conn._closeCalled ? null : conn.getClient();
    if (official == null || conn.db == null) return null;
    return this.#of(clientOf(official, conn.base), conn.db.databaseName);
  }

  #of(client, dbName) {
    if (this.#client !== client) {
      this.#client = client;
      this.#collection = client.db(dbName).collection(this.#wrapper.name);
    }
    return this.#collection;
  }
}

/** Throws an error as one of the classes of the driver that Mongoose uses: the application may have another one beside it. */
function thrower(mongodb) {
  const family = familyOf(mongodb);
  return (error) => {
    const Class = family[error?.name];
    if (typeof Class === 'function' && !(error instanceof Class)) Object.setPrototypeOf(error, Class.prototype);
    throw error;
  };
}

function checkClient(client, mongoose) {
  if (typeof client?.db !== 'function' || typeof client.stats !== 'function') {
    throw invalidArgument('Argument "client" of Model.fromMongoose must be a MongoClient of rumongo-go; without one, reads connect as the Mongoose connection does');
  }
  if (client.bsonClasses.ObjectId !== mongoose.mongo.BSON.ObjectId) {
    throw invalidArgument('Argument "client" of Model.fromMongoose has other classes of values than this Mongoose: make it with { bson: mongoose.mongo.BSON }');
  }
}

module.exports = { Source };

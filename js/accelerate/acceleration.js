'use strict';
// One call of accelerate() on objects of the official driver: the layers it puts on them, and the transport they share with
// all accelerated objects of their client.

const { Transport } = require('./transport.js');
const { addLayer, removeLayer } = require('./layers.js');
const { collectionLayer, dbLayer, clientLayer, closingLayer } = require('./driver-objects.js');

const transports = new WeakMap(); // official client -> { transport, layer, users }
const accelerations = new WeakMap(); // accelerated object -> { acceleration, layer }

/** The acceleration of an object, undefined when it has none. */
const accelerationOf = (object) => accelerations.get(object)?.acceleration;

class Acceleration {
  #client;
  #layers = new Map(); // official prototype -> layer

  /**
   * @param root what accelerate() was called with
   * @param client an official MongoClient
   * @param mongodb the package it comes from
   * @param {{readAhead?: boolean}} options
   */
  constructor(root, client, mongodb, options) {
    this.root = root;
    this.#client = client;
    this.readAhead = options.readAhead === true;
    this.active = true;
    this.transport = enter(client, mongodb);
  }

  client(client) {
    return this.#add(client, clientLayer);
  }

  db(db) {
    return this.#add(db, dbLayer);
  }

  collection(collection) {
    return this.#add(collection, collectionLayer);
  }

  #add(object, layerOf) {
    const before = accelerationOf(object);
    if (before?.active) return object;
    before?.release(object);
    const official = Object.getPrototypeOf(object);
    let layer = this.#layers.get(official);
    if (layer === undefined) {
      layer = layerOf(official, this);
      this.#layers.set(official, layer);
    }
    addLayer(object, layer);
    accelerations.set(object, { acceleration: this, layer });
    return object;
  }

  /** Takes the layer off an object. Those it has given to others it takes off when they are used next. */
  release(object) {
    const known = accelerations.get(object);
    if (known !== undefined) {
      removeLayer(object, known.layer);
      accelerations.delete(object);
    }
    return object;
  }

  end() {
    if (!this.active) return;
    this.active = false;
    leave(this.#client);
  }
}

function enter(client, mongodb) {
  let entry = transports.get(client);
  if (entry === undefined) {
    const transport = new Transport(client, mongodb);
    entry = { transport, layer: closingLayer(Object.getPrototypeOf(client), transport), users: 0 };
    addLayer(client, entry.layer);
    transports.set(client, entry);
  }
  entry.users++;
  return entry.transport;
}

/** With the last one the connection closes, when the cursors that are still open have come to their end. */
function leave(client) {
  const entry = transports.get(client);
  if (--entry.users > 0) return;
  entry.transport.whenIdle(() => {
    if (entry.users > 0) return;
    transports.delete(client);
    removeLayer(client, entry.layer);
    entry.transport.connection.close();
  });
}

module.exports = { Acceleration, accelerationOf };

'use strict';
// Mongoose reads through collections of its own, each of which looks up the official one that it calls. That look-up is
// where the official one is accelerated: it may not exist before the connection opens, and is another after the next.

const { makeLayer, addLayer, removeLayer } = require('./layers.js');

const isMongooseCollection = (x) => x != null && typeof x === 'object' && typeof x._getCollection === 'function' && x.conn != null;
const isModel = (x) => typeof x === 'function' && typeof x.modelName === 'string' && isMongooseCollection(x.collection);
const isConnection = (x) => x != null && typeof x === 'object' && typeof x.model === 'function' && typeof x.collection === 'function'
  && typeof x.getClient === 'function' && x.collections != null;

/** What is accelerated of one Mongoose object. */
class MongooseAcceleration {
  #layers = []; // [object, layer]
  #accelerated = new Set(); // official collections
  #accelerate;
  #restore;

  /**
   * @param root what accelerate() was called with
   * @param {(collection, mongodb) => object} accelerateCollection
   * @param {(collection) => void} restoreCollection
   */
  constructor(root, accelerateCollection, restoreCollection) {
    this.root = root;
    this.#accelerate = accelerateCollection;
    this.#restore = restoreCollection;
  }

  collection(wrapper) {
    if (this.#layers.some(([object]) => object === wrapper)) return;
    const acceleration = this;
    this.#add(wrapper, (next) => ({
      _getCollection(...args) {
        return acceleration.#official(next()._getCollection.apply(this, args), this.conn.base?.mongo);
      },
    }));
  }

  connection(connection) {
    const acceleration = this;
    this.#add(connection, (next) => ({
      collection(...args) {
        const wrapper = next().collection.apply(this, args);
        if (isMongooseCollection(wrapper)) acceleration.collection(wrapper);
        return wrapper;
      },
    }));
    for (const wrapper of Object.values(connection.collections)) {
      if (isMongooseCollection(wrapper)) this.collection(wrapper);
    }
  }

  #add(object, methodsOf) {
    const layer = makeLayer(Object.getPrototypeOf(object), methodsOf);
    addLayer(object, layer);
    this.#layers.push([object, layer]);
  }

  #official(collection, mongodb) {
    if (collection != null && !this.#accelerated.has(collection)) {
      this.#accelerated.add(collection);
      this.#accelerate(collection, mongodb);
    }
    return collection;
  }

  /** The official collections that are in use. */
  collections() {
    return [...this.#accelerated];
  }

  end() {
    for (const [object, layer] of this.#layers) removeLayer(object, layer);
    for (const collection of this.#accelerated) this.#restore(collection);
    this.#layers = [];
    this.#accelerated.clear();
  }
}

module.exports = { MongooseAcceleration, isMongooseCollection, isModel, isConnection };

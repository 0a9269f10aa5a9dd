'use strict';
// Model: a collection and a schema whose fields are pushed down as the projection, so the server sends, and we build,
// nothing else.

const { invalidArgument } = require('./errors.js');

/** The fields of a model, and the projection they make, built once. */
class Schema {
  /**
   * @param {Record<string, unknown>} definition field names (dotted ones too) as keys. Values are free, as in
   *   Mongoose (`String`, `1`, ...); only `_id: 0` means leave out.
   * @throws {MongoInvalidArgumentError} when it is no plain object, or a field other than _id is 0 or false
   */
  constructor(definition) {
    if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
      throw invalidArgument(
        'Schema: the definition must be an object with field names as keys, such as { name: 1, age: 1 }');
    }
    const projection = {};
    for (const [field, value] of Object.entries(definition)) {
      if (field === '' || field.startsWith('$')) {
        throw invalidArgument(`Schema: "${field}" is not the name of a field`);
      }
      const leftOut = value === 0 || value === false;
      if (leftOut && field !== '_id') {
        throw invalidArgument(
          `Schema: field "${field}" is ${value}; name the fields to read and leave the others out`);
      }
      projection[field] = leftOut ? 0 : 1;
    }
    /** @type {string[]} */
    this.fields = Object.keys(projection).filter((field) => projection[field] === 1);
    /** @type {Readonly<Record<string, 0 | 1>>} frozen: every read of the model shares it */
    this.projection = Object.freeze(projection);
  }
}

class Model {
  #collection;
  #schema;

  /** Use Model.define. */
  constructor(collection, schema) {
    this.#collection = collection;
    this.#schema = schema;
  }

  /**
   * Defines a model over a collection.
   * @param {import('./collection').Collection} collection
   * @param {Schema | Record<string, unknown>} definition a Schema, or what its constructor takes
   * @throws {MongoInvalidArgumentError} for a bad collection or definition
   */
  static define(collection, definition) {
    if (typeof collection?.find !== 'function' || typeof collection.findById !== 'function') {
      throw invalidArgument(
        'Model.define: collection must be a rumongo-go Collection, as client.db().collection(name) gives');
    }
    return new Model(collection, definition instanceof Schema ? definition : new Schema(definition));
  }

  /** The projection every read of this model sends. */
  getProjection() {
    return this.#schema.projection;
  }

  /**
   * Documents that match, as Collection.find: awaitable, chainable, iterable.
   * @param {object} [filter]
   * @param {object} [options] those of Collection.find; a `projection` among them replaces the schema's for this read
   */
  find(filter, options) {
    return this.#collection.find(filter, this.#withProjection(options));
  }

  /** The first match, or null. Arguments as `find`. */
  findOne(filter, options) {
    return this.#collection.findOne(filter, this.#withProjection(options));
  }

  /**
   * The document with this _id, or null.
   * @param {string | object} id 24 hexadecimal characters, or an ObjectId
   * @param {object} [options] as `find`
   */
  findById(id, options) {
    return this.#collection.findById(id, this.#withProjection(options));
  }

  #withProjection(options) {
    // What is no options object at all is for the collection to refuse.
    if (options != null && (typeof options !== 'object' || Array.isArray(options))) return options;
    return { ...options, projection: options?.projection ?? this.#schema.projection };
  }
}

module.exports = { Model, Schema };

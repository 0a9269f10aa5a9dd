'use strict';
// Model: a collection and a schema whose fields are pushed down as the projection, so the server sends, and we build,
// nothing else.

const { Schema } = require('./model/schema.js');
const { IdCaster, isOperators } = require('./model/ids.js');
const { castError } = require('./model/cast-error.js');
const { ModelCursor } = require('./model/cursor.js');
const { MongooseModel } = require('./model/mongoose/index.js');
const { invalidArgument } = require('./errors.js');

const ID_ONLY = Object.freeze({ _id: 1 });

class Model {
  #collection;
  #schema;
  #ids;

  /** Use Model.define. */
  constructor(collection, schema) {
    this.#collection = collection;
    this.#schema = schema;
    this.#ids = new IdCaster(schema._ids, collection);
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

  /** The lean reads of a Mongoose model, see MongooseModel. */
  static fromMongoose(model, client) {
    return new MongooseModel(model, client);
  }

  /** The projection every read of this model sends. */
  getProjection() {
    return this.#schema.projection;
  }

  // ---- documents

  /**
   * Documents that match, as Collection.find: awaitable, chainable, iterable.
   * @param {object} [filter] its ids are cast
   * @param {object} [options] those of Collection.find; a `projection` among them replaces the schema's for this read
   */
  find(filter, options) {
    return new ModelCursor(this.#collection, this.#ids, filter, this.#withProjection(options));
  }

  /** The first match, or null. Arguments as `find`. */
  async findOne(filter, options) {
    return await this.#collection.findOne(this.#ids.filter(filter), this.#withProjection(options));
  }

  /**
   * The document with this _id, or null. No id, null or undefined, is asked for as null, as by Mongoose.
   * @param {string | object} id 24 hexadecimal characters, or an ObjectId
   * @param {object} [options] as `find`
   * @throws {MongoInvalidArgumentError} a CastError for anything else: an operator, too, is no id
   */
  async findById(id, options) {
    if (isOperators(id)) throw castError(id, '_id', this.#collection.collectionName);
    return await this.findOne({ _id: id ?? null }, options);
  }

  /** Whether there is a match: its `_id` in a document, or null. */
  async exists(filter, options) {
    return await this.findOne(filter, withProjection(options, ID_ONLY));
  }

  /** Documents that stay bytes until a field is read. */
  async findLazy(filter, options) {
    return await this.#collection.findLazy(this.#ids.filter(filter), this.#withProjection(options));
  }

  /** A cursor over whole batches. */
  async findCursor(filter, options) {
    return await this.#collection.findCursor(this.#ids.filter(filter), this.#withProjection(options));
  }

  /** A Readable of documents. */
  stream(filter, options) {
    return this.find(filter, options).stream();
  }

  /** The documents as JSON text, in a Buffer. */
  async findJSON(filter, options) {
    return await this.#collection.findJSON(this.#ids.filter(filter), this.#withProjection(options));
  }

  /** The documents as a Readable of JSON text. */
  streamJSON(filter, options) {
    return this.#collection.streamJSON(this.#ids.filter(filter), this.#withProjection(options));
  }

  // ---- numbers and values, of all fields

  async countDocuments(filter, options) {
    return await this.#collection.countDocuments(this.#ids.filter(filter), options);
  }

  async estimatedDocumentCount(options) {
    return await this.#collection.estimatedDocumentCount(options);
  }

  async distinct(field, filter, options) {
    return await this.#collection.distinct(field, this.#ids.filter(filter), options);
  }

  /** What a pipeline gives. It sees all fields, and nothing in it is cast, as in Mongoose. */
  aggregate(pipeline, options) {
    return this.#collection.aggregate(pipeline, options);
  }

  #withProjection(options) {
    return withProjection(options, options?.projection ?? this.#schema.projection);
  }
}

/** What is no options object at all is for the collection to refuse. */
function withProjection(options, projection) {
  if (options != null && (typeof options !== 'object' || Array.isArray(options))) return options;
  return { ...options, projection };
}

module.exports = { Model, Schema };

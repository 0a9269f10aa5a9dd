'use strict';
// Model.fromMongoose(): a Mongoose model whose reads run here and are lean. The application's own Mongoose does what it does
// with a query - casting, strictQuery, aliases, discriminators, `select: false`, hooks - so that nothing of it is done again
// in other words; only the collection that the query calls in the end is ours.

const { isModel } = require('../../accelerate/mongoose.js');
const { Source } = require('./source.js');
const { nativeCollection } = require('./collection.js');
const { queryClass } = require('./query.js');
const { isOperators } = require('../ids.js');
const { invalidArgument, apiError } = require('../../errors.js');

const QUERY_METHODS = ['exec', 'lean', 'cursor', 'error', 'select', 'setOptions', 'find'];
const OURS = ['lazy', 'batches', 'json', 'jsonStream'];

class MongooseModel {
  #model;

  /**
   * Use Model.fromMongoose.
   * @param User a model of Mongoose 8 or 9
   * @param {import('../../client.js').MongoClient} [client] default: one that connects as the model's connection does
   */
  constructor(User, client) {
    this.#model = readingModel(User, client ?? undefined);
  }

  /** The Mongoose model the reads are of, made from the given one: its statics, `where()` and query helpers read here, too. */
  get model() {
    return this.#model;
  }

  /** The fields of the schema. */
  get fields() {
    return Object.keys(this.#model.schema.paths);
  }

  // ---- arguments and results are Mongoose's; every query is lean and can be chained as there

  find(filter, projection, options) {
    return this.#model.find(filter, projection, options);
  }

  findOne(filter, projection, options) {
    return this.#model.findOne(filter, projection, options);
  }

  /** As in Mongoose, but for an operator, which is no id: Mongoose would take it as a filter. */
  findById(id, projection, options) {
    const query = this.#model.findById(id, projection, options);
    if (isOperators(id)) {
      query.error(invalidArgument(`Argument "id" of findById is an object of operators (${Object.keys(id)[0]}), no id; use findOne({ _id: ... }) if that is meant`));
    }
    return query;
  }

  exists(filter, options) {
    return this.#model.exists(filter, options);
  }

  countDocuments(filter, options) {
    return this.#model.countDocuments(filter, options);
  }

  estimatedDocumentCount(options) {
    return this.#model.estimatedDocumentCount(options);
  }

  distinct(field, filter, options) {
    return this.#model.distinct(field, filter, options);
  }

  aggregate(pipeline, options) {
    return this.#model.aggregate(pipeline, options);
  }

  where(...args) {
    return this.#model.where(...args);
  }

  // ---- what Mongoose has not

  /** Documents that stay bytes until a field is read. */
  findLazy(filter, projection, options) {
    return this.find(filter, projection, options).lazy();
  }

  /** A cursor over whole batches. */
  async findCursor(filter, projection, { lazy, ...options } = {}) {
    return await this.find(filter, projection, options).batches({ lazy });
  }

  /** A Readable of documents: Mongoose's cursor. */
  stream(filter, projection, options) {
    return this.find(filter, projection, options).cursor();
  }

  /** The documents as JSON text, in a Buffer. */
  async findJSON(filter, projection, options) {
    return await this.find(filter, projection, options).json(options);
  }

  /** The documents as a Readable of JSON text. */
  streamJSON(filter, projection, options) {
    return this.find(filter, projection, options).jsonStream(options);
  }
}

/** A model between the given one and its users: everything is inherited but the collection and the class of queries. */
function readingModel(User, client) {
  checkModel(User);
  const { $__collection: official } = User;
  const source = new Source(official, client);
  const collection = nativeCollection(official, source);
  // With the same prototype: documents are of the given model, whoever has read them.
  function Reading(...args) {
    return new User(...args);
  }
  Object.setPrototypeOf(Reading, User);
  Reading.prototype = User.prototype;
  const own = {
    name: User.modelName,
    collection,
    $__collection: collection,
    Query: queryClass(User.Query, official, source),
  };
  for (const [name, value] of Object.entries(own)) Object.defineProperty(Reading, name, { value, configurable: true });
  return Reading;
}

function checkModel(User) {
  if (!isModel(User)) {
    throw invalidArgument('Model.fromMongoose: give a model of Mongoose, as mongoose.model(name, schema) returns');
  }
  const { prototype } = User.Query ?? {};
  const missing = QUERY_METHODS.filter((name) => typeof prototype?.[name] !== 'function');
  if (missing.length > 0 || new User.Query({}, {}, User, User.$__collection).mongooseCollection !== User.$__collection) {
    throw apiError(`Model.fromMongoose reads with Mongoose 8 and 9; this is ${User.base?.version ?? 'another one'}. Use Model.define(collection, fields)`);
  }
  const taken = OURS.filter((name) => name in prototype);
  if (taken.length > 0) {
    throw apiError(`Model.fromMongoose: the query helper ${taken.join(', ')} of model ${User.modelName} has the name of a method of its queries; rename it`);
  }
}

module.exports = { MongooseModel };

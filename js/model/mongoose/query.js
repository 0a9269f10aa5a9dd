'use strict';
// Mongoose's own queries, lean, with ways to read that Mongoose has not. Conditions, casts, hooks and all that can be chained
// are the application's Mongoose.

const { Readable } = require('node:stream');
const { lazyCollection, planningCollection } = require('./collection.js');
const { apiError, invalidArgument } = require('../../errors.js');

/**
 * @param Query the Query of a model
 * @param wrapper Mongoose's collection
 * @param {import('./source.js').Source} source
 */
function queryClass(Query, wrapper, source) {
  const lazy = lazyCollection(wrapper, source);
  const planning = (record) => planningCollection(wrapper, source, record);
  const plan = (query, method, options) => planOf(query, planning, method, options);
  return class LeanQuery extends Query {
    constructor(...args) {
      super(...args);
      this.lean();
    }

    /** The query, whose documents will stay bytes until a field is read. */
    lazy() {
      this.mongooseCollection = lazy;
      return this;
    }

    /** A cursor over whole batches, lazy unless `{ lazy: false }`. */
    async batches(options) {
      const { filter, read } = await plan(this, 'batches()', options);
      return await (await source.wait()).findCursor(filter, read);
    }

    /** The documents as JSON text, in a Buffer. */
    async json(options) {
      const { filter, read } = await plan(this, 'json()', options);
      return await (await source.wait()).findJSON(filter, read).catch(source.failed);
    }

    /** The documents as a Readable of JSON text. */
    jsonStream(options) {
      const query = this;
      return Readable.from((async function* parts() {
        const { filter, read } = await plan(query, 'jsonStream()', options);
        try {
          yield* (await source.wait()).streamJSON(filter, read);
        } catch (error) {
          source.failed(error);
        }
      })(), { objectMode: false });
    }
  };
}

/**
 * Lets Mongoose prepare a find, pre hooks included, and takes what it would send. Post hooks do not run: they are for
 * documents.
 */
async function planOf(query, planning, method, options) {
  if (options != null && (typeof options !== 'object' || Array.isArray(options))) throw invalidArgument(`Argument "options" of ${method} must be an object`);
  refuseAfterwards(query, method);
  let planned = null;
  query._queryMiddleware = withoutPosts(query._queryMiddleware);
  query.mongooseCollection = planning((filter, read) => {
    planned = { filter, read: { ...read, ...options } };
  });
  await query.exec();
  if (planned === null) throw apiError(`${method}: a hook of the model has given the result itself; await the query instead`);
  return planned;
}

/** What Mongoose does to documents that are there. */
function refuseAfterwards(query, method) {
  const { populate, lean } = query._mongooseOptions;
  const what = query.op !== 'find' ? `a ${query.op}()`
    : !lean ? 'hydrated documents'
        : populate != null && Object.keys(populate).length > 0 ? 'populate()'
          : query._transforms.length > 0 || lean.transform != null ? 'a transform'
            : lean.versionKey === false ? 'lean({ versionKey: false })' : null;
  if (what !== null) throw apiError(`${method} cannot be used with ${what}, for it gives no documents to Mongoose; await the query instead`);
}

function withoutPosts(hooks) {
  if (hooks == null) return hooks;
  const pres = hooks.clone();
  pres._posts = new Map();
  return pres;
}

module.exports = { queryClass };

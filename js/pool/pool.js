'use strict';
// A pool of worker threads that read and reduce away from the main loop.

const os = require('node:os');
const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { MongoClient } = require('../client.js');
const { fairQueue } = require('../fair-queue.js');
const { errors, invalidArgument } = require('../errors.js');
const { MODES, checkReadOptions, refuseExplain, withGetMoreComment, prepareFind } = require('../reads/read.js');
const { pack, unpack } = require('./values.js');
const { sourceOf } = require('./reducer.js');
const { WorkerFailure, unpackFailure } = require('./failure.js');
const { workerSettings } = require('./worker-settings.js');
const { Seat } = require('./seat.js');

const WORKER = path.join(__dirname, 'worker.js');
const MAX_SIZE = 256;

function closedError() {
  const error = new (errors().MongoClientClosedError)();
  error.message = 'The worker pool was closed';
  return error;
}

class WorkerPool {
  #client;
  #seats;
  #lastId = 0;
  #closing = null;

  /** Use WorkerPool.create. */
  constructor(uri, size, clientOptions) {
    // Builds the commands, and keeps the topology that the workers share while one of them is replaced.
    this.#client = new MongoClient(uri, clientOptions);
    const settings = workerSettings(uri, clientOptions);
    this.#seats = Array.from({ length: size }, () => new Seat(() => new Worker(WORKER, settings)));
  }

  /**
   * Starts the workers and waits until each is connected.
   * @param {{ uri: string, size?: number, clientOptions?: object }} settings
   *   uri: as for MongoClient. size: worker threads, 1 to 256 (default: cores less one, at least 2). clientOptions: as
   *   for MongoClient.
   * @throws {MongoInvalidArgumentError | MongoParseError} for a bad argument, before any I/O
   * @throws {MongoServerSelectionError} when no server answers
   */
  static async create(settings) {
    if (typeof settings !== 'object' || settings === null) {
      throw invalidArgument('WorkerPool.create: pass { uri, size }');
    }
    const { uri, size = Math.max(2, os.availableParallelism() - 1), clientOptions = {}, ...unknown } = settings;
    for (const name in unknown) {
      throw invalidArgument(`WorkerPool.create: unknown setting "${name}"; options of the client belong into clientOptions`);
    }
    if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE) {
      throw invalidArgument(`WorkerPool.create: size must be an integer from 1 to ${MAX_SIZE}, got ${typeof size === 'number' ? size : typeof size}`);
    }
    const pool = new WorkerPool(uri, size, clientOptions);
    try {
      await pool.#client.connect();
      await pool.#toError(Promise.all(pool.#seats.map((seat) => seat.open())));
    } catch (error) {
      await pool.close();
      throw error;
    }
    return pool;
  }

  /** How many worker threads there are for tasks; one that died is started again by the next task it gets. */
  get size() {
    return this.#seats.length;
  }

  /**
   * Runs a reducer over the documents of a find inside a worker; only the accumulator comes back.
   * @template A
   * @param {string} db
   * @param {string} collection
   * @param {object} [filter]
   * @param {object} [options] those of find; `lazy: true` gives the reducer lazy documents, which is faster only when
   *   it reads a few fields of wide documents
   * @param {(acc: A, doc: any) => A | PromiseLike<A>} reducer sent as source: it sees its arguments and globals only
   * @param {A} init
   * @returns {Promise<{ acc: A, count: number }>} count: documents reduced
   */
  async reduce(db, collection, filter, options, reducer, init) {
    const source = sourceOf(reducer);
    // Plain documents by default. Measured on documents of 45 fields: reading one or five of them costs the same either
    // way, reading all of them eight times as much through lazy documents.
    const { lazy = false, ...read } = checkReadOptions(options);
    if (typeof lazy !== 'boolean') throw invalidArgument('Option "lazy" must be true or false');
    const task = this.#prepare('reduce', db, collection, filter, read, lazy ? MODES.LAZY : MODES.EAGER);
    const packed = pack(init, 'init', this.#client.bsonClasses);
    Object.assign(task.message, { source, init: packed });
    if (packed.bytes !== null) task.transfer.push(packed.bytes.buffer);
    const { acc, count } = await this.#run(task, read.signal);
    return { acc: unpack(acc, this.#client.bsonClasses), count };
  }

  /**
   * The documents of a find, fetched by a worker. Collection.find of a client is the shorter way.
   * @param {string} db
   * @param {string} collection
   * @param {object} [filter]
   * @param {object} [options] those of find
   * @returns {Promise<object[]>}
   */
  async find(db, collection, filter, options) {
    const read = checkReadOptions(options);
    const task = this.#prepare('find', db, collection, filter, read, MODES.EAGER);
    const docs = [];
    let building = Promise.resolve();
    task.frames = (frames) => {
      building = building.then(() => build(task.decoder, frames, docs));
      building.catch(() => {}); // awaited below, but maybe after the answer
    };
    await this.#run(task, read.signal);
    await building;
    return docs;
  }

  /** Ends the workers. Tasks in flight reject with MongoClientClosedError; so does every later one. */
  async close() {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close() {
    const error = closedError();
    await Promise.all([...this.#seats.map((seat) => seat.close(error)), this.#client.close()]);
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  /** Everything about a read that can be refused is refused here, before a worker hears of it. */
  #prepare(op, db, collection, filter, options, mode) {
    if (this.#closing !== null) throw closedError();
    const { command, params, decoder, bsonOptions, namespace } = prepareFind(
      this.#client.db(db).collection(collection), filter ?? {}, withGetMoreComment(refuseExplain(options)), mode);
    const id = ++this.#lastId;
    // Copies: a Buffer may lie in memory that it shares with others, and all of that would be cloned.
    const message = {
      id, op, command: new Uint8Array(command), params: new Uint8Array(params), bsonOptions: { ...bsonOptions }, namespace,
      mode: bsonOptions.raw ? MODES.LAZY : mode,
    };
    return { id, message, transfer: [message.command.buffer, message.params.buffer], decoder };
  }

  #run(task, signal) {
    return this.#toError(this.#freest().run(task, signal ?? undefined));
  }

  /** The least busy seat; of equals one whose worker runs. */
  #freest() {
    return this.#seats.reduce((best, seat) => (
      seat.load < best.load || (seat.load === best.load && seat.connected && !best.connected) ? seat : best));
  }

  /** Makes the error here, in the caller's frames, of what a worker sent. */
  async #toError(promise) {
    try {
      return await promise;
    } catch (failure) {
      throw failure instanceof WorkerFailure ? unpackFailure(failure, this.#client.bsonClasses) : failure;
    }
  }
}

/** Makes the objects of a chunk, in a slice of the fair queue. */
function build(decoder, frames, docs) {
  return new Promise((resolve, reject) => {
    fairQueue.push(() => {
      try {
        decoder.decode(frames, docs);
        resolve();
      } catch (error) {
        reject(error);
      }
      return true;
    });
  });
}

module.exports = { WorkerPool };

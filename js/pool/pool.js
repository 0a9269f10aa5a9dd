'use strict';
// A pool of worker threads that read and reduce away from the main loop.

const os = require('node:os');
const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { MongoClient } = require('../client.js');
const { decoderFor } = require('../decoders.js');
const { fairQueue } = require('../fair-queue.js');
const { errors, invalidArgument } = require('../errors.js');
const { MODES, checkReadOptions, prepareFind } = require('../read.js');
const { pack, unpack } = require('./values.js');
const { sourceOf } = require('./reducer.js');
const { unpackFailure } = require('./failure.js');

const WORKER = path.join(__dirname, 'worker.js');
const MAX_SIZE = 256;

function closedError() {
  const error = new (errors().MongoClientClosedError)();
  error.message = 'The worker pool was closed';
  return error;
}

/** A thread and the tasks it has not answered. Only while it has one does it keep the process alive. */
class Seat {
  constructor(worker) {
    this.worker = worker;
    this.tasks = new Map();
  }

  add(task) {
    if (this.tasks.size === 0) this.worker.ref(); // pair: remove
    this.tasks.set(task.id, task);
  }

  remove(task) {
    if (this.tasks.delete(task.id) && this.tasks.size === 0) this.worker.unref();
  }
}

class WorkerPool {
  #uri;
  #clientOptions;
  #client;
  #seats = [];
  #lastId = 0;
  #closed = false;

  /** Use WorkerPool.create. */
  constructor(uri, clientOptions) {
    this.#uri = uri;
    this.#clientOptions = clientOptions;
    // Builds the commands, and keeps the topology that the workers share while one of them is replaced.
    this.#client = new MongoClient(uri, clientOptions);
  }

  /**
   * Starts the workers and waits until each is connected.
   * @param {{ uri: string, size?: number, clientOptions?: object }} settings
   *   uri: as for MongoClient. size: worker threads, 1 to 256 (default: cores less one, at least 2). clientOptions: as
   *   for MongoClient, without values that cannot be cloned to a thread.
   * @throws {MongoInvalidArgumentError | MongoParseError} for a bad argument, before any I/O
   * @throws {MongoServerSelectionError} when no server answers
   */
  static async create(settings) {
    if (typeof settings !== 'object' || settings === null) {
      throw invalidArgument('WorkerPool.create: pass { uri, size }');
    }
    const { uri, size = Math.max(2, os.availableParallelism() - 1), clientOptions = {} } = settings;
    if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE) {
      throw invalidArgument(`WorkerPool.create: size must be an integer from 1 to ${MAX_SIZE}, got ${size}`);
    }
    const pool = new WorkerPool(uri, clientOptions);
    try {
      await pool.#client.connect();
      await Promise.all(Array.from({ length: size }, () => pool.#seat()));
    } catch (error) {
      await pool.close();
      throw error;
    }
    return pool;
  }

  get size() {
    return this.#seats.length;
  }

  /**
   * Runs a reducer over the documents of a find inside a worker; only the accumulator comes back.
   * @template A
   * @param {string} db
   * @param {string} collection
   * @param {object} [filter]
   * @param {object} [options] those of find; `lazy: false` gives the reducer plain objects, which is faster when it
   *   reads most fields of a document
   * @param {(acc: A, doc: any) => A | PromiseLike<A>} reducer sent as source: it sees its arguments and globals only
   * @param {A} init
   * @returns {Promise<{ acc: A, count: number }>} count: documents reduced
   */
  async reduce(db, collection, filter, options, reducer, init) {
    const source = sourceOf(reducer);
    const { lazy = true, ...read } = checkReadOptions(options);
    const mode = lazy ? MODES.LAZY : MODES.EAGER;
    const task = this.#prepare('reduce', db, collection, filter, read, mode);
    const packed = pack(init, 'init', this.#client.bsonClasses);
    const { acc, count } = await this.#run(task, { source, init: packed, mode });
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
    const task = this.#prepare('find', db, collection, filter, checkReadOptions(options), MODES.EAGER);
    task.building = Promise.resolve();
    task.docs = [];
    await this.#run(task, {});
    await task.building;
    return task.docs;
  }

  /** Ends the workers. Tasks in flight reject with MongoClientClosedError; so does every later one. */
  async close() {
    this.#closed = true;
    const seats = this.#seats.splice(0);
    for (const seat of seats) this.#fail(seat, closedError());
    await Promise.all([...seats.map(({ worker }) => worker.terminate()), this.#client.close()]);
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  #prepare(op, db, collection, filter, options, mode) {
    if (this.#closed) throw closedError();
    const { command, params, decoder, bsonOptions } = prepareFind(
      this.#client.db(db).collection(collection), filter ?? {}, options, mode);
    const id = ++this.#lastId;
    // Copies: a Buffer may lie in memory that it shares with others, and all of that would be cloned.
    const message = { id, op, command: new Uint8Array(command), params: new Uint8Array(params), bsonOptions: { ...bsonOptions } };
    return { id, message, decoder, docs: null, building: null, resolve: null, reject: null };
  }

  async #run(task, more) {
    const seat = this.#seats.length > 0 ? this.#freest() : await this.#replacement();
    const promise = new Promise((resolve, reject) => Object.assign(task, { resolve, reject }));
    seat.add(task); // pair: remove, in #answer and #fail
    seat.worker.postMessage({ ...task.message, ...more });
    try {
      return await promise;
    } catch (failure) {
      // Made here, in the caller's frames, from what the worker sent.
      throw failure instanceof Error ? failure : unpackFailure(failure, this.#client.bsonClasses);
    }
  }

  async #replacement() {
    await this.#seat();
    if (this.#closed) throw closedError();
    return this.#freest();
  }

  #freest() {
    return this.#seats.reduce((best, seat) => (seat.tasks.size < best.tasks.size ? seat : best));
  }

  /** Starts a worker; resolves when it is connected. */
  async #seat() {
    const worker = this.#start();
    const seat = new Seat(worker);
    await new Promise((resolve, reject) => {
      worker.on('message', (message) => {
        if (message.ready) {
          this.#seats.push(seat);
          worker.unref();
          resolve();
        } else if (message.id === undefined) {
          reject(unpackFailure(message.failure, this.#client.bsonClasses));
        } else {
          this.#answer(seat, message);
        }
      });
      worker.on('error', (error) => {
        reject(error);
        this.#gone(seat, `A worker of the pool died: ${error.message}`, error);
      });
      worker.on('exit', (code) => {
        const why = `A worker of the pool ended with exit code ${code}`;
        reject(new Error(why));
        this.#gone(seat, why);
      });
    });
  }

  #start() {
    try {
      return new Worker(WORKER, { workerData: { uri: this.#uri, clientOptions: this.#clientOptions } });
    } catch (cause) {
      throw invalidArgument(`WorkerPool.create: clientOptions cannot be sent to a thread: ${cause.message}`, { cause });
    }
  }

  #answer(seat, message) {
    const task = seat.tasks.get(message.id);
    if (task === undefined) return;
    if (message.frames !== undefined) {
      this.#build(task, message.frames);
      return;
    }
    seat.remove(task);
    if (message.failure !== undefined) task.reject(message.failure);
    else task.resolve(message);
  }

  #build(task, frames) {
    task.building = task.building.then(() => new Promise((resolve, reject) => {
      fairQueue.push(() => {
        try {
          task.decoder.decode(frames, task.docs);
          resolve();
        } catch (error) {
          reject(error);
        }
        return true;
      });
    }));
    task.building.catch(() => {}); // find() awaits it too, but maybe after the answer
  }

  /** A worker that is gone takes its tasks along; the next task that finds no worker starts one. */
  #gone(seat, why, cause) {
    const at = this.#seats.indexOf(seat);
    if (at >= 0) this.#seats.splice(at, 1);
    this.#fail(seat, new Error(why, { cause }));
    if (at >= 0 && !this.#closed) this.#seat().catch(() => {}); // #replacement tries again and reports
  }

  #fail(seat, error) {
    for (const task of [...seat.tasks.values()]) {
      seat.remove(task);
      task.reject(error);
    }
  }
}

module.exports = { WorkerPool };

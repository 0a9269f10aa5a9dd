'use strict';
// A pool of worker threads that read and reduce away from the main loop.

const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { MongoClient } = require('../client.js');
const { fairQueue } = require('../fair-queue.js');
const { errors, invalidArgument } = require('../errors.js');
const { MODES, checkReadOptions, refuseExplain, withGetMoreComment, prepareFind, openReader } = require('../reads/read.js');
const { pack, unpack } = require('./values.js');
const { send, receive } = require('./transferables.js');
const { portable, moduleOf } = require('./portable.js');
const { WorkerFailure, unpackFailure } = require('./failure.js');
const { limitOf, checkTimeout, TimedOut } = require('./limit.js');
const { poolSettings, workerSettings, checkSettings } = require('./settings.js');
const { spread, Share } = require('./spread.js');
const { Seat } = require('./seat.js');

const WORKER = path.join(__dirname, 'worker.js');
const BATCH = 1000;

function closedError() {
  const error = new (errors().MongoClientClosedError)();
  error.message = 'The worker pool was closed';
  return error;
}

class WorkerPool {
  #client;
  #seats;
  #lastId = 0;
  #active = new Set(); // promises of the ends of calls
  #closing = null;
  #stopWaiting = () => {};

  /** Use WorkerPool.create. */
  constructor(uri, size, clientOptions, resourceLimits) {
    // Builds the commands, and keeps the topology that the workers share while one of them is replaced.
    this.#client = new MongoClient(uri, clientOptions);
    const settings = { ...workerSettings(uri, clientOptions), resourceLimits };
    this.#seats = Array.from({ length: size }, () => new Seat(() => new Worker(WORKER, settings)));
  }

  /**
   * Starts the workers and waits until each is connected.
   * @param {{ uri: string, size?: number, clientOptions?: object, resourceLimits?: object }} settings see settings.js
   * @throws {MongoInvalidArgumentError | MongoParseError} for a bad argument, before any I/O
   * @throws {MongoServerSelectionError} when no server answers
   */
  static async create(settings) {
    const { uri, size, clientOptions, resourceLimits } = poolSettings(settings);
    const pool = new WorkerPool(uri, size, clientOptions, resourceLimits);
    try {
      await pool.#client.connect();
      await pool.#perform('create', {}, () => Promise.all(pool.#seats.map((seat) => seat.open())));
    } catch (error) {
      await pool.close({ force: true });
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
   * @param {object} [options] those of find, and `timeoutMS`; `lazy: true` gives the reducer lazy documents, which is faster
   *   only when it reads a few fields of wide documents
   * @param {((acc: A, doc: any) => A | PromiseLike<A>) | { module: string | URL, export?: string }} reducer a function is sent
   *   as source: it sees its arguments and globals only
   * @param {A} init
   * @param {{ combine?: (a: A, b: A) => A | PromiseLike<A> }} [settings] combine: all workers take part, each begins with init
   * @returns {Promise<{ acc: A, count: number }>} count: documents reduced
   */
  async reduce(db, collection, filter, options, reducer, init, settings) {
    const fn = portable(reducer, 'reducer', '(acc, doc) => acc');
    const { combine } = checkSettings(settings, 'reduce', ['combine']);
    const combineFn = combine == null ? null : portable(combine, 'combine', '(a, b) => acc');
    const { read, mode, limits } = this.#readOptions(options);
    const find = this.#prepare(db, collection, filter, read, mode);
    const { bsonClasses } = this.#client;
    const packed = pack(init, 'init', bsonClasses);
    return await this.#perform('reduce', limits, async (signal) => {
      const { acc, count } = combineFn === null
        ? await this.#freest().run(this.#readTask('reduce', find, { fn, init: packed }), signal)
        : await this.#reduceSpread(find, { fn, init: packed }, combineFn, signal);
      return { acc: unpack(acc, bsonClasses), count };
    });
  }

  async #reduceSpread(find, message, combine, signal) {
    const { bsonOptions, mode } = find;
    const shares = this.#seats.map((seat) => new Share(seat, this.#task('share', { ...message, bsonOptions, mode })));
    const found = await spread((decoder) => openReader(this.#client, { ...find, decoder }, signal), shares, signal);
    if (found.length === 0) return { acc: message.init, count: 0 };
    const count = found.reduce((sum, one) => sum + one.count, 0);
    if (found.length === 1) return { acc: found[0].acc, count };
    const { acc } = await this.#freest().run(this.#task('combine', { fn: combine, accs: found.map((one) => one.acc) }), signal);
    return { acc, count };
  }

  /**
   * The documents of a find, fetched by a worker. Collection.find of a client is the shorter way.
   * @param {string} db
   * @param {string} collection
   * @param {object} [filter]
   * @param {object} [options] those of find, and `timeoutMS`
   * @returns {Promise<object[]>}
   */
  async find(db, collection, filter, options) {
    const { read, limits } = this.#readOptions(options, false);
    const find = this.#prepare(db, collection, filter, read, MODES.EAGER);
    return await this.#perform('find', limits, async (signal) => {
      const docs = [];
      let building = Promise.resolve();
      const task = this.#readTask('find', find);
      task.part = (frames) => {
        building = building.then(() => build(find.decoder, frames, docs));
        building.catch(() => {}); // awaited below, but maybe after the answer
      };
      await this.#freest().run(task, signal);
      await building;
      return docs;
    });
  }

  /**
   * Has a worker make binary values of the documents of a find, `batchSize` documents (1000 by default) at a time. Their
   * memory is handed over, not copied.
   * @template T
   * @param {string} db
   * @param {string} collection
   * @param {object} [filter]
   * @param {object} [options] those of reduce
   * @param {((docs: any[], call: number) => T | PromiseLike<T>) | { module: string | URL, export?: string }} fn
   * @returns {Promise<T[]>} what each call gave, in the order of the documents
   */
  async map(db, collection, filter, options, fn) {
    const sent = portable(fn, 'fn', '(docs) => typed array');
    const { read, mode, limits } = this.#readOptions(options);
    const find = this.#prepare(db, collection, filter, read, mode);
    return await this.#perform('map', limits, async (signal) => {
      const results = [];
      const task = this.#readTask('map', find, { fn: sent, size: read.batchSize || BATCH });
      task.part = (value) => results.push(value);
      await this.#freest().run(task, signal);
      return results;
    });
  }

  /**
   * Calls a function that a module exports in a worker, with `this` = { client, signal }.
   * @param {string | URL | { module: string | URL, export?: string }} module
   * @param {unknown[]} [args] as BSON, or binary values, which are copied
   * @param {{ signal?: AbortSignal, timeoutMS?: number, transfer?: ArrayBuffer[] }} [settings] transfer: memory of arguments that
   *   is handed over instead
   * @returns {Promise<unknown>} the result, as BSON or handed over
   */
  async run(module, args = [], settings = undefined) {
    const fn = moduleOf(module, 'module');
    if (!Array.isArray(args)) throw invalidArgument('Argument "args" must be an array of arguments');
    const { transfer = [], signal, timeoutMS } = checkSettings(settings, 'run', ['signal', 'timeoutMS', 'transfer']);
    checkReadOptions({ signal });
    checkTimeout(timeoutMS);
    if (!Array.isArray(transfer) || !transfer.every((one) => one instanceof ArrayBuffer)) {
      throw invalidArgument('Option "transfer" must be an array of ArrayBuffers');
    }
    const { bsonClasses } = this.#client;
    const sent = args.map((arg, i) => send(arg, `args[${i}]`, bsonClasses, (buffer) => transfer.includes(buffer)));
    this.#checkOpen();
    return await this.#perform('run', { signal, timeoutMS }, async (limit) => {
      const task = this.#task('run', { fn, args: sent.map((one) => one.sent) });
      task.transfer = [...new Set(sent.flatMap((one) => one.transfer))];
      const { result } = await this.#freest().run(task, limit);
      return receive(result, bsonClasses);
    });
  }

  /**
   * Waits for the tasks under way, then ends the workers. Later tasks reject with MongoClientClosedError.
   * @param {boolean | { force?: boolean }} [options] force: do not wait, the tasks under way reject in the same way
   */
  async close(options) {
    const { force = false } = typeof options === 'boolean' ? { force: options } : checkSettings(options, 'close', ['force']);
    if (typeof force !== 'boolean') throw invalidArgument('Option "force" must be true or false');
    this.#closing ??= this.#close();
    if (force) this.#stopWaiting();
    await this.#closing;
  }

  async #close() {
    await Promise.race([Promise.all(this.#active), new Promise((resolve) => { this.#stopWaiting = resolve; })]);
    const error = closedError();
    await Promise.all([...this.#seats.map((seat) => seat.close(error)), this.#client.close()]);
    await Promise.all(this.#active);
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  #checkOpen() {
    if (this.#closing !== null) throw closedError();
  }

  /** The options of find, and what is the pool's beside them. */
  #readOptions(options, mayBeLazy = true) {
    // Plain documents by default. Measured on documents of 45 fields: reading one or five of them costs the same either
    // way, reading all of them eight times as much through lazy documents.
    const { lazy, timeoutMS, ...read } = checkReadOptions(options);
    if (mayBeLazy && lazy != null && typeof lazy !== 'boolean') throw invalidArgument('Option "lazy" must be true or false');
    checkTimeout(timeoutMS);
    return { read, mode: lazy && mayBeLazy ? MODES.LAZY : MODES.EAGER, limits: { signal: read.signal, timeoutMS } };
  }

  /** Everything about a read that can be refused is refused here, before a worker hears of it. */
  #prepare(db, collection, filter, options, mode) {
    this.#checkOpen();
    const prepared = prepareFind(
      this.#client.db(db).collection(collection), filter ?? {}, withGetMoreComment(refuseExplain(options)), mode);
    return { ...prepared, mode: prepared.bsonOptions.raw ? MODES.LAZY : mode };
  }

  #task(op, message) {
    const id = ++this.#lastId;
    return { id, message: { id, op, ...message }, transfer: [] };
  }

  #readTask(op, { command, params, bsonOptions, namespace, mode }, message) {
    // Copies: a Buffer may lie in memory that it shares with others, and all of that would be cloned.
    const task = this.#task(op, {
      ...message, command: new Uint8Array(command), params: new Uint8Array(params), bsonOptions: { ...bsonOptions }, namespace, mode,
    });
    task.transfer.push(task.message.command.buffer, task.message.params.buffer);
    return task;
  }

  /**
   * Does the work of one call: within its limits, and so that close() can wait for it. Errors are made here, in the caller's
   * frames, of what a worker sent or the clock did. Whoever calls this awaits its promise and nobody else does: V8 follows
   * a promise to the caller's frames only when one waits.
   */
  async #perform(name, { signal, timeoutMS }, work) {
    const limit = limitOf(signal, timeoutMS);
    let over;
    const active = new Promise((resolve) => { over = resolve; });
    this.#active.add(active);
    try {
      return await work(limit.signal);
    } catch (failure) {
      if (failure instanceof WorkerFailure) throw unpackFailure(failure, this.#client.bsonClasses);
      if (failure instanceof TimedOut) {
        throw new (errors().MongoOperationTimeoutError)(`WorkerPool.${name} was not done within its timeoutMS of ${failure.ms} ms`);
      }
      throw failure;
    } finally {
      limit.done();
      this.#active.delete(active);
      over();
    }
  }

  /** The least busy seat; of equals one whose worker runs. */
  #freest() {
    return this.#seats.reduce((best, seat) => (
      seat.load < best.load || (seat.load === best.load && seat.connected && !best.connected) ? seat : best));
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

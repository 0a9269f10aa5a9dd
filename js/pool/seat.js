'use strict';
// One thread of the pool: starts a worker when there is none, gives it tasks, and settles each of them exactly once:
// answered, aborted, worker gone, or pool closed.
//
// Rules
// 1. A worker keeps the process alive only while somebody waits for it (hold and letGo come in pairs).
// 2. Handlers of a worker that is not the seat's any more find nothing to do: `#lose` forgets it first.
// 3. A worker that is gone is not replaced before the next task wants one. So a reducer that kills its worker each time
//    starts one for each call, never more.

const { WorkerFailure } = require('./failure.js');

/**
 * @typedef {object} Task
 * @property {number} id
 * @property {object} message for the worker
 * @property {ArrayBuffer[]} transfer
 * @property {(frames: Uint8Array) => void} [frames] what takes the chunks of a find
 */

class Seat {
  #make;
  #worker = null;
  #opening = null; // { promise, reject } of the worker's start
  #tasks = new Map();
  #holds = 0;
  #closed = null; // the error of whoever comes after close()

  connected = false;

  /** @param {() => Worker} make starts a thread */
  constructor(make) {
    this.#make = make;
  }

  /** How many are waiting for this seat. */
  get load() {
    return this.#holds;
  }

  /** Resolves when the worker is connected; rejects with an Error or a WorkerFailure. */
  async open() {
    if (this.#closed !== null) throw this.#closed;
    this.#opening ??= this.#start();
    this.#hold(); // pair: below
    try {
      await this.#opening.promise;
    } finally {
      this.#letGo();
    }
  }

  /**
   * Has a task done. Rejects with an Error or a WorkerFailure, or an abort's reason.
   * @param {Task} task
   * @param {AbortSignal} [signal]
   */
  async run(task, signal) {
    signal?.throwIfAborted();
    const abort = () => this.#abort(task, signal.reason);
    signal?.addEventListener('abort', abort, { once: true });
    this.#hold(); // pair: below
    try {
      return await new Promise((resolve, reject) => {
        this.#tasks.set(task.id, { task, resolve, reject });
        if (this.connected) this.#send(task);
        else this.open().then(() => this.#send(task)).catch(reject);
      });
    } finally {
      this.#tasks.delete(task.id);
      this.#letGo();
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Rejects everything under way, and everything later, and ends the worker. */
  async close(error) {
    this.#closed = error;
    const worker = this.#worker;
    this.#lose(worker, error);
    await worker?.terminate();
  }

  #start() {
    const opening = {};
    opening.promise = new Promise((resolve, reject) => {
      opening.reject = reject;
      const worker = this.#make();
      this.#worker = worker;
      worker.on('message', (message) => {
        if (worker !== this.#worker) return;
        if (message.id !== undefined) {
          this.#answer(message);
        } else if (message.ready) {
          this.connected = true;
          resolve();
        } else {
          this.#lose(worker, new WorkerFailure(message.failure)); // it ends by itself
        }
      });
      worker.on('error', (error) => this.#lose(worker, new Error(`A worker of the pool died: ${error?.message ?? error}`, { cause: error })));
      worker.on('exit', (code) => this.#lose(worker, new Error(`A worker of the pool ended with exit code ${code}`)));
      worker.on('messageerror', (cause) => {
        this.#lose(worker, new Error(`A worker of the pool sent what cannot be read: ${cause.message}`, { cause }));
        worker.terminate();
      });
    });
    opening.promise.catch(() => {
      if (this.#opening === opening) this.#opening = null; // the thread could not even be made
    });
    return opening;
  }

  /** Forgets a worker and rejects whoever waited for it. */
  #lose(worker, error) {
    if (worker === null || worker !== this.#worker) return;
    const opening = this.#opening;
    this.#worker = null;
    this.#opening = null;
    this.connected = false;
    opening.reject(error);
    for (const { reject } of this.#tasks.values()) reject(error);
    this.#tasks.clear();
    worker.unref();
  }

  #send(task) {
    // Aborted, or failed with the worker, while that was starting: nobody waits any more.
    if (this.#tasks.has(task.id)) this.#worker.postMessage(task.message, task.transfer);
  }

  #answer(message) {
    const entry = this.#tasks.get(message.id);
    if (entry === undefined) return; // aborted meanwhile
    if (message.frames !== undefined) entry.task.frames(message.frames);
    else if (message.failure !== undefined) entry.reject(new WorkerFailure(message.failure));
    else entry.resolve(message);
  }

  #abort(task, reason) {
    this.#tasks.get(task.id)?.reject(reason);
    if (this.connected) this.#worker.postMessage({ id: task.id, op: 'cancel' });
  }

  #hold() {
    if (this.#holds++ === 0) this.#worker?.ref();
  }

  #letGo() {
    if (--this.#holds === 0) this.#worker?.unref();
  }
}

module.exports = { Seat };

'use strict';
// One thread of the pool: starts a worker when there is none, gives it tasks, and settles each of them exactly once:
// answered, aborted, worker gone, or pool closed.
//
// Rules
// 1. A worker keeps the process alive only while somebody waits for it (hold and letGo come in pairs).
// 2. Handlers of a worker that is not the seat's any more find nothing to do: `#lose` forgets it first.
// 3. A worker that is gone is not replaced before the next task wants one. So a reducer that kills its worker each time
//    starts one for each call, never more.
// 4. A function that never returns keeps its thread from hearing of an abort. So a worker has a second to confirm one;
//    then it is ended, and what it was doing for others rejects. What it has not begun is held back until then, and goes
//    to its successor: a task is never begun twice.

const { WorkerFailure } = require('./failure.js');

const GRACE_MS = 1000;

/**
 * @typedef {object} Task
 * @property {number} id
 * @property {object} message for the worker
 * @property {ArrayBuffer[]} transfer
 * @property {(part: any) => void} [part] what takes the parts of the answer that come before its end
 */

class Seat {
  #make;
  #worker = null;
  #opening = null; // { promise, reject } of the worker's start
  #tasks = new Map();
  #holds = 0;
  #closed = null; // the error of whoever comes after close()
  #unconfirmed = new Set(); // ids of tasks that were aborted
  #grace = null; // timer

  connected = false;

  /** @param {() => Worker} make starts a thread */
  constructor(make) {
    this.#make = make;
  }

  /** How many are waiting for this seat, and how many aborted tasks it may still be busy with. */
  get load() {
    return this.#holds + this.#unconfirmed.size;
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
        const entry = { task, resolve, reject, begun: false, later: [] };
        this.#tasks.set(task.id, entry);
        this.#begin(entry);
      });
    } finally {
      this.#tasks.delete(task.id);
      this.#letGo();
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Another message for a task that run() was asked to do; it arrives after those before it. */
  tell(task, message, transfer) {
    const entry = this.#tasks.get(task.id);
    if (entry === undefined) return; // settled
    if (entry.begun) this.#worker.postMessage(message, transfer);
    else entry.later.push([message, transfer]);
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

  /**
   * Forgets a worker and rejects whoever waited for it.
   * @param {Worker} worker
   * @param {Error | WorkerFailure} error
   * @param {boolean} [onlyBegun] the others get another worker
   */
  #lose(worker, error, onlyBegun = false) {
    if (worker === null || worker !== this.#worker) return;
    const opening = this.#opening;
    this.#worker = null;
    this.#opening = null;
    this.connected = false;
    this.#unconfirmed.clear();
    clearTimeout(this.#grace);
    this.#grace = null;
    opening.reject(error);
    worker.unref();
    for (const [id, entry] of this.#tasks) {
      if (onlyBegun && !entry.begun) {
        this.#begin(entry);
      } else {
        entry.reject(error);
        this.#tasks.delete(id);
      }
    }
  }

  #begin(entry) {
    if (this.connected) this.#send(entry);
    else this.open().then(() => this.#send(entry)).catch(entry.reject);
  }

  #send(entry) {
    const { task, later } = entry;
    // Aborted, or failed with the worker, while that was starting: nobody waits any more.
    if (entry.begun || !this.#tasks.has(task.id) || this.#unconfirmed.size > 0) return;
    this.#worker.postMessage(task.message, task.transfer);
    entry.begun = true;
    for (const [message, transfer] of later.splice(0)) this.#worker.postMessage(message, transfer);
  }

  #answer(message) {
    if (message.cancelled) {
      this.#confirm(message.id);
      return;
    }
    const entry = this.#tasks.get(message.id);
    if (entry === undefined) return; // aborted meanwhile
    if (message.part !== undefined) entry.task.part(message.part);
    else if (message.failure !== undefined) entry.reject(new WorkerFailure(message.failure));
    else entry.resolve(message);
  }

  #abort(task, reason) {
    const entry = this.#tasks.get(task.id);
    if (entry === undefined) return;
    entry.reject(reason);
    this.#tasks.delete(task.id);
    if (!entry.begun) return;
    this.#worker.postMessage({ id: task.id, op: 'cancel' });
    this.#unconfirmed.add(task.id);
    const worker = this.#worker;
    this.#grace ??= setTimeout(() => this.#giveUp(worker), GRACE_MS).unref();
  }

  #confirm(id) {
    this.#unconfirmed.delete(id);
    if (this.#unconfirmed.size > 0) return;
    clearTimeout(this.#grace);
    this.#grace = null;
    for (const entry of this.#tasks.values()) {
      try {
        this.#send(entry);
      } catch (error) {
        entry.reject(error); // what cannot be sent concerns its task alone
      }
    }
  }

  #giveUp(worker) {
    this.#lose(worker, new Error(`A worker of the pool was ended: ${GRACE_MS} ms after an abort or a timeout a function still kept it busy`), true);
    worker.terminate();
  }

  #hold() {
    if (this.#holds++ === 0) this.#worker?.ref();
  }

  #letGo() {
    if (--this.#holds === 0) this.#worker?.unref();
  }
}

module.exports = { Seat };

// Worker threads that read and compute away from the main loop.

import type { MongoClient } from './client.js';
import type { MongoClientOptions } from './client-options.js';
import type { FindOptions } from './options.js';
import type { Document, Filter } from './query.js';

export interface WorkerPoolSettings {
  uri: string;
  /** Threads, 1 to 256. Default: the cores less one, at least 2. */
  size?: number;
  clientOptions?: MongoClientOptions;
  /** Of each thread, in megabytes, as for a `Worker` of Node. A thread that exceeds them dies; see WorkerPool. */
  resourceLimits?: {
    maxOldGenerationSizeMb?: number;
    maxYoungGenerationSizeMb?: number;
    codeRangeSizeMb?: number;
    stackSizeMb?: number;
  };
}

export interface WorkerPoolLimits {
  /** Rejects at once with its reason. */
  signal?: AbortSignal;
  /** Rejects with MongoOperationTimeoutError after so many milliseconds, 1 to 2147483647. Default: no limit. */
  timeoutMS?: number;
}

export interface WorkerFindOptions extends Omit<FindOptions, 'signal' | 'timeoutMS'>, WorkerPoolLimits {}

export interface ReduceOptions extends WorkerFindOptions {
  /**
   * Give the function lazy documents rather than plain objects: faster when it reads a few fields of wide documents, many
   * times slower when it goes through all of them. Default false.
   */
  lazy?: boolean;
}

/**
 * An exported function, of an ES module or CommonJS. `module`: an absolute path or a file: URL, such as
 * `require.resolve('./reducers.js')` or `new URL('./reducers.js', import.meta.url)`. `export`: default 'default'. A worker
 * loads a module once, so variables of the module live as long as the worker.
 */
export interface WorkerModule {
  module: string | URL;
  export?: string;
}

/** Binary values, and primitives, arrays and plain objects beside and around them. */
export type Transferable = ArrayBufferLike | ArrayBufferView | string | number | bigint | boolean | null | undefined | void
  | readonly Transferable[] | { readonly [key: string]: Transferable };

export interface ReduceSettings<A> {
  /**
   * Spreads the reduction over all workers: one query, whose batches go to whichever worker has least to do. Each worker
   * that gets one begins with `init` and has an accumulator of its own, and `combine` makes one of two of them, in a worker. So
   * `init` must be neutral (0 for a sum), the order of documents must not matter, and that of accumulators neither.
   * Without documents the result is `init`.
   */
  combine?: ((a: A, b: A) => A | PromiseLike<A>) | WorkerModule;
}

/**
 * Worker threads that read and compute away from the main loop. All of them, and every client with the same URI and
 * options, share one pool of connections. An idle pool does not keep the process alive.
 *
 * Functions are sent as source and run in strict mode: they see their arguments and the globals, no variable around them;
 * a ReferenceError says so. Bound and built-in functions, classes and generators are refused with
 * MongoInvalidArgumentError. A function that needs more is an export of a module: `{ module, export }`.
 *
 * A worker that dies (`process.exit()`, an uncaught error, its memory limit) rejects all tasks it had; the next task
 * gets a new one. So does a worker that a function keeps busy for a second after an abort or timeout: it is ended, and what else
 * it was doing rejects. No task is begun twice.
 */
export declare class WorkerPool {
  private constructor();
  /**
   * Resolves when every worker is connected.
   * @throws {MongoServerSelectionError} when no server answers within serverSelectionTimeoutMS
   */
  static create(settings: WorkerPoolSettings): Promise<WorkerPool>;
  readonly size: number;
  /**
   * Runs a reducer over a find inside a worker; only the accumulator comes back. `count` is the number of documents.
   *
   * `init` and `acc` cross the threads as BSON, so ObjectId, Decimal128, Long, Date, BigInt and Buffer arrive as themselves;
   * instances of other classes arrive as plain objects, undefined fields are left out, and what BSON would turn into
   * something else (Map, Set, Error, invalid Date, ...) is an error.
   * @throws what the reducer throws, with the worker's stack, or the error of the read
   */
  reduce<A, D = any>(
    db: string,
    collection: string,
    filter: Filter | undefined | null,
    options: ReduceOptions | undefined | null,
    reducer: ((acc: A, document: D) => A | PromiseLike<A>) | WorkerModule,
    init: A,
    settings?: ReduceSettings<A> | null,
  ): Promise<{ acc: A; count: number }>;
  /** The documents of a find that a worker fetched; they are made on this thread. */
  find<R = Document>(db: string, collection: string, filter?: Filter | null, options?: WorkerFindOptions | null): Promise<R[]>;
  /**
   * Has a worker make binary values of the documents of a find. `fn` gets `batchSize` documents at a time (1000 by default, fewer
   * the last time) and the number of the call, from 0; the result is what each call gave, in the order of the documents.
   * Memory is handed over, not copied; a view of a part of its memory arrives as a view of a copy of that part, and a
   * Buffer as a Uint8Array. Documents and instances of classes are refused: those are for find and reduce.
   * @throws as reduce
   */
  map<T extends Transferable, D = any>(
    db: string,
    collection: string,
    filter: Filter | undefined | null,
    options: ReduceOptions | undefined | null,
    fn: ((documents: D[], call: number) => T | PromiseLike<T>) | WorkerModule,
  ): Promise<T[]>;
  /**
   * Calls an exported function in a worker. A path or URL alone means the default export. Its `this` (unless it is an arrow
   * function) is `{ client, signal }`: the worker's client, and a signal that aborts when nobody waits any more.
   *
   * Each argument and the result cross as BSON, as accumulators do. One with binary values in it, and otherwise only
   * primitives, arrays and plain objects, crosses as it is: memory of the result is handed over, memory of arguments is
   * copied unless it is in `transfer`; Buffers arrive as Uint8Arrays.
   * @throws what the function throws, with the worker's stack
   */
  run<R = any>(module: string | URL | WorkerModule, args?: unknown[], settings?: (WorkerPoolLimits & { transfer?: ArrayBuffer[] }) | null): Promise<R>;
  /**
   * Waits for the tasks under way, then ends the workers. With `force` (or `true`) it does not wait: they reject with
   * MongoClientClosedError, as later ones do in any case. A second call may add `force`.
   */
  close(options?: boolean | { force?: boolean }): Promise<void>;
  /** `close()`, which waits. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** `this` of a function that WorkerPool.run calls. */
export interface WorkerContext {
  client: MongoClient;
  signal: AbortSignal;
}

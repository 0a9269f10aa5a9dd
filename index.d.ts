/// <reference types="node" />
// The reference of rumongo-go's public API. Durations are milliseconds where the name ends in MS, sizes are
// bytes. Methods that return a promise reject, the others throw; both give one of the error classes.
//
// What there is of the official driver's API is in types/, by subject; what there is beside it is here.

import type { Document, Filter } from './types/query.js';
import type { FindOptions } from './types/options.js';
import type { MongoClientOptions } from './types/client-options.js';

export * from './types/client.js';
export * from './types/client-options.js';
export * from './types/collection.js';
export * from './types/cursors.js';
export * from './types/decoder.js';
export type { EventsDescription, GenericListener, TypedEventEmitter } from './types/emitter.js';
export * from './types/errors.js';
export * from './types/events.js';
export * from './types/json.js';
export * from './types/lazy.js';
export * from './types/model.js';
export * from './types/names.js';
export * from './types/options.js';
export * from './types/query.js';
export * from './types/shadow.js';
export * from './types/unsupported.js';

// The classes of values are those of the application's own bson.
export {
  BSONError, BSONRegExp, BSONSymbol, Binary, Code, DBRef, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp, UUID,
} from 'bson';
export * as BSON from 'bson';

export interface WorkerPoolSettings {
  uri: string;
  /** Threads, 1 to 256. Default: the cores less one, at least 2. */
  size?: number;
  clientOptions?: MongoClientOptions;
}

export interface ReduceOptions extends FindOptions {
  /**
   * Give the reducer lazy documents rather than plain objects: faster when it reads a few fields of wide documents, many
   * times slower when it goes through all of them. Default false.
   */
  lazy?: boolean;
}

/**
 * Worker threads that read and reduce away from the main loop. All of them, and every client with the same URI and
 * options, share one pool of connections. An idle pool does not keep the process alive. A worker that dies rejects the
 * tasks it had; the next task gets a new one.
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
   * The reducer is sent as source and runs in strict mode: it sees its arguments and the globals, no variable around it.
   * What it needs goes into `init`. `init` and `acc` cross the threads as BSON, so ObjectId, Decimal128, Long, Date,
   * BigInt and Buffer arrive as themselves; instances of other classes arrive as plain objects, undefined fields are left
   * out, and what BSON would turn into something else (Map, Set, Error, invalid Date, ...) is an error.
   * @throws what the reducer throws, with the worker's stack, or the error of the read
   */
  reduce<A, D = any>(
    db: string,
    collection: string,
    filter: Filter | undefined | null,
    options: ReduceOptions | undefined | null,
    reducer: (acc: A, document: D) => A | PromiseLike<A>,
    init: A,
  ): Promise<{ acc: A; count: number }>;
  /** The documents of a find that a worker fetched; they are made on this thread. */
  find<R = Document>(db: string, collection: string, filter?: Filter, options?: FindOptions): Promise<R[]>;
  /** Ends the workers. Tasks in flight reject with MongoClientClosedError, and so do later ones. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Makes the reads of an official `Collection`, `Db` or `MongoClient` (mongodb 6.20 or later, or 7), or of a Mongoose model or
 * connection (Mongoose 8 or 9), run in the core: find, findOne, aggregate, countDocuments, count, distinct and
 * estimatedDocumentCount. It is changed in place and returned. Collections and databases that a client hands out from then on are
 * accelerated too, those that it has handed out before are not; of a Mongoose connection all are.
 * Everything else, and reads in sessions, is the official driver's as before.
 */
export declare const accelerate: {
  <T extends object>(x: T, options?: AccelerateOptions): T;
  /** Takes the acceleration of an object back. Cursors that are open can be read to their end. */
  restore<T extends object>(x: T): T;
  /** Whether an object is accelerated, why not, and who has run the reads of its client. */
  status(x: object): { accelerated: boolean; reason: string | null; native: number; official: number };
};

export interface AccelerateOptions {
  /** The exports of the `mongodb` package that the object comes from, where it cannot be found (a bundle, for example). */
  mongodb?: object;
  /**
   * Whether batches are fetched before they are asked for also by `next()`, `for await` and streams; default false. `toArray()`
   * always reads ahead. Leaving a loop early then costs a getMore that nobody needs.
   */
  readAhead?: boolean;
}

/** Equality of read results: classes count, the order of keys does not, -0 is not 0, NaN is NaN. */
export declare function deepEqual(a: unknown, b: unknown): boolean;

export declare const version: string;

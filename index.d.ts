/// <reference types="node" />
// The reference of rumongo-go's public API. Durations are milliseconds where the name ends in MS, sizes are
// bytes. Methods that return a promise reject, the others throw; both give one of the error classes.
//
// What there is of the official driver's API is in types/, by subject; what there is beside it is here.

export * from './types/client.js';
export * from './types/client-options.js';
export * from './types/collection.js';
export * from './types/columns.js';
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
export * from './types/pool.js';
export * from './types/query.js';
export * from './types/shadow.js';
export * from './types/unsupported.js';

// The classes of values are those of the application's own bson.
export {
  BSONError, BSONRegExp, BSONSymbol, Binary, Code, DBRef, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp, UUID,
} from 'bson';
export * as BSON from 'bson';

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

// Models: a collection with fixed fields, and a Mongoose model whose reads run here.

import type { Readable } from 'node:stream';
import type { MongoClient } from './client.js';
import type { Collection } from './collection.js';
import type { AggregationCursor, BatchCursor, FindCursor } from './cursors.js';
import type { JSONStream, StreamedJSONOptions, WholeJSONOptions } from './json.js';
import type { LazyDocument } from './lazy.js';
import type {
  AggregateOptions, CountDocumentsOptions, DistinctOptions, EstimatedDocumentCountOptions, FindCursorOptions, FindOneOptions, FindOptions,
} from './options.js';
import type { Document, Filter, InferIdType, ObjectIdLike, WithId } from './query.js';

/** The fields of a Model. `_id` is read unless the definition says `_id: 0`, and an ObjectId unless it says another type. */
export declare class Schema {
  constructor(definition: { [field: string]: unknown });
  readonly fields: string[];
  readonly projection: Readonly<{ [field: string]: 0 | 1 }>;
}

/**
 * A collection read through a fixed projection. Ids in filters - `_id` and fields of the type ObjectId - may be text of 24
 * hexadecimal characters; what is no id rejects with a MongoInvalidArgumentError that is a CastError, as Mongoose's, by its
 * `name`, `path`, `kind` and `value`. Extended JSON text is taken as it is.
 */
export declare class Model<T extends Document = Document> {
  private constructor();
  static define<T extends Document = Document>(collection: Collection<T>, definition: Schema | { [field: string]: unknown }): Model<T>;
  /**
   * The lean reads of a model of Mongoose 8 or 9.
   * @param client default: one that connects as the connection of the model does, and closes with it
   * @throws {MongoInvalidArgumentError} when it is no model, or the client makes values of other classes than Mongoose
   */
  static fromMongoose<T = any>(model: MongooseModelLike<T>, client?: MongoClient): MongooseModel<T>;
  getProjection(): Readonly<{ [field: string]: 0 | 1 }>;
  find<R extends Document = WithId<T>>(filter?: Filter<T> | string, options?: FindOptions): FindCursor<R>;
  findOne<R = WithId<T>>(filter?: Filter<T> | string, options?: FindOneOptions): Promise<R | null>;
  /** Without an id - null or undefined - it is null. */
  findById<R = WithId<T>>(id: string | ObjectIdLike | null | undefined, options?: FindOneOptions): Promise<R | null>;
  /** The `_id` of the first match, or null. */
  exists(filter?: Filter<T> | string, options?: FindOneOptions): Promise<{ _id: InferIdType<T> } | null>;
  findLazy<R = WithId<T>>(filter?: Filter<T> | string, options?: FindOptions): Promise<LazyDocument<R>[]>;
  findCursor<R = WithId<T>>(filter: Filter<T> | string | undefined, options: FindCursorOptions & { lazy: false }): Promise<BatchCursor<R>>;
  findCursor<R = WithId<T>>(filter?: Filter<T> | string, options?: FindCursorOptions): Promise<BatchCursor<LazyDocument<R>>>;
  /** A Readable of documents. */
  stream<R extends Document = WithId<T>>(filter?: Filter<T> | string, options?: FindOptions): ReturnType<FindCursor<R>['stream']>;
  findJSON(filter?: Filter<T> | string, options?: FindOptions & WholeJSONOptions): Promise<Buffer>;
  streamJSON(filter?: Filter<T> | string, options?: FindOptions & StreamedJSONOptions): JSONStream;
  countDocuments(filter?: Filter<T> | string, options?: CountDocumentsOptions): Promise<number>;
  estimatedDocumentCount(options?: EstimatedDocumentCountOptions): Promise<number>;
  distinct(field: string, filter?: Filter<T> | string, options?: DistinctOptions): Promise<any[]>;
  /** A pipeline sees all fields, and nothing in it is cast. */
  aggregate<R extends Document = Document>(pipeline?: Document[] | string, options?: AggregateOptions): AggregationCursor<R>;
}

/** A model of Mongoose, of any version of its types. */
export interface MongooseModelLike<T = any> {
  readonly modelName: string;
  applyDefaults(document: any): T;
}

/**
 * Reads of a Mongoose model: arguments, casts, hooks and errors are the application's Mongoose, results are lean. Reads in
 * sessions, and populate's own, are Mongoose's as before.
 */
export interface MongooseModel<T = any> {
  /** The Mongoose model the reads are of: its statics, `where()` and query helpers read here, too. */
  readonly model: any;
  /** The paths of the schema. */
  readonly fields: string[];
  find(filter?: any, projection?: any, options?: any): LeanQuery<T[], T>;
  findOne(filter?: any, projection?: any, options?: any): LeanQuery<T | null, T>;
  /** An object of operators is refused, where Mongoose takes it as a filter. */
  findById(id: any, projection?: any, options?: any): LeanQuery<T | null, T>;
  exists(filter?: any, options?: any): LeanQuery<{ _id: InferIdType<T> } | null, T>;
  countDocuments(filter?: any, options?: any): LeanQuery<number, T>;
  estimatedDocumentCount(options?: any): LeanQuery<number, T>;
  distinct(field: string, filter?: any, options?: any): LeanQuery<any[], T>;
  /** Mongoose's Aggregate. */
  aggregate<R = any>(pipeline?: any[], options?: any): PromiseLike<R[]> & { [method: string]: any };
  where(...args: any[]): LeanQuery<T[], T>;
  /** Documents that stay bytes until a field is read. */
  findLazy(filter?: any, projection?: any, options?: any): LeanQuery<LazyDocument<T>[], T>;
  findCursor(filter: any, projection: any, options: { lazy: false; [option: string]: any }): Promise<BatchCursor<T>>;
  findCursor(filter?: any, projection?: any, options?: any): Promise<BatchCursor<LazyDocument<T>>>;
  /** Mongoose's cursor: a Readable of documents. */
  stream(filter?: any, projection?: any, options?: any): AsyncIterable<T> & Readable;
  findJSON(filter?: any, projection?: any, options?: WholeJSONOptions & { [option: string]: any }): Promise<Buffer>;
  streamJSON(filter?: any, projection?: any, options?: StreamedJSONOptions & { [option: string]: any }): Readable;
}

/** A query of Mongoose, lean; it has all that Mongoose's queries have. */
export interface LeanQuery<R, T = any> extends Promise<R> {
  exec(): Promise<R>;
  orFail(error?: any): LeanQuery<NonNullable<R>, T>;
  /** The documents of this query stay bytes until a field is read. */
  lazy(): LeanQuery<R extends any[] ? LazyDocument<T>[] : LazyDocument<T> | null, T>;
  /** A cursor over whole batches; of find() only. Post hooks do not run. */
  batches(options: { lazy: false }): Promise<BatchCursor<T>>;
  batches(options?: { lazy?: boolean }): Promise<BatchCursor<LazyDocument<T>>>;
  /** The documents as JSON text; of find() only. Post hooks do not run. */
  json(options?: WholeJSONOptions): Promise<Buffer>;
  jsonStream(options?: StreamedJSONOptions): Readable;
  sort(...args: any[]): this;
  skip(...args: any[]): this;
  limit(...args: any[]): this;
  select(...args: any[]): this;
  where(...args: any[]): this;
  equals(...args: any[]): this;
  gt(...args: any[]): this;
  gte(...args: any[]): this;
  lt(...args: any[]): this;
  lte(...args: any[]): this;
  ne(...args: any[]): this;
  in(...args: any[]): this;
  nin(...args: any[]): this;
  exists(...args: any[]): this;
  regex(...args: any[]): this;
  and(...args: any[]): this;
  or(...args: any[]): this;
  nor(...args: any[]): this;
  hint(...args: any[]): this;
  collation(...args: any[]): this;
  comment(...args: any[]): this;
  maxTimeMS(...args: any[]): this;
  batchSize(...args: any[]): this;
  read(...args: any[]): this;
  readConcern(...args: any[]): this;
  setOptions(...args: any[]): this;
  merge(...args: any[]): this;
  /** What else Mongoose's queries have. */
  [method: string]: any;
}

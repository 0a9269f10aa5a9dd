// A collection's reads.

import type { MongoClient, Db } from './client.js';
import type { AggregationCursor, BatchCursor, FindCursor, ListIndexesCursor, ListSearchIndexesCursor, MongoDBNamespace } from './cursors.js';
import type { Columns, ColumnSpec, ColumnsStream, StreamedColumnsOptions, WholeColumnsOptions } from './columns.js';
import type { JSONStream, StreamedJSONOptions, WholeJSONOptions } from './json.js';
import type { LazyDocument } from './lazy.js';
import type { ExplainVerbosityLike } from './names.js';
import type {
  AggregateOptions, BSONSerializeOptions, CommandOperationOptions, CountDocumentsOptions, CountOptions, DistinctOptions,
  EstimatedDocumentCountOptions, ExplainCommandOptions, FindCursorOptions, FindOneOptions, FindOptions, IndexDescriptionCompact,
  IndexDescriptionInfo, IndexInformationOptions, ListIndexesOptions, ListSearchIndexesOptions, ReadConcern, ReadPreference,
} from './options.js';
import type { Document, Filter, Flatten, Hint, ObjectIdLike, WithId } from './query.js';
import type { Unsupported } from './unsupported.js';

/**
 * A collection. Members of the type Unsupported are methods of the official driver that write, and `watch`: they do not
 * compile, and reject, or throw, with a MongoAPIError that says what to use instead.
 */
export declare class Collection<T extends Document = Document> {
  private constructor();
  readonly client: MongoClient;
  readonly db: Db;
  get dbName(): string;
  readonly collectionName: string;
  get namespace(): string;
  readonly readPreference: ReadPreference;
  readonly readConcern: ReadConcern | undefined;

  /**
   * Plain documents. The cursor can be awaited, which gives the array; nothing is sent before it is read.
   * @throws {MongoInvalidArgumentError} for a bad sort or options; reading rejects for a bad filter
   */
  find(filter?: Filter<T> | string, options?: FindOptions): FindCursor<WithId<T>>;
  find<R extends Document>(filter?: Filter<T> | string, options?: FindOptions): FindCursor<R>;
  /** Documents that stay bytes until a field is read. See LazyDocument. */
  findLazy<R = WithId<T>>(filter?: Filter<T> | string, options?: FindOptions): Promise<LazyDocument<R>[]>;
  /** A cursor over whole batches; starts reading at once, and errors come from nextBatch(). */
  findCursor<R = WithId<T>>(filter: Filter<T> | string | undefined, options: FindCursorOptions & { lazy: false }): Promise<BatchCursor<R>>;
  findCursor<R = WithId<T>>(filter?: Filter<T> | string, options?: FindCursorOptions): Promise<BatchCursor<LazyDocument<R>>>;
  /**
   * The documents as JSON text, written in the core: no object is made of them, and the thread does next to nothing.
   * @throws {MongoInvalidArgumentError} when the text is longer than `maxBytes`
   */
  findJSON(filter?: Filter<T> | string, options?: FindOptions & WholeJSONOptions): Promise<Buffer>;
  /** The same of what a pipeline gives. */
  aggregateJSON(pipeline?: Document[] | string, options?: AggregateOptions & WholeJSONOptions): Promise<Buffer>;
  /**
   * The documents as a stream of JSON text: `pipeline(users.streamJSON(), response)` serves a collection. A slow reader stops
   * the fetch, and a client that leaves ends it. What came before an error is delivered, so an array may lack its end.
   * @throws {MongoInvalidArgumentError} at once for bad arguments
   */
  streamJSON(filter?: Filter<T> | string, options?: FindOptions & StreamedJSONOptions): JSONStream;
  /** The same of what a pipeline gives. */
  streamAggregateJSON(pipeline?: Document[] | string, options?: AggregateOptions & StreamedJSONOptions): JSONStream;
  /**
   * The documents as columns: typed arrays in Arrow's layout, built in the core without an object of any document.
   * @throws {MongoInvalidArgumentError} for columns that cannot be, before anything is sent; when the result is larger than
   * `maxBytes`, or a column has more than 2147483647 bytes of text
   * @throws {MongoRuntimeError} with `strict`, for a value that its column cannot hold; with its `documentIndex`, `column` and
   * `found`, the type by its name in $type
   */
  findColumns<const C extends ColumnSpec = ColumnSpec>(filter?: Filter<T> | string, options?: FindOptions & WholeColumnsOptions<C>): Promise<Columns<C>>;
  /** The same of what a pipeline gives. */
  aggregateColumns<const C extends ColumnSpec = ColumnSpec>(pipeline?: Document[] | string, options?: AggregateOptions & WholeColumnsOptions<C>): Promise<Columns<C>>;
  /**
   * The documents as columns in batches of `batchRows`, for results of any size: `for await (const batch of ...)`. A slow reader
   * stops the fetch. What came before an error is delivered.
   * @throws {MongoInvalidArgumentError} at once for bad arguments
   */
  streamColumns<const C extends ColumnSpec = ColumnSpec>(filter?: Filter<T> | string, options?: FindOptions & StreamedColumnsOptions<C>): ColumnsStream<C>;
  /** The same of what a pipeline gives. */
  streamAggregateColumns<const C extends ColumnSpec = ColumnSpec>(pipeline?: Document[] | string, options?: AggregateOptions & StreamedColumnsOptions<C>): ColumnsStream<C>;
  /** The first match, or null. */
  findOne(filter?: Filter<T> | string, options?: FindOneOptions): Promise<WithId<T> | null>;
  findOne<R = T>(filter?: Filter<T> | string, options?: FindOneOptions): Promise<R | null>;
  /**
   * The document with this `_id`, or null.
   * @param id an ObjectId, or 24 hexadecimal characters
   * @throws {MongoInvalidArgumentError} for anything else
   */
  findById<R = WithId<T>>(id: string | ObjectIdLike, options?: FindOneOptions): Promise<R | null>;

  /**
   * The documents a pipeline gives. The cursor can be awaited, which gives the array; nothing is sent before it is read.
   * @param pipeline stages, or Extended JSON text of an array of them
   * @throws {MongoAPIError} for a pipeline that writes ($out, $merge)
   */
  aggregate<R extends Document = Document>(pipeline?: Document[] | string, options?: AggregateOptions): AggregationCursor<R>;
  /** How many documents match. Goes through them, or their index; estimatedDocumentCount() does not. */
  countDocuments(filter?: Filter<T> | string, options?: CountDocumentsOptions): Promise<number>;
  /** How many documents there are by the collection's metadata: fast, and inexact after an unclean end of the server. */
  estimatedDocumentCount(options?: EstimatedDocumentCountOptions): Promise<number>;
  /** @deprecated use countDocuments() or estimatedDocumentCount() */
  count(filter?: Filter<T> | string, options?: CountOptions): Promise<number>;
  /** The different values of a field among the documents that match; with `explain` the plan instead. */
  distinct(key: string, filter: Filter<T> | string, options: DistinctOptions & { explain: ExplainVerbosityLike | ExplainCommandOptions }): Promise<Document>;
  distinct<K extends keyof WithId<T>>(key: K, filter?: Filter<T> | string, options?: DistinctOptions): Promise<Flatten<WithId<T>[K]>[]>;
  distinct(key: string, filter?: Filter<T> | string, options?: DistinctOptions): Promise<any[]>;

  /** The collection's indexes. */
  listIndexes(options?: ListIndexesOptions): ListIndexesCursor;
  /** The same as an array, or with `full: false` as an object by name. */
  indexes(options: IndexInformationOptions & { full: false }): Promise<IndexDescriptionCompact>;
  indexes(options?: IndexInformationOptions & { full?: true }): Promise<IndexDescriptionInfo[]>;
  indexes(options: IndexInformationOptions): Promise<IndexDescriptionCompact | IndexDescriptionInfo[]>;
  /** The same as an object by name, or with `full: true` as an array. */
  indexInformation(options: IndexInformationOptions & { full: true }): Promise<IndexDescriptionInfo[]>;
  indexInformation(options?: IndexInformationOptions & { full?: false }): Promise<IndexDescriptionCompact>;
  indexInformation(options: IndexInformationOptions): Promise<IndexDescriptionCompact | IndexDescriptionInfo[]>;
  /** Whether there are indexes of all these names. */
  indexExists(indexes: string | string[], options?: ListIndexesOptions): Promise<boolean>;
  /** The search indexes (of Atlas), or the one of this name. */
  listSearchIndexes(options?: ListSearchIndexesOptions): ListSearchIndexesCursor;
  listSearchIndexes(name: string, options?: ListSearchIndexesOptions): ListSearchIndexesCursor;
  /**
   * The options the collection was made with.
   * @throws {MongoAPIError} when there is no such collection
   */
  options(options?: CommandOperationOptions): Promise<Document>;
  isCapped(options?: CommandOperationOptions): Promise<boolean>;
  readonly bsonOptions: Readonly<BSONSerializeOptions>;
  readonly fullNamespace: MongoDBNamespace;
  /** Kept for the application: reads take their hint from their options. */
  get hint(): Hint | undefined;
  set hint(value: Hint | undefined);

  readonly insertOne: Unsupported;
  readonly insertMany: Unsupported;
  readonly bulkWrite: Unsupported;
  readonly updateOne: Unsupported;
  readonly updateMany: Unsupported;
  readonly replaceOne: Unsupported;
  readonly deleteOne: Unsupported;
  readonly deleteMany: Unsupported;
  readonly findOneAndDelete: Unsupported;
  readonly findOneAndReplace: Unsupported;
  readonly findOneAndUpdate: Unsupported;
  readonly createIndex: Unsupported;
  readonly createIndexes: Unsupported;
  readonly dropIndex: Unsupported;
  readonly dropIndexes: Unsupported;
  readonly createSearchIndex: Unsupported;
  readonly createSearchIndexes: Unsupported;
  readonly dropSearchIndex: Unsupported;
  readonly updateSearchIndex: Unsupported;
  readonly rename: Unsupported;
  readonly drop: Unsupported;
  readonly watch: Unsupported;
  readonly initializeOrderedBulkOp: Unsupported;
  readonly initializeUnorderedBulkOp: Unsupported;
}

// Cursors.

import type { Readable } from 'node:stream';
import type { Long } from 'bson';
import type { Db, MongoClient } from './client.js';
import type { Collection } from './collection.js';
import type { TypedEventEmitter } from './emitter.js';
import type { CursorFlag, ExplainVerbosityLike } from './names.js';
import type {
  CollectionInfo, CountOptions, ExplainCommandOptions, ReadConcern, ReadConcernLike, ReadPreference, ReadPreferenceLike,
} from './options.js';
import type { CollationOptions, Document, Hint, Sort, SortDirection } from './query.js';
import type { Unsupported } from './unsupported.js';

/** Where a read goes. */
export interface MongoDBNamespace {
  db: string;
  collection?: string;
  toString(): string;
  withCollection(collection: string): MongoDBNamespace;
}

/**
 * What all cursors share. Setters throw MongoCursorInUseError once reading has begun. Emits `close` once, when it is at its
 * end, has failed, or was closed.
 */
export declare abstract class AbstractCursor<T = any> extends TypedEventEmitter<AbstractCursorEvents> implements PromiseLike<T[]>, AsyncIterable<T> {
  static readonly CLOSE: 'close';
  get namespace(): MongoDBNamespace;
  get client(): MongoClient;
  get readPreference(): ReadPreference;
  get readConcern(): ReadConcern | undefined;
  get loadBalanced(): boolean;
  /** The number of the server's cursor: undefined before the first reply, a Long of 0 once everything is fetched. */
  get id(): Long | undefined;
  /** Closed, or everything read. */
  get closed(): boolean;
  /** close() stopped it before its end. */
  get killed(): boolean;

  batchSize(value: number): this;
  maxTimeMS(value: number): this;
  addCursorFlag(flag: CursorFlag, value: boolean): this;
  withReadPreference(value: ReadPreferenceLike): this;
  withReadConcern(value: ReadConcernLike): this;
  /** Applied to each document as it is handed out; may give a promise, not null. */
  map<R>(transform: (document: T) => PromiseLike<R>): AbstractCursor<R>;
  map<R = any>(transform: (document: T) => R): AbstractCursor<R>;

  /** Every document not handed out yet. */
  toArray(): Promise<T[]>;
  then<A = T[], B = never>(fulfilled?: ((documents: T[]) => A | PromiseLike<A>) | null, rejected?: ((error: any) => B | PromiseLike<B>) | null): Promise<A | B>;
  catch<B = never>(rejected?: ((error: any) => B | PromiseLike<B>) | null): Promise<T[] | B>;
  finally(settled?: (() => void) | null): Promise<T[]>;
  /** The next document, or null at the end. */
  next(): Promise<T | null>;
  hasNext(): Promise<boolean>;
  /** As next(), but null also when the server has none just now (tailable cursors). */
  tryNext(): Promise<T | null>;
  /** Stops when the callback returns false. */
  forEach(callback: (document: T) => boolean | void): Promise<void>;
  stream(): Readable & AsyncIterable<T>;
  bufferedCount(): number;
  readBufferedDocuments(count?: number): NonNullable<T>[];
  /** Closes the server's cursor and resolves when that is done. Documents not handed out yet are dropped. */
  close(options?: { timeoutMS?: number }): Promise<void>;
  /** Makes it fresh: options may be set again, and reading starts over. */
  rewind(): void;
  /** A fresh cursor with the options of the call and of most setters; without the functions of map(). */
  abstract clone(): AbstractCursor<T>;
  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined, void>;
  [Symbol.asyncDispose](): Promise<void>;
}
export type AbstractCursorEvents = { close(): void };

export declare abstract class ExplainableCursor<T = any> extends AbstractCursor<T> {
  /** The server's plan. `true` (the default) asks for all there is, `false` for the plan alone. */
  explain(verbosity?: ExplainVerbosityLike | ExplainCommandOptions | { timeoutMS?: number }, options?: { timeoutMS?: number }): Promise<Document>;
}

export declare class FindCursor<T = any> extends ExplainableCursor<T> {
  private constructor();
  filter(filter: Document | string): this;
  sort(sort: Sort, direction?: SortDirection): this;
  limit(value: number): this;
  skip(value: number): this;
  project<R extends Document = Document>(value: Document | string[] | string): FindCursor<R>;
  hint(value: Hint): this;
  collation(value: CollationOptions): this;
  comment(value: unknown): this;
  maxAwaitTimeMS(value: number): this;
  min(value: Document): this;
  max(value: Document): this;
  returnKey(value: boolean): this;
  showRecordId(value: boolean): this;
  allowDiskUse(allow?: boolean): this;
  addQueryModifier(name: string, value: unknown): this;
  map<R>(transform: (document: T) => PromiseLike<R>): FindCursor<R>;
  map<R>(transform: (document: T) => R): FindCursor<R>;
  /** @deprecated use collection.countDocuments() */
  count(options?: CountOptions): Promise<number>;
  clone(): FindCursor<T>;
}

/** The builder methods add a stage each, also to the array aggregate() was given. */
export declare class AggregationCursor<T = any> extends ExplainableCursor<T> {
  private constructor();
  readonly pipeline: Document[];
  addStage(stage: Document): this;
  addStage<R = Document>(stage: Document): AggregationCursor<R>;
  group<R = T>(stage: Document): AggregationCursor<R>;
  limit(value: number): this;
  match(filter: Document): this;
  project<R extends Document = Document>(stage: Document): AggregationCursor<R>;
  lookup(stage: Document): this;
  redact(stage: Document): this;
  skip(value: number): this;
  sort(sort: Sort): this;
  unwind(stage: Document | string): this;
  geoNear(stage: Document): this;
  /** It writes. */
  readonly out: Unsupported;
  map<R>(transform: (document: T) => PromiseLike<R>): AggregationCursor<R>;
  map<R>(transform: (document: T) => R): AggregationCursor<R>;
  clone(): AggregationCursor<T>;
}

export declare class ListCollectionsCursor<T extends Pick<CollectionInfo, 'name' | 'type'> | CollectionInfo = Pick<CollectionInfo, 'name' | 'type'> | CollectionInfo> extends AbstractCursor<T> {
  private constructor();
  readonly parent: Db;
  readonly filter: Document;
  clone(): ListCollectionsCursor<T>;
}

export declare class ListIndexesCursor extends AbstractCursor<any> {
  private constructor();
  readonly parent: Collection<any>;
  clone(): ListIndexesCursor;
}

/** What listSearchIndexes() gives; no class of its own is exported. */
export interface ListSearchIndexesCursor extends AggregationCursor<{ name: string } & Document> {}

/** Of db.runCursorCommand(). What goes into the command is set there: those setters throw, and so does clone(). */
export declare class RunCommandCursor extends AbstractCursor<any> {
  private constructor();
  readonly command: Readonly<Document>;
  readonly getMoreOptions: { comment?: any; maxAwaitTimeMS?: number; batchSize?: number };
  /** The comment of each getMore. */
  setComment(comment: any): this;
  /** The maxTimeMS of each getMore, for tailable cursors that await data. */
  setMaxTimeMS(maxTimeMS: number): this;
  /** The batchSize of each getMore. */
  setBatchSize(batchSize: number): this;
  clone(): never;
  withReadConcern(value: ReadConcernLike): never;
  addCursorFlag(flag: string, value: boolean): never;
  maxTimeMS(value: number): never;
  batchSize(value: number): never;
}

export declare class BatchCursor<T = Document> implements AsyncIterable<T> {
  private constructor();
  get closed(): boolean;
  /**
   * The next batch, or null at the end: as the server sent it where there is a batchSize of up to 1,000. Larger batches come
   * in parts of 1,000 documents or a little more, or of about a megabyte where that is more; without a batchSize, of at most
   * about a megabyte. After an error it rejects with it each time.
   */
  nextBatch(): Promise<T[] | null>;
  /** Closes the server's cursor and resolves when that is done. */
  close(): Promise<void>;
  [Symbol.asyncIterator](): AsyncIterableIterator<T>;
  [Symbol.asyncDispose](): Promise<void>;
}

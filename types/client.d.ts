// Clients, databases, and the server as a whole.

import type { DriverInfo, MongoClientOptions, MongoOptions, ServerApi } from './client-options.js';
import type { Collection } from './collection.js';
import type { AggregationCursor, ListCollectionsCursor, RunCommandCursor } from './cursors.js';
import type { TypedEventEmitter } from './emitter.js';
import type { MongoClientEvents } from './events.js';
import type { ProfilingLevel } from './names.js';
import type {
  AggregateOptions, BSONSerializeOptions, CollectionInfo, CollectionOptions, DbOptions, DbStatsOptions, IndexDescriptionCompact,
  IndexDescriptionInfo, IndexInformationOptions, ListCollectionsOptions, ListDatabasesOptions, ListDatabasesResult,
  ProfilingLevelOptions, ReadConcern, ReadPreference, RunCommandOptions, RunCursorCommandOptions, ValidateCollectionOptions,
} from './options.js';
import type { Document } from './query.js';
import type { Unsupported } from './unsupported.js';

/**
 * A client. Its events are MongoClientEvents. Reads connect it when connect() was not called.
 */
export declare class MongoClient extends TypedEventEmitter<MongoClientEvents> {
  /**
   * Checks the connection string and the options; connects nothing.
   * @throws {MongoParseError | MongoInvalidArgumentError | MongoAPIError} naming what is wrong
   */
  constructor(uri: string, options?: MongoClientOptions);
  /**
   * A client that is connected.
   * @throws {MongoServerSelectionError} when no server answers within serverSelectionTimeoutMS
   */
  static connect(uri: string, options?: MongoClientOptions): Promise<MongoClient>;
  /** Optional: the first read connects. Connects again after close(). */
  connect(): Promise<this>;
  /**
   * Ends reads in flight, and connect(), with MongoClientClosedError; later ones reject with MongoNotConnectedError.
   * @param force has no effect, as in the official driver
   */
  close(force?: boolean): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
  /** @param name default: the database of the options or the connection string */
  db(name?: string, options?: DbOptions): Db;
  collection<T extends Document = Document>(dbName: string, name: string, options?: CollectionOptions): Collection<T>;
  stats(): ClientStats;
  /** What the client goes by, with the defaults. */
  get options(): MongoOptions;
  /**
   * What wraps this client, for the server's log: from the next connect() on. For the first one that is the same as the
   * option driverInfo.
   */
  appendMetadata(driverInfo: DriverInfo): void;
  get serverApi(): Readonly<ServerApi> | undefined;
  /** Whether command events are emitted; may be changed. */
  get monitorCommands(): boolean;
  set monitorCommands(value: boolean);
  get bsonOptions(): Readonly<BSONSerializeOptions>;
  get readPreference(): ReadPreference;
  get readConcern(): ReadConcern | undefined;
  readonly bulkWrite: Unsupported;
  readonly startSession: Unsupported;
  readonly withSession: Unsupported;
  readonly watch: Unsupported;
}
/** Counters, for monitoring and tests. */
export interface ClientStats {
  /** Reads of this client that are not at their end. */
  reads: number;
  /** Documents made in this environment: by compiled code, by the generic loop, by js-bson, and lazy ones. */
  documents: { compiled: number; generic: number; bson: number; lazy: number };
  /**
   * What this environment keeps to make documents: shapes (sequences of keys, with the kinds of their values) of eager
   * documents, how many of them have compiled code (at most 2,048 for each set of BSON options), and shapes of lazy ones.
   */
  shapes: { known: number; compiled: number; lazy: number };
  /** What lazy documents that are still referred to hold on to. */
  lazy: { batches: number; bytes: number };
  /** Pieces of results that this environment has received: of eager documents, of lazy ones, of JSON text, of columns, whole replies; and their bytes. */
  chunks: { frames: number; lazy: number; text: number; columns: number; replies: number; bytes: number };
  /**
   * Memory outside V8's heap for such pieces. Of the process: buffers in use, with their bytes, and `idle`, free bytes kept for
   * the next ones. Of this environment: `pooled`, the part of `bytes` that waits for its next eager read.
   */
  memory: { blocks: number; bytes: number; idle: number; pooled: number };
  /** Events that were dropped in this environment because its thread did not read them. */
  droppedEvents: number;
  /**
   * Counters of the whole process. goHeapBytes: what is in Go's heap; goMemoryBytes: what Go has from the system. The tables
   * of shapes are bounded: frameShapes and lazyShapes, with the bytes of their definitions, and keyNames. goVersion, driverVersion: what the core was built with and from.
   */
  core: { environments: number; clients: number; deployments: number; requests: number; lateReads: number; bytesUnderWay: number; goroutines: number; goHeapBytes: number; goMemoryBytes: number; frameShapes: number; frameShapeBytes: number; lazyShapes: number; lazyShapeBytes: number; keyNames: number; goVersion: string; driverVersion: string; [other: string]: any };
}

/**
 * A database. Members of the type Unsupported are methods of the official driver that write, and `watch`: they do not
 * compile, and reject, or throw, with a MongoAPIError that says what to use instead.
 */
export declare class Db {
  static SYSTEM_NAMESPACE_COLLECTION: string;
  static SYSTEM_INDEX_COLLECTION: string;
  static SYSTEM_PROFILE_COLLECTION: string;
  static SYSTEM_USER_COLLECTION: string;
  static SYSTEM_COMMAND_COLLECTION: string;
  static SYSTEM_JS_COLLECTION: string;
  /** The same as client.db(name, options). */
  constructor(client: MongoClient, name: string, options?: DbOptions);
  readonly client: MongoClient;
  readonly databaseName: string;
  get namespace(): string;
  readonly bsonOptions: Readonly<BSONSerializeOptions>;
  readonly readPreference: ReadPreference;
  readonly readConcern: ReadConcern | undefined;
  get secondaryOk(): boolean;
  get options(): DbOptions;
  collection<T extends Document = Document>(name: string, options?: CollectionOptions): Collection<T>;
  /** What can be read of the server as a whole. */
  admin(): Admin;
  /** A pipeline that starts at the database, with $currentOp for instance. See Collection.aggregate(). */
  aggregate<R extends Document = Document>(pipeline?: Document[] | string, options?: AggregateOptions): AggregationCursor<R>;
  /** The collections and views of the database. */
  listCollections(filter: Document | string | undefined, options: ListCollectionsOptions & { nameOnly: true }): ListCollectionsCursor<Pick<CollectionInfo, 'name' | 'type'>>;
  listCollections(filter: Document | string | undefined, options: ListCollectionsOptions & { nameOnly: false }): ListCollectionsCursor<CollectionInfo>;
  listCollections<R extends Pick<CollectionInfo, 'name' | 'type'> | CollectionInfo = Pick<CollectionInfo, 'name' | 'type'> | CollectionInfo>(filter?: Document | string, options?: ListCollectionsOptions): ListCollectionsCursor<R>;
  /** The same as Collections. */
  collections(options?: ListCollectionsOptions): Promise<Collection[]>;
  /**
   * Runs a command as you write it, once, and gives the server's reply.
   * @throws {MongoAPIError} for a command that is not known to only read
   */
  command(command: Document, options?: RunCommandOptions): Promise<Document>;
  /** The same for a command that answers with a cursor. */
  runCursorCommand(command: Document, options?: RunCursorCommandOptions): RunCommandCursor;
  /** The command dbStats. */
  stats(options?: DbStatsOptions): Promise<Document>;
  profilingLevel(options?: ProfilingLevelOptions): Promise<ProfilingLevel>;
  /** Collection.indexInformation() of a collection. */
  indexInformation(name: string, options: IndexInformationOptions & { full: true }): Promise<IndexDescriptionInfo[]>;
  indexInformation(name: string, options?: IndexInformationOptions & { full?: false }): Promise<IndexDescriptionCompact>;
  indexInformation(name: string, options: IndexInformationOptions): Promise<IndexDescriptionCompact | IndexDescriptionInfo[]>;
  readonly createCollection: Unsupported;
  readonly renameCollection: Unsupported;
  readonly dropCollection: Unsupported;
  readonly dropDatabase: Unsupported;
  readonly createIndex: Unsupported;
  readonly removeUser: Unsupported;
  readonly setProfilingLevel: Unsupported;
  readonly watch: Unsupported;
}

/** What can be read of a server as a whole. */
export declare class Admin {
  private constructor();
  /** Db.command() of the database `admin`. */
  command(command: Document, options?: RunCommandOptions): Promise<Document>;
  buildInfo(options?: RunCommandOptions): Promise<Document>;
  /** The same as buildInfo(). */
  serverInfo(options?: RunCommandOptions): Promise<Document>;
  serverStatus(options?: RunCommandOptions): Promise<Document>;
  ping(options?: RunCommandOptions): Promise<Document>;
  replSetGetStatus(options?: RunCommandOptions): Promise<Document>;
  listDatabases(options?: ListDatabasesOptions): Promise<ListDatabasesResult>;
  /**
   * Asks the server to check a collection, which may take long.
   * @throws {MongoUnexpectedServerResponseError} when it is not valid
   * @throws {MongoAPIError} with `repair` or `fixMultikey`, which write
   */
  validateCollection(name: string, options?: ValidateCollectionOptions): Promise<Document>;
  readonly removeUser: Unsupported;
}

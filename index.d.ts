/// <reference types="node" />
// The reference of rumongo-go's public API. Durations are milliseconds where the name ends in MS, sizes are
// bytes. Methods that return a promise reject, the others throw; both give one of the error classes at the end.

import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';

// The classes of values are those of the application's own bson.
export {
  BSONError, Binary, BSONRegExp, BSONSymbol, Code, DBRef, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp, UUID,
} from 'bson';
export * as BSON from 'bson';

export type Document = { [key: string]: any };

/** An ObjectId of bson 6 or 7; structural, so that it fits whichever copy the application uses. */
export interface ObjectIdLike {
  readonly _bsontype: 'ObjectId';
  toHexString(): string;
}

export type WithId<T> = Omit<T, '_id'> & { _id: T extends { _id: infer Id } ? Id : ObjectIdLike & any };

/**
 * A query, with the values and operators of the official driver. Values are plain JavaScript and `bson` values.
 * Objects that are exactly an Extended JSON wrapper (`{ $oid: '...' }`, `{ $date: ... }`, `{ $numberLong: '...' }`)
 * are converted; `{ $regex, $options }` stays an operator. Option `ejson: false` turns the conversion off.
 * Where a filter is a string it is Extended JSON text, of at most 16 MB and 200 levels.
 */
export type Filter<T = Document> = { [K in keyof T]?: T[K] | Document | RegExp | null } & Document;

export type SortDirection = 1 | -1 | 'asc' | 'desc' | 'ascending' | 'descending' | { $meta: string };
export type Sort =
  | string
  | string[]
  | { [name: string]: SortDirection }
  | Map<string, SortDirection>
  | [string, SortDirection][]
  | [string, SortDirection];

export type Hint = string | Document | string[];

export interface CollationOptions {
  locale: string;
  caseLevel?: boolean;
  caseFirst?: string;
  strength?: number;
  numericOrdering?: boolean;
  alternate?: string;
  maxVariable?: string;
  backwards?: boolean;
  normalization?: boolean;
}

export type ReadPreferenceMode = 'primary' | 'primaryPreferred' | 'secondary' | 'secondaryPreferred' | 'nearest';

/** A mode, an object, or a ReadPreference of rumongo-go or of the official driver. */
export type ReadPreferenceLike =
  | ReadPreferenceMode
  | { mode: ReadPreferenceMode; tags?: { [name: string]: string }[]; maxStalenessSeconds?: number; hedge?: { enabled?: boolean } }
  | ReadPreference;

export class ReadPreference {
  /** @throws {MongoInvalidArgumentError} for an unknown mode, or tags or staleness with `primary` */
  constructor(mode: ReadPreferenceMode, tags?: { [name: string]: string }[], options?: { maxStalenessSeconds?: number; hedge?: { enabled?: boolean } });
  mode: ReadPreferenceMode;
  tags?: { [name: string]: string }[];
  maxStalenessSeconds?: number;
  hedge?: { enabled?: boolean };
  /** The mode. */
  readonly preference: ReadPreferenceMode;
  static readonly PRIMARY: 'primary';
  static readonly PRIMARY_PREFERRED: 'primaryPreferred';
  static readonly SECONDARY: 'secondary';
  static readonly SECONDARY_PREFERRED: 'secondaryPreferred';
  static readonly NEAREST: 'nearest';
  static readonly primary: ReadPreference;
  static readonly primaryPreferred: ReadPreference;
  static readonly secondary: ReadPreference;
  static readonly secondaryPreferred: ReadPreference;
  static readonly nearest: ReadPreference;
  static fromString(mode: string): ReadPreference;
  /** Of options that hold one; undefined when they hold none. */
  static fromOptions(options?: { readPreference?: ReadPreferenceLike; [other: string]: any }): ReadPreference | undefined;
  static translate<O extends { readPreference?: ReadPreferenceLike }>(options: O): O;
  static isValid(mode: string): boolean;
  isValid(mode?: string): boolean;
  /** Whether a secondary may answer. */
  secondaryOk(): boolean;
  /** Compares the modes. */
  equals(other: ReadPreference): boolean;
  toJSON(): Document;
}

export type ReadConcernLevel = 'local' | 'majority' | 'linearizable' | 'available' | 'snapshot';

export class ReadConcern {
  constructor(level: ReadConcernLevel);
  level: ReadConcernLevel | string;
  /** Of options that hold one; undefined when they hold none. */
  static fromOptions(options?: { readConcern?: ReadConcernLike; level?: ReadConcernLevel }): ReadConcern | undefined;
  static readonly MAJORITY: 'majority';
  static readonly AVAILABLE: 'available';
  static readonly LINEARIZABLE: 'linearizable';
  static readonly SNAPSHOT: 'snapshot';
  toJSON(): Document;
}

export type ReadConcernLike = string | { level: string };

/** How values are decoded and encoded: js-bson's options, set on a client, database, collection or call. */
export interface BSONOptions {
  /** Give a Buffer with each document's BSON. Default false. */
  raw?: boolean;
  /** Give int64 as BigInt. Not together with `promoteLongs: false` or `promoteValues: false`. Default false. */
  useBigInt64?: boolean;
  /** Give an int64 as a number when that is exact, else as a Long. Default true. */
  promoteLongs?: boolean;
  /** Give numbers, strings and the like as JavaScript values rather than BSON classes. Default true. */
  promoteValues?: boolean;
  /** Give Binary of subtype 0 as a Buffer. Default false. */
  promoteBuffers?: boolean;
  /** Leave fields that are `undefined` out of a filter; otherwise they are sent as null. Default false. */
  ignoreUndefined?: boolean;
  /** Give BSONRegExp rather than RegExp. Default false. */
  bsonRegExp?: boolean;
  /** Send functions as Code. Default false. */
  serializeFunctions?: boolean;
  /** Throw for text that is not valid UTF-8 rather than replace what is wrong. Default true. */
  enableUtf8Validation?: boolean;
}

/**
 * Options of a client: the official driver's names, in any case (so rumongo's `connectTimeoutMs` is one of them).
 * What is also in the connection string is overridden. Options that only concern writes and logging are ignored;
 * unknown ones, and those that rumongo-go cannot honour, are errors.
 */
export interface MongoClientOptions extends BSONOptions {
  /** The BSON classes of values: the exports of `bson` or `mongodb`, major 6 or 7. Default: the application's own. */
  bson?: object;
  /** The name the server logs for the connections. */
  appName?: string;
  auth?: { username: string; password: string };
  authMechanism?: string;
  authMechanismProperties?: Document;
  authSource?: string;
  /** zstd, snappy, zlib or none, best first. Default none. */
  compressors?: string | ('zstd' | 'snappy' | 'zlib' | 'none')[];
  /** Default 30000. */
  connectTimeoutMS?: number;
  connectTimeoutMs?: number;
  /** The database of `db()` when no name is given. Default: the connection string's, else `test`. */
  dbName?: string;
  /** Talk to this one server only. Default false. */
  directConnection?: boolean;
  driverInfo?: { name?: string; version?: string; platform?: string };
  /** 4 or 6: which addresses of a host name to use. Default both. */
  family?: 4 | 6;
  /** Default 10000. */
  heartbeatFrequencyMS?: number;
  /** Default 15. */
  localThresholdMS?: number;
  /** Default 2. */
  maxConnecting?: number;
  /** 0: never close an idle connection. Default 0. */
  maxIdleTimeMS?: number;
  /** Default 100. Clients with equal URI and options share one pool in the process. */
  maxPoolSize?: number;
  minPoolSize?: number;
  /** Emit commandStarted, commandSucceeded and commandFailed. Default false. */
  monitorCommands?: boolean;
  readConcern?: ReadConcernLike;
  readConcernLevel?: string;
  readPreference?: ReadPreferenceLike;
  readPreferenceTags?: { [name: string]: string }[];
  maxStalenessSeconds?: number;
  replicaSet?: string;
  /** Run a read that failed for a passing reason once more. Default true. */
  retryReads?: boolean;
  serverApi?: '1' | { version: '1'; strict?: boolean; deprecationErrors?: boolean };
  serverMonitoringMode?: 'auto' | 'poll' | 'stream';
  /** How long a read, or connect(), waits for a server that suits it. Default 30000. */
  serverSelectionTimeoutMS?: number;
  serverSelectionTimeoutMs?: number;
  /** 0: no limit. Default 0. */
  socketTimeoutMS?: number;
  srvMaxHosts?: number;
  srvServiceName?: string;
  tls?: boolean;
  ssl?: boolean;
  tlsInsecure?: boolean;
  tlsAllowInvalidCertificates?: boolean;
  tlsAllowInvalidHostnames?: boolean;
  tlsCAFile?: string;
  tlsCertificateKeyFile?: string;
  tlsCertificateKeyFilePassword?: string;
  ca?: string | Uint8Array | (string | Uint8Array)[];
  cert?: string | Uint8Array | (string | Uint8Array)[];
  key?: string | Uint8Array | (string | Uint8Array)[];
  rejectUnauthorized?: boolean;
  passphrase?: string;
  servername?: string;
  /** 0: no limit. Default 0. */
  /**
   * OpenTelemetry: a span for each read, where the application has registered a tracer provider with @opentelemetry/api.
   * `enabled: false`: none. `enabled: true`: an error when that package is missing.
   */
  tracing?: { enabled?: boolean };
  waitQueueTimeoutMS?: number;
  zlibCompressionLevel?: number;
  /** Of each read without its own. Default 24 MB. See FindOptions.readAheadBytes. */
  readAheadBytes?: number;
  /**
   * The same for all reads of the process together, of all clients and workers: the last client that connects with it
   * decides. Default 256 MB. A read somebody waits for gets its next batch whatever the others hold.
   */
  processReadAheadBytes?: number;
  [other: string]: any;
}

/** Options a database or collection hands down to its reads. */
export interface InheritedOptions extends BSONOptions {
  readPreference?: ReadPreferenceLike;
  readConcern?: ReadConcernLike;
}

/** Options of a find. The session of the official driver is refused: give such reads to the official driver. */
export interface FindOptions extends InheritedOptions {
  sort?: Sort;
  /** Documents at most; 0 means all. Negative: as many in a single batch. */
  limit?: number;
  skip?: number;
  /** Fields as a document, as names, or as Extended JSON text of either. */
  projection?: Document | string[] | string;
  /** Documents per batch at most. Default: the server's (101, then what fits in 16 MB). */
  batchSize?: number;
  hint?: Hint;
  collation?: CollationOptions;
  comment?: unknown;
  /** How long the server may work on it. */
  maxTimeMS?: number;
  /** How long the server waits for documents of a tailable cursor. */
  maxAwaitTimeMS?: number;
  min?: Document;
  max?: Document;
  returnKey?: boolean;
  showRecordId?: boolean;
  allowDiskUse?: boolean;
  allowPartialResults?: boolean;
  singleBatch?: boolean;
  noCursorTimeout?: boolean;
  tailable?: boolean;
  awaitData?: boolean;
  let?: Document;
  /** Read the query's plan instead; `find().explain()` says so better. Not for findLazy() and findCursor(). */
  explain?: ExplainVerbosityLike | ExplainCommandOptions;
  /** Aborting it settles the read at once with `signal.reason` and cancels it. */
  signal?: AbortSignal;
  /**
   * Bytes that may be read ahead of what has been asked for, before the next batch is fetched. Default: the client's
   * readAheadBytes, 24 MB. 1: never ask the server for a batch before it is wanted.
   */
  readAheadBytes?: number;
  /** false: send Extended JSON wrappers as they are, and take no text for a filter or projection. Default true. */
  ejson?: boolean;
}

export interface FindCursorOptions extends FindOptions {
  /** Lazy documents, or plain objects. Default true. */
  lazy?: boolean;
}

/** How documents are written as JSON text. The BSON options (promoteLongs, ...) apply as to the objects of a find. */
export interface JSONTextOptions {
  /**
   * `plain`: what `JSON.stringify` gives of the documents of find(). `relaxed` and `canonical`: what `EJSON.stringify` gives of
   * them, which with `promoteValues: false` are the types as stored. Default `plain`. All three to the byte.
   */
  mode?: 'plain' | 'relaxed' | 'canonical';
  /** An array, or a line for each document. Default `array`. */
  format?: 'array' | 'ndjson';
  /** Lines and two spaces for each level, as `JSON.stringify(documents, null, 2)`. Not for ndjson. */
  pretty?: boolean;
  /**
   * In mode `plain`, instead of `{ high, low, unsigned }`: all digits of an int64 that is no safe number, as a string or as a
   * number. With `promoteLongs: false` that is every int64. Needed with `useBigInt64`.
   */
  longs?: 'string' | 'number';
}

/** JSON text as a whole. */
export interface WholeJSONOptions extends JSONTextOptions {
  /** The first document, or `null`, instead of an array. */
  single?: boolean;
  /** A result of more bytes rejects, and its cursor is closed. Default and most: 4294967295, or what a Buffer can hold. */
  maxBytes?: number;
}

/** JSON text as a stream. */
export interface StreamedJSONOptions extends JSONTextOptions {
  /** Compressed in the core, on other threads. */
  compress?: 'gzip' | 'zstd';
  /** As in zlib (0 to 9, default 6) and zstd (1 to 22, default 3). */
  level?: number;
}

/** A Readable of JSON text. Nothing is sent before it is read; destroying it closes the server's cursor. */
export interface JSONStream extends Readable {
  /** The same as a web stream, for `new Response(stream.toWeb())`. */
  toWeb(): import('node:stream/web').ReadableStream<Uint8Array>;
}

export type ExplainVerbosityLike = string | boolean;
export interface ExplainCommandOptions {
  verbosity: string;
  maxTimeMS?: number;
}

/** What every command takes. */
export interface CommandOptions extends InheritedOptions {
  /** How long the server may work on it. */
  maxTimeMS?: number;
  comment?: unknown;
  collation?: CollationOptions;
  /** Aborting it settles the read at once with `signal.reason` and cancels it. */
  signal?: AbortSignal;
  /** false: send Extended JSON wrappers as they are, and take no text. Default true. */
  ejson?: boolean;
}

/** Options of aggregate(). What writes, `out` among it, is refused. */
export interface AggregateOptions extends CommandOptions {
  allowDiskUse?: boolean;
  /** Documents per batch at most. */
  batchSize?: number;
  bypassDocumentValidation?: boolean;
  cursor?: Document;
  maxAwaitTimeMS?: number;
  hint?: Hint;
  let?: Document;
  /** Read the plan instead; `aggregate().explain()` says so better. */
  explain?: ExplainVerbosityLike | ExplainCommandOptions;
  readAheadBytes?: number;
}

export interface CountDocumentsOptions extends AggregateOptions {
  skip?: number;
  limit?: number;
}

export interface CountOptions extends CommandOptions {
  skip?: number;
  limit?: number;
  hint?: string | Document;
}

export interface DistinctOptions extends CommandOptions {
  hint?: string | Document;
}

export interface ListCollectionsOptions extends CommandOptions {
  /** Names and types only. */
  nameOnly?: boolean;
  authorizedCollections?: boolean;
  batchSize?: number;
}

export interface CollectionInfo extends Document {
  name: string;
  type?: string;
  options?: Document;
  info?: { readOnly?: false; uuid?: any };
  idIndex?: Document;
}

export interface ListIndexesOptions extends CommandOptions {
  batchSize?: number;
  maxAwaitTimeMS?: number;
}

export interface IndexInformationOptions extends ListIndexesOptions {
  /** Whole descriptions rather than `{ name: [[field, direction], ...] }`. */
  full?: boolean;
}

export type IndexDescriptionInfo = { name: string; key: { [key: string]: any }; v?: number } & Document;
export type IndexDescriptionCompact = Record<string, [name: string, direction: any][]>;

export interface ListDatabasesOptions extends CommandOptions {
  filter?: Document | string;
  nameOnly?: boolean;
  authorizedDatabases?: boolean;
}

export interface ListDatabasesResult {
  databases: ({ name: string; sizeOnDisk?: number; empty?: boolean } & Document)[];
  totalSize?: number;
  totalSizeMb?: number;
  ok: 1 | 0;
}

/** Of a command as you write it: nothing else is taken from client or database. */
export interface RunCommandOptions extends BSONOptions {
  readPreference?: ReadPreferenceLike;
  signal?: AbortSignal;
}

export interface RunCursorCommandOptions extends BSONOptions {
  readPreference?: ReadPreferenceLike;
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
  /** Pieces of results that this environment has received: of eager documents, of lazy ones, of JSON text, whole replies; and their bytes. */
  chunks: { frames: number; lazy: number; text: number; replies: number; bytes: number };
  /**
   * Memory outside V8's heap for such pieces. Of the process: buffers in use, with their bytes, and `idle`, free bytes kept for
   * the next ones. Of this environment: `pooled`, the part of `bytes` that waits for its next eager read.
   */
  memory: { blocks: number; bytes: number; idle: number; pooled: number };
  /** Events that were dropped in this environment because its thread did not read them. */
  droppedEvents: number;
  /**
   * Counters of the whole process. goHeapBytes: what is in Go's heap; goMemoryBytes: what Go has from the system. The tables
   * of shapes are bounded: frameShapes and lazyShapes, with the bytes of their definitions, and keyNames.
   */
  core: { environments: number; clients: number; deployments: number; requests: number; lateReads: number; bytesUnderWay: number; goroutines: number; goHeapBytes: number; goMemoryBytes: number; frameShapes: number; frameShapeBytes: number; lazyShapes: number; lazyShapeBytes: number; keyNames: number; [other: string]: any };
}

export class MongoClient extends EventEmitter {
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
  /** Ends reads in flight, and connect(), with MongoClientClosedError; later ones reject with MongoNotConnectedError. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
  /** @param name default: the database of the options or the connection string */
  db(name?: string, options?: InheritedOptions): Db;
  collection<T extends Document = Document>(dbName: string, name: string, options?: InheritedOptions): Collection<T>;
  stats(): ClientStats;
  /** @throws {MongoAPIError} always, as withSession(), bulkWrite() and watch() do: use the official driver */
  startSession(): never;
  readonly serverApi: Readonly<{ version: '1'; strict?: boolean; deprecationErrors?: boolean }> | undefined;
  /** Whether command events are emitted; may be changed. */
  monitorCommands: boolean;
  on<E extends keyof MongoClientEvents>(event: E, listener: MongoClientEvents[E]): this;
  on(event: string | symbol, listener: (...args: any[]) => void): this;
  once<E extends keyof MongoClientEvents>(event: E, listener: MongoClientEvents[E]): this;
  once(event: string | symbol, listener: (...args: any[]) => void): this;
  addListener<E extends keyof MongoClientEvents>(event: E, listener: MongoClientEvents[E]): this;
  addListener(event: string | symbol, listener: (...args: any[]) => void): this;
  prependListener<E extends keyof MongoClientEvents>(event: E, listener: MongoClientEvents[E]): this;
  prependListener(event: string | symbol, listener: (...args: any[]) => void): this;
  off<E extends keyof MongoClientEvents>(event: E, listener: MongoClientEvents[E]): this;
  off(event: string | symbol, listener: (...args: any[]) => void): this;
  removeListener<E extends keyof MongoClientEvents>(event: E, listener: MongoClientEvents[E]): this;
  removeListener(event: string | symbol, listener: (...args: any[]) => void): this;
  readonly bsonOptions: Readonly<Required<BSONOptions>>;
  readonly readPreference: ReadPreference;
  readonly readConcern: ReadConcern | undefined;
}

/**
 * A database. Methods of the official driver that write (createCollection, dropDatabase, ...) and `watch` are there and
 * reject, or throw, with a MongoAPIError that says what to use instead.
 */
export class Db {
  private constructor();
  readonly client: MongoClient;
  readonly databaseName: string;
  readonly namespace: string;
  readonly bsonOptions: Readonly<Required<BSONOptions>>;
  readonly readPreference: ReadPreference;
  readonly readConcern: ReadConcern | undefined;
  readonly secondaryOk: boolean;
  readonly options: InheritedOptions;
  collection<T extends Document = Document>(name: string, options?: InheritedOptions): Collection<T>;
  /** What can be read of the server as a whole. */
  admin(): Admin;
  /** A pipeline that starts at the database, with $currentOp for instance. See Collection.aggregate(). */
  aggregate<R extends Document = Document>(pipeline?: Document[] | string, options?: AggregateOptions): AggregationCursor<R>;
  /** The collections and views of the database. */
  listCollections(filter: Document | string | undefined, options: ListCollectionsOptions & { nameOnly: true }): ListCollectionsCursor<Pick<CollectionInfo, 'name' | 'type'>>;
  listCollections<R extends Pick<CollectionInfo, 'name' | 'type'> | CollectionInfo = CollectionInfo>(filter?: Document | string, options?: ListCollectionsOptions): ListCollectionsCursor<R>;
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
  stats(options?: CommandOptions & { scale?: number }): Promise<Document>;
  profilingLevel(options?: CommandOptions): Promise<'off' | 'slow_only' | 'all'>;
  /** Collection.indexInformation() of a collection. */
  indexInformation(name: string, options: IndexInformationOptions & { full: true }): Promise<IndexDescriptionInfo[]>;
  indexInformation(name: string, options?: IndexInformationOptions & { full?: false }): Promise<IndexDescriptionCompact>;
}

/** What can be read of a server as a whole. `removeUser` rejects. */
export class Admin {
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
  validateCollection(name: string, options?: CommandOptions & { background?: boolean; [other: string]: any }): Promise<Document>;
}

/**
 * A collection. Methods of the official driver that write (insertOne, updateMany, bulkWrite, createIndex, drop, ...) reject,
 * `watch` and the bulk operations throw, with a MongoAPIError that says what to use instead.
 */
export class Collection<T extends Document = Document> {
  private constructor();
  readonly client: MongoClient;
  readonly db: Db;
  readonly dbName: string;
  readonly collectionName: string;
  readonly namespace: string;
  readonly readPreference: ReadPreference;
  readonly readConcern: ReadConcern | undefined;

  /**
   * Plain documents. The cursor can be awaited, which gives the array; nothing is sent before it is read.
   * @throws {MongoInvalidArgumentError} for a bad sort or options; reading rejects for a bad filter
   */
  find<R = WithId<T>>(filter?: Filter<T> | string, options?: FindOptions): FindCursor<R>;
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
  /** The first match, or null. */
  findOne<R = WithId<T>>(filter?: Filter<T> | string, options?: FindOptions): Promise<R | null>;
  /**
   * The document with this `_id`, or null.
   * @param id an ObjectId, or 24 hexadecimal characters
   * @throws {MongoInvalidArgumentError} for anything else
   */
  findById<R = WithId<T>>(id: string | ObjectIdLike, options?: FindOptions): Promise<R | null>;

  /**
   * The documents a pipeline gives. The cursor can be awaited, which gives the array; nothing is sent before it is read.
   * @param pipeline stages, or Extended JSON text of an array of them
   * @throws {MongoAPIError} for a pipeline that writes ($out, $merge)
   */
  aggregate<R extends Document = Document>(pipeline?: Document[] | string, options?: AggregateOptions): AggregationCursor<R>;
  /** How many documents match. Goes through them, or their index; estimatedDocumentCount() does not. */
  countDocuments(filter?: Filter<T> | string, options?: CountDocumentsOptions): Promise<number>;
  /** How many documents there are by the collection's metadata: fast, and inexact after an unclean end of the server. */
  estimatedDocumentCount(options?: CommandOptions): Promise<number>;
  /** @deprecated use countDocuments() or estimatedDocumentCount() */
  count(filter?: Filter<T> | string, options?: CountOptions): Promise<number>;
  /** The different values of a field among the documents that match. */
  distinct<K extends keyof WithId<T>>(key: K, filter?: Filter<T> | string, options?: DistinctOptions): Promise<Flatten<WithId<T>[K]>[]>;
  distinct(key: string, filter?: Filter<T> | string, options?: DistinctOptions): Promise<any[]>;
  /** The plan instead. */
  distinct(key: string, filter: Filter<T> | string, options: DistinctOptions & { explain: ExplainVerbosityLike | ExplainCommandOptions }): Promise<Document>;

  /** The collection's indexes. */
  listIndexes(options?: ListIndexesOptions): ListIndexesCursor;
  /** The same as an array, or with `full: false` as an object by name. */
  indexes(options: IndexInformationOptions & { full: false }): Promise<IndexDescriptionCompact>;
  indexes(options?: IndexInformationOptions): Promise<IndexDescriptionInfo[]>;
  /** The same as an object by name, or with `full: true` as an array. */
  indexInformation(options: IndexInformationOptions & { full: true }): Promise<IndexDescriptionInfo[]>;
  indexInformation(options?: IndexInformationOptions & { full?: false }): Promise<IndexDescriptionCompact>;
  /** Whether there are indexes of all these names. */
  indexExists(indexes: string | string[], options?: ListIndexesOptions): Promise<boolean>;
  /** The search indexes (of Atlas), or the one of this name. */
  listSearchIndexes(options?: AggregateOptions): AggregationCursor<{ name: string } & Document>;
  listSearchIndexes(name: string, options?: AggregateOptions): AggregationCursor<{ name: string } & Document>;
  /**
   * The options the collection was made with.
   * @throws {MongoAPIError} when there is no such collection
   */
  options(options?: CommandOptions): Promise<Document>;
  isCapped(options?: CommandOptions): Promise<boolean>;
  readonly bsonOptions: Readonly<Required<BSONOptions>>;
  readonly fullNamespace: MongoDBNamespace;
  /** Kept for the application: reads take their hint from their options. */
  get hint(): Hint | undefined;
  set hint(value: Hint | undefined);
}

export type Flatten<V> = V extends ReadonlyArray<infer Item> ? Item : V;

/** Where a read goes. */
export interface MongoDBNamespace {
  db: string;
  collection?: string;
  toString(): string;
  withCollection(collection: string): MongoDBNamespace;
}

export type CursorFlag = 'tailable' | 'oplogReplay' | 'noCursorTimeout' | 'awaitData' | 'exhaust' | 'partial';

/**
 * What all cursors share. Setters throw MongoCursorInUseError once reading has begun. Emits `close` once, when it is at its
 * end, has failed, or was closed.
 */
export abstract class AbstractCursor<T = Document> extends EventEmitter implements PromiseLike<T[]>, AsyncIterable<T> {
  static readonly CLOSE: 'close';
  readonly namespace: MongoDBNamespace;
  readonly client: MongoClient;
  readonly readPreference: ReadPreference;
  readonly readConcern: ReadConcern | undefined;
  readonly loadBalanced: boolean;
  /** undefined while open, a Long of 0 once the server has no more documents. */
  readonly id: object | undefined;
  /** Closed, or everything read. */
  readonly closed: boolean;
  /** close() stopped it before its end. */
  readonly killed: boolean;

  batchSize(value: number): this;
  maxTimeMS(value: number): this;
  addCursorFlag(flag: CursorFlag, value: boolean): this;
  withReadPreference(value: ReadPreferenceLike): this;
  withReadConcern(value: ReadConcernLike): this;
  /** Applied to each document as it is handed out; may give a promise, not null. */
  map<R>(transform: (document: T) => R): AbstractCursor<Awaited<R>>;

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
  readBufferedDocuments(count?: number): T[];
  /** Closes the server's cursor and resolves when that is done. Documents not handed out yet are dropped. */
  close(): Promise<void>;
  /** Makes it fresh: options may be set again, and reading starts over. */
  rewind(): void;
  /** A fresh cursor with the options of the call and of most setters; without the functions of map(). */
  abstract clone(): AbstractCursor<T>;
  [Symbol.asyncIterator](): AsyncIterableIterator<T>;
  [Symbol.asyncDispose](): Promise<void>;
}

export abstract class ExplainableCursor<T = Document> extends AbstractCursor<T> {
  /** The server's plan. `true` (the default) asks for all there is, `false` for the plan alone. */
  explain(verbosity?: ExplainVerbosityLike | ExplainCommandOptions, options?: object): Promise<Document>;
}

export class FindCursor<T = Document> extends ExplainableCursor<T> {
  private constructor();
  filter(filter: Filter | string): this;
  sort(sort: Sort, direction?: SortDirection): this;
  limit(value: number): this;
  skip(value: number): this;
  project<R = Document>(value: Document | string[]): FindCursor<R>;
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
  map<R>(transform: (document: T) => R): FindCursor<Awaited<R>>;
  /** @deprecated use collection.countDocuments() */
  count(options?: CountOptions): Promise<number>;
  clone(): FindCursor<T>;
}

/** The builder methods add a stage each, also to the array aggregate() was given. */
export class AggregationCursor<T = Document> extends ExplainableCursor<T> {
  private constructor();
  readonly pipeline: Document[];
  addStage<R = Document>(stage: Document): AggregationCursor<R>;
  addStage(stage: Document): this;
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
  /** @throws {MongoAPIError} always: it writes */
  out(stage: string | { db: string; coll: string }): never;
  map<R>(transform: (document: T) => R): AggregationCursor<Awaited<R>>;
  clone(): AggregationCursor<T>;
}

export class ListCollectionsCursor<T extends Pick<CollectionInfo, 'name' | 'type'> | CollectionInfo = CollectionInfo> extends AbstractCursor<T> {
  private constructor();
  clone(): ListCollectionsCursor<T>;
}

export class ListIndexesCursor extends AbstractCursor<IndexDescriptionInfo> {
  private constructor();
  clone(): ListIndexesCursor;
}

/** Of db.runCursorCommand(). What goes into the command is set there: those setters throw, and so does clone(). */
export class RunCommandCursor extends AbstractCursor<any> {
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
}

export class BatchCursor<T = Document> implements AsyncIterable<T> {
  private constructor();
  readonly closed: boolean;
  /**
   * The next batch, or null at the end: as the server sent it where there is a batchSize, else at most about a megabyte of
   * it. After an error it rejects with it each time.
   */
  nextBatch(): Promise<T[] | null>;
  /** Closes the server's cursor and resolves when that is done. */
  close(): Promise<void>;
  [Symbol.asyncIterator](): AsyncIterableIterator<T>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A document that decodes a field when it is first read. It equals, prints, spreads, iterates and serialises like the
 * plain object; assigning and deleting work. A field that cannot be decoded throws when it is read. It keeps its
 * batch of about a megabyte in memory, as do its sub-documents; structuredClone and postMessage refuse it.
 * Stored fields named like the methods below win over them.
 */
export type LazyDocument<T = Document> = T & {
  getField(name: string): any;
  keys(): string[];
  /** A plain copy that keeps nothing else in memory. */
  toObject(): T;
};

/** The fields of a Model. `_id` is read unless the definition says `_id: 0`. */
export class Schema {
  constructor(definition: { [field: string]: unknown });
  readonly fields: string[];
  readonly projection: Readonly<{ [field: string]: 0 | 1 }>;
}

/** A collection read through a fixed projection. */
export class Model<T extends Document = Document> {
  private constructor();
  static define<T extends Document = Document>(collection: Collection<T>, definition: Schema | { [field: string]: unknown }): Model<T>;
  getProjection(): Readonly<{ [field: string]: 0 | 1 }>;
  find(filter?: Filter<T>, options?: FindOptions): FindCursor<WithId<T>>;
  findOne(filter?: Filter<T>, options?: FindOptions): Promise<WithId<T> | null>;
  findById(id: string | ObjectIdLike, options?: FindOptions): Promise<WithId<T> | null>;
}

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
export class WorkerPool {
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

export * from './types/shadow';

/**
 * Makes the reads of an official `Collection`, `Db` or `MongoClient` (mongodb 6.20 or later, or 7), or of a Mongoose model or
 * connection (Mongoose 8 or 9), run in the core: find, findOne, aggregate, countDocuments, count, distinct and
 * estimatedDocumentCount. It is changed in place and returned; collections and databases that it hands out are accelerated too.
 * Everything else, and reads in sessions, is the official driver's as before.
 */
export const accelerate: {
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
export function deepEqual(a: unknown, b: unknown): boolean;

export const version: string;

// The error classes are those of the application's `mongodb` package when it has one, else the same in name and shape.

export class MongoError extends Error {
  code?: number | string;
  readonly errmsg: string;
  readonly errorLabels: string[];
  hasErrorLabel(label: string): boolean;
  addErrorLabel(label: string): void;
}
/** What the server answered. */
export class MongoServerError extends MongoError {
  code?: number;
  codeName?: string;
  errorResponse: Document;
  [field: string]: any;
}
export class MongoDriverError extends MongoError {}
export class MongoAPIError extends MongoDriverError {}
export class MongoRuntimeError extends MongoDriverError {}
export class MongoParseError extends MongoDriverError {}
export class MongoInvalidArgumentError extends MongoAPIError {}
export class MongoCompatibilityError extends MongoAPIError {}
export class MongoMissingCredentialsError extends MongoAPIError {}
export class MongoNotConnectedError extends MongoAPIError {}
export class MongoCursorInUseError extends MongoAPIError {}
export class MongoCursorExhaustedError extends MongoAPIError {}
export class MongoTailableCursorError extends MongoAPIError {}
export class MongoClientClosedError extends MongoAPIError {}
export class MongoUnexpectedServerResponseError extends MongoRuntimeError {}
/** No connection of the pool became free within waitQueueTimeoutMS. */
export class MongoWaitQueueTimeoutError extends MongoDriverError {}
export class MongoNetworkError extends MongoError {
  readonly beforeHandshake: boolean;
}
export class MongoNetworkTimeoutError extends MongoNetworkError {}
export class MongoSystemError extends MongoError {
  reason?: object;
}
export class MongoServerSelectionError extends MongoSystemError {}

// The others of the official hierarchy, for `instanceof`; this driver does not throw them.
export class MongoOperationTimeoutError extends MongoDriverError {}
export class MongoBatchReExecutionError extends MongoAPIError {}
export class MongoExpiredSessionError extends MongoAPIError {}
export class MongoMissingDependencyError extends MongoAPIError {}
export class MongoServerClosedError extends MongoAPIError {}
export class MongoTopologyClosedError extends MongoAPIError {}
export class MongoTransactionError extends MongoAPIError {}
export class MongoAWSError extends MongoRuntimeError {}
export class MongoChangeStreamError extends MongoRuntimeError {}
export class MongoClientBulkWriteCursorError extends MongoRuntimeError {}
export class MongoClientBulkWriteExecutionError extends MongoRuntimeError {}
export class MongoDecompressionError extends MongoRuntimeError {}
export class MongoGridFSChunkError extends MongoRuntimeError {}
export class MongoGridFSStreamError extends MongoRuntimeError {}
export class MongoKerberosError extends MongoRuntimeError {}
export class MongoOIDCError extends MongoRuntimeError {}
export class MongoAzureError extends MongoOIDCError {}
export class MongoGCPError extends MongoOIDCError {}
export class MongoStalePrimaryError extends MongoRuntimeError {}
export class MongoWriteConcernError extends MongoServerError {}
export class MongoBulkWriteError extends MongoServerError {}
export class MongoClientBulkWriteError extends MongoServerError {}
export class MongoCryptError extends MongoError {}
export class MongoCryptAzureKMSRequestError extends MongoCryptError {}
export class MongoCryptCreateDataKeyError extends MongoCryptError {}
export class MongoCryptCreateEncryptedCollectionError extends MongoCryptError {}
export class MongoCryptInvalidArgumentError extends MongoCryptError {}
export class MongoCryptKMSRequestNetworkTimeoutError extends MongoCryptError {}

// Names of the official driver for what is passed as text or number.
export const AuthMechanism: { readonly [name: string]: string };
export const BSONType: { readonly [name: string]: number };
export const Compressor: { readonly none: 0; readonly snappy: 1; readonly zlib: 2; readonly zstd: 3 };
export const CURSOR_FLAGS: readonly CursorFlag[];
export const CursorTimeoutMode: { readonly ITERATION: 'iteration'; readonly LIFETIME: 'cursorLifetime' };
export const ExplainVerbosity: { readonly queryPlanner: 'queryPlanner'; readonly queryPlannerExtended: 'queryPlannerExtended'; readonly executionStats: 'executionStats'; readonly allPlansExecution: 'allPlansExecution' };
export const MongoErrorLabel: { readonly [name: string]: string };
export const ProfilingLevel: { readonly off: 'off'; readonly slowOnly: 'slow_only'; readonly all: 'all' };
export const ReadConcernLevel: { readonly [L in ReadConcernLevel]: L };
export const ReadPreferenceMode: { readonly [M in ReadPreferenceMode]: M };
export const ServerApiVersion: { readonly v1: '1' };
export const ServerType: { readonly [name: string]: string };
export const TopologyType: { readonly [name: string]: string };

// ---- Events of a client: the official driver's, by name and fields. Where the application has that driver they are
// instances of its classes.

export interface CommandEvent {
  address: string;
  connectionId: number;
  serverConnectionId: bigint | null;
  /** Behind a load balancer. */
  serviceId?: ObjectIdLike;
  requestId: number;
  databaseName: string;
  commandName: string;
  readonly hasServiceId: boolean;
}
export interface CommandStartedEvent extends CommandEvent {
  name: 'commandStarted';
  /** As it was sent; decoded when it is first read. */
  command: Document;
}
export interface CommandSucceededEvent extends CommandEvent {
  name: 'commandSucceeded';
  /** Milliseconds. */
  duration: number;
  /** The whole reply, with the read's BSON options; decoded when it is first read. */
  reply: Document;
}
export interface CommandFailedEvent extends CommandEvent {
  name: 'commandFailed';
  duration: number;
  failure: Error;
}

export interface ConnectionPoolMonitoringEvent {
  /** When it happened, which is before the listener is called. */
  time: Date;
  address: string;
}
export interface ConnectionPoolCreatedEvent extends ConnectionPoolMonitoringEvent {
  name: 'connectionPoolCreated';
  options: { maxConnecting: number; maxPoolSize: number; minPoolSize: number; maxIdleTimeMS: number; waitQueueTimeoutMS: number };
}
export interface ConnectionPoolReadyEvent extends ConnectionPoolMonitoringEvent { name: 'connectionPoolReady' }
export interface ConnectionPoolClearedEvent extends ConnectionPoolMonitoringEvent {
  name: 'connectionPoolCleared';
  serviceId?: ObjectIdLike;
  interruptInUseConnections?: boolean;
}
export interface ConnectionPoolClosedEvent extends ConnectionPoolMonitoringEvent { name: 'connectionPoolClosed' }
export interface ConnectionCreatedEvent extends ConnectionPoolMonitoringEvent { name: 'connectionCreated'; connectionId: number }
export interface ConnectionReadyEvent extends ConnectionPoolMonitoringEvent { name: 'connectionReady'; connectionId: number; durationMS: number }
export interface ConnectionClosedEvent extends ConnectionPoolMonitoringEvent {
  name: 'connectionClosed';
  connectionId: number;
  reason: 'idle' | 'stale' | 'poolClosed' | 'error';
  serviceId?: ObjectIdLike;
  error: Error | null;
}
export interface ConnectionCheckOutStartedEvent extends ConnectionPoolMonitoringEvent { name: 'connectionCheckOutStarted' }
export interface ConnectionCheckOutFailedEvent extends ConnectionPoolMonitoringEvent {
  name: 'connectionCheckOutFailed';
  reason: 'poolClosed' | 'timeout' | 'connectionError';
  durationMS: number;
  error?: Error;
}
export interface ConnectionCheckedOutEvent extends ConnectionPoolMonitoringEvent { name: 'connectionCheckedOut'; connectionId: number; durationMS: number }
export interface ConnectionCheckedInEvent extends ConnectionPoolMonitoringEvent { name: 'connectionCheckedIn'; connectionId: number }

export interface ServerDescription {
  address: string;
  type: 'Standalone' | 'Mongos' | 'PossiblePrimary' | 'RSPrimary' | 'RSSecondary' | 'RSArbiter' | 'RSOther' | 'RSGhost' | 'Unknown' | 'LoadBalancer';
  hosts: string[];
  passives: string[];
  arbiters: string[];
  tags: { [name: string]: string };
  error: Error | null;
  topologyVersion: Document | null;
  minWireVersion: number;
  maxWireVersion: number;
  /** Of the last heartbeat, milliseconds; -1: none. */
  roundTripTime: number;
  minRoundTripTime: number;
  lastUpdateTime: number;
  lastWriteDate: number | Date;
  me: string | null;
  primary: string | null;
  setName: string | null;
  setVersion: number | null;
  electionId: ObjectIdLike | null;
  logicalSessionTimeoutMinutes: number | null;
  maxMessageSizeBytes: number | null;
  maxWriteBatchSize: number | null;
  maxBsonObjectSize: number | null;
  readonly allHosts: string[];
  readonly isReadable: boolean;
  readonly isWritable: boolean;
  readonly isDataBearing: boolean;
  readonly host: string;
  readonly port: number;
}
export interface TopologyDescription {
  type: 'Single' | 'ReplicaSetNoPrimary' | 'ReplicaSetWithPrimary' | 'Sharded' | 'Unknown' | 'LoadBalanced';
  setName: string | null;
  maxSetVersion: number | null;
  maxElectionId: ObjectIdLike | null;
  servers: Map<string, ServerDescription>;
  stale: boolean;
  compatible: boolean;
  compatibilityError?: string;
  logicalSessionTimeoutMinutes: number | null;
  heartbeatFrequencyMS: number;
  localThresholdMS: number;
  commonWireVersion: number;
  readonly error: Error | null;
  readonly hasKnownServers: boolean;
  readonly hasDataBearingServers: boolean;
  hasServer(address: string): boolean;
  toJSON(): Document;
}
export interface ServerOpeningEvent { name: 'serverOpening'; topologyId: number; address: string }
export interface ServerClosedEvent { name: 'serverClosed'; topologyId: number; address: string }
export interface ServerDescriptionChangedEvent {
  name: 'serverDescriptionChanged';
  topologyId: number;
  address: string;
  previousDescription: ServerDescription;
  newDescription: ServerDescription;
}
export interface TopologyOpeningEvent { name: 'topologyOpening'; topologyId: number }
export interface TopologyClosedEvent { name: 'topologyClosed'; topologyId: number }
export interface TopologyDescriptionChangedEvent {
  name: 'topologyDescriptionChanged';
  topologyId: number;
  previousDescription: TopologyDescription;
  newDescription: TopologyDescription;
}
export interface ServerHeartbeatStartedEvent { name: 'serverHeartbeatStarted'; connectionId: string; awaited: boolean }
export interface ServerHeartbeatSucceededEvent { name: 'serverHeartbeatSucceeded'; connectionId: string; awaited: boolean; duration: number; reply: Document }
export interface ServerHeartbeatFailedEvent { name: 'serverHeartbeatFailed'; connectionId: string; awaited: boolean; duration: number; failure: Error }

export type MongoClientEvents = {
  open(client: MongoClient): void;
  commandStarted(event: CommandStartedEvent): void;
  commandSucceeded(event: CommandSucceededEvent): void;
  commandFailed(event: CommandFailedEvent): void;
  connectionPoolCreated(event: ConnectionPoolCreatedEvent): void;
  connectionPoolReady(event: ConnectionPoolReadyEvent): void;
  connectionPoolCleared(event: ConnectionPoolClearedEvent): void;
  connectionPoolClosed(event: ConnectionPoolClosedEvent): void;
  connectionCreated(event: ConnectionCreatedEvent): void;
  connectionReady(event: ConnectionReadyEvent): void;
  connectionClosed(event: ConnectionClosedEvent): void;
  connectionCheckOutStarted(event: ConnectionCheckOutStartedEvent): void;
  connectionCheckOutFailed(event: ConnectionCheckOutFailedEvent): void;
  connectionCheckedOut(event: ConnectionCheckedOutEvent): void;
  connectionCheckedIn(event: ConnectionCheckedInEvent): void;
  serverOpening(event: ServerOpeningEvent): void;
  serverClosed(event: ServerClosedEvent): void;
  serverDescriptionChanged(event: ServerDescriptionChangedEvent): void;
  topologyOpening(event: TopologyOpeningEvent): void;
  topologyClosed(event: TopologyClosedEvent): void;
  topologyDescriptionChanged(event: TopologyDescriptionChangedEvent): void;
  serverHeartbeatStarted(event: ServerHeartbeatStartedEvent): void;
  serverHeartbeatSucceeded(event: ServerHeartbeatSucceededEvent): void;
  serverHeartbeatFailed(event: ServerHeartbeatFailedEvent): void;
};

/** What subscribers of the tracing channel `rumongo-go:read` get: docs/monitoring.md. */
export interface ReadMessage {
  operation: string;
  namespace: string;
  database: string;
  collection: string | undefined;
  /** Where the connection string names one server. */
  server: { address: string; port: number } | null;
  documents: number;
  bytes: number;
  /** Once the read is over. */
  ms: number | undefined;
  cancelled: boolean;
  error: Error | undefined;
}

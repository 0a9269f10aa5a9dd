// Options of reads, and what they are made of.

import type { Binary } from 'bson';
import type { CollationOptions, Document, Hint, Sort } from './query.js';
import type { ExplainVerbosity, ExplainVerbosityLike, ReadConcernLevel, ReadPreferenceMode } from './names.js';

export type TagSet = { [name: string]: string };
export interface HedgeOptions {
  enabled?: boolean;
}
export interface ReadPreferenceOptions {
  maxStalenessSeconds?: number;
  hedge?: HedgeOptions;
}

/** What is like a ReadPreference: one of this package, or of the official driver. */
export interface ReadPreferenceObject {
  readonly mode: ReadPreferenceMode;
  readonly tags?: TagSet[];
  readonly maxStalenessSeconds?: number;
  readonly hedge?: HedgeOptions;
}

/** A mode, an object, or a ReadPreference of rumongo-go or of the official driver. */
export type ReadPreferenceLike = ReadPreferenceMode | ReadPreferenceObject;
export interface ReadPreferenceFromOptions extends ReadPreferenceOptions {
  readPreference?: ReadPreferenceLike;
  readPreferenceTags?: TagSet[];
}

export declare class ReadPreference {
  /** @throws {MongoInvalidArgumentError} for an unknown mode, or tags or staleness with `primary` */
  constructor(mode: ReadPreferenceMode, tags?: TagSet[], options?: ReadPreferenceOptions);
  mode: ReadPreferenceMode;
  tags?: TagSet[];
  maxStalenessSeconds?: number;
  hedge?: HedgeOptions;
  /** The mode. */
  get preference(): ReadPreferenceMode;
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
  static fromOptions(options?: ReadPreferenceFromOptions): ReadPreference | undefined;
  static translate<O extends ReadPreferenceFromOptions>(options: O): O;
  static isValid(mode: string): boolean;
  isValid(mode?: string): boolean;
  /** Whether a secondary may answer. */
  secondaryOk(): boolean;
  /** Compares the modes. */
  equals(other: ReadPreferenceObject): boolean;
  toJSON(): Document;
}

export type ReadConcernLike = ReadConcernLevel | { level: ReadConcernLevel } | ReadConcern;

export declare class ReadConcern {
  constructor(level: ReadConcernLevel);
  level: ReadConcernLevel | string;
  /** Of options that hold one; undefined when they hold none. */
  static fromOptions(options?: { readConcern?: ReadConcernLike; level?: ReadConcernLevel }): ReadConcern | undefined;
  static get MAJORITY(): 'majority';
  static get AVAILABLE(): 'available';
  static get LINEARIZABLE(): 'linearizable';
  static get SNAPSHOT(): 'snapshot';
  toJSON(): Document;
}

/** How values are decoded and encoded: js-bson's options, set on a client, database, collection or call. */
export interface BSONSerializeOptions {
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
  /** Refuse names with `$` and `.`. Only concerns writes. */
  checkKeys?: boolean;
  /** Only for js-bson itself. */
  fieldsAsRaw?: Document;
  /** Throw for text that is not valid UTF-8 rather than replace what is wrong. Default true. */
  enableUtf8Validation?: boolean;
}

/** @deprecated the same as BSONSerializeOptions */
export type BSONOptions = BSONSerializeOptions;

/** How to stop a read. */
export interface Abortable {
  /** Aborting it settles the read at once with `signal.reason` and cancels it. */
  signal?: AbortSignal | undefined;
}

/** Of each read. */
export interface OperationOptions extends BSONSerializeOptions {
  readPreference?: ReadPreferenceLike;
  /** Reads in sessions and transactions are the official driver's. */
  session?: never;
  /** Ignored, as the official driver does with a client that has none. */
  timeoutMS?: number;
}

/** Of a database or collection, which hand them down to their reads. */
export interface InheritedOptions extends BSONSerializeOptions {
  readPreference?: ReadPreferenceLike;
  readConcern?: ReadConcernLike;
  /** These have no effect on reads. */
  timeoutMS?: number;
  writeConcern?: object;
}
export interface CollectionOptions extends InheritedOptions {}
export interface DbOptions extends InheritedOptions {
  /** These have no effect on reads. */
  authSource?: string;
  forceServerObjectId?: boolean;
  pkFactory?: object;
  retryWrites?: boolean;
}

/** Options of a find. The session of the official driver is refused: give such reads to the official driver. */
export interface FindOptions extends OperationOptions, Abortable {
  readConcern?: ReadConcernLike;
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
  oplogReplay?: boolean;
  /** Read the query's plan instead; `find().explain()` says so better. Not for findLazy() and findCursor(). */
  explain?: ExplainVerbosityLike | ExplainCommandOptions;
  /**
   * Bytes that may be read ahead of what has been asked for, before the next batch is fetched. Default: the client's
   * readAheadBytes, 24 MB. 1: never ask the server for a batch before it is wanted.
   */
  readAheadBytes?: number;
  /** false: send Extended JSON wrappers as they are, and take no text for a filter or projection. Default true. */
  ejson?: boolean;
}

export type FindOneOptions = Omit<FindOptions, 'batchSize' | 'limit' | 'noCursorTimeout'>;

export interface FindCursorOptions extends FindOptions {
  /** Lazy documents, or plain objects. Default true. */
  lazy?: boolean;
}

export interface ExplainCommandOptions {
  verbosity: ExplainVerbosity;
  maxTimeMS?: number;
}

/** What every command takes. */
export interface CommandOperationOptions extends OperationOptions, Abortable {
  readConcern?: ReadConcernLike;
  /** How long the server may work on it. */
  maxTimeMS?: number;
  comment?: unknown;
  collation?: CollationOptions;
  /** false: send Extended JSON wrappers as they are, and take no text. Default true. */
  ejson?: boolean;
}

/** Options of aggregate(). What writes, `out` among it, is refused. */
export interface AggregateOptions extends CommandOperationOptions {
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

export interface EstimatedDocumentCountOptions extends CommandOperationOptions {}

export interface CountOptions extends CommandOperationOptions {
  skip?: number;
  limit?: number;
  hint?: string | Document;
}

export interface DistinctOptions extends CommandOperationOptions {
  hint?: string | Document;
}

export interface ListCollectionsOptions extends CommandOperationOptions {
  /** Names and types only. */
  nameOnly?: boolean;
  authorizedCollections?: boolean;
  batchSize?: number;
}

export interface CollectionInfo extends Document {
  name: string;
  type?: string;
  options?: Document;
  info?: { readOnly?: false; uuid?: Binary };
  idIndex?: Document;
}

export interface ListIndexesOptions extends CommandOperationOptions {
  batchSize?: number;
  maxAwaitTimeMS?: number;
}

export interface IndexInformationOptions extends ListIndexesOptions {
  /** Whole descriptions rather than `{ name: [[field, direction], ...] }`. */
  full?: boolean;
}

export type IndexDirection = -1 | 1 | '2d' | '2dsphere' | 'text' | 'geoHaystack' | 'hashed' | number;
export type IndexDescriptionInfo = { name?: string; key: { [key: string]: IndexDirection }; v?: number } & Document;
export type IndexDescriptionCompact = Record<string, [name: string, direction: IndexDirection][]>;

/** @deprecated the same as CommandOperationOptions */
export type CommandOptions = CommandOperationOptions;
export type DbStatsOptions = CommandOperationOptions & { scale?: number };
export type ProfilingLevelOptions = CommandOperationOptions;
export type ListSearchIndexesOptions = Omit<AggregateOptions, 'readConcern'>;
export interface ValidateCollectionOptions extends CommandOperationOptions {
  background?: boolean;
  full?: boolean;
  metadata?: boolean;
}

export interface ListDatabasesOptions extends CommandOperationOptions {
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
export interface RunCommandOptions extends OperationOptions, Abortable {}

export interface RunCursorCommandOptions extends OperationOptions {
  tailable?: boolean;
  awaitData?: boolean;
}

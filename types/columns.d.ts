// Results as columns, in Apache Arrow's layout.

import type { Decimal128, ObjectId } from 'bson';
import type { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** What a column can hold, with the value of a row and the array that has them all (undefined: see offsets and data). */
interface ColumnTypes {
  /** A bit for each row, the lowest first. */
  bool: { value: boolean; values: Uint8Array };
  int32: { value: number; values: Int32Array };
  int64: { value: bigint; values: BigInt64Array };
  float64: { value: number; values: Float64Array };
  /** Milliseconds since 1970, UTC. */
  date: { value: Date; values: BigInt64Array };
  utf8: { value: string; values: undefined };
  /** Strings of which each is stored once; values are their numbers. */
  dictionary: { value: string; values: Int32Array };
  /** Twelve bytes for each row. */
  objectId: { value: ObjectId; values: Uint8Array };
  binary: { value: Buffer; values: undefined };
  /** As text, that of `Decimal128.toString()`. */
  decimal128: { value: Decimal128; values: undefined };
}

export type ColumnType = keyof ColumnTypes;

/** Types of columns by the paths of their values: `{ age: 'int32', 'address.city': 'utf8', 'tags.0': 'dictionary' }`. */
export type ColumnSpec = Record<string, ColumnType>;

/** How documents become columns. */
export interface ColumnsOptions<C extends ColumnSpec = ColumnSpec> {
  /**
   * The columns. The server is asked for these fields alone, unless there is a `projection` (`{}` asks for whole documents).
   * Without it the columns are those that the first documents of the result have, up to 100 of the server's first batch: each
   * of the type of its first value that is not null, numbers of one that holds all of these documents', and what is in nested
   * documents by dotted paths.
   */
  columns?: C;
  /** A value that its column cannot hold rejects the read instead of being null. Missing fields and nulls stay null. */
  strict?: boolean;
}

/** Columns as a whole. */
export interface WholeColumnsOptions<C extends ColumnSpec = ColumnSpec> extends ColumnsOptions<C> {
  /** A larger result rejects, and its cursor is closed. Default and most: 4294967295. */
  maxBytes?: number;
}

/** Columns in batches. */
export interface StreamedColumnsOptions<C extends ColumnSpec = ColumnSpec> extends ColumnsOptions<C> {
  /** Documents in a batch; the last one has fewer, and so has one that would take more than about 128 MB. Default 65536. */
  batchRows?: number;
}

/** One column. Its arrays view memory that all columns of the result share, and that is the caller's. */
export interface Column<K extends ColumnType = ColumnType> extends Iterable<ColumnTypes[K]['value'] | null> {
  readonly name: string;
  readonly type: K;
  readonly length: number;
  /** Documents in which the path leads nowhere. */
  readonly missing: number;
  /** Documents that have null there (or undefined, the old BSON type). */
  readonly null: number;
  /** Documents with a value that the type cannot hold. */
  readonly mismatched: number;
  /** The three together. */
  get nullCount(): number;
  /** A bit for each row, the lowest first, 1 where there is a value; null when there is one everywhere. */
  readonly validity: Uint8Array | null;
  /** What there is for each row; 0 where it has no value. */
  readonly values: ColumnTypes[K]['values'];
  /** Of utf8, binary and decimal128: where each row begins in `data`, and where the last one ends. */
  readonly offsets: K extends 'utf8' | 'binary' | 'decimal128' ? Int32Array : undefined;
  readonly data: K extends 'utf8' | 'binary' | 'decimal128' ? Uint8Array : undefined;
  /** Of a dictionary: its strings, as those of utf8. */
  readonly dictionary: K extends 'dictionary' ? { readonly offsets: Int32Array; readonly data: Uint8Array } : undefined;
  isNull(row: number): boolean;
  /** The value of a row, made on each call; null where there is none, undefined beyond the last row. */
  at(row: number): ColumnTypes[K]['value'] | null | undefined;
  toArray(): (ColumnTypes[K]['value'] | null)[];
}

/** Documents as columns. */
export interface Columns<C extends ColumnSpec = ColumnSpec> {
  /** Rows: the documents, in the order of the result. */
  readonly length: number;
  readonly columns: { readonly [P in keyof C]: Column<C[P]> };
  /**
   * Fields without a column, when the columns were inferred: arrays, types that no column has, what is null in all of the first
   * documents, and names with dots.
   */
  readonly omitted: string[];
  /**
   * A table of the package `apache-arrow` (17 or later) over the same memory: `toArrow<Table>()`. Dates are TimestampMillisecond,
   * ids FixedSizeBinary(12), Decimal128 Utf8.
   * @throws {MongoAPIError} when the package is not installed
   */
  toArrow<T = any>(): T;
}

/** A Readable of batches. Nothing is sent before it is read; destroying it, or leaving its loop, closes the server's cursor. */
export interface ColumnsStream<C extends ColumnSpec = ColumnSpec> extends Readable {
  /** The same as a web stream. */
  toWeb(): ReadableStream<Columns<C>>;
  [Symbol.asyncIterator](): ColumnsIterator<C>;
}

/** The batches of a stream; leaving the loop destroys it. */
export interface ColumnsIterator<C extends ColumnSpec = ColumnSpec> extends AsyncIterableIterator<Columns<C>> {
  [Symbol.asyncIterator](): ColumnsIterator<C>;
  [Symbol.asyncDispose](): PromiseLike<void>;
}

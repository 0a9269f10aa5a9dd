// BSON bytes to documents without a server.

import type { DeserializeOptions } from 'bson';
import type { LazyDocument } from './lazy.js';
import type { Document } from './query.js';

export interface DecodeOptions extends DeserializeOptions {
  /** The exports of `bson` or `mongodb` whose classes values are made of, as for a client; default: the application's own. */
  bson?: object;
}

export interface DecodeManyOptions extends Omit<DecodeOptions, 'index' | 'allowObjectSmallerThanBufferSize'> {
  signal?: AbortSignal;
}

/**
 * A drop-in for `bson.deserialize`: the same options, values and errors, two to four times faster. As there, Binary values
 * view the bytes they come from.
 */
export declare function deserialize<T = Document>(bytes: Uint8Array, options?: DecodeOptions): T;

/**
 * The documents in bytes, one after the other. Of more than 64 KB the core makes what this thread then makes objects of, in
 * turns that leave the event loop running; the bytes must not change until the promise is settled.
 * @throws what `bson.deserialize` throws for the first bad document
 */
export declare function deserializeMany<T = Document>(bytes: Uint8Array | ArrayBuffer, options?: DecodeManyOptions): Promise<T[]>;

/** The same on the spot, whatever the size. */
export declare function deserializeManySync<T = Document>(bytes: Uint8Array | ArrayBuffer, options?: Omit<DecodeManyOptions, 'signal'>): T[];

export interface ReadBSONOptions extends DecodeManyOptions {
  /** Lazy documents, as of `findLazy()`; default false. */
  lazy?: boolean;
}

/** The documents of a .bson file, in order. What reads it is closed at the end, by leaving a loop, and by `close()`. */
export declare class BSONFileCursor<T = Document> implements AsyncIterable<T> {
  private constructor();
  readonly closed: boolean;
  /** The next documents, as many as are in about a megabyte of the file, or null at the end. */
  nextBatch(): Promise<T[] | null>;
  /** Resolves when the file is closed. */
  close(): Promise<void>;
  [Symbol.asyncIterator](): AsyncIterableIterator<T>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Reads a `.bson` file of mongodump, also a compressed one (gzip; zstd from Node.js 22.15 on). It is opened by the first read;
 * memory stays bounded. A file that cannot be opened is an error of `fs`; one that is damaged gives the documents before the
 * damage, then a BSONError that says at which offset of the (decompressed) file the document is.
 */
export declare function readBSON<T = Document>(path: string | Buffer | URL, options: ReadBSONOptions & { lazy: true }): BSONFileCursor<LazyDocument<T>>;
export declare function readBSON<T = Document>(path: string | Buffer | URL, options?: ReadBSONOptions): BSONFileCursor<T>;

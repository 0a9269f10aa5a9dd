// BSON bytes to documents without a server.

import type { DeserializeOptions } from 'bson';
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

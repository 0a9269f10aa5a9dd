// JSON text that is written in the core.

import type { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

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
  toWeb(): ReadableStream<Uint8Array>;
}

// Lazy documents.

import type { Document } from './query.js';

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

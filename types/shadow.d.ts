// Shadow mode: the official driver answers, and ours is compared with it.

import type { Document } from './query.js';
import type { Collection } from './collection.js';

/** A difference. As text (`String(divergence)`) it is one line for a log. */
export interface Divergence {
  /**
   * 'value', 'type', 'class', 'length', 'order', 'missing in the first' (native), 'missing in the second' (official),
   * 'native threw', 'official threw' or 'native timed out'.
   */
  reason: string;
  /** Where they first differ, as in code: `[3].address.city`. */
  path: string;
  native: unknown;
  official: unknown;
  nativeValue?: unknown;
  officialValue?: unknown;
  nativeClass?: string;
  officialClass?: string;
  /** Of the document in the official result, and in ours where that is another one. */
  index?: number;
  nativeIndex?: number;
  /** Too much is different to say whether it is the order. */
  orderUnknown?: boolean;
  error?: unknown;
  /** What the official driver threw, where both threw. */
  officialError?: unknown;
  toString(): string;
}

/**
 * Runs both reads, gives what the official one gives (or throws), and reports when ours differs.
 * @param nativeFn its signal aborts when it has run limitMS longer than the official one
 */
export declare function shadow<T>(
  nativeFn: (context: { signal: AbortSignal }) => unknown,
  officialFn: () => T | PromiseLike<T>,
  onDivergence: (divergence: Divergence) => void,
  options?: ShadowOptions | null,
): Promise<T>;

export interface ShadowOptions {
  /** How long ours may run on after the official one, in milliseconds. Default 5000. */
  limitMS?: number;
  /** Counts this read, too. */
  summary?: ShadowSummary;
}

/**
 * The official collection with its reads compared with ours. `official` is not changed, and what the view gives is what
 * the official driver gives.
 */
export declare function shadowCollection<C extends object>(
  official: C,
  native: Collection<any>,
  options?: ShadowCollectionOptions | null,
): C & { readonly shadowSummary: ShadowSummary };

export interface ShadowCollectionOptions {
  /** The share of reads that is compared, 0 to 1. Default 1. */
  sampleRate?: number;
  /** Comparisons at a time; other reads are only the official driver's. Default 10. */
  maxConcurrent?: number;
  /** How long ours may run on after the official one, in milliseconds. Default 1000. */
  limitMS?: number;
  /** How long a cursor that nobody reads keeps its place among maxConcurrent, in milliseconds. Default 60000. */
  idleMS?: number;
  onDivergence?: (divergence: CollectionDivergence) => void;
  onMatch?: (match: ShadowMatch) => void;
  /** Where to count; several collections may share one. */
  summary?: ShadowSummary;
}

export interface CollectionDivergence extends Divergence {
  /** The method. */
  operation: string;
  namespace: string;
  /** Its arguments by name. */
  query: Document;
  /** Whether the query says in which order documents come; absent where there is none. */
  sorted?: boolean;
}

export interface ShadowMatch {
  operation: string;
  namespace: string;
  query: Document;
  documents: number;
  nativeMs: number | null;
  officialMs: number;
}

export interface ShadowPercentiles {
  p10: number;
  p50: number;
  p90: number;
  p99: number;
}

/** What shadowing has found so far, in numbers. Its size does not grow. */
export declare class ShadowSummary {
  /** Starts over. */
  reset(): void;
  toJSON(): {
    /** All of them. */
    reads: number;
    notSampled: number;
    /** Not compared because maxConcurrent others were. */
    busy: number;
    /** Left out in the 30 seconds after five comparisons in a row in which ours took too long. */
    paused: number;
    /** Sessions, pipelines that write, tailable cursors, ... */
    notComparable: number;
    /** equal + orderOnly + different */
    compared: number;
    equal: number;
    /** Of queries without a sort. */
    orderOnly: number;
    different: number;
    /** The caller stopped reading before it was known. */
    unfinished: number;
    /** That were compared. */
    documents: number;
    /** How often each reason of a divergence came. */
    reasons: { [reason: string]: number };
    nativeMs: ShadowPercentiles | null;
    officialMs: ShadowPercentiles | null;
    /** The official time divided by ours, read by read. */
    timesFaster: ShadowPercentiles | null;
    faster: number;
    slower: number;
  };
  toString(): string;
}

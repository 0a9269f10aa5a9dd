'use strict';
// What shadowing has found so far, in numbers. Its size does not grow.

const KEPT = 1000; // times of the last reads, for percentiles

class ShadowSummary {
  #counts;
  #reasons;
  #native;
  #official;

  constructor() {
    this.reset();
  }

  reset() {
    this.#counts = {
      reads: 0, // all of them
      notSampled: 0,
      busy: 0, // not compared because maxConcurrent others were
      paused: 0, // not compared because ours had timed out again and again
      notComparable: 0, // sessions, writing pipelines, tailable cursors, ...
      compared: 0, // equal + orderOnly + different
      equal: 0,
      orderOnly: 0, // of queries without a sort
      different: 0,
      unfinished: 0, // the caller stopped reading before it was known
      documents: 0, // that were compared
    };
    this.#reasons = {};
    this.#native = new Times();
    this.#official = new Times();
  }

  /** @param {'reads' | 'notSampled' | 'busy' | 'paused' | 'notComparable' | 'unfinished'} name */
  _count(name) {
    this.#counts[name]++;
  }

  /**
   * @param {{ divergence: { reason: string, sorted?: boolean } | null, documents: number, nativeMs: number | null, officialMs: number }} read
   * nativeMs: null when ours did not come to an end
   */
  _compared({ divergence, documents, nativeMs, officialMs }) {
    const counts = this.#counts;
    counts.compared++;
    counts.documents += documents;
    if (divergence === null) counts.equal++;
    else if (divergence.reason === 'order' && divergence.sorted === false) counts.orderOnly++;
    else {
      counts.different++;
      this.#reasons[divergence.reason] = (this.#reasons[divergence.reason] ?? 0) + 1;
    }
    if (nativeMs === null) return;
    this.#native.add(nativeMs);
    this.#official.add(officialMs);
  }

  toJSON() {
    const native = this.#native.values;
    const official = this.#official.values;
    const ratios = native.map((ms, i) => official[i] / Math.max(ms, 0.001));
    return {
      ...this.#counts,
      reasons: { ...this.#reasons },
      nativeMs: percentiles(native),
      officialMs: percentiles(official),
      // The official time divided by ours, read by read: above 1, ours was faster.
      timesFaster: percentiles(ratios),
      faster: ratios.filter((ratio) => ratio > 1).length,
      slower: ratios.filter((ratio) => ratio < 1).length,
    };
  }

  toString() {
    const { reads, compared, equal, orderOnly, different, unfinished, notSampled, busy, paused, notComparable, documents, reasons, ...times } = this.toJSON();
    const why = Object.entries(reasons).map(([reason, count]) => `${reason} ${count}`).join(', ');
    const lines = [
      `reads ${reads}: compared ${compared} (${documents} documents), not sampled ${notSampled}, busy ${busy}, paused ${paused}, not comparable ${notComparable}, unfinished ${unfinished}`,
      `equal ${equal}, only the order differs ${orderOnly}, different ${different}${why === '' ? '' : ` (${why})`}`,
    ];
    if (times.nativeMs !== null) {
      const { nativeMs, officialMs, timesFaster, faster, slower } = times;
      lines.push(
        `rumongo-go ms: ${line(nativeMs)}`,
        `official ms:   ${line(officialMs)}`,
        `times faster:  ${line(timesFaster)}; faster in ${faster}, slower in ${slower} of the last ${faster + slower}`,
      );
    }
    return lines.join('\n');
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `ShadowSummary\n${this.toString()}`;
  }
}

/** A ring of the last ones. */
class Times {
  values = [];
  #next = 0;

  add(ms) {
    this.values[this.#next] = ms;
    this.#next = (this.#next + 1) % KEPT;
  }
}

function percentiles(values) {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { p10: at(0.1), p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}

const line = ({ p10, p50, p90, p99 }) => `p10 ${short(p10)}, p50 ${short(p50)}, p90 ${short(p90)}, p99 ${short(p99)}`;
const short = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

module.exports = { ShadowSummary };

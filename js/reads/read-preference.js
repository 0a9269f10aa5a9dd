'use strict';
// Read preferences and read concerns: the official driver's forms in, the form of the wire out.

const { invalidArgument } = require('../errors.js');

const MODES = new Set(['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest']);

/** Has the fields of the official driver's class; compares and prints like it. */
class ReadPreference {
  constructor(mode, tags, options) {
    if (options == null && tags !== null && typeof tags === 'object' && !Array.isArray(tags)) [tags, options] = [undefined, tags];
    if (!MODES.has(mode)) {
      throw invalidArgument(`Invalid read preference mode ${JSON.stringify(mode)}; use one of ${[...MODES].join(', ')}`);
    }
    if (tags != null && !Array.isArray(tags)) throw invalidArgument('ReadPreference tags must be an array');
    const staleness = options?.maxStalenessSeconds ?? undefined;
    if (staleness !== undefined && !(typeof staleness === 'number' && staleness > 0)) {
      throw invalidArgument('maxStalenessSeconds must be a positive integer');
    }
    this.mode = mode;
    this.tags = tags ?? undefined;
    this.hedge = options?.hedge ?? undefined;
    this.maxStalenessSeconds = staleness;
    if (mode === 'primary') {
      const refuse = (what) => invalidArgument(`Primary read preference cannot be combined with ${what}`);
      if (this.tags?.length > 0) throw refuse('tags');
      if (staleness !== undefined) throw refuse('maxStalenessSeconds');
      if (this.hedge) throw refuse('hedge');
    }
  }

  static fromString(mode) {
    return new ReadPreference(mode);
  }

  /** Of options that hold one; undefined when they hold none. */
  static fromOptions(options) {
    return readPreferenceOf(options);
  }

  /** The options with an instance in them. */
  static translate(options) {
    if (options.readPreference != null) options.readPreference = toReadPreference(options.readPreference);
    return options;
  }

  static isValid(mode) {
    return mode === null || MODES.has(mode);
  }

  get preference() {
    return this.mode;
  }

  isValid(mode) {
    return ReadPreference.isValid(typeof mode === 'string' ? mode : this.mode);
  }

  secondaryOk() {
    return this.mode !== 'primary';
  }

  equals(other) {
    return other.mode === this.mode;
  }

  toJSON() {
    const out = { mode: this.mode };
    if (this.tags !== undefined) out.tags = this.tags;
    if (this.maxStalenessSeconds) out.maxStalenessSeconds = this.maxStalenessSeconds;
    if (this.hedge) out.hedge = this.hedge;
    return out;
  }
}

for (const mode of MODES) {
  ReadPreference[mode] = Object.freeze(new ReadPreference(mode));
  ReadPreference[mode.replace(/[A-Z]/g, '_$&').toUpperCase()] = mode; // PRIMARY_PREFERRED
}
const PRIMARY = ReadPreference.primary;

class ReadConcern {
  constructor(level) {
    this.level = level;
  }

  /** Of options that hold one; undefined when they hold none. */
  static fromOptions(options) {
    return readConcernOf(options);
  }

  static get MAJORITY() {
    return 'majority';
  }

  static get AVAILABLE() {
    return 'available';
  }

  static get LINEARIZABLE() {
    return 'linearizable';
  }

  static get SNAPSHOT() {
    return 'snapshot';
  }

  toJSON() {
    return { level: this.level };
  }
}

/**
 * @param value a mode, a ReadPreference of any driver, or `{ mode, tags, maxStalenessSeconds }`
 * @param extra readPreferenceTags, maxStalenessSeconds and hedge given beside it
 */
function toReadPreference(value, extra) {
  if (value instanceof ReadPreference && extra?.readPreferenceTags == null) return value;
  if (typeof value === 'string') {
    return new ReadPreference(value, extra?.readPreferenceTags, extra);
  }
  const mode = value !== null && typeof value === 'object' ? value.mode ?? value.preference : undefined;
  if (typeof mode !== 'string') {
    throw invalidArgument(`Invalid read preference: ${String(value)}; give a mode such as "secondaryPreferred" or { mode, tags }`);
  }
  return new ReadPreference(mode, extra?.readPreferenceTags ?? value.tags, {
    maxStalenessSeconds: value.maxStalenessSeconds,
    hedge: isInstance(value) ? value.hedge : extra?.hedge,
  });
}

/** An object of some driver's class, not the user's own literal. */
const isInstance = (value) => typeof value?.toJSON === 'function' && typeof value.mode === 'string';

/** What a cursor's withReadPreference() takes: a mode or an instance, no literal. */
function cursorReadPreference(value) {
  if (typeof value === 'string' || isInstance(value)) return toReadPreference(value);
  throw invalidArgument(`Invalid read preference: ${String(value)}; give a mode such as "secondaryPreferred" or a ReadPreference`);
}

/** From options that may hold one; undefined when they hold none. */
function readPreferenceOf(options) {
  const value = options?.readPreference;
  return value == null ? undefined : toReadPreference(value, options);
}

/** @returns {ReadConcern|undefined} */
function readConcernOf(options) {
  const value = options?.readConcern;
  if (value instanceof ReadConcern) return value;
  if (typeof value === 'string' && value !== '') return new ReadConcern(value);
  if (value) {
    if (typeof value !== 'object') throw invalidArgument(`Invalid read concern: ${String(value)}; give a level such as "majority" or { level }`);
    if (value.level) return new ReadConcern(value.level);
  }
  return options?.level ? new ReadConcern(options.level) : undefined;
}

module.exports = { ReadPreference, ReadConcern, PRIMARY, toReadPreference, cursorReadPreference, readPreferenceOf, readConcernOf };

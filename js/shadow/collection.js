'use strict';
// shadowCollection(): an official collection whose reads are compared with ours.

const { Shadowing } = require('./shadowing.js');
const { shadowCursor } = require('./cursor.js');
const { ShadowSummary } = require('./summary.js');
const { findRules, aggregateRules, listRules, refusedOptions, isEmpty } = require('./rules.js');
const { checkOptions, checkLimit, checkCallback, kindOf } = require('./options.js');
const { tolerantSnapshot } = require('./snapshot.js');
const { invalidArgument } = require('../errors.js');

const WHO = 'shadowCollection';
const OPTIONS = ['sampleRate', 'maxConcurrent', 'limitMS', 'idleMS', 'onDivergence', 'onMatch', 'summary'];
const NEEDED = ['find', 'findOne', 'aggregate', 'countDocuments', 'estimatedDocumentCount', 'distinct'];
const DEFAULT_LIMIT_MS = 1000;
const DEFAULT_IDLE_MS = 60_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

// The names of their arguments, for the reports; `options` is where the signal goes.
const VALUES = {
  findOne: ['filter', 'options'],
  countDocuments: ['filter', 'options'],
  count: ['filter', 'options'],
  estimatedDocumentCount: ['options'],
  distinct: ['key', 'filter', 'options'],
  indexes: ['options'],
  indexInformation: ['options'],
  indexExists: ['names', 'options'],
  options: ['options'],
  isCapped: ['options'],
};
const CURSORS = {
  find: { args: ['filter', 'options'], rules: findRules },
  aggregate: { args: ['pipeline', 'options'], rules: aggregateRules },
  listIndexes: { args: ['options'], rules: listRules },
};

/**
 * @template C
 * @param {C} official a collection of the official driver; it is not changed
 * @param {object} native a collection of rumongo-go
 * @param {{ sampleRate?: number, maxConcurrent?: number, limitMS?: number, idleMS?: number, onDivergence?: Function,
 *   onMatch?: Function, summary?: ShadowSummary }} [options]
 * @returns {C & { shadowSummary: ShadowSummary }} the official collection, with its reads compared
 */
function shadowCollection(official, native, options) {
  checkCollection('official', official);
  checkCollection('native', native);
  const { Collection } = require('../collection.js');
  if (official instanceof Collection) {
    throw invalidArgument(`${WHO}: official must be a collection of the official driver, got one of rumongo-go; the official one comes first`);
  }
  const shadowing = new Shadowing({ namespace: official.namespace, ...checked(options) });
  const view = Object.create(official, { shadowSummary: { value: shadowing.summary } });
  for (const [name, args] of Object.entries(VALUES)) addMethod(view, official, name, valueMethod(shadowing, official, native, name, args));
  for (const [name, { args, rules }] of Object.entries(CURSORS)) {
    addMethod(view, official, name, cursorMethod(shadowing, official, native, { name, args, rules }));
  }
  return view;
}

function checkCollection(name, collection) {
  const missing = NEEDED.filter((method) => typeof collection?.[method] !== 'function');
  if (missing.length === 0) return;
  const what = name === 'official' ? 'of the official driver' : 'of rumongo-go (client.db(...).collection(...))';
  throw invalidArgument(`${WHO}: ${name} must be a collection ${what}, got ${collection == null || typeof collection !== 'object' ? kindOf(collection) : `an object without ${missing.join(', ')}`}`);
}

function checked(options) {
  const given = checkOptions(WHO, options, OPTIONS);
  const { sampleRate = 1, maxConcurrent = 10, idleMS = DEFAULT_IDLE_MS, summary } = given;
  if (typeof sampleRate !== 'number' || !(sampleRate >= 0 && sampleRate <= 1)) throw invalidArgument(`${WHO}: sampleRate must be a number from 0 (none) to 1 (all reads)`);
  if (!Number.isInteger(maxConcurrent) || maxConcurrent < 1) throw invalidArgument(`${WHO}: maxConcurrent must be a whole number, 1 or more`);
  if (typeof idleMS !== 'number' || !(idleMS > 0)) throw invalidArgument(`${WHO}: idleMS must be a number of milliseconds above 0`);
  if (summary !== undefined && !(summary instanceof ShadowSummary)) throw invalidArgument(`${WHO}: summary must be a ShadowSummary`);
  return {
    sampleRate,
    maxConcurrent,
    limitMS: checkLimit(WHO, given.limitMS, DEFAULT_LIMIT_MS),
    idleMS: Math.min(idleMS, LONGEST_TIMER_MS),
    onDivergence: checkCallback(WHO, 'onDivergence', given.onDivergence),
    onMatch: checkCallback(WHO, 'onMatch', given.onMatch),
    summary,
  };
}

function addMethod(view, official, name, method) {
  if (typeof official[name] !== 'function') return; // a driver without it
  Object.defineProperty(view, name, { value: method, writable: true, configurable: true, enumerable: false });
}

const named = (names, args) => Object.fromEntries(names.slice(0, args.length).map((name, i) => [name, args[i]]));

function valueMethod(shadowing, official, native, name, argNames) {
  const at = argNames.indexOf('options');
  return async function shadowed(...args) {
    const { options } = named(argNames, args);
    const read = {
      operation: name,
      query: () => tolerantSnapshot(named(argNames, args)),
      sorted: name === 'distinct' ? false : name === 'findOne' ? !isEmpty(options?.sort) : undefined,
      refused: refusedOptions(options) || typeof native[name] !== 'function',
    };
    return await shadowing.value(read, () => official[name](...args), (signal) => {
      const ours = [...args];
      while (ours.length <= at) ours.push(undefined);
      ours[at] = withSignal(options, signal);
      return native[name](...ours);
    });
  };
}

/** Options that are no object stay as they are: both sides should refuse them. */
function withSignal(options, signal) {
  if (options === undefined || options === null) return { signal };
  if (typeof options !== 'object') return options;
  return { ...options, signal: options.signal == null ? signal : AbortSignal.any([options.signal, signal]) };
}

function cursorMethod(shadowing, official, native, { name, args: argNames, rules }) {
  return function shadowed(...args) {
    if (!shadowing.sample()) return official[name](...args);
    const query = tolerantSnapshot(named(argNames, args));
    const began = performance.now();
    let cursor;
    try {
      cursor = official[name](...args);
    } catch (error) {
      bothRefuse(shadowing, { operation: name, query, error, officialMs: performance.now() - began }, () => native[name](...args));
      throw error;
    }
    const create = () => native[name](...args.map(ownCopy));
    return shadowCursor(shadowing, cursor, { operation: name, query, signal: query.options?.signal, create, rules });
  };
}

/** Cursors add stages to the array they were given: two of them may not have the same one. */
const ownCopy = (arg) => (Array.isArray(arg) ? [...arg] : arg);

/** The official driver refused the arguments at once. So should we. */
function bothRefuse(shadowing, read, nativeCall) {
  let found = { reason: 'official threw', path: '', error: read.error };
  try {
    nativeCall();
  } catch (error) {
    found = error?.name === read.error?.name ? null : { reason: 'native threw', path: '', error, officialError: read.error };
  }
  shadowing.conclude({ ...read, found, documents: 0, nativeMs: null });
}

module.exports = { shadowCollection };

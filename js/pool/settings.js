'use strict';
// What a pool and its worker threads are started with.

const os = require('node:os');
const { optionEntry } = require('../options/table.js');
const { invalidArgument } = require('../errors.js');

const MAX_SIZE = 256;
const LIMITS = ['maxOldGenerationSizeMb', 'maxYoungGenerationSizeMb', 'codeRangeSizeMb', 'stackSizeMb'];

/**
 * The settings of WorkerPool.create, checked.
 * @param {object} settings
 *   uri: as for MongoClient. size: worker threads, 1 to 256 (default: cores less one, at least 2). clientOptions: as
 *   for MongoClient. resourceLimits: as for a Worker of Node, for each of them.
 */
function poolSettings(settings) {
  if (typeof settings !== 'object' || settings === null) {
    throw invalidArgument('WorkerPool.create: pass { uri, size }');
  }
  const { uri, size = Math.max(2, os.availableParallelism() - 1), clientOptions = {}, resourceLimits, ...unknown } = settings;
  for (const name in unknown) {
    throw invalidArgument(`WorkerPool.create: unknown setting "${name}"; options of the client belong into clientOptions`);
  }
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE) {
    throw invalidArgument(`WorkerPool.create: size must be an integer from 1 to ${MAX_SIZE}, got ${typeof size === 'number' ? size : typeof size}`);
  }
  return { uri, size, clientOptions, resourceLimits: checkLimits(resourceLimits) };
}

function checkLimits(limits) {
  if (limits == null) return undefined;
  if (typeof limits !== 'object') throw invalidArgument(`WorkerPool.create: resourceLimits must be an object of ${LIMITS.join(', ')}`);
  for (const [name, value] of Object.entries(limits)) {
    if (!LIMITS.includes(name)) throw invalidArgument(`WorkerPool.create: unknown resource limit "${name}"; there are ${LIMITS.join(', ')}`);
    if (!(value > 0 && Number.isFinite(value))) throw invalidArgument(`WorkerPool.create: resourceLimits.${name} must be a number of megabytes`);
  }
  return { ...limits };
}

/** An object of settings of one of the pool's methods, whose names are known. */
function checkSettings(settings, method, names) {
  if (settings == null) return {};
  if (typeof settings !== 'object' || Array.isArray(settings)) {
    throw invalidArgument(`WorkerPool.${method}: the last argument must be an object of ${names.join(', ')}`);
  }
  for (const name in settings) {
    if (!names.includes(name)) throw invalidArgument(`WorkerPool.${method}: unknown setting "${name}"; there is ${names.join(', ')}`);
  }
  return settings;
}

/**
 * Settings for new Worker(). Of the client's options only those that say whom to talk to and how: commands come ready
 * made from the pool's own client. So what cannot be cloned (a bson package, a ReadPreference) stays behind, and both
 * sides agree on which topology is meant.
 */
function workerSettings(uri, clientOptions) {
  const options = {};
  for (const [name, value] of Object.entries(clientOptions ?? {})) {
    if (value != null && (optionEntry(name)?.use === 'core' || name.toLowerCase() === 'dbname')) options[name] = value;
  }
  return { workerData: { uri, options } };
}

module.exports = { poolSettings, workerSettings, checkSettings };

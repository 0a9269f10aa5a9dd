'use strict';
// What can be told of a query without running it: whether its order is defined, and whether it makes sense to run it twice.

// Stages that write, and those whose results are of the moment.
const ONCE_ONLY = new Set([
  '$out', '$merge', '$sample', '$changeStream', '$currentOp', '$listSessions', '$listLocalSessions', '$collStats', '$indexStats', '$planCacheStats',
]);
const SORTING = new Set(['$sort', '$sortByCount', '$bucket', '$bucketAuto', '$geoNear']);
const UNSORTING = new Set(['$group', '$unionWith', '$setWindowFields', '$fill', '$densify']);

const stageNames = (pipeline) => (Array.isArray(pipeline) ? pipeline.map((stage) => Object.keys(stage ?? {})[0]) : []);

const flagged = (calls, name) => (calls ?? []).some(([setter, flag, value]) => setter === 'addCursorFlag' && flag === name && value === true);
const isEmpty = (sort) => sort == null || (typeof sort === 'object' && !(sort instanceof Map ? sort.size : Object.keys(sort).length));

/** A session's reads belong to it, and a plan is not a result. */
const refusedOptions = (options) => options?.session != null || (options?.explain != null && options.explain !== false);

const last = (calls, name) => calls?.findLast(([setter]) => setter === name)?.[1];

const findRules = {
  sorted: (cursor, { options, calls }) => !isEmpty(last(calls, 'sort') ?? options?.sort),
  refused: (cursor, { options, calls }) => refusedOptions(options) || options?.tailable === true || flagged(calls, 'tailable'),
  limit: ({ options, calls }) => last(calls, 'limit') ?? options?.limit ?? 0,
};

const aggregateRules = {
  sorted: (cursor) => stageNames(cursor.pipeline).reduce((sorted, name) => (SORTING.has(name) ? true : UNSORTING.has(name) ? false : sorted), false),
  refused: (cursor, { options }) => refusedOptions(options) || options?.out != null || stageNames(cursor.pipeline).some((name) => ONCE_ONLY.has(name)),
  limit: () => 0,
};

const listRules = {
  sorted: () => false,
  refused: (cursor, { options }) => refusedOptions(options),
  limit: () => 0,
};

module.exports = { findRules, aggregateRules, listRules, refusedOptions, isEmpty };

'use strict';
// What a client emits while something is done with it, from either driver, and how to compare two such records.

const { EVENTS } = require('../../js/monitoring/names.js');

const isCommand = (name) => name.startsWith('command');
const isPool = (name) => name.startsWith('connection');

/**
 * @param {typeof import('mongodb').MongoClient} Client
 * @param {string} uri
 * @param {object} options of the client
 * @param {(client) => Promise<void>} act
 * @returns {Promise<{ name: string, event: object }[]>} in the order they came, those of close() included
 */
async function recordEvents(Client, uri, options, act, names = EVENTS) {
  const record = [];
  const client = new Client(uri, options);
  for (const name of names) client.on(name, (event) => record.push({ name, event }));
  try {
    await act(client);
  } finally {
    await client.close();
  }
  return record;
}

/** The names of a family, whose order is the same in both drivers: of commands with them, and of failures their class. */
function storyOf(record, family = () => true) {
  return record.filter(({ name }) => family(name)).map(({ name, event }) => {
    const about = [event.commandName, event.reason, event.failure?.name ?? event.failure?.constructor?.name].filter((word) => word !== undefined);
    return [name, ...about].join(' ');
  });
}

// Fields whose values are ids, times and durations, or texts that name such.
const VARIES = new Set(['requestId', 'duration', 'durationMS', 'time', 'lsid', 'serverConnectionId', 'topologyId', 'lastUpdateTime',
  'roundTripTime', 'minRoundTripTime', 'getMore', 'cursors', 'id', 'message', 'stack']);

/** A value with the types of what varies in the place of it, and everything else as it is. */
function withoutIds(value, key) {
  if (VARIES.has(key)) return value === null || value === undefined ? value : `<${value.constructor.name}>`;
  if (value instanceof Map) return new Map([...value].map(([name, one]) => [name, withoutIds(one)]));
  if (value instanceof Error) return { class: value.constructor.name, code: value.code, errorResponse: value.errorResponse };
  if (value === null || typeof value !== 'object' || value._bsontype || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((one) => withoutIds(one));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutIds(one, name)]));
}

module.exports = { recordEvents, storyOf, withoutIds, isCommand, isPool };

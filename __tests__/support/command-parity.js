'use strict';
// The commands two drivers send for the same arguments, byte by byte as the wire fixture received them.

const assert = require('node:assert/strict');
const { setTimeout } = require('node:timers/promises');
const bson = require('bson');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { nameEnd, valueEnd } = require('../../js/bson/walk.js');
const { collect, batches } = require('./readers.js');

/** What each send may hold of its own. Everything else has to be the same. */
const OWN = new Set(['lsid', '$clusterTime']);

/** The elements of a document in order: [name, bytes]. */
function elements(document) {
  const list = [];
  for (let at = 4; document[at] !== 0;) {
    const end = nameEnd(document, at + 1);
    const next = valueEnd(document, document[at], end + 1);
    list.push([document.toString('utf8', at + 1, end), document.subarray(at, next)]);
    at = next;
  }
  return list;
}

const without = (document, names) => Buffer.concat(elements(document).filter(([name]) => !names.has(name)).map(([, bytes]) => bytes));

const readable = (document) => bson.EJSON.stringify(bson.deserialize(document, { promoteValues: false, bsonRegExp: true }), { relaxed: false });

/** @param {Buffer[]} ours @param {Buffer[]} theirs whole commands */
function assertSameCommands(ours, theirs) {
  const shown = (list) => list.map(({ command }) => readable(command));
  assert.equal(ours.length, theirs.length, `commands sent:\n${shown(ours).join('\n')}\ninstead of\n${shown(theirs).join('\n')}`);
  theirs.forEach(({ command }, i) => {
    if (without(ours[i].command, OWN).equals(without(command, OWN))) return;
    const names = (document) => elements(document).map(([name]) => name).filter((name) => !OWN.has(name)).join(' ');
    assert.equal(names(ours[i].command), names(command), `command ${i}: fields`);
    assert.equal(readable(ours[i].command).replace(/"lsid":\{.*?\}\},?/, ''), readable(command).replace(/"lsid":\{.*?\}\},?/, ''), `command ${i}`);
    assert.fail(`command ${i}: bytes differ that look the same: ${readable(command)}`);
  });
  // lsid and $clusterTime are in the same places, too.
  theirs.forEach(({ command }, i) => assert.deepEqual(elements(ours[i].command).map(([name]) => name), elements(command).map(([name]) => name)));
}

/** The same class and message. Ours may go on after the official text, to name the remedy. */
function assertSameError(ours, theirs) {
  assert.ok(theirs instanceof Error && ours instanceof Error, `the official driver: ${theirs}; rumongo-go: ${ours}`);
  assert.equal(ours.name, theirs.name, `${ours.message} / ${theirs.message}`);
  assert.equal(ours.constructor, theirs.constructor);
  assert.equal(ours.message.slice(0, theirs.message.length), theirs.message);
}

/** A pair of clients for each set of client options, on one fixture. */
class CommandParity {
  #fixture;
  #pairs = new Map();
  #uriOptions;

  constructor(fixture, uriOptions = '') {
    this.#fixture = fixture;
    this.#uriOptions = uriOptions;
  }

  /** The two clients with these options. */
  pair(client) {
    const key = bson.EJSON.stringify(client ?? {});
    if (!this.#pairs.has(key)) {
      const uri = this.#fixture.uri + this.#uriOptions;
      this.#pairs.set(key, { ours: new MongoClient(uri, client), theirs: new official.MongoClient(uri, client) });
    }
    return this.#pairs.get(key);
  }

  /**
   * Sends one read through both drivers.
   * @param {{filter?, options?, chain?, client?, db?, collection?, name?: string}} given arguments, and options above the call's
   * @param {(collection, given) => Promise} ourRead
   * @param {(collection, given) => Promise} theirRead
   */
  async compare(given, ourRead, theirRead) {
    const { ours, theirs } = this.pair(given.client);
    const on = (client) => client.db('parity', given.db && { ...given.db }).collection(given.name ?? 'echo', given.collection && { ...given.collection });
    const sent = async (client, read, atLeast) => {
      await client.connect();
      // The same cursor numbers for both; the default is past what a double holds.
      await this.#fixture.control({ log: true, cursorId: given.cursorId ?? bson.Long.fromString('7000000000000000001') });
      return outcomeAndLog(this.#fixture, () => read(on(client), given), atLeast);
    };
    const expected = await sent(theirs, theirRead, 0);
    return { theirs: expected, ours: await sent(ours, ourRead, expected.log.length) };
  }

  async close() {
    for (const { ours, theirs } of this.#pairs.values()) await Promise.all([ours.close(), theirs.close()]);
  }
}

const withOptions = ({ options }, more) => (options === undefined && more === undefined ? undefined : { ...options, ...more });

/** Ways to read with rumongo-go and the official driver's way that has to send the same. */
const METHODS = {
  find: {
    ours: (collection, given) => chained(collection.find(given.filter, withOptions(given)), given).toArray(),
    theirs: (collection, given) => chained(collection.find(given.filter, withOptions(given)), given).toArray(),
  },
  findOne: {
    ours: (collection, given) => collection.findOne(given.filter, withOptions(given)),
    theirs: (collection, given) => collection.findOne(given.filter, withOptions(given)),
  },
  findLazy: {
    ours: (collection, given) => collection.findLazy(given.filter, withOptions(given)),
    theirs: (collection, given) => collection.find(given.filter, withOptions(given)).toArray(),
  },
  findCursor: {
    ours: async (collection, given) => batches(await collection.findCursor(given.filter, withOptions(given))),
    theirs: (collection, given) => collection.find(given.filter, withOptions(given)).toArray(),
  },
  'findCursor, eager': {
    ours: async (collection, given) => collect(await collection.findCursor(given.filter, withOptions(given, { lazy: false }))),
    theirs: (collection, given) => collection.find(given.filter, withOptions(given)).toArray(),
  },
};

const chained = (cursor, { chain }) => (chain === undefined ? cursor : chain(cursor) ?? cursor);

/** What a read gives or throws, and what the fixture, whose log is on, has heard of it: atLeast commands, if they come. */
async function outcomeAndLog(fixture, run, atLeast) {
  let outcome;
  try {
    outcome = { value: await run() };
  } catch (error) {
    outcome = { error };
  }
  const log = await fixture.takeLog();
  // A killCursors nobody waits for may still be on its way.
  for (let tries = 0; log.length < atLeast && tries < 50; tries++) {
    await setTimeout(10);
    log.push(...await fixture.takeLog());
  }
  return { outcome, log };
}

module.exports = { CommandParity, METHODS, outcomeAndLog, assertSameCommands, assertSameError, elements };

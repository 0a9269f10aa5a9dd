'use strict';
// One read through an official client as it is and through another one that is accelerated, on one fixture.

const bson = require('bson');
const { accelerate } = require('../../js/index.js');
const { outcomeAndLog } = require('./command-parity.js');

/** The official packages that acceleration is for, by name. */
const DRIVERS = Object.freeze({
  'mongodb 7': require('mongodb'),
  'mongodb 6.22': require('mongodb6'),
  'mongodb 6.20, of Mongoose 8': require('mongoose8').mongo,
});

const isOurs = ({ driver }) => driver.includes('rumongo-go');

class Twins {
  #fixture;
  #mongodb;
  #uri;
  #pairs = new Map();

  /**
   * @param fixture
   * @param mongodb the exports of an official package
   * @param {string} [uri]
   */
  constructor(fixture, mongodb, uri = fixture.uri) {
    this.#fixture = fixture;
    this.#mongodb = mongodb;
    this.#uri = uri;
  }

  /** Two clients with the same options; `fast` is accelerated, and both are connected. */
  async pair(options) {
    const key = bson.EJSON.stringify(options ?? {});
    if (!this.#pairs.has(key)) {
      const connect = () => new this.#mongodb.MongoClient(this.#uri, options).connect();
      this.#pairs.set(key, { plain: await connect(), fast: accelerate(await connect()) });
    }
    return this.#pairs.get(key);
  }

  /**
   * Runs a read on both.
   * @param {{client?, db?, collection?, name?: string, dbName?: string, cursorId?}} given options above the call's
   * @param {(collection, given, mongodb) => any} read
   * @param {{kills?: boolean}} [options] kills: whether to wait for a killCursors that nobody waits for
   * @returns {Promise<{plain: {outcome, log}, fast: {outcome, log}}>}
   */
  async both(given, read, { kills = true } = {}) {
    const { plain, fast } = await this.pair(given.client);
    const expected = await this.#sent(plain, given, read, 0);
    const awaited = expected.log.filter(({ name }) => kills || name !== 'killCursors');
    return { plain: expected, fast: await this.#sent(fast, given, read, awaited.length) };
  }

  async #sent(client, given, read, atLeast) {
    await this.#fixture.control({ log: true, cursorId: given.cursorId ?? bson.Long.fromString('7000000000000000001') });
    const collection = client.db(given.dbName ?? 'parity', given.db && { ...given.db })
      .collection(given.name ?? 'echo', given.collection && { ...given.collection });
    return outcomeAndLog(this.#fixture, () => read(collection, given, this.#mongodb), atLeast);
  }

  async close() {
    for (const { plain, fast } of this.#pairs.values()) await Promise.all([plain.close(), fast.close()]);
  }
}

module.exports = { DRIVERS, Twins, isOurs };

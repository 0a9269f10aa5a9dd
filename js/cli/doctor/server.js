'use strict';
// The server as this package sees it: what it says of itself, credentials, a read, the pool.

const { remedyFor, SILENT_SERVER } = require('./remedies.js');
const { MongoClient } = require('../../client.js');

const SECTION = 'Server';
const PINGS = 5;
const SHARE = 0.8; // of the time of a check: the driver's own error says more than that the time is over
const LIMIT = 100;

/** @returns {Promise<{ database, collection } | undefined>} what was read */
async function checkServer(checkup, { uri, settings, source, timeoutMS, hider }) {
  const skipAll = (names, why) => { for (const name of names) checkup.skip(SECTION, name, why); };
  const rest = ['version', 'ping', 'read', 'pool'];
  const told = new Told();
  const client = await checkup.step(SECTION, 'connect', async (signal) => {
    const made = new MongoClient(uri, limits(settings.core, timeoutMS));
    told.listen(made);
    signal.addEventListener('abort', () => void made.close());
    try {
      await made.connect();
    } catch (error) {
      told.error = error;
      await made.close();
      throw error;
    }
    return { value: 'connected', result: made };
  });
  told.describe(checkup, hider);
  authentication(checkup, settings, client !== undefined, told);
  if (client === undefined) {
    skipAll(rest, 'there is no connection');
    return undefined;
  }
  try {
    return await checkReads(checkup, client, { source, settings, told });
  } finally {
    await checkup.step(SECTION, 'close', async () => {
      await client.close();
      return { value: 'all connections are closed' };
    });
  }
}

/** Options that keep a driver's own waiting within a check's. */
function limits({ serverSelectionTimeoutMS = Infinity, connectTimeoutMS = Infinity }, timeoutMS) {
  const most = Math.ceil(timeoutMS * SHARE);
  return { serverSelectionTimeoutMS: Math.min(serverSelectionTimeoutMS, most), connectTimeoutMS: Math.min(connectTimeoutMS, most) };
}

async function checkReads(checkup, client, { source, settings, told }) {
  const admin = client.db('admin');
  const { readPreference } = client;
  await checkup.step(SECTION, 'version', async (signal) => {
    const { version, modules = [] } = await admin.command({ buildInfo: 1 }, { signal, readPreference });
    return { value: [version, ...modules].join(', ') };
  });
  await checkup.step(SECTION, 'ping', async (signal) => ({ value: await pings(() => admin.command({ ping: 1 }, { signal, readPreference })) }));
  const namespace = source ?? await findCollection(checkup, client, settings.dbName);
  if (namespace) {
    await checkup.step(SECTION, 'read', async (signal) => await read(client.db(namespace.database).collection(namespace.collection), namespace, signal));
  }
  const { created, ready, closed, failed } = told.pool;
  checkup.note(SECTION, 'pool', `${created} connections made, ${ready} of them ready, ${closed} closed, ${failed} check-outs failed; maxPoolSize ${settings.official.maxPoolSize}`,
    failed > 0 || closed > 0 ? { status: 'warn', remedy: 'Connections broke during these few reads: look at the server\'s log and at what is between.' } : {});
  return namespace;
}

/** A collection of the connection string's database. */
async function findCollection(checkup, client, dbName) {
  const found = await checkup.step(SECTION, 'collections', async (signal) => {
    const list = await client.db(dbName).listCollections({}, { nameOnly: true, authorizedCollections: true, signal }).toArray();
    const names = list.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
    return { value: `${names.length} in the database ${dbName}`, result: names };
  });
  if (found?.length > 0) return { ns: `${dbName}.${found[0]}`, database: dbName, collection: found[0] };
  checkup.skip(SECTION, 'read', 'no collection to read: name one with --ns');
  return undefined;
}

/** Times of both drivers are taken in the same way. */
async function pings(ping) {
  const times = [];
  for (let i = 0; i < PINGS; i++) times.push(await timed(ping));
  const [first, ...others] = times.map(({ ms }) => ms);
  return `first ${first} ms, then ${Math.min(...others)} to ${Math.max(...others)} ms`;
}

async function read(collection, { ns }, signal) {
  const one = await timed(() => collection.findOne({}, { signal }));
  const some = await timed(() => collection.find({}, { limit: LIMIT, signal }).toArray());
  return { value: `${ns}: findOne ${one.ms} ms, find of ${some.value.length} documents (limit ${LIMIT}) ${some.ms} ms` };
}

async function timed(run) {
  const began = performance.now();
  const value = await run();
  return { value, ms: Math.round((performance.now() - began) * 10) / 10 };
}

/** Credentials are used when a connection of the pool is made, which is after the server has said hello. */
function authentication(checkup, { core, official }, connected, { error, known }) {
  if (official.credentials === undefined) checkup.note(SECTION, 'authentication', 'no credentials are given');
  else if (connected) checkup.note(SECTION, 'authentication', `accepted${core.authMechanism ? ` (${core.authMechanism})` : ''}`);
  else if (known > 0 && error?.hasErrorLabel?.('HandshakeError')) {
    checkup.note(SECTION, 'authentication', 'refused', { status: 'fail', remedy: 'See the error of connect, above.' });
  } else checkup.skip(SECTION, 'authentication', 'there is no connection');
}

/** What the client's events tell of servers and connections. */
class Told {
  servers = new Map(); // address -> the last description of a server that answered, else of one that did not
  topology = null;
  error = null; // of connect
  pool = { created: 0, ready: 0, closed: 0, failed: 0 };

  get known() {
    return [...this.servers.values()].filter(({ type }) => type !== 'Unknown').length;
  }

  listen(client) {
    client.on('topologyDescriptionChanged', ({ newDescription }) => {
      if (newDescription.hasKnownServers || this.topology === null) this.topology = newDescription;
      // A member that left is of no interest any more; one whose pool was cleared was there.
      for (const [address, server] of newDescription.servers) {
        if (server.type !== 'Unknown' || !(this.servers.get(address)?.isReadable)) this.servers.set(address, server);
      }
    });
    const count = (event, name) => client.on(event, () => { this.pool[name]++; });
    count('connectionCreated', 'created');
    count('connectionReady', 'ready');
    count('connectionClosed', 'closed');
    count('connectionCheckOutFailed', 'failed');
  }

  describe(checkup, hider) {
    if (this.topology === null) return;
    for (const { setName, hosts, me, primary } of this.servers.values()) for (const name of [setName, me, primary, ...hosts]) hider.host(name?.replace(/:\d+$/, ''));
    if (this.known > 0) this.#topology(checkup);
    for (const server of this.servers.values()) this.#server(checkup, hider, server);
  }

  #topology(checkup) {
    const { type, setName } = this.topology;
    const primary = [...this.servers.values()].find((server) => server.type === 'RSPrimary')?.address;
    const set = setName ? `, set ${setName}, primary ${primary ?? 'none'}` : '';
    checkup.note(SECTION, 'topology', `${type}${set}`, type === 'ReplicaSetNoPrimary'
      ? { status: 'warn', remedy: 'The set has no primary just now: look at its members, or read with readPreference=secondaryPreferred.' } : {});
  }

  #server(checkup, hider, { address, type, minWireVersion, maxWireVersion, roundTripTime, error }) {
    if (type !== 'Unknown') {
      checkup.note(SECTION, address, `${type}, wire versions ${minWireVersion} to ${maxWireVersion}, round trip ${roundTripTime} ms`);
      return;
    }
    checkup.note(SECTION, address, `no hello: ${hider.foreign(error?.message ?? 'it does not answer')}`,
      { status: this.known > 0 ? 'warn' : 'fail', remedy: error ? remedyFor(SECTION, error) : SILENT_SERVER });
  }
}

module.exports = { checkServer, limits, pings, read };

'use strict';
// A client: checked options, the number of its topology in the core, and the reads in flight.

const { MonitoredEmitter } = require('./monitoring/emitter.js');
const { EventSource } = require('./monitoring/source.js');
const { checkTracing } = require('./monitoring/spans.js');
const { Db } = require('./database.js');
const { parseClientOptions } = require('./options/client-options.js');
const { resolveBson } = require('./bson/classes.js');
const { checkedDriverInfo, joinDriverInfo } = require('./options/driver-info.js');
const { withRoots } = require('./options/tls-roots.js');
const { decoderStats } = require('./decoders.js');
const { refuse } = require('./out-of-scope.js');
const { errors, errorFromFault, invalidArgument } = require('./errors.js');

class MongoClient extends MonitoredEmitter {
  #settings;
  #bsonClasses = null;
  #bridge = null;
  #coreId = null;
  #source = null; // of events, from connect to close
  #connecting = null;
  #giveUp = null; // AbortController of the attempt to connect
  #closing = null;
  #everClosed = false;
  #metadata = []; // of appendMetadata()
  #reads = new Set(); // readers and reply sinks not at their end; none of them refers to a cursor

  /**
   * Checks everything, connects nothing.
   * @param {string} uri
   * @param {object} [options]
   */
  constructor(uri, options) {
    const settings = parseClientOptions(uri, options);
    super(settings.monitorCommands);
    this.#settings = settings;
    checkTracing(settings.tracing);
    if (this.#settings.bson != null) this.#bsonClasses = this.#resolveBson();
  }

  static async connect(uri, options) {
    return await new this(uri, options).connect();
  }

  // ---- what parts of this package read

  get settings() {
    return this.#settings;
  }

  /** Found at the first use: finding them may load the application's driver. */
  get bsonClasses() {
    this.#bsonClasses ??= this.#resolveBson();
    return this.#bsonClasses;
  }

  #resolveBson() {
    try {
      return resolveBson({ bson: this.#settings.bson });
    } catch (cause) {
      if (cause instanceof TypeError) throw invalidArgument(cause.message, { cause });
      throw cause;
    }
  }

  get bridge() {
    // Not at load: an application may import the package where the addon cannot be loaded.
    this.#bridge ??= require('./native/bridge.js');
    return this.#bridge;
  }

  /** The core's number of this client, null while it is not connected. */
  get coreId() {
    return this.#coreId;
  }

  get bsonOptions() {
    return this.#settings.bsonOptions;
  }

  get readPreference() {
    return this.#settings.readPreference;
  }

  get readConcern() {
    return this.#settings.readConcern;
  }

  get serverApi() {
    return this.#settings.core.serverApi;
  }

  get options() {
    return this.#settings.official;
  }

  /**
   * What wraps this client, for the server's log. Connections that are open, or shared with other clients, say what they said
   * when they were opened: it counts from the next connect() on.
   * @param {{name?: string, version?: string, platform?: string}} driverInfo
   */
  appendMetadata(driverInfo) {
    this.#metadata.push(checkedDriverInfo(driverInfo));
  }

  // ---- connecting

  async connect() {
    await this.#ensureConnected();
    return this;
  }

  async #ensureConnected() {
    if (this.#closing !== null) await this.#closing;
    if (this.#coreId !== null) return;
    // One topology however many callers: they share the attempt, and its failure.
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    await this.#connecting;
  }

  async #connect() {
    const { bsonClasses, bridge } = this;
    const { uri, core, processReadAheadBytes } = this.#settings;
    const options = withRoots({ ...core, driverInfo: joinDriverInfo([core.driverInfo, ...this.#metadata]) });
    const params = bsonClasses.BSON.serialize({ uri, options, processReadAheadBytes }, { ignoreUndefined: true });
    const { signal } = (this.#giveUp = new AbortController());
    const source = (this.#source = new EventSource(this));
    try {
      this.#coreId = await bridge.connect(params, signal, source);
    } catch (fault) {
      this.#forgetSource();
      if (signal.aborted) throw new (errors().MongoClientClosedError)();
      throw fault instanceof Uint8Array ? errorFromFault(fault, bsonClasses) : fault;
    }
    this.emit('open', this);
  }

  /** Listeners have come or gone. */
  _listen() {
    if (this.#source !== null) this.bridge.listen(this.#source);
  }

  #forgetSource() {
    const source = this.#source;
    this.#source = null;
    if (source !== null) this.bridge.forget(source);
  }

  /** For a read on a client that is not connected. A closed client stays closed until connect() is called. */
  async autoConnect() {
    this.checkUsable();
    await this.#ensureConnected();
  }

  checkUsable() {
    if (this.#coreId === null && this.#everClosed && this.#connecting === null) {
      throw new (errors().MongoNotConnectedError)('Client must be connected before running operations; it was closed, call connect() again');
    }
  }

  // ---- reads in flight

  track(read) {
    this.#reads.add(read);
    read.onEnd(() => this.#reads.delete(read));
  }

  untrack(read) {
    this.#reads.delete(read);
  }

  /** Ends the reads in flight with MongoClientClosedError and closes the topology. */
  async close() {
    this.#everClosed = true;
    this.#closing ??= this.#close().finally(() => {
      this.#closing = null;
    });
    await this.#closing;
  }

  async #close() {
    for (const read of [...this.#reads]) read.fail(new (errors().MongoClientClosedError)());
    this.#giveUp?.abort();
    try {
      await this.#connecting;
    } catch {
      // Whoever started connecting has the error.
    }
    const id = this.#coreId;
    if (id === null) return;
    this.#coreId = null;
    try {
      await this.bridge.closeClient(id);
    } finally {
      this.#forgetSource();
    }
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  // ---- databases

  db(name, options) {
    return new Db(this, name || this.#settings.dbName, options);
  }

  collection(dbName, name, options) {
    return this.db(dbName).collection(name, options);
  }

  /** Counters of this environment and of the process's native core: see index.d.ts. Loads the addon. */
  stats() {
    return {
      reads: this.#reads.size,
      ...decoderStats(this.bridge.lazyMemory()),
      chunks: this.bridge.received(),
      memory: this.bridge.memory(),
      droppedEvents: this.bridge.droppedEvents(),
      core: this.bsonClasses.BSON.deserialize(this.bridge.stats()),
    };
  }

  /** Never shows the connection string: it may hold a password. */
  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    const state = this.#coreId !== null ? 'connected' : this.#everClosed ? 'closed' : 'not connected';
    return `${this.constructor.name} ${inspect({ state, db: this.#settings.dbName, reads: this.#reads.size }, options)}`;
  }
}

refuse(MongoClient, 'client', { async: ['bulkWrite', 'withSession'], sync: ['startSession', 'watch'] });

module.exports = { MongoClient };

'use strict';
// A stand-in for an official MongoClient that the driver's own operations and cursors run on. All of the driver stays in
// use (arguments, options, commands, retries, cursors and their events); only where it would send a command and wait for
// the reply, reads go to the core, and everything else to the server it has selected.
//
//   executeOperation(client, operation): client.topology.selectServer(...) -> server; server.command(operation) -> reply

const { Connection } = require('./connection.js');
const { WITH_CURSOR, refusal, Requests } = require('./operations.js');
const { NativeCursor, nativeCursor } = require('./native-cursor.js');
const { findOneOperation, onlyDocument } = require('./find-one.js');
const { openReader } = require('../reads/read.js');
const { errorFromFault } = require('../errors.js');
const { WANT } = require('../cursor/reader.js');
const { note } = require('./note.js');

const NO_CONNECTION = Object.freeze({ description: Object.freeze({ maxWireVersion: 0 }) });

/** What a command is sent to: the core, or a server of the official driver that is selected only if it is needed. */
class Server {
  constructor(transport, topology, selector, options) {
    this.transport = transport;
    this.topology = topology;
    this.selector = selector;
    this.selectorOptions = options;
  }

  get description() {
    return anyServer(this.topology)?.description ?? NO_CONNECTION.description;
  }

  get loadBalanced() {
    return anyServer(this.topology)?.loadBalanced ?? false;
  }

  async command(operation, timeoutContext) {
    const cursor = nativeCursor(operation.cursorId);
    if (cursor !== undefined) {
      if (operation.commandName === 'getMore') return await cursor.batch();
      await cursor.close();
      return operation.SERVER_COMMAND_RESPONSE_TYPE.empty;
    }
    const reply = await this.transport.read(operation, timeoutContext);
    if (reply !== undefined) return reply;
    const server = await this.topology.selectServer(this.selector, this.selectorOptions);
    operation.server = server; // where the getMores of its cursor go
    return await server.command(operation, timeoutContext);
  }
}

const anyServer = (topology) => topology.s.servers.values().next().value;

class Transport {
  #client;
  #mongodb;
  #topology = null; // the official one that #standIn stands for
  #standIn = null;
  #requests = null;
  #FindOperation = null; // the driver's, seen with the first find
  #running = 0; // requests that have not ended
  #idle = null; // called when there are none

  constructor(client, mongodb) {
    this.#client = client;
    this.#mongodb = mongodb;
    this.connection = new Connection(client, mongodb);
    this.reads = { native: 0, official: 0 };
    const transport = this;
    this.client = Object.create(client, {
      topology: { get: () => transport.#standInFor(client.topology) },
      connect: { value: () => client.connect() },
      close: { value: (force) => client.close(force) },
    });
  }

  #standInFor(topology) {
    if (topology == null) return topology;
    if (this.#topology !== topology) {
      this.#topology = topology;
      const transport = this;
      this.#standIn = Object.create(topology, {
        selectServer: {
          value(selector, options) {
            return isKnown(topology) ? new Server(transport, topology, selector, options) : topology.selectServer(selector, options);
          },
        },
      });
    }
    return this.#standIn;
  }

  /** The reply to an operation, undefined when the official driver is to run it. */
  async read(operation, timeoutContext) {
    const reason = refusal(operation, timeoutContext, this.#client);
    const native = reason === null ? this.connection.ready ?? await this.connection.get() : null;
    const request = native === null ? null : this.#request(native, operation, timeoutContext);
    if (request === null) {
      return this.#leave(operation, reason ?? this.connection.reason ?? 'rumongo-go is not connected yet');
    }
    if (operation.commandName === 'find') this.#FindOperation = operation.constructor;
    const reader = this.#open(native, request, operation.options.signal);
    try {
      return WITH_CURSOR.has(operation.commandName)
        ? await new NativeCursor(reader, this.#mongodb.BSON.Long, (ended) => this.#failureOf(ended)).batch()
        : await this.#reply(reader, operation);
    } catch (error) {
      if (!isOurs(reader)) throw error;
      return this.#leave(operation, `rumongo-go has failed: ${error.message}`);
    }
  }

  #leave(operation, reason) {
    this.reads.official++;
    note(() => `${operation.commandName} by the official driver: ${reason}`);
    return undefined;
  }

  /**
   * The document of a findOne().
   * @returns {Promise} null when it is to go the driver's own way
   */
  findOne(collection, filter, options) {
    const native = this.connection.ready;
    const topology = this.#client.topology;
    if (native === null || this.#FindOperation === null || topology == null || !isKnown(topology)) return null;
    const operation = findOneOperation(this.#FindOperation, this.#client, collection, filter, options);
    const request = operation === null ? null : this.#request(native, operation, undefined, topology.s.options.retryReads);
    return request === null ? null : onlyDocument(this.#open(native, request), (ended) => this.#failureOf(ended));
  }

  #open(native, request, signal) {
    const reader = openReader(native, request, signal);
    this.reads.native++;
    this.#running++;
    reader.onEnd(() => {
      if (--this.#running === 0 && this.#idle !== null) this.#idle();
    });
    return reader;
  }

  /** @param {() => void} callback replaces the one before */
  whenIdle(callback) {
    this.#idle = callback;
    if (this.#running === 0) callback();
  }

  /** @param {boolean} retryReads whether the core retries; else the driver does, which runs the operation again */
  #request(native, operation, timeoutContext, retryReads = false) {
    this.#requests ??= new Requests(this.#mongodb, native.bsonClasses, native.bridge);
    return this.#requests.of(operation, timeoutContext, NO_CONNECTION, retryReads);
  }

  async #reply(reader, { SERVER_COMMAND_RESPONSE_TYPE }) {
    await reader.until(WANT.ALL);
    const failure = this.#failureOf(reader);
    if (failure !== null) throw failure.error;
    return SERVER_COMMAND_RESPONSE_TYPE.make(reader.shift());
  }

  /** Errors are of the classes of the client's own driver. */
  #failureOf(reader) {
    if (reader.thrown !== null) return { error: this.#own(reader.thrown.error) };
    if (reader.fault === null || reader.cancelled) return null;
    const error = errorFromFault(reader.fault, reader.bsonClasses, reader.bsonOptions, this.connection.family);
    if (error.name === 'MongoServerSelectionError' && this.#topology !== null) error.reason = this.#topology.description;
    return { error };
  }

  #own(error) {
    const { MongoClientClosedError } = this.connection.family;
    return error?.name === 'MongoClientClosedError' && !(error instanceof MongoClientClosedError) ? new MongoClientClosedError() : error;
  }
}

/** A fault that is in the core and not in what was asked of it: the official driver does not have it. */
function isOurs({ fault, bsonClasses }) {
  return fault !== null && bsonClasses.BSON.deserialize(fault).kind === 'internal';
}

/** Drivers whose servers take whole operations: 6.17 and later. */
function isKnown(topology) {
  return anyServer(topology)?.command.length === 2;
}

module.exports = { Transport };

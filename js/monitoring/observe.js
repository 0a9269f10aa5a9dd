'use strict';
// Those who follow reads: RUMONGO_DEBUG, subscribers of the diagnostics channel, OpenTelemetry. For a read that nobody
// follows this is three checks. No filter, no value and no document is ever passed on.

const { AsyncResource } = require('node:async_hooks');
const debug = require('../debug.js');
const channels = require('./channels.js');
const spans = require('./spans.js');

const NAME = 5; // offset of a command's name in its BSON: after the length and the type

/** The async context of whoever calls now, for what is told later; null when nothing will be. */
function contextOf(client) {
  return client.hearsCommands ? new AsyncResource('rumongo-go.read') : null;
}

/**
 * @param {import('../client.js').MongoClient} client
 * @param {Uint8Array} command
 * @param {{ namespace: string } | { db: string }} target db: the command says what it is about
 * @returns {Observation | null} null: nobody follows the read
 */
function observe(client, command, { namespace, db }) {
  const tracer = spans.tracerFor(client.settings.tracing);
  const published = channels.subscribed;
  if (tracer === null && !published && !debug.enabled) return null;
  return new Observation(client, namespace ?? namespaceOf(db, command), command, tracer, published, namespace !== undefined);
}

class Observation {
  #start = performance.now();
  #message;
  #context = null;
  #span = null;
  #published;
  #frames = {};
  #hasRows; // a command's one reply is no row

  constructor(client, namespace, command, tracer, published, hasRows) {
    this.#hasRows = hasRows;
    const dot = namespace.indexOf('.');
    const collection = dot === -1 ? '' : namespace.slice(dot + 1);
    this.#message = {
      operation: nameOf(command),
      namespace,
      database: dot === -1 ? namespace : namespace.slice(0, dot),
      collection: collection === '' || collection.startsWith('$cmd') ? undefined : collection,
      server: client.settings.server,
      documents: 0,
      bytes: 0,
      ms: undefined,
      cancelled: false,
      error: undefined,
    };
    this.#published = published;
    if (published) this.#context = new AsyncResource('rumongo-go.read');
    if (tracer !== null) this.#span = spans.begin(tracer, this.#message);
    if (tracer !== null || published) Error.captureStackTrace(this.#frames, observe);
  }

  run(start) {
    if (this.#published) channels.begin(this.#message, start);
    else start();
  }

  /** Ends with a reader, whose error is made in the caller's frames where nobody follows the read. */
  follow(reader) {
    reader.onDone(() => {
      const failed = reader.thrown !== null || (reader.fault !== null && !reader.cancelled);
      this.end(reader, failed, () => this.#atCaller(reader.failure()));
    });
  }

  /**
   * The read is over.
   * @param {{ documents: number, bytes: number, cancelled?: boolean }} figures
   * @param {boolean} failed
   * @param {() => any} errorOf the error the caller will get; called when somebody is to be told it
   */
  end({ documents, bytes, cancelled = false }, failed, errorOf) {
    const message = this.#message;
    Object.assign(message, { documents, bytes, cancelled, ms: performance.now() - this.#start });
    if (debug.enabled) debug.log(message, failed);
    if (this.#span === null && !this.#published) return;
    if (failed) message.error = errorOf();
    if (this.#span !== null) spans.finish(this.#span, message, this.#hasRows);
    if (this.#published) this.#context.runInAsyncScope(channels.finish, null, message);
  }

  #atCaller(error) {
    const { stack } = this.#frames;
    const own = error?.stack;
    if (typeof own === 'string' && typeof stack === 'string') {
      const at = own.indexOf('\n    at ');
      error.stack = `${at === -1 ? own : own.slice(0, at)}${stack.slice(stack.indexOf('\n    at '))}`;
    }
    return error;
  }
}

function nameOf(command) {
  return Buffer.from(command.buffer, command.byteOffset, command.byteLength).toString('utf8', NAME, command.indexOf(0, NAME));
}

/** `db.collection` of a command that names one, else `db`. */
function namespaceOf(db, command) {
  const STRING = 2;
  if (command[NAME - 1] !== STRING) return db;
  const bytes = Buffer.from(command.buffer, command.byteOffset, command.byteLength);
  const value = bytes.indexOf(0, NAME) + 1;
  return `${db}.${bytes.toString('utf8', value + 4, value + 4 + bytes.readInt32LE(value) - 1)}`;
}

module.exports = { contextOf, observe };

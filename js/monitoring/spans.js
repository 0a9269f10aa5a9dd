'use strict';
// One OpenTelemetry span for each read, by the semantic conventions for databases, if the application uses
// @opentelemetry/api. The package is the application's and never required before there is a provider of tracers.

const { findPackage } = require('../user-package.js');
const { invalidArgument } = require('../errors.js');
const { version } = require('../../package.json');

// Where every copy of @opentelemetry/api, whose major version is 1, keeps what is registered. Reading it costs nothing.
const REGISTERED = Symbol.for('opentelemetry.js.api.1');
const CLIENT = 2; // SpanKind.CLIENT
const ERROR = 2; // SpanStatusCode.ERROR

let api; // undefined: not looked for yet
let provider; // that the tracer is of
let tracer = null;

function findApi() {
  if (api === undefined) {
    try {
      api = findPackage('@opentelemetry/api');
    } catch {
      api = null; // a package that does not load traces nothing
    }
  }
  return api;
}

/** @param {{ enabled?: boolean } | undefined} tracing the client option; `enabled: true` needs the package */
function checkTracing(tracing) {
  if (tracing?.enabled === true && !findApi()) {
    throw invalidArgument('Option "tracing.enabled" needs the package @opentelemetry/api: npm install @opentelemetry/api');
  }
}

/** The tracer for a client's reads, or null when nothing is traced. */
function tracerFor(tracing) {
  if (tracing?.enabled === false) return null;
  const registered = globalThis[REGISTERED]?.trace;
  if (registered === undefined) return null;
  if (registered !== provider) {
    provider = registered;
    tracer = findApi()?.trace.getTracer('rumongo-go', version) ?? null;
  }
  return tracer;
}

/**
 * Begins a span whose parent is the caller's.
 * @param {{ database: string, collection?: string, operation: string, server: {address, port} | null }} read
 */
function begin(tracerOfClient, { database, collection, operation, server }) {
  const attributes = { 'db.system.name': 'mongodb', 'db.namespace': database, 'db.operation.name': operation };
  if (collection !== undefined) attributes['db.collection.name'] = collection;
  if (server !== null) {
    attributes['server.address'] = server.address;
    attributes['server.port'] = server.port;
  }
  return tracerOfClient.startSpan(`${operation} ${collection ?? database}`, { kind: CLIENT, attributes });
}

/** @param {{ documents: number, error?: Error }} read */
function finish(span, { documents, error }, hasRows) {
  if (span.isRecording()) {
    if (error !== undefined) fail(span, error);
    else if (hasRows) span.setAttribute('db.response.returned_rows', documents);
  }
  span.end();
}

function fail(span, error) {
  const code = error?.name === 'MongoServerError' && error.code !== undefined ? String(error.code) : undefined;
  if (code !== undefined) span.setAttribute('db.response.status_code', code);
  span.setAttribute('error.type', code ?? error?.name ?? '_OTHER');
  if (error instanceof Error) span.recordException(error);
  span.setStatus({ code: ERROR, message: String(error?.message ?? error) });
}

module.exports = { checkTracing, tracerFor, begin, finish };

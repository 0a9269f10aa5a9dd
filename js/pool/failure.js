'use strict';
// An error on its way from a worker to the caller. A structured clone keeps neither class nor code, and a function may
// throw anything: what cannot be read or sent is left out, never thrown again.

const { errors, errorFromFault } = require('../errors.js');

const PLAIN = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const MAX_CAUSES = 4;

/** Classes of the driver that a worker makes itself; everything from the server comes as the core's fault. */
const OURS = {
  MongoInvalidArgumentError: (Class, message) => new Class(message),
  MongoServerSelectionError: (Class, message) => new Class(message, { type: 'Unknown', servers: new Map() }),
  MongoRuntimeError: (Class, message) => new Class(message),
};

/** In the worker: what the core said of a read. */
function packFault(fault) {
  return { fault };
}

/**
 * In the worker: what was thrown.
 * @param {unknown} error
 * @param {(error: Error) => string} [hintFor] what to add to its message
 */
function packFailure(error, hintFor = () => '') {
  try {
    return packError(error, hintFor, 0);
  } catch {
    return { name: 'Error', message: 'the function threw what cannot be read' };
  }
}

function packError(error, hintFor, depth) {
  if (!isError(error)) return { name: 'Error', message: `the function threw ${describe(error)}` };
  const code = read(error, 'code');
  const cause = depth < MAX_CAUSES ? read(error, 'cause') : undefined;
  return {
    name: text(error, 'name') || 'Error',
    message: text(error, 'message') + hintFor(error),
    stack: text(error, 'stack'),
    code: typeof code === 'number' || typeof code === 'string' ? code : undefined,
    cause: isError(cause) ? packError(cause, hintFor, depth + 1) : undefined,
  };
}

function isError(value) {
  try {
    return value instanceof Error;
  } catch {
    return false; // a proxy that has been revoked
  }
}

function read(error, key) {
  try {
    return error[key];
  } catch {
    return undefined;
  }
}

function text(error, key) {
  const value = read(error, key);
  return typeof value === 'string' ? value : '';
}

function describe(value) {
  try {
    return String(value);
  } catch {
    return `a ${typeof value}`;
  }
}

/** On the caller's side: what a worker packed, until the caller's own function makes an error of it. */
class WorkerFailure {
  constructor(packed) {
    this.packed = packed;
  }
}

/**
 * On the caller's side: an error with the worker's stack below the caller's.
 * @param {WorkerFailure} failure
 * @param {object} bsonClasses
 */
function unpackFailure({ packed }, bsonClasses) {
  if (packed.fault) return errorFromFault(packed.fault, bsonClasses);
  return unpackError(packed, bsonClasses);
}

function unpackError({ name, message, stack, code, cause }, bsonClasses) {
  const error = make(name, message, bsonClasses);
  if (error.name !== name) define(error, 'name', name);
  if (code !== undefined) error.code = code;
  if (cause !== undefined) define(error, 'cause', unpackError(cause, bsonClasses));
  if (stack) define(error, 'stack', `${error.stack}\n    in the worker:\n${stack}`);
  return error;
}

function make(name, message, bsonClasses) {
  if (Object.hasOwn(OURS, name)) return OURS[name](errors()[name], message);
  if (name === 'BSONError') return new bsonClasses.BSONError(message);
  return new (Object.hasOwn(PLAIN, name) ? PLAIN[name] : Error)(message);
}

function define(error, name, value) {
  Object.defineProperty(error, name, { value, configurable: true, writable: true, enumerable: false });
}

module.exports = { packFault, packFailure, unpackFailure, WorkerFailure };

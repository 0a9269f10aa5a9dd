'use strict';
// An error on its way from a worker to the caller. A structured clone keeps neither class nor code.

const { errorFromFault } = require('../errors.js');

const PLAIN = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

/**
 * In the worker.
 * @param {unknown} error
 * @param {Uint8Array | null} [fault] what the core said, when the error was made from that
 */
function packFailure(error, fault = null) {
  if (fault !== null) return { fault };
  if (!(error instanceof Error)) return { message: `the reducer threw ${String(error)}`, name: 'Error' };
  return { name: error.name, message: error.message, stack: error.stack, code: error.code };
}

/**
 * On the caller's side: an error with the worker's stack below the caller's.
 * @param {ReturnType<typeof packFailure>} failure
 * @param {object} bsonClasses
 */
function unpackFailure(failure, bsonClasses) {
  if (failure.fault) return errorFromFault(failure.fault, bsonClasses);
  const Class = failure.name === 'BSONError' ? bsonClasses.BSONError : PLAIN[failure.name] ?? Error;
  const error = new Class(failure.message);
  if (error.name !== failure.name) define(error, 'name', failure.name);
  if (failure.code !== undefined) error.code = failure.code;
  if (failure.stack) define(error, 'stack', `${error.stack}\n    in the worker:\n${failure.stack}`);
  return error;
}

function define(error, name, value) {
  Object.defineProperty(error, name, { value, configurable: true, writable: true, enumerable: false });
}

module.exports = { packFailure, unpackFailure };

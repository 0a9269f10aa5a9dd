'use strict';
// One family of error classes per process and per `mongodb` package, and the way from a fault (what
// the core says went wrong, see docs/architecture.md) to one of them.

const { buildFamily, NAMES } = require('./error-classes.js');
const { findPackage } = require('./user-package.js');
const { malformedError } = require('./bson/malformed.js');

const families = new WeakMap();
let standard = null;

/** The family of one `mongodb` module's exports. */
function familyOf(mongodb) {
  let family = families.get(mongodb);
  if (family === undefined) {
    family = buildFamily(mongodb);
    families.set(mongodb, family);
  }
  return family;
}

/**
 * The family of the `mongodb` package the application would get from `require`, else our own. Found
 * at the first use and not at load: loading the official driver takes a tenth of a second.
 */
function errors() {
  if (standard === null) {
    const mongodb = findPackage('mongodb');
    standard = typeof mongodb?.MongoError === 'function' ? familyOf(mongodb) : buildFamily();
  }
  return standard;
}

const invalidArgument = (message, options) => new (errors().MongoInvalidArgumentError)(message, options);
const parseError = (message) => new (errors().MongoParseError)(message);
const apiError = (message, options) => new (errors().MongoAPIError)(message, options);
const tailableWith = (what) => new (errors().MongoTailableCursorError)(`Tailable cursor does not support ${what}`);

/**
 * Makes the error of a fault.
 * Call it from the async function the user awaits: V8 then adds the caller's frames to the stack, so
 * that nothing has to be captured when a read starts.
 *
 * @param {Uint8Array} bytes the fault
 * @param {object} bsonClasses the user's bson
 * @param {object} [bsonOptions] how the reply of the server is to be decoded
 * @param {object} [family] the classes, default those of the application's driver
 */
function errorFromFault(bytes, bsonClasses, bsonOptions, family = errors()) {
  const { deserialize } = bsonClasses.BSON;
  const fault = deserialize(bytes);
  const cause = fault.cause ? new Error(fault.cause) : undefined;
  const labelled = (error) => {
    for (const label of fault.labels ?? []) error.addErrorLabel?.(label);
    return error;
  };

  switch (fault.kind) {
    case 'server':
      return labelled(new family.MongoServerError(serverReply(fault, bytes, deserialize, bsonOptions)));
    case 'network':
      return labelled(new family.MongoNetworkError(fault.message, { cause }));
    case 'networkTimeout':
      return labelled(new family.MongoNetworkTimeoutError(fault.message, { cause }));
    case 'serverSelection': {
      const error = new family.MongoServerSelectionError(fault.message, { type: 'Unknown', servers: new Map() });
      if (cause !== undefined) setCause(error, cause);
      return labelled(error);
    }
    case 'waitQueueTimeout':
      return new family.MongoWaitQueueTimeoutError(fault.message, { cause });
    case 'parse':
      return new family.MongoParseError(fault.message);
    case 'invalidArgument':
      return new family.MongoInvalidArgumentError(fault.message);
    case 'closed':
      return new family.MongoClientClosedError();
    case 'unexpectedReply':
      return new family.MongoUnexpectedServerResponseError(fault.message);
    case 'mismatch':
      return mismatchError(family, fault);
    case 'bson':
      return malformedError(fault, bsonClasses, bsonOptions);
    case 'cancelled':
      return new family.MongoRuntimeError(fault.message || 'The read was cancelled');
    default:
      return internalError(family, fault, cause);
  }
}

/** A value that a strict column cannot hold. */
function mismatchError(family, { message, row, column, found }) {
  const error = new family.MongoRuntimeError(`Document ${row} of the result: ${message}`);
  return Object.assign(error, { documentIndex: Number(row), column, found });
}

/** The reply document as the official driver shows it: decoded with the reader's own options. */
function serverReply(fault, bytes, deserialize, bsonOptions) {
  if (fault.raw === undefined) {
    const reply = { ok: 0, errmsg: fault.message };
    if (fault.code !== undefined) reply.code = fault.code;
    if (fault.codeName) reply.codeName = fault.codeName;
    if (fault.labels?.length) reply.errorLabels = fault.labels;
    return reply;
  }
  if (bsonOptions === undefined) return fault.raw;
  const { promoteLongs, promoteValues, promoteBuffers, useBigInt64, bsonRegExp } = bsonOptions;
  return deserialize(bytes, { promoteLongs, promoteValues, promoteBuffers, useBigInt64, bsonRegExp }).raw;
}

/** Something in the core that should not happen; a panic brings the Go stack along as the cause. */
function internalError(family, fault, cause) {
  const error = new family.MongoRuntimeError(fault.message || 'Unknown failure in the native core');
  if (fault.stack) {
    const go = new Error(fault.message);
    go.stack = `${fault.message}\n${fault.stack}`;
    setCause(error, go);
  } else if (cause !== undefined) {
    setCause(error, cause);
  }
  return error;
}

function setCause(error, cause) {
  Object.defineProperty(error, 'cause', { value: cause, enumerable: false, configurable: true, writable: true });
}

module.exports = { errors, familyOf, errorFromFault, invalidArgument, parseError, apiError, tailableWith, NAMES };

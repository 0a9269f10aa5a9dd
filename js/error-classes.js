'use strict';
// The MongoError family. The classes are the user's own `mongodb` package's when it can be found, so
// that `instanceof` works across both drivers; otherwise these, with the same names and fields.

/** Root of our own family, used when there is no `mongodb` package. */
class OwnMongoError extends Error {
  constructor(message, options) {
    super(message, options);
    // Not enumerable: two errors that differ in nothing but this bookkeeping should print alike.
    Object.defineProperty(this, 'errorLabelSet', { value: new Set(), enumerable: false });
  }

  get name() {
    return 'MongoError';
  }

  get errmsg() {
    return this.message;
  }

  get errorLabels() {
    return Array.from(this.errorLabelSet);
  }

  hasErrorLabel(label) {
    return this.errorLabelSet.has(label);
  }

  addErrorLabel(label) {
    this.errorLabelSet.add(label);
  }
}

function named(name, Parent) {
  // A computed key gives the class its name without code generation.
  const holder = { [name]: class extends Parent {
    get name() {
      return name;
    }
  } };
  return holder[name];
}

function withDefault(name, Parent, text) {
  const holder = { [name]: class extends Parent {
    constructor(message = text, options) {
      super(message, options);
    }

    get name() {
      return name;
    }
  } };
  return holder[name];
}

// Reply fields that have a place of their own on the error.
const ELSEWHERE = new Set(['errorLabels', 'errmsg', 'message', 'errorResponse']);

function serverError(MongoError) {
  return class MongoServerError extends MongoError {
    constructor(reply) {
      super(reply.message || reply.errmsg || reply.$err || 'n/a');
      for (const label of reply.errorLabels ?? []) this.addErrorLabel(label);
      this.errorResponse = reply;
      for (const [key, value] of Object.entries(reply)) {
        if (!ELSEWHERE.has(key)) this[key] = value;
      }
    }

    get name() {
      return 'MongoServerError';
    }
  };
}

function networkError(MongoError) {
  return class MongoNetworkError extends MongoError {
    constructor(message, options) {
      super(message, options?.cause === undefined ? undefined : { cause: options.cause });
      this.beforeHandshake = Boolean(options?.beforeHandshake);
    }

    get name() {
      return 'MongoNetworkError';
    }
  };
}

function systemError(MongoError) {
  return class MongoSystemError extends MongoError {
    constructor(message, reason) {
      const cause = reason?.error;
      super(cause?.message ?? message, cause === undefined ? undefined : { cause });
      if (reason) this.reason = reason;
      this.code = cause?.code;
    }

    get name() {
      return 'MongoSystemError';
    }
  };
}

function closedError(MongoAPIError) {
  return class MongoClientClosedError extends MongoAPIError {
    constructor() {
      super('Operation interrupted because client was closed');
    }

    get name() {
      return 'MongoClientClosedError';
    }
  };
}

function writeConcernError(MongoServerError) {
  return class MongoWriteConcernError extends MongoServerError {
    constructor(result) {
      super({ ...result, ...result.writeConcernError });
      this.errInfo = result.writeConcernError?.errInfo;
      this.result = result;
    }

    get name() {
      return 'MongoWriteConcernError';
    }
  };
}

// Name, parent, and how to make it when the user's package has none. Parents come first.
const FAMILY = [
  ['MongoServerError', 'MongoError', serverError],
  ['MongoDriverError', 'MongoError'],
  ['MongoAPIError', 'MongoDriverError'],
  ['MongoRuntimeError', 'MongoDriverError'],
  ['MongoParseError', 'MongoDriverError'],
  ['MongoWaitQueueTimeoutError', 'MongoDriverError'], // the official driver has it and does not export it
  ['MongoOperationTimeoutError', 'MongoDriverError'],
  ['MongoInvalidArgumentError', 'MongoAPIError'],
  ['MongoCompatibilityError', 'MongoAPIError'],
  ['MongoMissingCredentialsError', 'MongoAPIError'],
  ['MongoNotConnectedError', 'MongoAPIError'],
  ['MongoCursorInUseError', 'MongoAPIError', (P) => withDefault('MongoCursorInUseError', P, 'Cursor is already initialized')],
  ['MongoCursorExhaustedError', 'MongoAPIError', (P) => withDefault('MongoCursorExhaustedError', P, 'Cursor is exhausted')],
  ['MongoTailableCursorError', 'MongoAPIError', (P) => withDefault('MongoTailableCursorError', P, 'Tailable cursor does not support this operation')],
  ['MongoClientClosedError', 'MongoAPIError', closedError],
  ['MongoBatchReExecutionError', 'MongoAPIError', (P) => withDefault('MongoBatchReExecutionError', P, 'This batch has already been executed, create new batch to execute')],
  ['MongoExpiredSessionError', 'MongoAPIError', (P) => withDefault('MongoExpiredSessionError', P, 'Cannot use a session that has ended')],
  ['MongoMissingDependencyError', 'MongoAPIError'],
  ['MongoServerClosedError', 'MongoAPIError', (P) => withDefault('MongoServerClosedError', P, 'Server is closed')],
  ['MongoTopologyClosedError', 'MongoAPIError', (P) => withDefault('MongoTopologyClosedError', P, 'Topology is closed')],
  ['MongoTransactionError', 'MongoAPIError'],
  ['MongoUnexpectedServerResponseError', 'MongoRuntimeError'],
  ['MongoAWSError', 'MongoRuntimeError'],
  ['MongoChangeStreamError', 'MongoRuntimeError'],
  ['MongoClientBulkWriteCursorError', 'MongoRuntimeError'],
  ['MongoClientBulkWriteExecutionError', 'MongoRuntimeError'],
  ['MongoDecompressionError', 'MongoRuntimeError'],
  ['MongoGridFSChunkError', 'MongoRuntimeError'],
  ['MongoGridFSStreamError', 'MongoRuntimeError'],
  ['MongoKerberosError', 'MongoRuntimeError'],
  ['MongoOIDCError', 'MongoRuntimeError'],
  ['MongoAzureError', 'MongoOIDCError'],
  ['MongoGCPError', 'MongoOIDCError'],
  ['MongoStalePrimaryError', 'MongoRuntimeError'],
  ['MongoNetworkError', 'MongoError', networkError],
  ['MongoNetworkTimeoutError', 'MongoNetworkError'],
  ['MongoSystemError', 'MongoError', systemError],
  ['MongoServerSelectionError', 'MongoSystemError'],
  ['MongoWriteConcernError', 'MongoServerError', writeConcernError],
  ['MongoBulkWriteError', 'MongoServerError'],
  ['MongoClientBulkWriteError', 'MongoServerError'],
  ['MongoCryptError', 'MongoError'],
  ['MongoCryptAzureKMSRequestError', 'MongoCryptError'],
  ['MongoCryptCreateDataKeyError', 'MongoCryptError'],
  ['MongoCryptCreateEncryptedCollectionError', 'MongoCryptError'],
  ['MongoCryptInvalidArgumentError', 'MongoCryptError'],
  ['MongoCryptKMSRequestNetworkTimeoutError', 'MongoCryptError'],
];

/**
 * Builds the family on what a `mongodb` package exports. A class it lacks (an older version) is
 * derived from the nearest parent it has.
 */
function buildFamily(found = {}) {
  const family = { MongoError: found.MongoError ?? OwnMongoError };
  for (const [name, parent, make] of FAMILY) {
    family[name] = found[name] ?? (make ? make(family[parent]) : named(name, family[parent]));
  }
  return Object.freeze(family);
}

const NAMES = Object.freeze(['MongoError', ...FAMILY.map(([name]) => name)]);

module.exports = { buildFamily, NAMES };

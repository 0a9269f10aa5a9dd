// The ES module form of index.js: the same classes, so that there is one of each.

import cjs from './index.js';

export default cjs;
export const {
  MongoClient,
  Db,
  Collection,
  FindCursor,
  BatchCursor,
  Model,
  Schema,
  WorkerPool,
  shadow,
  deepEqual,
  ReadPreference,
  version,
  MongoError,
  MongoServerError,
  MongoDriverError,
  MongoAPIError,
  MongoRuntimeError,
  MongoParseError,
  MongoInvalidArgumentError,
  MongoCompatibilityError,
  MongoMissingCredentialsError,
  MongoNotConnectedError,
  MongoCursorInUseError,
  MongoCursorExhaustedError,
  MongoTailableCursorError,
  MongoClientClosedError,
  MongoUnexpectedServerResponseError,
  MongoWaitQueueTimeoutError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoSystemError,
  MongoServerSelectionError,
} = cjs;

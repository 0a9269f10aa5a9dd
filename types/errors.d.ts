// The error classes are those of the application's `mongodb` package when it has one, else the same in name and shape.

import type { Document } from './query.js';
import type { TopologyDescription, TopologyVersion } from './events.js';

/** What a server says about an error. */
export interface ErrorDescription extends Document {
  message?: string;
  errmsg?: string;
  $err?: string;
  errorLabels?: string[];
  errInfo?: Document;
}

export declare class MongoError extends Error {
  constructor(message: string, options?: { cause?: Error });
  code?: number | string;
  cause?: Error;
  topologyVersion?: TopologyVersion;
  connectionGeneration?: number;
  get name(): string;
  /** The message. */
  get errmsg(): string;
  get errorLabels(): string[];
  hasErrorLabel(label: string): boolean;
  addErrorLabel(label: string): void;
}
/** What the server answered. */
export declare class MongoServerError extends MongoError {
  constructor(message: ErrorDescription);
  errorResponse: ErrorDescription;
  codeName?: string;
  writeConcernError?: Document;
  errInfo?: Document;
  ok?: number;
  [field: string]: any;
}
export declare class MongoDriverError extends MongoError {}
export declare class MongoAPIError extends MongoDriverError {}
export declare class MongoRuntimeError extends MongoDriverError {}
export declare class MongoParseError extends MongoDriverError {}
export declare class MongoInvalidArgumentError extends MongoAPIError {}
export declare class MongoCompatibilityError extends MongoAPIError {}
export declare class MongoMissingCredentialsError extends MongoAPIError {}
export declare class MongoNotConnectedError extends MongoAPIError {}
export declare class MongoCursorInUseError extends MongoAPIError {}
export declare class MongoCursorExhaustedError extends MongoAPIError {}
export declare class MongoTailableCursorError extends MongoAPIError {}
export declare class MongoClientClosedError extends MongoAPIError {}
export declare class MongoUnexpectedServerResponseError extends MongoRuntimeError {}
/** No connection of the pool became free within waitQueueTimeoutMS. */
export declare class MongoWaitQueueTimeoutError extends MongoDriverError {}
export declare class MongoNetworkError extends MongoError {
  readonly beforeHandshake: boolean;
}
export declare class MongoNetworkTimeoutError extends MongoNetworkError {}
export declare class MongoSystemError extends MongoError {
  constructor(message: string, reason: TopologyDescription);
  reason?: TopologyDescription;
}
export declare class MongoServerSelectionError extends MongoSystemError {}

// The others of the official hierarchy, for `instanceof`; this driver does not throw them.
export declare class MongoOperationTimeoutError extends MongoDriverError {}
export declare class MongoBatchReExecutionError extends MongoAPIError {}
export declare class MongoExpiredSessionError extends MongoAPIError {}
export declare class MongoMissingDependencyError extends MongoAPIError {}
export declare class MongoServerClosedError extends MongoAPIError {}
export declare class MongoTopologyClosedError extends MongoAPIError {}
export declare class MongoTransactionError extends MongoAPIError {}
export declare class MongoAWSError extends MongoRuntimeError {}
export declare class MongoChangeStreamError extends MongoRuntimeError {}
export declare class MongoClientBulkWriteCursorError extends MongoRuntimeError {}
export declare class MongoClientBulkWriteExecutionError extends MongoRuntimeError {}
export declare class MongoDecompressionError extends MongoRuntimeError {}
export declare class MongoGridFSChunkError extends MongoRuntimeError {}
export declare class MongoGridFSStreamError extends MongoRuntimeError {}
export declare class MongoKerberosError extends MongoRuntimeError {}
export declare class MongoOIDCError extends MongoRuntimeError {}
export declare class MongoAzureError extends MongoOIDCError {}
export declare class MongoGCPError extends MongoOIDCError {}
export declare class MongoStalePrimaryError extends MongoRuntimeError {}
export declare class MongoWriteConcernError extends MongoServerError {}
export declare class MongoBulkWriteError extends MongoServerError {}
export declare class MongoClientBulkWriteError extends MongoServerError {}
export declare class MongoCryptError extends MongoError {}
export declare class MongoCryptAzureKMSRequestError extends MongoCryptError {}
export declare class MongoCryptCreateDataKeyError extends MongoCryptError {}
export declare class MongoCryptCreateEncryptedCollectionError extends MongoCryptError {}
export declare class MongoCryptInvalidArgumentError extends MongoCryptError {}
export declare class MongoCryptKMSRequestNetworkTimeoutError extends MongoCryptError {}

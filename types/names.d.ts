// Names of the official driver for what is passed as text or number: a value each, and a type of what the value holds.

export declare const AuthMechanism: Readonly<{
  MONGODB_AWS: 'MONGODB-AWS';
  MONGODB_DEFAULT: 'DEFAULT';
  MONGODB_GSSAPI: 'GSSAPI';
  MONGODB_PLAIN: 'PLAIN';
  MONGODB_SCRAM_SHA1: 'SCRAM-SHA-1';
  MONGODB_SCRAM_SHA256: 'SCRAM-SHA-256';
  MONGODB_X509: 'MONGODB-X509';
  MONGODB_OIDC: 'MONGODB-OIDC';
}>;
export type AuthMechanism = (typeof AuthMechanism)[keyof typeof AuthMechanism];

export declare const BSONType: Readonly<{
  double: 1;
  string: 2;
  object: 3;
  array: 4;
  binData: 5;
  undefined: 6;
  objectId: 7;
  bool: 8;
  date: 9;
  null: 10;
  regex: 11;
  dbPointer: 12;
  javascript: 13;
  symbol: 14;
  javascriptWithScope: 15;
  int: 16;
  timestamp: 17;
  long: 18;
  decimal: 19;
  minKey: -1;
  maxKey: 127;
}>;
export type BSONType = (typeof BSONType)[keyof typeof BSONType];

export declare const Compressor: Readonly<{ none: 0; snappy: 1; zlib: 2; zstd: 3 }>;
export type Compressor = (typeof Compressor)[keyof typeof Compressor];
export type CompressorName = keyof typeof Compressor;

export declare const CURSOR_FLAGS: readonly ['tailable', 'oplogReplay', 'noCursorTimeout', 'awaitData', 'exhaust', 'partial'];
export type CursorFlag = (typeof CURSOR_FLAGS)[number];

export declare const CursorTimeoutMode: Readonly<{ ITERATION: 'iteration'; LIFETIME: 'cursorLifetime' }>;
export type CursorTimeoutMode = (typeof CursorTimeoutMode)[keyof typeof CursorTimeoutMode];

export declare const ExplainVerbosity: Readonly<{
  queryPlanner: 'queryPlanner';
  queryPlannerExtended: 'queryPlannerExtended';
  executionStats: 'executionStats';
  allPlansExecution: 'allPlansExecution';
}>;
export type ExplainVerbosity = string;
/** `true` asks for all there is, `false` for the plan alone. */
export type ExplainVerbosityLike = ExplainVerbosity | boolean;

export declare const MongoErrorLabel: Readonly<{
  RetryableWriteError: 'RetryableWriteError';
  TransientTransactionError: 'TransientTransactionError';
  UnknownTransactionCommitResult: 'UnknownTransactionCommitResult';
  ResumableChangeStreamError: 'ResumableChangeStreamError';
  HandshakeError: 'HandshakeError';
  ResetPool: 'ResetPool';
  PoolRequestedRetry: 'PoolRequestedRetry';
  InterruptInUseConnections: 'InterruptInUseConnections';
  NoWritesPerformed: 'NoWritesPerformed';
  RetryableError: 'RetryableError';
  SystemOverloadedError: 'SystemOverloadedError';
}>;
export type MongoErrorLabel = keyof typeof MongoErrorLabel;

export declare const ProfilingLevel: Readonly<{ off: 'off'; slowOnly: 'slow_only'; all: 'all' }>;
export type ProfilingLevel = (typeof ProfilingLevel)[keyof typeof ProfilingLevel];

export declare const ReadConcernLevel: Readonly<{
  local: 'local';
  majority: 'majority';
  linearizable: 'linearizable';
  available: 'available';
  snapshot: 'snapshot';
}>;
export type ReadConcernLevel = keyof typeof ReadConcernLevel;

export declare const ReadPreferenceMode: Readonly<{
  primary: 'primary';
  primaryPreferred: 'primaryPreferred';
  secondary: 'secondary';
  secondaryPreferred: 'secondaryPreferred';
  nearest: 'nearest';
}>;
export type ReadPreferenceMode = keyof typeof ReadPreferenceMode;

export declare const ServerApiVersion: Readonly<{ v1: '1' }>;
export type ServerApiVersion = (typeof ServerApiVersion)[keyof typeof ServerApiVersion];

export declare const ServerType: Readonly<{
  Standalone: 'Standalone';
  Mongos: 'Mongos';
  PossiblePrimary: 'PossiblePrimary';
  RSPrimary: 'RSPrimary';
  RSSecondary: 'RSSecondary';
  RSArbiter: 'RSArbiter';
  RSOther: 'RSOther';
  RSGhost: 'RSGhost';
  Unknown: 'Unknown';
  LoadBalancer: 'LoadBalancer';
}>;
export type ServerType = keyof typeof ServerType;

export declare const TopologyType: Readonly<{
  Single: 'Single';
  ReplicaSetNoPrimary: 'ReplicaSetNoPrimary';
  ReplicaSetWithPrimary: 'ReplicaSetWithPrimary';
  Sharded: 'Sharded';
  Unknown: 'Unknown';
  LoadBalanced: 'LoadBalanced';
}>;
export type TopologyType = keyof typeof TopologyType;

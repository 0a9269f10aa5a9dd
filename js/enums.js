'use strict';
// The official driver's tables of names that concern reads.

const freeze = Object.freeze;

module.exports = {
  AuthMechanism: freeze({
    MONGODB_AWS: 'MONGODB-AWS', MONGODB_DEFAULT: 'DEFAULT', MONGODB_GSSAPI: 'GSSAPI', MONGODB_PLAIN: 'PLAIN',
    MONGODB_SCRAM_SHA1: 'SCRAM-SHA-1', MONGODB_SCRAM_SHA256: 'SCRAM-SHA-256', MONGODB_X509: 'MONGODB-X509', MONGODB_OIDC: 'MONGODB-OIDC',
  }),
  BSONType: freeze({
    double: 1, string: 2, object: 3, array: 4, binData: 5, undefined: 6, objectId: 7, bool: 8, date: 9, null: 10, regex: 11,
    dbPointer: 12, javascript: 13, symbol: 14, javascriptWithScope: 15, int: 16, timestamp: 17, long: 18, decimal: 19, minKey: -1, maxKey: 127,
  }),
  Compressor: freeze({ none: 0, snappy: 1, zlib: 2, zstd: 3 }),
  CURSOR_FLAGS: freeze(['tailable', 'oplogReplay', 'noCursorTimeout', 'awaitData', 'exhaust', 'partial']),
  CursorTimeoutMode: freeze({ ITERATION: 'iteration', LIFETIME: 'cursorLifetime' }),
  ExplainVerbosity: freeze({
    queryPlanner: 'queryPlanner', queryPlannerExtended: 'queryPlannerExtended', executionStats: 'executionStats', allPlansExecution: 'allPlansExecution',
  }),
  MongoErrorLabel: freeze(Object.fromEntries([
    'RetryableWriteError', 'TransientTransactionError', 'UnknownTransactionCommitResult', 'ResumableChangeStreamError', 'HandshakeError',
    'ResetPool', 'PoolRequestedRetry', 'InterruptInUseConnections', 'NoWritesPerformed', 'RetryableError', 'SystemOverloadedError',
  ].map((label) => [label, label]))),
  ProfilingLevel: freeze({ off: 'off', slowOnly: 'slow_only', all: 'all' }),
  ReadConcernLevel: freeze({
    local: 'local', majority: 'majority', linearizable: 'linearizable', available: 'available', snapshot: 'snapshot',
  }),
  ReadPreferenceMode: freeze({
    primary: 'primary', primaryPreferred: 'primaryPreferred', secondary: 'secondary', secondaryPreferred: 'secondaryPreferred', nearest: 'nearest',
  }),
  ServerApiVersion: freeze({ v1: '1' }),
  ServerType: freeze(Object.fromEntries([
    'Standalone', 'Mongos', 'PossiblePrimary', 'RSPrimary', 'RSSecondary', 'RSArbiter', 'RSOther', 'RSGhost', 'Unknown', 'LoadBalancer',
  ].map((type) => [type, type]))),
  TopologyType: freeze(Object.fromEntries([
    'Single', 'ReplicaSetNoPrimary', 'ReplicaSetWithPrimary', 'Sharded', 'Unknown', 'LoadBalanced',
  ].map((type) => [type, type]))),
};

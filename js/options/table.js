'use strict';
// What each client option is and who acts on it. Names are the official driver's; look-ups ignore
// case, which is how rumongo's spellings (connectTimeoutMs, ...) come to mean the same.
//
// core: sent to the core under this name.  js: acted on in JavaScript.  write: only concerns writes or
// logging, accepted so that an options object can be shared with the official driver.  refused: would
// change how or whom we talk to if we left it out, so it is an error, with what to do instead.

const core = (type, name) => ({ use: 'core', type, name });
const js = (type) => ({ use: 'js', type });
const writeOf = (type) => ({ use: 'write', type });
const write = writeOf('any');
const refused = (remedy) => ({ use: 'refused', remedy });

const OFFICIAL = 'read through the official driver for that';
const TLS_HOOK = 'use tlsCAFile, tlsCertificateKeyFile, ca, cert, key or the tlsAllowInvalid... options';

const TABLE = {
  appName: core('string'),
  auth: core('auth'),
  authMechanism: core('authMechanism'),
  authMechanismProperties: core('pairs'),
  authSource: core('string'),
  ca: core('pem'),
  cert: core('pem'),
  compressors: core('compressors'),
  connectTimeoutMS: core('uint'),
  directConnection: core('boolean'),
  driverInfo: core('record'),
  family: core('family'),
  heartbeatFrequencyMS: core('uint'),
  key: core('pem'),
  loadBalanced: core('boolean'),
  localThresholdMS: core('uint'),
  maxConnecting: core('positive'),
  maxIdleTimeMS: core('uint'),
  maxPoolSize: core('uint'),
  minHeartbeatFrequencyMS: core('uint'),
  minPoolSize: core('uint'),
  passphrase: core('string', 'tlsCertificateKeyFilePassword'),
  proxyHost: core('string'),
  proxyPassword: core('string'),
  proxyPort: core('uint'),
  proxyUsername: core('string'),
  rejectUnauthorized: core('inverted', 'tlsAllowInvalidCertificates'),
  replicaSet: core('string'),
  retryReads: core('boolean'),
  serverApi: core('serverApi'),
  serverMonitoringMode: core('monitoring'),
  serverSelectionTimeoutMS: core('uint'),
  servername: core('string'),
  socketTimeoutMS: core('uint'),
  srvMaxHosts: core('uint'),
  srvServiceName: core('string'),
  ssl: core('boolean', 'tls'),
  tls: core('boolean'),
  tlsAllowInvalidCertificates: core('boolean'),
  tlsAllowInvalidHostnames: core('boolean'),
  tlsCAFile: core('string'),
  tlsCertificateKeyFile: core('string'),
  tlsCertificateKeyFilePassword: core('string'),
  tlsInsecure: core('boolean'),
  waitQueueTimeoutMS: core('uint'),
  zlibCompressionLevel: core('int'),

  bsonRegExp: js('boolean'),
  dbName: js('string'),
  enableUtf8Validation: js('boolean'),
  ignoreUndefined: js('boolean'),
  maxStalenessSeconds: js('uint'),
  monitorCommands: js('boolean'),
  promoteBuffers: js('boolean'),
  promoteLongs: js('boolean'),
  promoteValues: js('boolean'),
  processReadAheadBytes: js('positive'),
  raw: js('boolean'),
  readAheadBytes: js('positive'),
  readConcern: js('record'),
  readConcernLevel: js('string'),
  readPreference: js('any'),
  readPreferenceTags: js('tags'),
  serializeFunctions: js('boolean'),
  tracing: js('tracing'),
  useBigInt64: js('boolean'),

  autoSelectFamily: write,
  autoSelectFamilyAttemptTimeout: write,
  checkKeys: write,
  enableOverloadRetargeting: write,
  enableTrace: write,
  fieldsAsRaw: write,
  forceServerObjectId: write,
  fsync: writeOf('boolean'),
  hints: write,
  index: write,
  j: writeOf('boolean'),
  journal: writeOf('boolean'),
  keepAliveInitialDelay: write,
  maxAdaptiveRetries: write,
  minInternalBufferSize: write,
  mongodbLogComponentSeverities: write,
  mongodbLogMaxDocumentLength: write,
  mongodbLogPath: write,
  name: write,
  noDelay: write,
  pkFactory: write,
  requestCert: write,
  requestOCSP: write,
  retryWrites: writeOf('boolean'),
  session: write,
  timeoutMS: write,
  w: write,
  writeConcern: write,
  wtimeout: writeOf('uint'),
  wtimeoutMS: writeOf('uint'),
  __skipPingOnConnect: write,

  allowPartialTrustChain: refused(TLS_HOOK),
  ALPNProtocols: refused(TLS_HOOK),
  autoEncryption: refused(OFFICIAL),
  checkServerIdentity: refused(TLS_HOOK),
  ciphers: refused(TLS_HOOK),
  connectionType: refused(OFFICIAL),
  crl: refused(TLS_HOOK),
  ecdhCurve: refused(TLS_HOOK),
  localAddress: refused(OFFICIAL),
  localPort: refused(OFFICIAL),
  lookup: refused(OFFICIAL),
  minDHSize: refused(TLS_HOOK),
  pfx: refused('give the same certificate as PEM in cert and key'),
  pskCallback: refused(TLS_HOOK),
  runtimeAdapters: refused(OFFICIAL),
  secureContext: refused(TLS_HOOK),
  secureProtocol: refused(TLS_HOOK),
  SNICallback: refused(TLS_HOOK),
  srvAllowedHostsSuffix: refused(OFFICIAL),
  srvHostValidator: refused(OFFICIAL),
  srvPoller: refused(OFFICIAL),
  tlsCRLFile: refused(TLS_HOOK),
};

const BY_KEY = new Map(Object.entries(TABLE).map(([name, entry]) => [
  name.toLowerCase(),
  Object.freeze({ ...entry, option: name, name: entry.name ?? name }),
]));

/** @returns the entry of an option, by its name in any case; undefined when there is no such option */
const optionEntry = (key) => BY_KEY.get(key.toLowerCase());

module.exports = { optionEntry, TABLE };

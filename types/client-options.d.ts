// Options of a client.

import type { Document } from './query.js';
import type { BSONSerializeOptions, ReadConcern, ReadConcernLike, ReadPreference, ReadPreferenceLike, TagSet } from './options.js';
import type { AuthMechanism, CompressorName, ReadConcernLevel, ServerApiVersion } from './names.js';

export interface Auth {
  username?: string;
  password?: string;
}
export interface AuthMechanismProperties extends Document {
  SERVICE_HOST?: string;
  SERVICE_NAME?: string;
  SERVICE_REALM?: string;
  ENVIRONMENT?: 'test' | 'azure' | 'gcp' | 'k8s';
  ALLOWED_HOSTS?: string[];
  TOKEN_RESOURCE?: string;
  /** Functions that bring credentials are called by the official driver only. */
  OIDC_CALLBACK?: never;
  OIDC_HUMAN_CALLBACK?: never;
  AWS_CREDENTIAL_PROVIDER?: never;
}
export interface DriverInfo {
  name?: string;
  version?: string;
  platform?: string;
}
export interface ServerApi {
  version: ServerApiVersion;
  strict?: boolean;
  deprecationErrors?: boolean;
}
export type ServerMonitoringMode = 'auto' | 'poll' | 'stream';
/** PEM. */
export type Pem = string | Uint8Array | (string | Uint8Array)[];

/**
 * Options of a client: the official driver's names, in any case (so rumongo's `connectTimeoutMs` is one of them).
 * What is also in the connection string is overridden. Unknown ones, and those that rumongo-go cannot honour, are errors.
 */
export interface MongoClientOptions extends BSONSerializeOptions, WriteOnlyOptions {
  /** The BSON classes of values: the exports of `bson` or `mongodb`, major 6 or 7. Default: the application's own. */
  bson?: object;
  /** The name the server logs for the connections. */
  appName?: string;
  auth?: Auth;
  /** Functions that bring credentials and GSSAPI are refused. */
  authMechanism?: AuthMechanism;
  authMechanismProperties?: AuthMechanismProperties;
  authSource?: string;
  /** zstd, snappy, zlib or none, best first. Default none. */
  compressors?: string | CompressorName[];
  /** Default 30000. */
  connectTimeoutMS?: number;
  connectTimeoutMs?: number;
  /** The database of `db()` when no name is given. Default: the connection string's, else `test`. */
  dbName?: string;
  /** Talk to this one server only. Default false. */
  directConnection?: boolean;
  driverInfo?: DriverInfo;
  /** 4 or 6: which addresses of a host name to use. Default both. */
  family?: 4 | 6;
  /** Default 10000. */
  heartbeatFrequencyMS?: number;
  /** Default 500. */
  minHeartbeatFrequencyMS?: number;
  /** Default 15. */
  localThresholdMS?: number;
  /** In the connection string only. */
  loadBalanced?: never;
  /** Default 2. */
  maxConnecting?: number;
  /** 0: never close an idle connection. Default 0. */
  maxIdleTimeMS?: number;
  /** Default 100. Clients with equal URI and options share one pool in the process. */
  maxPoolSize?: number;
  minPoolSize?: number;
  /** Emit commandStarted, commandSucceeded and commandFailed. Default false. */
  monitorCommands?: boolean;
  /** A SOCKS5 proxy. */
  proxyHost?: string;
  proxyPort?: number;
  proxyUsername?: string;
  proxyPassword?: string;
  readConcern?: ReadConcernLike;
  readConcernLevel?: ReadConcernLevel;
  readPreference?: ReadPreferenceLike;
  readPreferenceTags?: TagSet[];
  maxStalenessSeconds?: number;
  replicaSet?: string;
  /** Run a read that failed for a passing reason once more. Default true. */
  retryReads?: boolean;
  serverApi?: ServerApi | ServerApiVersion;
  serverMonitoringMode?: ServerMonitoringMode;
  /** How long a read, or connect(), waits for a server that suits it. Default 30000. */
  serverSelectionTimeoutMS?: number;
  serverSelectionTimeoutMs?: number;
  /** 0: no limit. Default 0. */
  socketTimeoutMS?: number;
  srvMaxHosts?: number;
  srvServiceName?: string;
  tls?: boolean;
  ssl?: boolean;
  tlsInsecure?: boolean;
  tlsAllowInvalidCertificates?: boolean;
  tlsAllowInvalidHostnames?: boolean;
  tlsCAFile?: string;
  tlsCertificateKeyFile?: string;
  tlsCertificateKeyFilePassword?: string;
  ca?: Pem;
  cert?: Pem;
  key?: Pem;
  rejectUnauthorized?: boolean;
  passphrase?: string;
  servername?: string;
  /**
   * OpenTelemetry: a span for each read, where the application has registered a tracer provider with @opentelemetry/api.
   * `enabled: false`: none. `enabled: true`: an error when that package is missing.
   */
  tracing?: { enabled?: boolean };
  /** 0: no limit. Default 0. */
  waitQueueTimeoutMS?: number;
  zlibCompressionLevel?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | undefined;
  /** Of each read without its own. Default 24 MB. See FindOptions.readAheadBytes. */
  readAheadBytes?: number;
  /**
   * The same for all reads of the process together, of all clients and workers: the last client that connects with it
   * decides. Default 256 MB. A read somebody waits for gets its next batch whatever the others hold.
   */
  processReadAheadBytes?: number;
}

/** Accepted, so that an options object can be shared with the official driver, and without effect here. */
export interface WriteOnlyOptions {
  autoSelectFamily?: boolean;
  autoSelectFamilyAttemptTimeout?: number;
  enableOverloadRetargeting?: boolean;
  forceServerObjectId?: boolean;
  journal?: boolean;
  keepAliveInitialDelay?: number;
  maxAdaptiveRetries?: number;
  mongodbLogComponentSeverities?: object;
  mongodbLogMaxDocumentLength?: number;
  mongodbLogPath?: string | object;
  noDelay?: boolean;
  pkFactory?: object;
  retryWrites?: boolean;
  timeoutMS?: number;
  w?: number | 'majority';
  writeConcern?: object;
  wtimeoutMS?: number;
}

export interface HostAddress {
  readonly host?: string;
  readonly port?: number;
  readonly socketPath?: string;
  readonly isIPv6?: boolean;
  toString(): string;
}

/** Who the client is. The password and the mechanism's properties can be read, and are neither printed nor in JSON. */
export interface MongoCredentials {
  readonly username: string;
  readonly password: string;
  readonly source: string;
  readonly mechanism: AuthMechanism;
  readonly mechanismProperties: Readonly<AuthMechanismProperties>;
}

/** Options as a client has settled them, in the official driver's form. Those that only concern writes are not there. */
export interface MongoOptions extends Readonly<Omit<MongoClientOptions, keyof WriteOnlyOptions | 'auth' | 'compressors' | 'loadBalanced' | 'readConcern' | 'readPreference' | 'serverApi'>> {
  /** Empty with `mongodb+srv:`. */
  readonly hosts: readonly HostAddress[];
  readonly srvHost?: string;
  readonly credentials?: MongoCredentials;
  readonly compressors: readonly CompressorName[];
  readonly dbName: string;
  readonly directConnection: boolean;
  readonly driverInfo: DriverInfo;
  readonly loadBalanced: boolean;
  readonly maxPoolSize: number;
  readonly minPoolSize: number;
  readonly readConcern?: ReadConcern;
  readonly readPreference: ReadPreference;
  readonly retryReads: boolean;
  readonly serverApi?: ServerApi;
  readonly serverSelectionTimeoutMS: number;
}

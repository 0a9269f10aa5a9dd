'use strict';
// client.options: what was asked for, under the official driver's names and with its defaults. Secrets can be read, and are
// neither printed nor written as JSON.

const DEFAULTS = Object.freeze({
  compressors: ['none'], connectTimeoutMS: 30000, directConnection: false, driverInfo: {}, enableUtf8Validation: true, heartbeatFrequencyMS: 10000,
  loadBalanced: false, localThresholdMS: 15, maxConnecting: 2, maxIdleTimeMS: 0, maxPoolSize: 100, minHeartbeatFrequencyMS: 500, minPoolSize: 0,
  monitorCommands: false, raw: false, retryReads: true, serverMonitoringMode: 'auto', serverSelectionTimeoutMS: 30000, socketTimeoutMS: 0,
  srvMaxHosts: 0, srvServiceName: 'mongodb', waitQueueTimeoutMS: 0, zlibCompressionLevel: 0,
});
// Parts of others here, or names for them.
const ELSEWHERE = new Set([
  'auth', 'authMechanism', 'authMechanismProperties', 'authSource', 'maxStalenessSeconds', 'readConcernLevel', 'readPreferenceTags', 'ssl',
  'rejectUnauthorized', 'tlsAllowInvalidCertificates', 'tlsCertificateKeyFilePassword',
]);
const EXTERNAL = new Set(['GSSAPI', 'MONGODB-AWS', 'MONGODB-OIDC', 'MONGODB-X509', 'PLAIN']);
const SECRETS = ['key', 'passphrase', 'proxyPassword'];

/** One host of the connection string. */
class HostAddress {
  constructor(text) {
    if (text.endsWith('.sock')) {
      this.socketPath = decodeURIComponent(text);
      return;
    }
    const { hostname, port } = new URL(`mongodb://${text.replaceAll(' ', '%20')}`);
    const name = decodeURIComponent(hostname);
    this.isIPv6 = name.startsWith('[');
    this.host = (this.isIPv6 ? name.slice(1, -1) : name).toLowerCase();
    this.port = port === '' ? 27017 : Number(port);
  }

  toString() {
    if (this.socketPath !== undefined) return this.socketPath;
    return `${this.isIPv6 ? `[${this.host}]` : this.host}:${this.port}`;
  }
}

function credentialsOf(address, settled, known) {
  const { auth = address, authMechanism = 'DEFAULT', authMechanismProperties = {} } = settled;
  if (auth.username === undefined && authMechanism === 'DEFAULT') return undefined;
  const authSource = known ?? address.dbName ?? (EXTERNAL.has(authMechanism) ? '$external' : 'admin');
  const hidden = (value) => ({ value, enumerable: false });
  return Object.freeze(Object.defineProperties({ username: auth.username ?? '', source: authSource, mechanism: authMechanism }, {
    password: hidden(auth.password ?? ''),
    mechanismProperties: hidden(Object.freeze({ ...authMechanismProperties })),
  }));
}

/**
 * @param {object} address of the connection string, see uri.js
 * @param {object} settled the options by their names, without defaults
 * @param {{ dbName: string, readPreference: object, readConcern?: object, core: object }} known what the client goes by
 */
function officialOptions(address, settled, { dbName, readPreference, readConcern, core }) {
  const out = { hosts: Object.freeze(address.srv ? [] : address.hosts.map((host) => Object.freeze(new HostAddress(host)))), ...DEFAULTS };
  for (const [name, value] of Object.entries(settled)) if (!ELSEWHERE.has(name)) out[name] = value;
  Object.assign(out, { dbName, readPreference });
  if (readConcern !== undefined) out.readConcern = readConcern;
  else delete out.readConcern;
  if (address.srv) out.srvHost = address.hosts[0];
  if (core.tls !== undefined) out.tls = core.tls;
  const anyCertificate = settled.rejectUnauthorized ?? settled.tlsAllowInvalidCertificates; // the former is inverted already
  if (anyCertificate !== undefined) out.rejectUnauthorized = !anyCertificate;
  if (settled.tlsCertificateKeyFilePassword !== undefined) out.passphrase = settled.tlsCertificateKeyFilePassword;
  const credentials = credentialsOf(address, settled, core.authSource);
  if (credentials !== undefined) out.credentials = credentials;
  for (const name of SECRETS) if (name in out) Object.defineProperty(out, name, { enumerable: false });
  return Object.freeze(out);
}

module.exports = { officialOptions };

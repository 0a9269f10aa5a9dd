'use strict';
// What events say of servers and of the deployment: the official driver's descriptions, by their fields and getters.

const WRITABLE = new Set(['RSPrimary', 'Standalone', 'Mongos', 'LoadBalancer']);
const DATA_BEARING = new Set(['RSPrimary', 'RSSecondary', 'Mongos', 'Standalone', 'LoadBalancer']);

class ServerDescription {
  /**
   * @param {{address, type, time, hello, roundTripTime?}} told by the core
   * @param {Error | null} error why the server is not known
   */
  constructor({ address, type, time, hello, roundTripTime }, error) {
    this.address = address;
    this.type = type;
    this.hosts = lowerCase(hello.hosts);
    this.passives = lowerCase(hello.passives);
    this.arbiters = lowerCase(hello.arbiters);
    this.tags = hello.tags ?? {};
    this.minWireVersion = hello.minWireVersion ?? 0;
    this.maxWireVersion = hello.maxWireVersion ?? 0;
    this.roundTripTime = roundTripTime ?? -1;
    this.minRoundTripTime = roundTripTime ?? 0;
    // The official driver's clock starts with the process, and the core's does not.
    this.lastUpdateTime = Math.max(0, Math.floor(time - performance.timeOrigin));
    this.lastWriteDate = hello.lastWrite?.lastWriteDate ?? 0;
    this.error = error;
    this.topologyVersion = hello.topologyVersion ?? null;
    this.setName = hello.setName ?? null;
    this.setVersion = hello.setVersion ?? null;
    this.electionId = hello.electionId ?? null;
    this.logicalSessionTimeoutMinutes = hello.logicalSessionTimeoutMinutes ?? null;
    this.maxMessageSizeBytes = hello.maxMessageSizeBytes ?? null;
    this.maxWriteBatchSize = hello.maxWriteBatchSize ?? null;
    this.maxBsonObjectSize = hello.maxBsonObjectSize ?? null;
    this.primary = hello.primary ?? null;
    this.me = hello.me?.toLowerCase() ?? null;
    this.$clusterTime = null;
    this.iscryptd = false;
  }

  get allHosts() {
    return this.hosts.concat(this.arbiters).concat(this.passives);
  }

  get isReadable() {
    return this.type === 'RSSecondary' || this.isWritable;
  }

  get isDataBearing() {
    return DATA_BEARING.has(this.type);
  }

  get isWritable() {
    return WRITABLE.has(this.type);
  }

  get host() {
    return this.address.slice(0, -`:${this.port}`.length);
  }

  get port() {
    const port = this.address.split(':').pop();
    return port ? Number.parseInt(port, 10) : 27017;
  }
}

const lowerCase = (hosts = []) => hosts.map((host) => host.toLowerCase());

class TopologyDescription {
  #toEjson;

  /**
   * @param {{type, setName?, compatibilityError?, logicalSessionTimeoutMinutes?, heartbeatFrequencyMS?, localThresholdMS?}} told by the core
   * @param {ServerDescription[]} servers
   * @param {(value: object) => object} toEjson EJSON.serialize
   */
  constructor(told, servers, toEjson) {
    this.#toEjson = toEjson;
    this.type = told.type;
    this.servers = new Map(servers.map((server) => [server.address, server]));
    this.stale = false;
    this.compatible = told.compatibilityError === undefined;
    if (!this.compatible) this.compatibilityError = told.compatibilityError;
    this.heartbeatFrequencyMS = told.heartbeatFrequencyMS ?? 0;
    this.localThresholdMS = told.localThresholdMS ?? 15;
    this.setName = told.setName ?? null;
    const primary = servers.find(({ type }) => type === 'RSPrimary');
    this.maxElectionId = primary?.electionId ?? null;
    this.maxSetVersion = primary?.setVersion ?? null;
    const known = servers.filter(({ type }) => type !== 'Unknown');
    this.commonWireVersion = known.length === 0 ? 0 : Math.min(...known.map(({ maxWireVersion }) => maxWireVersion));
    this.logicalSessionTimeoutMinutes = told.logicalSessionTimeoutMinutes ?? null;
  }

  get error() {
    for (const { error } of this.servers.values()) if (error) return error;
    return null;
  }

  get hasKnownServers() {
    return [...this.servers.values()].some(({ type }) => type !== 'Unknown');
  }

  get hasDataBearingServers() {
    return [...this.servers.values()].some(({ isDataBearing }) => isDataBearing);
  }

  hasServer(address) {
    return this.servers.has(address);
  }

  toJSON() {
    return this.#toEjson(this);
  }
}

module.exports = { ServerDescription, TopologyDescription };

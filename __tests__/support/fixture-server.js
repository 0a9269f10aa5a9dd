'use strict';

const { Binary } = require('bson');
const { buildTool } = require('./build-tool');
const { startProcess } = require('./server-process');
const { WireClient } = require('./wire-client');

/**
 * Starts the wire fixture (tools/wirefixture).
 * @param {{ delayMS?: number, compressors?: string[], tls?: boolean | 'client', topology?: string, log?: (line: string) => void }} [options]
 * compressors: those the server agrees to, all by default; tls: 'client' asks for a client certificate too;
 * topology: 'replicaSet', 'secondary', 'mongos' or 'loadBalancer' instead of a standalone server
 * @returns {Promise<FixtureServer>}
 */
async function startFixture({ delayMS, compressors, tls, topology, ...options } = {}) {
  const args = [];
  if (delayMS) args.push('-delay', `${delayMS}ms`);
  if (topology) args.push('-topology', topology);
  if (compressors) args.push('-compressors', compressors.join(','));
  if (tls) args.push('-tls');
  if (tls === 'client') args.push('-tls-client');
  return new FixtureServer(await startProcess(await buildTool('wirefixture', options), args));
}

class FixtureServer {
  #process;
  #client;

  constructor(process) {
    this.#process = process;
    this.#client = new WireClient(process.uri, this.tlsFiles);
  }

  get uri() {
    return this.#process.uri;
  }

  /** With TLS: { ca, client }, the names of files for tlsCAFile and tlsCertificateKeyFile. */
  get tlsFiles() {
    return this.#process.ready.tls;
  }

  get pid() {
    return this.#process.pid;
  }

  /** Generates a named set (mixed45, arrays, optional20, nulls20, text, types) into a namespace, replacing it. */
  load(namespace, set, count, seed = 1) {
    return this.#client.command({ fixtureLoad: set, into: namespace, count, seed });
  }

  /** Stores documents given as BSON bytes, unchecked, replacing what the namespace held. */
  put(namespace, buffers) {
    return this.#client.command({
      fixtureLoad: 'raw',
      into: namespace,
      documents: buffers.map((bytes) => new Binary(bytes))
    });
  }

  /** See control() in tools/wirefixture/fixture/control.go and parseFaults() in fault.go. */
  control(spec) {
    return this.#client.command({ fixtureControl: spec });
  }

  faults(...faults) {
    return this.control({ faults });
  }

  /** No faults, no delay, no open cursors, an empty log that is off, counters at zero. Data stays. */
  reset() {
    return this.control({ reset: true });
  }

  /** { commands: { find: 1, ... }, cursors: { open, opened, exhausted, killed, failed }, connections: { open, total }, ... } */
  stats() {
    return this.#client.command({ fixtureStats: 1 });
  }

  startLog() {
    return this.control({ log: true });
  }

  /** Commands received since startLog() or the last call, as [{ name, ns, driver, command: Buffer }], driver: its name in the handshake. */
  async takeLog() {
    const { commands } = await this.#client.command({ fixtureLog: 1 }, { promoteBuffers: true });
    return commands;
  }

  async stop() {
    this.#client.close();
    await this.#process.stop();
  }
}

module.exports = { startFixture, FixtureServer };

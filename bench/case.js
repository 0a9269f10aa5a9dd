'use strict';

// One case of a part: a collection on a server, and contenders that read it in turns.

const { sets, database } = require('./sets');
const { readers } = require('./readers');
const { takeSamples } = require('./samples');
const { runRounds, spreadsOf } = require('./rounds');
const { buildTool } = require('../__tests__/support/build-tool');
const { startFixture } = require('../__tests__/support/fixture-server');

/**
 * @typedef {object} Case
 * @property {string} id
 * @property {string} title
 * @property {string} set of sets.js
 * @property {number} [count] of documents, the set's if not given
 * @property {object} [work] of works.js, for contenders without one
 * @property {Contender[]} contenders at least one; a part may say only the name of a reader, see selection.js
 * @property {number} [samples] how many documents trials are compared with; those of point reads are what is read
 * @property {Function} [server] starts one that has the collection, instead of the fixture: { uri, stop() }
 *
 * @typedef {object} Contender
 * @property {string} name
 * @property {string} reader
 * @property {string} [title] the reader's if not given
 * @property {string} [suffix] of the reader's title, to tell contenders with the same reader apart
 * @property {object} [work]
 * @property {number} [count] documents of a run, if not all of the collection
 * @property {string[]} [fields] that a lazy reader touches, the set's if not given
 * @property {number} [delayMS] round trip of the server it reads from
 * @property {object} [env]
 * @property {string[]} [execArgv]
 */

/** Runs a case against a fixture of its own, or against the server that it brings along. */
async function runCase(one, { rounds, warmup, deadline }) {
  const set = sets[one.set];
  const count = one.count ?? set.count;
  const { contenders } = one;
  const servers = await startServers([...new Set(contenders.map(({ delayMS = 0 }) => delayMS))], one, set, count);
  try {
    const samples = await takeSamples({
      uri: servers.first.uri, database, collection: one.set, projection: set.projection,
      wanted: one.samples ?? (set.count < 10 ? 1 : 50), asText: one.work?.kind === 'text'
    });
    const plan = [];
    for (const contender of contenders) plan.push(await prepare(contender, one, set, samples, servers));
    const { samples: measured, wrong, left } = await runRounds({ contenders: plan, rounds, warmup, deadline });
    const results = spreadsOf(measured);
    for (const { name, title, count: documents } of plan) {
      if (results[name] === undefined) continue;
      const bytes = (samples.bytes / samples.count) * documents;
      const seconds = results[name].wallMs.median / 1000;
      results[name] = { title, documents, docsPerSecond: documents / seconds, mbPerSecond: bytes / 1e6 / seconds, ...results[name] };
    }
    return {
      id: one.id, title: one.title ?? set.title, set: one.set, documents: samples.count, bytes: samples.bytes,
      contenders: results, left, wrong: wrong.map((text) => `${one.id}: ${text}`)
    };
  } finally {
    await servers.stop();
  }
}

async function prepare(contender, one, set, { count, expected, text }, servers) {
  const reader = readers[contender.reader];
  const work = contender.work ?? one.work ?? { kind: 'all' };
  const options = { ...(set.projection && { projection: set.projection }), ...work.options };
  const documents = contender.count ?? (work.kind === 'point' ? work.count : work.kind === 'connect' ? 1
    : Math.min(options.limit ?? count, count) * (work.concurrent ?? 1));
  return {
    name: contender.name,
    title: contender.suffix === undefined ? contender.title ?? reader.title : `${reader.title}: ${contender.suffix}`,
    optional: reader.optional,
    count: documents,
    process: {
      binary: reader.tool && await buildTool(reader.tool), env: contender.env, execArgv: contender.execArgv
    },
    parameters: {
      reader: contender.reader,
      uri: servers.at(contender.delayMS ?? 0).uri,
      database, collection: one.set, fields: contender.fields ?? set.fields, count,
      work: { ...work, options },
      text,
      expected: options.limit ? expected.filter(({ position }) => position < options.limit) : expected
    }
  };
}

async function startServers(delays, one, set, count) {
  if (one.server !== undefined) {
    const server = await one.server({ set: one.set, of: set.of ?? one.set, count, database });
    return { first: server, at: () => server, stop: () => server.stop() };
  }
  const fixtures = new Map();
  const stop = async () => { for (const fixture of fixtures.values()) await fixture.stop(); };
  try {
    for (const delayMS of delays) {
      const fixture = await startFixture({ delayMS });
      fixtures.set(delayMS, fixture);
      await fixture.load(`${database}.${one.set}`, set.of ?? one.set, count);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { first: fixtures.values().next().value, at: (delayMS) => fixtures.get(delayMS), stop };
}

module.exports = { runCase };

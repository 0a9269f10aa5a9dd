'use strict';
// `npx rumongo-go compare`: one query of the user's own data, read by the official driver and by each of our reads. Are the
// documents the same, and how long did it take?

const { officialDriver } = require('../official.js');
const { readQuery } = require('./query.js');
const { READERS } = require('./readers.js');
const { checkParity, readOfficial } = require('./parity.js');
const { measureReaders } = require('./speed.js');
const { verdict, speedTable, advice } = require('./report.js');
const { Progress } = require('../progress.js');
const { untilInterrupted } = require('../interrupt.js');
const { EXIT, UsageError } = require('../exit.js');
const { MongoClient } = require('../../client.js');

const options = {
  uri: { type: 'string' },
  ns: { type: 'string' },
  filter: { type: 'string' },
  projection: { type: 'string' },
  sort: { type: 'string' },
  limit: { type: 'string' },
  rounds: { type: 'string' },
};

const usage = `Usage: npx rumongo-go compare --uri <connection string> --ns <database.collection> [options]

Reads with the official driver and with find, findLazy, findCursor and findJSON, compares every document, and
measures. It only reads. All documents are held in memory twice: see --limit.

  --uri <text>         the connection string; default: the environment variable MONGODB_URI, which, unlike an
                       argument, other users of the machine do not see
  --ns <db.collection> what to read
  --filter <text>      Extended JSON, such as '{"at":{"$gt":{"$date":"2026-01-01T00:00:00Z"}}}'; default: everything
  --projection <text>  Extended JSON
  --sort <text>        Extended JSON
  --limit <n>          documents at most; 0: no limit; default 10000
  --rounds <n>         how often each read is measured; default 3
  --help

Exit code: 0 the same, 1 different, 2 the command line is wrong, 3 it could not be compared, 130 interrupted (143 by SIGTERM).
`;

async function run(values, { print, stderr, env, redact }) {
  const query = readQuery(values, env);
  const mongodb = officialDriver();
  query.parse(mongodb.BSON.EJSON);
  const progress = new Progress(stderr);
  const clients = makeClients(query.uri, mongodb);
  try {
    return await untilInterrupted(async () => {
      progress.start(`connecting to ${redact(query.uri)}`);
      await Promise.all(clients.map((client, i) => connect(client, i === 0 ? 'the official driver' : 'rumongo-go')));
      const [theirs, ours] = clients.map((client) => client.db(query.database).collection(query.collection));
      return await compare({ theirs, ours, query, mongodb, progress, print });
    });
  } finally {
    progress.done();
    await Promise.allSettled(clients.map((client) => client.close()));
  }
}

async function connect(client, who) {
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`${who} cannot connect: ${error.message}`, { cause: error });
  }
}

function makeClients(uri, mongodb) {
  let official;
  try {
    official = new mongodb.MongoClient(uri);
  } catch (error) {
    throw new UsageError(`--uri: ${error.message}`);
  }
  try {
    return [official, new MongoClient(uri, { bson: mongodb.BSON })];
  } catch (error) {
    throw new Error(`the official driver takes this connection string, rumongo-go does not: ${error.message}`, { cause: error });
  }
}

async function compare({ theirs, ours, query, mongodb, progress, print }) {
  const readers = READERS.map((reader) => {
    const { official, read, gives = read } = reader;
    const collection = official ? theirs : ours;
    return { ...reader, run: () => read(collection, query), gives: () => gives(collection, query) };
  });
  const expected = await readOfficial(theirs, query, progress);
  progress.done();
  const bytes = expected.reduce((sum, doc) => sum + mongodb.BSON.calculateObjectSize(doc), 0);
  print(verdict.heading(query, expected.length, bytes));

  const results = [];
  for (const reader of readers.filter(({ compared }) => compared !== undefined)) {
    const result = await checkParity(reader, { expected, theirs, query, progress });
    progress.done();
    print(verdict.line(result));
    results.push(result);
  }
  const same = results.every(({ divergence }) => divergence === null || (divergence.reason === 'order' && !query.sorted));
  print(verdict.end(same, query, expected.length));
  if (same && expected.length === 0) return EXIT.OK; // and nothing to measure

  const failed = new Set(results.filter(({ divergence }) => divergence?.error !== undefined).map(({ name }) => name));
  const measured = await measureReaders(readers.filter(({ name }) => !failed.has(name)), query.rounds, progress);
  progress.done();
  print(`\n${speedTable(measured, expected.length, bytes)}\n\n${advice(measured, { count: expected.length, bytes, same })}`);
  return same ? EXIT.OK : EXIT.DIFFERENT;
}

module.exports = { summary: 'compares rumongo-go with the official driver on your own data', usage, options, run };

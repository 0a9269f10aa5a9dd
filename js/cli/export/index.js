'use strict';
// `npx rumongo-go export`: a collection, or a part of it, as a file. JSON text comes from the core as it is written to disk.

const { resolveBson } = require('../../bson/classes.js');
const { MongoClient } = require('../../client.js');
const { markedText } = require('../../json/marked.js');
const { EXIT, UsageError } = require('../exit.js');
const { csvStringifier, csvCompressor, CSV, csvParts } = require('./csv.js');
const { openTarget } = require('./file.js');
const { ExportProgress } = require('./progress.js');
const { readExport } = require('./query.js');
const { filterAfter } = require('./resume.js');
const { Interruption } = require('../interrupt.js');

// Text of a compressed member: an interrupted export loses less than one. Each begins without the memory of the one before,
// which costs nothing that can be measured at this size.
const MEMBER = 8 << 20;
const COUNT_MS = 30_000; // a count is for the estimate only

/** Extended JSON has every value's type, which is not to be promoted away, and takes regular expressions that JavaScript does not. */
const forms = { plain: { bsonRegExp: false }, relaxed: {}, canonical: { promoteValues: false } };

const options = {
  uri: { type: 'string' },
  ns: { type: 'string' },
  out: { type: 'string', short: 'o' },
  filter: { type: 'string' },
  projection: { type: 'string' },
  sort: { type: 'string' },
  limit: { type: 'string' },
  format: { type: 'string' },
  fields: { type: 'string' },
  'json-mode': { type: 'string' },
  longs: { type: 'string' },
  compress: { type: 'string' },
  level: { type: 'string' },
  resume: { type: 'boolean' },
  force: { type: 'boolean' },
};

const usage = `Usage: npx rumongo-go export --uri <connection string> --ns <database.collection> --out <file> [options]

Writes the documents of a collection to a file. It only reads from the server.

  --uri <text>         the connection string; default: the environment variable MONGODB_URI, which, unlike an
                       argument, other users of the machine do not see
  --ns <db.collection> what to read
  --out <file>         where to, -o for short; - is stdout. Until it is complete the file is <file>.partial
  --filter <text>      Extended JSON, such as '{"at":{"$gt":{"$date":"2026-01-01T00:00:00Z"}}}'; default: everything
  --projection <text>  Extended JSON
  --sort <text>        Extended JSON; default: by _id, which is what --resume needs. '{"$natural":1}' does not sort
  --limit <n>          documents at most; default 0: no limit
  --format <name>      ndjson (a document a line), json (an array) or csv; default: as the file's name says, else ndjson
  --json-mode <name>   plain (as JSON.stringify; default), relaxed or canonical Extended JSON, which keeps every type
  --longs <form>       in mode plain, string or number: the digits of an int64 that is no safe number
  --fields <a,b.c>     the columns of csv; default: the fields of the first documents. csv needs the package csv-stringify
  --compress <name>    gzip, zstd or none; default: as the file's name says (.gz, .zst), else none
  --level <n>          of compression: gzip 0 to 9, zstd 1 to 22
  --resume             goes on with an export that was interrupted; begins where there is none
  --force              replaces the file if it exists, and an unfinished export of it
  --help

Exit code: 0 complete (or the reader of stdout wanted no more), 2 the command line is wrong, 3 it could not be read,
4 it could not be written, 130 interrupted (SIGINT), 143 terminated (SIGTERM). Nothing is under the name of the file
unless the code is 0.
`;

async function run(values, { stdout, stderr, env, redact }) {
  const bson = resolveBson();
  const query = readExport(values, env, bson.BSON.EJSON);
  const csv = query.format === 'csv' ? { stringify: csvStringifier(), compressor: csvCompressor(query.compress, query.level) } : null;
  const client = makeClient(query.uri);
  const interruption = new Interruption();
  const say = (text) => stderr.write(`${redact(text)}\n`);
  let target = null;
  try {
    target = await openTarget(query, stdout);
    const collection = client.db(query.database).collection(query.collection);
    await transfer({ query, csv, bson, collection, target, stderr, say, signal: interruption.signal });
    return EXIT.OK;
  } catch (error) {
    const left = await target?.abandon();
    if (left) say(left);
    throw error;
  } finally {
    interruption.end();
    await client.close();
  }
}

async function transfer({ query, csv, bson, collection, target, stderr, say, signal }) {
  const { resumed } = target;
  if (query.resume && resumed === null) say('nothing to resume: from the beginning');
  let documents = resumed?.documents ?? 0;
  const progress = new ExportProgress(stderr, query.out === '-' ? query.ns : `${query.ns} to ${query.out}`, documents);
  const counting = new AbortController();
  const counted = count(collection, query, AbortSignal.any([signal, counting.signal])).then((total) => { progress.total = total; }, () => {});
  const table = csv && new CSV({ stringify: csv.stringify, columns: query.fields ?? resumed?.columns, named: query.fields !== undefined, header: documents === 0 });
  try {
    const read = { sort: query.sort, projection: query.projection, limit: query.limit, ejson: false, bsonRegExp: true, signal };
    let { filter } = query;
    if (resumed !== null) {
      filter = await filterAfter(collection, filter, idOf(resumed.last, bson), signal);
      read.limit = Math.max(0, query.limit - documents);
      if (query.limit > 0 && read.limit === 0) filter = { _id: { $in: [] } }; // all are there
    }
    const parts = csv
      ? csvParts(await collection.findCursor(filter, { ...read, lazy: false, promoteBuffers: false }), table, { ...csv, member: MEMBER, bson })
      : markedText(collection, filter, { ...read, ...forms[query.mode], format: query.format === 'json' ? 'array' : 'ndjson', mode: query.mode, longs: query.longs, compress: query.compress, level: query.level }, { member: MEMBER, continued: documents > 0 });
    for await (const part of parts) {
      if (table) target.columns = table.columns;
      await target.write({ ...part, last: part.last && textOf(part.last, bson) });
      documents += part.count;
      progress.update(documents, target.bytes);
      if (target.closed) break;
      signal.throwIfAborted();
    }
    await target.finish();
  } finally {
    counting.abort();
    await counted;
    progress.done();
  }
  say(progress.summary(documents, target.bytes));
  if (table?.unknown.size > 0) say(`these fields are no columns, which were those of the first documents: ${[...table.unknown].join(', ')}; name all with --fields`);
}

async function count(collection, { filter, limit }, signal) {
  const all = Object.keys(filter).length === 0
    ? await collection.estimatedDocumentCount({ maxTimeMS: COUNT_MS, signal })
    : await collection.countDocuments(filter, { ejson: false, maxTimeMS: COUNT_MS, signal });
  return limit > 0 ? Math.min(limit, all) : all;
}

/** An _id, with its type, as it is kept in a state. */
const textOf = (last, { BSON }) => BSON.EJSON.stringify(BSON.deserialize(last, { promoteValues: false })._id, { relaxed: false });
const idOf = (text, { BSON }) => BSON.EJSON.parse(text, { relaxed: false });

function makeClient(uri) {
  try {
    return new MongoClient(uri);
  } catch (error) {
    throw new UsageError(`--uri: ${error.message}`);
  }
}

module.exports = { summary: 'writes a collection to a file, as JSON or CSV', usage, options, run };

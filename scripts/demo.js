'use strict';

// `npm run demo`: from a clean clone to documents read back in every way, and compared. Starts a server of
// its own, or uses MONGODB_URI. Exit code 0 when every reader returned what the official driver did.

const assert = require('node:assert/strict');
const { ensureReady } = require('./ensure');

const count = 20_000;
const perInsert = 1000;
const databaseName = 'rumongo_go_demo';
const collectionName = 'orders';

async function main() {
  ensureReady();
  const { startDevServer } = require('../__tests__/support/dev-server');
  const server = await startDevServer({ log: console.log });
  console.log(`\nServer: ${server.real ? 'MONGODB_URI' : `${server.uri} (FerretDB with SQLite, in a temporary directory)`}`);
  try {
    await demo(server);
  } finally {
    await server.stop();
  }
}

async function demo(server) {
  const mongodb = require('mongodb');
  const rumongo = require('..');
  const official = await mongodb.MongoClient.connect(server.uri);
  const client = await rumongo.MongoClient.connect(server.uri);
  const database = official.db(databaseName);
  try {
    const bytes = await fill(database.collection(collectionName), mongodb.BSON);
    await read(official, client, bytes, server);
  } finally {
    await database.dropDatabase().catch(() => {}); // matters on a real server only
    await client.close();
    await official.close();
  }
}

async function fill(collection, BSON) {
  const { orders } = require('./demo-documents');
  const { ProgressBar } = require('./progress-bar');
  await collection.drop().catch(() => {}); // of an earlier run on a real server
  const make = orders(42);
  const bar = new ProgressBar('documents inserted', count);
  let bytes = 0;
  for (let done = 0; done < count; done += perInsert) {
    const documents = Array.from({ length: perInsert }, (_, i) => make(done + i));
    for (const document of documents) bytes += BSON.calculateObjectSize(document);
    await collection.insertMany(documents);
    bar.update(done + perInsert);
  }
  return bytes;
}

async function read(official, client, bytes, server) {
  const { measure } = require('../bench/measure');
  const { table } = require('../bench/report');
  const theirs = official.db(databaseName).collection(collectionName);
  const ours = client.db(databaseName).collection(collectionName);
  // A MongoDB server sends up to 16 MB at a time unless told otherwise, the dev server a hundred documents.
  const whole = { batchSize: count };
  const readers = [
    ['mongodb find().toArray()', () => theirs.find({}, whole).toArray()],
    ['rumongo-go find', () => ours.find({}, whole)],
    ['rumongo-go findLazy (fields decode when read)', () => ours.findLazy({}, whole)],
    ['rumongo-go findCursor', () => drain(ours, whole)]
  ];

  console.log('Reading, and comparing each document with the official driver\'s ...');
  await theirs.find().toArray(); // the first read also pays for the server's caches
  const rows = [['reader', 'documents', 'MB', 'ms', 'longest event-loop delay, ms']];
  let expected;
  for (const [name, run] of readers) {
    console.log(`  ${name} ...`);
    const { result, wallMs, delayMs } = await measure(run);
    expected ??= result;
    compare(name, result, expected);
    rows.push([name, result.length.toLocaleString('en'), (bytes / 1e6).toFixed(1), wallMs.toFixed(0), delayMs.toFixed(1)]);
  }
  console.log(`\n${table(rows)}`);
  console.log('\nAll documents are deepStrictEqual to the official driver\'s.');
  if (!server.real) {
    console.log(`All were asked with batchSize ${count.toLocaleString('en')}, because a MongoDB server sends up to 16 MB at a time.`);
    console.log('Most of the ms is the dev server\'s own time, on the same cores: compare the loop delays here, and speeds with');
    console.log('`npm run bench -- --quick`, whose server sends from memory.');
  }
}

async function drain(collection, options) {
  const documents = [];
  const cursor = await collection.findCursor({}, options);
  for (let batch; (batch = await cursor.nextBatch()) !== null;) {
    for (const document of batch) documents.push(document);
  }
  return documents;
}

// One by one: on a failure the message shows one document, not the difference of two arrays of 20,000.
function compare(name, actual, expected) {
  assert.equal(actual.length, count, `${name}: number of documents`);
  for (let i = 0; i < count; i++) assert.deepStrictEqual(actual[i], expected[i]);
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});

'use strict';
// Mixed reads, 50 in flight, for some minutes, with faults on the wire and workers coming and going; every result is
// compared with what the official driver read at the start. `node --expose-gc soak-child.js <uri> <milliseconds>` prints
// one line of JSON; `npm run stress` judges it.

const { Worker, isMainThread, workerData, parentPort } = require('node:worker_threads');
const { isDeepStrictEqual } = require('node:util');
const fs = require('node:fs');
const { BSON } = require('bson');
const { MongoClient } = require('../..');

const IN_FLIGHT = 50;
const HANG_MS = 60_000;
const SETS = ['small', 'mixed45', 'arrays', 'optional20', 'nulls20', 'text', 'types'];
const FAULTS = [
  { action: 'close' }, { action: 'reset' }, { action: 'half' }, { action: 'trickle', bytes: 1 << 16, everyMS: 2 }, { action: 'delay', ms: 200 },
  { action: 'error', code: 11600, codeName: 'InterruptedAtShutdown' }, { action: 'error', code: 43, codeName: 'CursorNotFound' },
  { action: 'error', code: 8, codeName: 'UnknownError' }, { action: 'empty' },
];

const random = (limit) => Math.floor(Math.random() * limit);
const pick = (list) => list[random(list.length)];
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class Wrong extends Error {}

/** A check of what was read: prefix of the reference, some documents in depth. */
function check(docs, reference, complete, what) {
  const limit = complete ?? reference.length;
  if (complete !== undefined && docs.length !== Math.min(limit, reference.length)) throw new Wrong(`${what}: ${docs.length} documents instead of ${limit}`);
  if (docs.length > reference.length) throw new Wrong(`${what}: too many documents`);
  for (let i = 0; i < Math.min(docs.length, 8); i++) {
    const at = random(docs.length);
    if (!isDeepStrictEqual(docs[at]?.toObject?.() ?? docs[at], reference[at])) throw new Wrong(`${what}: document ${at} differs`);
  }
}

const kept = [];

// Each reads reference.length documents or a limit of them, and throws Wrong or what the read threw.
const reads = {
  async find(docs, reference, options) {
    check(await docs.find({}, options), reference, options.limit || reference.length, 'find');
  },
  async findLazy(docs, reference, options) {
    const lazy = await docs.findLazy({}, options);
    check(lazy, reference, options.limit || reference.length, 'findLazy');
    kept[random(20)] = lazy.at(-1); // keeps a batch for a while
  },
  async findOne(docs, reference) {
    check([await docs.findOne({})], reference, 1, 'findOne');
  },
  async batches(docs, reference, options) {
    const seen = [];
    const cursor = await docs.findCursor({}, { ...options, lazy: random(2) === 0 });
    try {
      for (let batch; (batch = await cursor.nextBatch()) !== null;) seen.push(...batch);
    } catch (error) {
      check(seen, reference, undefined, 'batches before an error');
      throw error;
    }
    check(seen, reference, options.limit || reference.length, 'batches');
  },
  async loop(docs, reference, options) {
    const seen = [];
    const stop = 1 + random(reference.length * 2);
    for await (const doc of docs.find({}, options)) {
      seen.push(doc);
      if (seen.length === stop) break;
    }
    check(seen, reference, Math.min(stop, options.limit || reference.length), 'loop');
  },
  async stream(docs, reference, options) {
    const seen = [];
    for await (const doc of docs.find({}, options).stream()) seen.push(doc);
    check(seen, reference, options.limit || reference.length, 'stream');
  },
  async abort(docs, reference, options) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('abort')), random(15));
    await docs.find({}, { ...options, signal: controller.signal }).toArray().catch((error) => {
      if (error.message !== 'abort') throw error;
    });
  },
  async abandon(docs, reference, options) {
    const cursor = await docs.findCursor({}, options);
    check((await cursor.nextBatch()) ?? [], reference, undefined, 'abandon');
  },
};

async function one(client, references, counts) {
  const [set, reference] = pick(references);
  const docs = client.db('test').collection(set);
  const options = { batchSize: pick([undefined, 101, 500, 1000]), limit: pick([0, 0, 1, 50, reference.length + 5]) };
  if (options.limit > reference.length) options.limit = 0;
  const name = pick(Object.keys(reads));
  try {
    await reads[name](docs, reference, options);
    counts[name] = (counts[name] ?? 0) + 1;
  } catch (error) {
    if (error instanceof Wrong) throw error;
    if (!/^Mongo\w*Error$/.test(error.name)) throw new Wrong(`${name}: unexpected ${error.stack}`);
    const kind = `${error.name} ${error.code ?? ''} ${String(error.message).replace(/\d{3,}/g, 'N').slice(0, 90)}`;
    counts.errors[kind] = (counts.errors[kind] ?? 0) + 1;
  }
}

async function referencesOf(uri) {
  const official = await require('mongodb').MongoClient.connect(uri);
  const references = [];
  for (const set of SETS) references.push([set, await official.db('test').collection(set).find({}).toArray()]);
  await official.close();
  return references;
}

async function work(uri, counts, until, references) {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 20_000 }); // the first read connects
  while (Date.now() < until) await one(client, references, counts);
  await client.close();
}

/** A worker reads for a while and ends in its own way, or is ended. */
async function workerLife(uri, until, counts, reference) {
  while (Date.now() < until) {
    const worker = new Worker(__filename, { workerData: { uri, ms: 200 + random(1500), reference } });
    let failed;
    worker.on('message', (message) => { failed = message; });
    const exit = new Promise((resolve) => { worker.once('exit', resolve).once('error', (error) => { failed = error.stack; resolve(); }); });
    if (random(2)) {
      await sleep(random(1200));
      await worker.terminate();
      counts.terminated++;
    }
    await exit;
    counts.workers++;
    if (failed) throw new Wrong(`worker: ${failed}`);
  }
}

async function injectFaults(uri, until, counts) {
  const control = await require('mongodb').MongoClient.connect(uri);
  const send = (spec) => control.db('admin').command({ fixtureControl: spec });
  while (Date.now() < until) {
    const faults = Array.from({ length: 2 }, () => ({ command: pick(['find', 'getMore', 'getMore']), nth: 1 + random(30), times: 1 + random(3), ...pick(FAULTS) }));
    await send({ faults });
    counts.faults += faults.reduce((sum, { times }) => sum + times, 0);
    await sleep(100 + random(400));
  }
  await send({ faults: [] });
  await control.close();
}

async function usage(client) {
  kept.length = 0;
  for (let i = 0; i < 40; i++) {
    globalThis.gc();
    await sleep(50);
  }
  const { rss, external, heapUsed } = process.memoryUsage();
  const { core, memory, lazy } = client.stats();
  const files = process.platform === 'linux' ? fs.readdirSync('/proc/self/fd').length : 0;
  return { rss, external, heapUsed, files, blocks: memory.blocks, blockBytes: memory.bytes, batches: lazy.batches, ...core };
}

async function openCursors(uri) {
  const official = await require('mongodb').MongoClient.connect(uri);
  const { cursors } = await official.db('admin').command({ fixtureStats: 1 });
  await official.close();
  return cursors.open;
}

async function main(uri, ms) {
  const references = await referencesOf(uri);
  const counts = { errors: {}, faults: 0, workers: 0, terminated: 0 };
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 20_000 });
  const small = BSON.serialize({ docs: references[0][1] });
  const phase = async (until, faulty) => {
    await Promise.all([
      ...Array.from({ length: IN_FLIGHT }, async () => {
        while (Date.now() < until) {
          const hang = setTimeout(() => {
            process.stderr.write(`hangs: ${JSON.stringify(client.stats())}\n`);
            process.exit(3);
          }, HANG_MS);
          await one(client, references, counts);
          clearTimeout(hang);
        }
      }),
      ...Array.from({ length: 3 }, () => workerLife(uri, until, counts, small)),
      faulty ? injectFaults(uri, until, counts) : undefined,
    ]);
  };
  const start = Date.now();
  await phase(start + Math.min(ms / 4, 60_000), true);
  const before = await usage(client);
  await phase(start + ms * 0.8, true);
  const open = await openCursors(uri);
  // Without faults nothing excuses a cursor that stays open on the server.
  await phase(start + ms, false);
  const after = await usage(client);
  const left = await openCursors(uri) - open;
  await client.close();
  process.stdout.write(`${JSON.stringify({ counts, before, after, left, seconds: Math.round((Date.now() - start) / 1000) })}\n`);
}

if (isMainThread) {
  main(process.argv[2], Number(process.argv[3])).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
} else {
  const { uri, ms, reference } = workerData;
  work(uri, { errors: {} }, Date.now() + ms, [['small', BSON.deserialize(reference).docs]])
    .catch((error) => parentPort.postMessage(error.stack));
}

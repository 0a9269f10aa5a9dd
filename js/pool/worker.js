'use strict';
// The worker's side of the pool. It is told whole commands, so that what is sent to the server, and every refusal of
// an argument, is the same as for a read of the main thread. Its client shares the process's one topology.

const { parentPort, workerData } = require('node:worker_threads');
const { MongoClient } = require('../client.js');
const { WANT } = require('../cursor/reader.js');
const { decoderFor } = require('../decoders.js');
const { openReader } = require('../read.js');
const { pack, unpack } = require('./values.js');
const { compile, explain } = require('./reducer.js');
const { packFailure } = require('./failure.js');

const client = new MongoClient(workerData.uri, workerData.clientOptions);

/** Hands a task's frames to the main thread as they are: it builds the objects, in the slices of its fair queue. */
class FrameForwarder {
  constructor(id) {
    this.id = id;
  }

  decode(bytes, out) {
    const copy = bytes.slice();
    parentPort.postMessage({ id: this.id, frames: copy }, [copy.buffer]);
    out.length = 0;
  }
}

function open(task, decoder) {
  return openReader(client, { command: task.command, params: task.params, decoder, bsonOptions: task.bsonOptions });
}

async function reduce(task) {
  const reducer = compile(task.source);
  let acc = unpack(task.init, client.bsonClasses);
  let count = 0;
  const reader = open(task, decoderFor(client.bridge, client.bsonClasses, task.bsonOptions, task.mode));
  try {
    while (await more(reader)) {
      for (const doc of reader.takeDocs()) {
        acc = reducer(acc, doc);
        if (typeof acc?.then === 'function') acc = await acc;
        count++;
      }
    }
    finish(reader);
    return { acc: pack(acc, 'acc', client.bsonClasses), count };
  } finally {
    reader.cancel();
  }
}

async function more(reader) {
  while (reader.buffered === 0 && !reader.exhausted && !reader.stopped) await reader.until(WANT.DOCUMENT);
  return reader.buffered > 0;
}

async function find(task) {
  const reader = open(task, new FrameForwarder(task.id));
  await reader.until(WANT.ALL);
  finish(reader);
  return {};
}

/** Throws what the read ended with, the core's own words as such. */
function finish(reader) {
  const { fault, thrown } = reader;
  if (thrown === null && fault !== null) throw new CoreFault(fault);
  const error = reader.failure();
  if (error !== null) throw error;
}

class CoreFault extends Error {
  constructor(fault) {
    super('a fault of the core');
    this.fault = fault;
  }
}

async function run(task) {
  try {
    const answer = await (task.op === 'reduce' ? reduce(task) : find(task));
    parentPort.postMessage({ id: task.id, done: true, ...answer });
  } catch (error) {
    parentPort.postMessage({ id: task.id, failure: packFailure(explain(error), error?.fault ?? null) });
  }
}

client.connect().then(
  () => {
    parentPort.on('message', run);
    parentPort.postMessage({ ready: true });
  },
  (error) => parentPort.postMessage({ failure: packFailure(error) }),
);

'use strict';
// The worker's side of the pool. It is told whole commands, so that what is sent to the server, and every refusal of
// an argument, is the same as for a read of the main thread. Its client shares the process's one topology.

const { parentPort, workerData } = require('node:worker_threads');
const { MongoClient } = require('../client.js');
const { WANT } = require('../cursor/reader.js');
const { decoderFor } = require('../decoders.js');
const { openReader } = require('../reads/read.js');
const { pack, unpack } = require('./values.js');
const { compile, hintFor } = require('./reducer.js');
const { packFailure, packFault } = require('./failure.js');

const client = new MongoClient(workerData.uri, workerData.options);
const readers = new Map(); // of tasks under way, by id

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

function open({ id, command, params, bsonOptions, namespace }, decoder) {
  const reader = openReader(client, { command, params, decoder, bsonOptions, namespace });
  readers.set(id, reader);
  return reader;
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
  } finally {
    reader.cancel();
  }
  const failure = ending(reader);
  return failure === null ? { acc: pack(acc, 'acc', client.bsonClasses), count } : { failure };
}

async function more(reader) {
  while (reader.buffered === 0 && !reader.exhausted && !reader.stopped) await reader.until(WANT.DOCUMENT);
  return reader.buffered > 0;
}

async function find(task) {
  const reader = open(task, new FrameForwarder(task.id));
  await reader.until(WANT.ALL);
  const failure = ending(reader);
  return failure === null ? {} : { failure };
}

/** What a read ended with, packed, the core's own words as such; null when it went well. */
function ending(reader) {
  const { fault, thrown } = reader;
  if (thrown !== null) return packFailure(thrown.error);
  return fault === null ? null : packFault(fault);
}

async function run(task) {
  try {
    const answer = await (task.op === 'reduce' ? reduce(task) : find(task));
    parentPort.postMessage({ id: task.id, ...answer }, answer.acc?.bytes ? [answer.acc.bytes.buffer] : []);
  } catch (error) {
    parentPort.postMessage({ id: task.id, failure: packFailure(error, hintFor) });
  } finally {
    readers.delete(task.id);
  }
}

function receive(message) {
  if (message.op === 'cancel') readers.get(message.id)?.cancel();
  else run(message);
}

client.connect().then(
  () => {
    parentPort.on('message', receive);
    parentPort.postMessage({ ready: true });
  },
  (error) => parentPort.postMessage({ failure: packFailure(error) }),
);

'use strict';
// The worker's side of the pool. It is told whole commands, so that what is sent to the server, and every refusal of
// an argument, is the same as for a read of the main thread. Its client shares the process's one topology.

const { parentPort, workerData } = require('node:worker_threads');
const { MongoClient } = require('../client.js');
const { load, hintFor } = require('./portable.js');
const { packFailure } = require('./failure.js');
const { KINDS } = require('./tasks.js');

const client = new MongoClient(workerData.uri, workerData.options);
const tasks = new Map(); // under way, by id

/** What a task may use of this thread. */
const thread = {
  client,
  load,
  post: (message, transfer) => parentPort.postMessage(message, transfer),
};

async function run(message) {
  const { id } = message;
  const task = new KINDS[message.op](message, thread);
  tasks.set(id, task);
  try {
    const { transfer = [], ...answer } = await task.run();
    parentPort.postMessage({ id, ...answer }, transfer);
  } catch (error) {
    parentPort.postMessage({ id, failure: packFailure(error, task.isSource ? hintFor : undefined) });
  } finally {
    tasks.delete(id);
  }
}

function receive(message) {
  if (KINDS[message.op] !== undefined) {
    run(message);
    return;
  }
  // The pool waits for this word, not for the task: it says that no function keeps this thread from turning.
  if (message.op === 'cancel') parentPort.postMessage({ id: message.id, cancelled: true });
  tasks.get(message.id)?.[message.op](message);
}

client.connect().then(
  () => {
    parentPort.on('message', receive);
    parentPort.postMessage({ ready: true });
  },
  (error) => parentPort.postMessage({ failure: packFailure(error) }),
);

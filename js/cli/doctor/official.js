'use strict';
// The same connection and reads with the application's own official driver: what fails there as well is not our fault.

const { findPackage } = require('../../user-package.js');
const { limits, pings, read } = require('./server.js');

const SECTION = 'Official driver';

async function checkOfficial(checkup, { uri, source, timeoutMS, obstacle }) {
  const skip = (why) => checkup.skip(SECTION, 'connect', why);
  // What only the official driver cannot do is no fault of what is looked at, such as options that it does not know.
  const failure = checkup.passed('Server') ? 'warn' : 'fail';
  // Its look-ups cannot be given up, and the process would wait for them.
  if (obstacle !== null) return skip(obstacle);
  const mongodb = await checkup.step(SECTION, 'package', async () => {
    const found = findPackage('mongodb') ?? findPackage('mongoose')?.mongo;
    return { value: found ? 'found' : 'not installed, so there is no comparison', result: found };
  });
  if (!mongodb) return undefined;
  const client = await checkup.step(SECTION, 'connect', async (signal) => {
    const made = new mongodb.MongoClient(uri);
    const { serverSelectionTimeoutMS, connectTimeoutMS } = made.options;
    await made.close();
    const limited = new mongodb.MongoClient(uri, limits({ serverSelectionTimeoutMS, connectTimeoutMS }, timeoutMS));
    signal.addEventListener('abort', () => void limited.close());
    try {
      await limited.connect();
    } catch (error) {
      await limited.close();
      throw error;
    }
    return { value: 'connected', result: limited };
  }, failure);
  if (client === undefined) return undefined;
  try {
    const { readPreference } = client;
    await checkup.step(SECTION, 'ping', async () => ({ value: await pings(() => client.db('admin').command({ ping: 1 }, { readPreference })) }), failure);
    if (source) {
      await checkup.step(SECTION, 'read', async (signal) => await read(client.db(source.database).collection(source.collection), source, signal), failure);
    }
  } finally {
    await checkup.step(SECTION, 'close', async () => {
      await client.close();
      return { value: 'all connections are closed' };
    });
  }
  return undefined;
}

module.exports = { checkOfficial };

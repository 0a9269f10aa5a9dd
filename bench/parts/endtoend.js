'use strict';

const { startDevServer } = require('../../__tests__/support/dev-server');
const { titles } = require('./point');

module.exports = {
  title: 'End to end',
  about: 'Against a database: FerretDB on SQLite, whose own time is most of it, or the server of MONGODB_URI.',
  base: 'official',
  columns: ['wall', 'docs', 'cpu', 'delay', 'times'],
  cases({ quick }) {
    const count = quick ? 1_000 : 5_000;
    const point = (by, inFlight, title) => ({
      id: `${by}${inFlight}`, title, set: 'point', count, samples: 1_000, server,
      work: { kind: 'point', count: quick ? 200 : inFlight === 1 ? 500 : 1_500, inFlight, by },
      contenders: ['official', 'lean', 'rumongo', 'find'].map((name) => ({ name, reader: name, title: titles[name] }))
    });
    return [
      {
        id: 'eager', title: 'all documents of 45 fields', set: 'mixed45', count, server,
        contenders: ['official', 'lean', 'rumongo', 'find', 'findCursor', 'findLazy']
      },
      point('_id', 1, 'findOne by _id, one at a time'),
      point('_id', 50, 'findOne by _id, 50 in flight'),
      point('slug', 1, 'findOne by a second index, one at a time'),
      point('slug', 50, 'findOne by a second index, 50 in flight')
    ];
  }
};

const perInsert = 1_000;

/** A database with a set in it, as the fixture generates it; a server of MONGODB_URI is left without it. */
async function server({ set, of, count, database: name }) {
  const { MongoClient } = require('mongodb');
  const { startFixture } = require('../../__tests__/support/fixture-server');
  const target = await startDevServer();
  const client = await MongoClient.connect(target.uri);
  const database = client.db(name);
  const stop = async () => {
    if (target.real) await database.collection(set).drop();
    await client.close();
    await target.stop();
  };
  const fixture = await startFixture();
  try {
    await fixture.load(`${name}.${set}`, of, count);
    const source = await MongoClient.connect(fixture.uri);
    try {
      const collection = database.collection(set);
      if (target.real) await collection.drop().catch(() => {}); // what an interrupted run has left
      if (set === 'point') await collection.createIndex({ slug: 1 }, { unique: true });
      const batch = [];
      for await (const document of source.db(name).collection(set).find()) {
        batch.push(document);
        if (batch.length === perInsert) await collection.insertMany(batch.splice(0));
      }
      if (batch.length > 0) await collection.insertMany(batch);
    } finally {
      await source.close();
    }
  } catch (error) {
    await stop();
    throw error;
  } finally {
    await fixture.stop();
  }
  return { uri: target.uri, stop };
}

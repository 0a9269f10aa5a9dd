'use strict';
// The service of before.js with its reads moved to rumongo-go: `diff before.js after.js` is the whole migration.

const express = require('express');
const { MongoClient } = require('mongodb');
const rumongo = require('rumongo-go');

const { MONGODB_URI: uri = 'mongodb://127.0.0.1:27017', DATABASE: database = 'shop', PORT: port = '3000' } = process.env;

async function main() {
  const client = await MongoClient.connect(uri);
  const orders = client.db(database).collection('orders'); // writes stay here
  const reader = await rumongo.MongoClient.connect(uri);
  const reads = reader.db(database).collection('orders');

  const app = express();

  // The light route: what a load balancer asks, and every other request that does little.
  app.get('/health', (request, response) => response.json({ ok: true }));

  // Documents that are only passed on.
  app.get('/orders', async (request, response) => {
    response.type('json').send(await reads.findJSON({ gift: false }, { limit: 1000 }));
  });

  // A few fields of many documents.
  app.get('/report', async (request, response) => {
    response.json(totalsByCity(await reads.findLazy()));
  });

  app.post('/orders/:number/pack', async (request, response) => {
    const { matchedCount } = await orders.updateOne({ number: request.params.number }, { $set: { state: 'packed' } });
    response.sendStatus(matchedCount === 1 ? 204 : 404);
  });

  const server = app.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
  process.once('SIGTERM', () => server.close(() => Promise.all([client.close(), reader.close()])));
}

function totalsByCity(documents) {
  const totals = {};
  for (const { address, total } of documents) totals[address.city] = (totals[address.city] ?? 0) + total;
  return totals;
}

main();

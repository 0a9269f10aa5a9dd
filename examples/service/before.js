'use strict';
// A service on the official driver. after.js is the same service with its reads moved to rumongo-go.

const express = require('express');
const { MongoClient } = require('mongodb');

const { MONGODB_URI: uri = 'mongodb://127.0.0.1:27017', DATABASE: database = 'shop', PORT: port = '3000' } = process.env;

async function main() {
  const client = await MongoClient.connect(uri);
  const orders = client.db(database).collection('orders');

  const app = express();

  // The light route: what a load balancer asks, and every other request that does little.
  app.get('/health', (request, response) => response.json({ ok: true }));

  // Documents that are only passed on.
  app.get('/orders', async (request, response) => {
    response.json(await orders.find({ gift: false }, { limit: 1000 }).toArray());
  });

  // A few fields of many documents.
  app.get('/report', async (request, response) => {
    response.json(totalsByCity(await orders.find().toArray()));
  });

  app.post('/orders/:number/pack', async (request, response) => {
    const { matchedCount } = await orders.updateOne({ number: request.params.number }, { $set: { state: 'packed' } });
    response.sendStatus(matchedCount === 1 ? 204 : 404);
  });

  const server = app.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
  process.once('SIGTERM', () => server.close(() => client.close()));
}

function totalsByCity(documents) {
  const totals = {};
  for (const { address, total } of documents) totals[address.city] = (totals[address.city] ?? 0) + total;
  return totals;
}

main();

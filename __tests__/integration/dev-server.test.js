'use strict';

const { once } = require('node:events');
const net = require('node:net');
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { MongoClient } = require('mongodb');
const { startDevServer } = require('../support/dev-server');

test('the dev server stores, answers, and stops with a client still connected', async (t) => {
  if (process.env.MONGODB_URI) return t.skip('MONGODB_URI replaces the dev server');
  const server = await startDevServer();
  const client = await MongoClient.connect(server.uri, { serverSelectionTimeoutMS: 500 });
  try {
    const collection = client.db('t').collection('c');
    await collection.insertMany([{ a: 1 }, { a: 2 }]);
    assert.equal(await collection.countDocuments({ a: { $gt: 1 } }), 1);
    await server.stop();
    await server.stop(); // a second time does nothing
    const { hostname, port } = new URL(server.uri);
    const socket = net.connect(Number(port), hostname);
    const [error] = await once(socket, 'error');
    assert.equal(error.code, 'ECONNREFUSED');
  } finally {
    await client.close();
  }
});

test('MONGODB_URI replaces it', async () => {
  const before = process.env.MONGODB_URI;
  process.env.MONGODB_URI = 'mongodb://elsewhere.example/';
  try {
    const server = await startDevServer();
    assert.equal(server.uri, 'mongodb://elsewhere.example/');
    assert.equal(server.real, true);
    await server.stop();
  } finally {
    if (before === undefined) delete process.env.MONGODB_URI;
    else process.env.MONGODB_URI = before;
  }
});

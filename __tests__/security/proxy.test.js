'use strict';
// A SOCKS5 proxy: the official driver's options, and that every connection goes through it.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { SocksProxy } = require('../support/socks-proxy.js');

let fixture;

before(async () => {
  fixture = await startFixture();
  await fixture.put('d.c', [1, 2, 3].map((_id) => bson.serialize({ _id })));
});

after(async () => {
  await fixture?.stop();
});

test('every connection goes through the proxy, which knows the names of hosts', async () => {
  const user = { username: 'us:er', password: 'p@ss' };
  for (const who of [undefined, user]) {
    const proxy = await SocksProxy.start(fixture.uri, who);
    const options = { proxyHost: '127.0.0.1', proxyPort: proxy.port };
    if (who !== undefined) Object.assign(options, { proxyUsername: user.username, proxyPassword: user.password });
    // There is no such host: only the proxy can lead to it.
    const client = await MongoClient.connect('mongodb://db.invalid:1234/d', options);
    try {
      assert.deepEqual(await client.db().collection('c').find(), [{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
      assert.ok(proxy.destinations.length >= 2, 'the monitor, too');
      assert.deepEqual([...new Set(proxy.destinations)], ['db.invalid:1234']);
    } finally {
      await client.close();
      proxy.stop();
    }
  }
});

test('in the connection string', async () => {
  const proxy = await SocksProxy.start(fixture.uri);
  const client = new MongoClient(`mongodb://db.invalid/d?proxyHost=127.0.0.1&proxyPort=${proxy.port}`);
  try {
    assert.equal(await client.db().collection('c').countDocuments(), 3);
    assert.ok(proxy.destinations.includes('db.invalid:27017'));
  } finally {
    await client.close();
    proxy.stop();
  }
});

test('a proxy that refuses or is not there', async () => {
  const proxy = await SocksProxy.start(fixture.uri, { username: 'a', password: 'b' });
  const gone = await SocksProxy.start(fixture.uri);
  const { port } = gone;
  gone.stop();
  for (const options of [{ proxyPort: proxy.port }, { proxyPort: proxy.port, proxyUsername: 'a', proxyPassword: 'wrong-secret' }, { proxyPort: port }]) {
    const connecting = MongoClient.connect(fixture.uri, { proxyHost: '127.0.0.1', serverSelectionTimeoutMS: 300, ...options });
    await assert.rejects(connecting, (error) => {
      assert.equal(error.name, 'MongoServerSelectionError');
      assert.doesNotMatch(String(error.stack), /wrong-secret/);
      return true;
    });
  }
  proxy.stop();
});

test('options that make no sense together are refused as by the official driver', () => {
  for (const options of [{ proxyPort: 1080 }, { proxyUsername: 'a', proxyPassword: 'b' }, { proxyHost: 'h', proxyUsername: 'a' }, { proxyHost: 'h', proxyPassword: 'b' }, { proxyHost: 'h', proxyPort: -1 }]) {
    const attempt = (Client) => {
      try {
        void new Client('mongodb://h/', options);
        return 'accepted';
      } catch (error) {
        return `${error.name}: ${error.message}`;
      }
    };
    assert.equal(attempt(MongoClient), attempt(official.MongoClient), JSON.stringify(options));
  }
});

'use strict';
// Compressed messages and TLS: the official driver and rumongo-go read the same through each.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const { missingZstd } = require('../support/official-zstd.js');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { assertSame } = require('../support/same.js');

const drivers = [['the official driver', official.MongoClient], ['rumongo-go', MongoClient]];

async function fill(fixture) {
  await fixture.load('t.types', 'types', 300);
  await fixture.load('t.mixed', 'mixed45', 5000);
}

const read = async (Client, uri, options) => {
  const client = await Client.connect(uri, { serverSelectionTimeoutMS: 5000, ...options });
  try {
    const db = client.db('t');
    return [await db.collection('types').find({}, { batchSize: 40 }).toArray(), await db.collection('mixed').find().toArray(),
      await db.collection('types').findOne({ _id: 7 })];
  } finally {
    await client.close();
  }
};

describe('compression', () => {
  let fixture;
  let expected;

  before(async () => {
    fixture = await startFixture();
    await fill(fixture);
    expected = await read(official.MongoClient, fixture.uri);
  });

  after(() => fixture?.stop());

  for (const compressor of ['zstd', 'snappy', 'zlib']) {
    for (const [name, Client] of drivers) {
      const skip = compressor === 'zstd' && name !== 'rumongo-go' && missingZstd();
      test(`${compressor}, ${name}`, { skip: skip ?? false }, async () => {
        await fixture.reset();
        assertSame(await read(Client, fixture.uri, { compressors: [compressor] }), expected, compressor);
        const { compressed, commands } = await fixture.stats();
        assert.deepEqual(Object.keys(compressed), [compressor]);
        assert.ok(compressed[compressor] >= commands.find + commands.getMore, 'every read went compressed');
      });
    }
  }

  test('in the connection string, with a level, and the first that the server has', async () => {
    const limited = await startFixture({ compressors: ['zlib'] });
    await fill(limited);
    for (const [name, Client] of drivers) {
      await limited.reset();
      assertSame(await read(Client, `${limited.uri}?compressors=snappy,zlib&zlibCompressionLevel=9`), expected, name);
      assert.deepEqual(Object.keys((await limited.stats()).compressed), ['zlib'], name);
    }
    await limited.stop();
  });

  test('a server without compressors is read without', async () => {
    const plain = await startFixture({ compressors: [] });
    await fill(plain);
    assertSame(await read(MongoClient, plain.uri, { compressors: ['zstd', 'snappy'] }), expected, 'plain');
    assert.deepEqual((await plain.stats()).compressed, {});
    await plain.stop();
  });

  test('lazy and streaming readers', async () => {
    const client = await MongoClient.connect(fixture.uri, { compressors: ['snappy'] });
    const types = client.db('t').collection('types');
    assertSame((await types.findLazy()).map((doc) => doc.toObject()), expected[0], 'findLazy');
    const streamed = [];
    for await (const doc of types.find({}, { batchSize: 7 })) streamed.push(doc);
    assertSame(streamed, expected[0], 'for await');
    await client.close();
  });

  for (const compressor of ['zstd', 'snappy', 'zlib']) {
    test(`a reply of broken ${compressor} rejects that read, and only that`, async () => {
      const client = await MongoClient.connect(fixture.uri, { compressors: [compressor] });
      const types = client.db('t').collection('types');
      await fixture.faults({ command: 'getMore', nth: 2, action: 'corrupt', ns: 't.types' });
      const bystander = client.db('t').collection('mixed').find().toArray();
      await assert.rejects(types.find({}, { batchSize: 40 }).toArray(), (error) => error instanceof official.MongoError);
      assert.equal((await bystander).length, 5000);
      await fixture.faults();
      assertSame(await types.find().toArray(), expected[0], 'afterwards');
      await client.close();
    });
  }
});

describe('TLS', () => {
  for (const kind of [true, 'client']) {
    test(kind === true ? 'of the server' : 'with a client certificate', async () => {
      const fixture = await startFixture({ tls: kind });
      try {
        await fill(fixture);
        const { ca, client } = fixture.tlsFiles;
        const options = kind === true ? { tlsCAFile: ca } : { tlsCAFile: ca, tlsCertificateKeyFile: client };
        const expected = await read(official.MongoClient, fixture.uri, options);
        assert.equal(expected[0].length, 300);
        assertSame(await read(MongoClient, fixture.uri, options), expected, 'files');
        const pem = fs.readFileSync(client);
        const inMemory = kind === true ? { ca: fs.readFileSync(ca) } : { ca: fs.readFileSync(ca), cert: pem, key: pem };
        assertSame(await read(MongoClient, fixture.uri, inMemory), expected, 'buffers');
        assertSame(await read(MongoClient, fixture.uri, { ...options, compressors: ['zstd'] }), expected, 'compressed too');
        assert.ok((await fixture.stats()).compressed.zstd > 0);
        for (const [name, Client] of drivers) {
          await assert.rejects(read(Client, fixture.uri, { serverSelectionTimeoutMS: 400 }), { name: 'MongoServerSelectionError' }, `${name} does not know the authority`);
          if (kind === 'client') {
            await assert.rejects(read(Client, fixture.uri, { tlsCAFile: ca, serverSelectionTimeoutMS: 400 }), official.MongoError, `${name} shows no certificate`);
          }
        }
      } finally {
        await fixture.stop();
      }
      assert.ok(!fs.existsSync(fixture.tlsFiles.ca), 'the certificates are gone');
    });
  }
});

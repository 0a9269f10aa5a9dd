'use strict';
// Connections of the monitors, which the Go driver has for itself: what a hostile server answers to a hello, in the first
// or in a later one, in plain or in TLS, costs no memory to speak of, not the process, and no read once it has stopped.

const { test, describe } = require('node:test');
const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const { ObjectId, Long } = require('bson');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { ScriptedServer } = require('../support/scripted-server.js');
const { notStuck } = require('../support/fault-readers.js');

const MB = 1 << 20;
const MAX = 2_147_483_647;
const HELLOS = ['hello', 'isMaster', 'ismaster'];
const COUNT = 100;

const FAULTS = [
  { action: 'bomb', compressor: 'zstd', length: 256 * MB, says: 100 },
  { action: 'bomb', compressor: 'zstd', length: 256 * MB, says: MAX },
  { action: 'bomb', compressor: 'zlib', length: 256 * MB, says: 256 * MB },
  { action: 'bomb', compressor: 'snappy', length: 256 * MB, says: 256 * MB },
  { action: 'bomb', compressor: 'snappy', length: 1000, says: -1 },
  { action: 'length', length: MAX },
  { action: 'length', length: 48_000_001 },
  { action: 'length', length: -1 },
  { action: 'length', length: 15 },
  { action: 'garbage', length: MB },
  { action: 'half' },
  { action: 'reset' },
];

// With a topologyVersion the driver asks for hellos that wait, and measures the round trip on a connection of its own.
const streaming = { topologyVersion: { processId: new ObjectId(), counter: Long.ONE } };

async function findAll(client, attempts = 60) {
  for (let i = 1; ; i++) {
    try {
      return (await notStuck(client.db('t').collection('m').find().toArray(), 'a read')).length;
    } catch (error) {
      if (i === attempts) throw error;
      await sleep(50);
    }
  }
}

describe('monitors', { concurrency: 4 }, () => {
  for (const tls of [false, true]) {
    for (const [kind, hello] of [['polling', {}], ['streaming', streaming]]) {
      test(`bombs, lengths and garbage in hello: ${kind}${tls ? ', TLS' : ''}`, async (t) => {
        const fixture = await startFixture({ tls });
        t.after(() => fixture.stop());
        await fixture.load('t.m', 'mixed45', COUNT);
        await fixture.control({ hello: { ...hello, maxMessageSizeBytes: MAX } });
        const options = { heartbeatFrequencyMS: 500, serverSelectionTimeoutMS: 5000, ...(tls && { tlsCAFile: fixture.tlsFiles.ca }) };
        const client = await MongoClient.connect(fixture.uri, options);
        const start = process.memoryUsage.rss();
        let injected = 0;
        for (const fault of FAULTS) {
          const what = JSON.stringify(fault);
          await fixture.faults(...HELLOS.map((command) => ({ command, times: -1, ...fault })));
          const connecting = MongoClient.connect(fixture.uri, { ...options, serverSelectionTimeoutMS: 300, appName: 'another' });
          const refused = await notStuck(connecting.then((other) => other.close(), (error) => error), what);
          // Garbage comes after an answer that is in order.
          if (fault.action !== 'garbage') assert.equal(refused?.name, 'MongoServerSelectionError', `${what}: ${refused}`);
          for (let i = 0; i < 100; i++, await sleep(20)) {
            const { faultsInjected } = await fixture.stats();
            if (faultsInjected >= injected + 3) break;
          }
          const { faultsInjected } = await fixture.stats();
          assert.ok(faultsInjected > injected, what);
          injected = faultsInjected;
          await fixture.faults();
          assert.equal(await findAll(client), COUNT, what);
        }
        const grown = (process.memoryUsage.rss() - start) / MB;
        assert.ok(grown < 300, `${grown} MB more`);
        console.log(`# ${injected} hostile hellos: ${grown.toFixed(0)} MB more`);
        await client.close();
      });
    }
  }

  // A panic of the driver on a goroutine of its monitors would end this process.
  test('replies to hello with any byte wrong', async (t) => {
    let seed = 1;
    const random = (n) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed % n;
    };
    let damaged = 0;
    let damage = false;
    const server = await ScriptedServer.start(() => ({ ok: 1, cursor: { id: Long.ZERO, ns: 't.m', firstBatch: [{ _id: 1 }] } }), {
      hello: { ...streaming, setName: 'rs', hosts: ['127.0.0.1:1'], tags: { a: 'b' }, lastWrite: { lastWriteDate: new Date(), opTime: { ts: Long.ONE, t: Long.ONE } }, compression: ['zlib'] },
      message: (bytes, name) => {
        if (!damage || !['hello', 'isMaster', 'ismaster'].includes(name)) return bytes;
        damaged++;
        for (let i = 1 + random(3); i > 0; i--) bytes[random(3) === 0 ? random(bytes.length) : 16 + random(bytes.length - 16)] = [0, 1, 255, 127, 128, random(256)][random(6)];
        return bytes;
      },
    });
    t.after(() => server.stop());
    // directConnection: what the damaged replies call the set and its hosts does not matter.
    const options = { directConnection: true, heartbeatFrequencyMS: 500, serverSelectionTimeoutMS: 100, connectTimeoutMS: 200 };
    damage = true;
    for (let round = 0; round < 40; round++) {
      await Promise.all(Array.from({ length: 10 }, async (_, i) => {
        const client = await notStuck(MongoClient.connect(server.uri, { ...options, appName: `${round} ${i}` }).catch((error) => error), 'connect');
        if (!(client instanceof MongoClient)) {
          assert.ok(client instanceof official.MongoError, client?.stack);
          assert.doesNotMatch(client.message, /panic|runtime error/, client.stack);
          return;
        }
        await notStuck(client.db('t').collection('m').findOne().catch(() => {}), 'a read');
        await client.close();
      }));
    }
    damage = false;
    const client = await MongoClient.connect(server.uri, { ...options, serverSelectionTimeoutMS: 5000 });
    assert.equal((await client.db('t').collection('m').findOne())._id, 1);
    await client.close();
    console.log(`# ${damaged} damaged hellos`);
    assert.ok(damaged > 400);
  });

  test('replies that go on without having been asked to', async (t) => {
    let more = false;
    const server = await ScriptedServer.start(() => ({ ok: 1, cursor: { id: Long.ZERO, ns: 't.m', firstBatch: [{ _id: 1 }] } }), {
      message: (bytes, name) => {
        if (more && name === 'find') bytes[16] = 2; // moreToCome
        return bytes;
      },
    });
    t.after(() => server.stop());
    const client = await MongoClient.connect(server.uri);
    more = true;
    for (let i = 0; i < 3; i++) await assert.rejects(notStuck(client.db('t').collection('m').findOne(), 'a read'), { name: 'MongoParseError' });
    more = false;
    assert.equal((await notStuck(client.db('t').collection('m').findOne(), 'the read after it'))._id, 1);
    await client.close();
  });
});

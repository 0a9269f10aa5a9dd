'use strict';
// What a hostile server may cost: never more than a message's worth of memory, never the process, never a read that hangs.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const v8 = require('node:v8');
const vm = require('node:vm');
const { setTimeout: sleep } = require('node:timers/promises');
const { serialize, setInternalBufferSize, Long, Timestamp, ObjectId, Binary } = require('bson');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { readers, common, notStuck, outline } = require('../support/fault-readers.js');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');
const MB = 1 << 20;
const MAX = 2_147_483_647;
setInternalBufferSize(40 * MB); // what the bson package can serialise at once

/** The limits of core/shape (a frame shape outlives two generations, a lazy one one), js/frames/materialize.js and js/lazy/context.js. */
function assertTables({ shapes, core }) {
  const counted = JSON.stringify({ shapes, core });
  assert.ok(core.frameShapes <= 3 * 4096 && core.frameShapeBytes <= 64 * MB, counted);
  assert.ok(core.lazyShapes <= 2 * 4096 && core.lazyShapeBytes <= 8 * MB, counted);
  assert.ok(core.keyNames <= 32 * 1024, counted);
  assert.ok(shapes.known <= 8192 && shapes.compiled <= 2048 && shapes.lazy <= 8192, counted);
}

describe('bounds', () => {
  let fixture;

  before(async () => {
    fixture = await startFixture();
    await fixture.load('t.m', 'mixed45', 100);
  });

  after(() => fixture?.stop());

  const connect = (options) => MongoClient.connect(fixture.uri, { serverSelectionTimeoutMS: 3000, ...options });

  for (const compressor of ['zstd', 'snappy', 'zlib']) {
    test(`compressed replies that lie: ${compressor}`, async () => {
      const client = await connect({ compressors: [compressor] });
      const collection = client.db('t').collection('m');
      const before = process.memoryUsage.rss();
      // How much there is, and how much it says there is.
      for (const [length, says] of [[256 * MB, 100], [256 * MB, MAX], [256 * MB, 40 * MB], [1000, MAX], [1000, -1], [1000, 0], [1000, 2000], [40 * MB, 40 * MB]]) {
        await fixture.reset();
        await fixture.faults({ command: 'find', action: 'bomb', length, says, times: 2 });
        const { error, ids } = await notStuck(common['find, toArray'](collection, {}), `${length} ${says}`);
        assert.ok(['MongoParseError', 'MongoUnexpectedServerResponseError', 'BSONError'].includes(error?.name), `${length} ${says}: ${error}`);
        assert.equal(ids.length, 0);
        assert.equal((await collection.find().toArray()).length, 100, 'afterwards');
      }
      const grown = (process.memoryUsage.rss() - before) / MB;
      assert.ok(grown < 400, `${grown} MB more`);
      await client.close();
      await fixture.reset();
    });
  }

  // Read as the official driver does, or refused in time. null: whatever of the two it is.
  const HELLOS = [
    [{ maxMessageSizeBytes: MAX }, true], [{ maxMessageSizeBytes: -1 }, true], [{ maxMessageSizeBytes: 0 }, true], [{ maxMessageSizeBytes: 'x' }, null],
    [{ maxBsonObjectSize: -5 }, true], [{ maxBsonObjectSize: 0 }, true], [{ maxWriteBatchSize: -1 }, true],
    [{ maxWireVersion: 1000 }, true], [{ maxWireVersion: 0 }, false], [{ maxWireVersion: -1 }, false], [{ minWireVersion: 100, maxWireVersion: 200 }, false],
    [{ logicalSessionTimeoutMinutes: -1 }, true], [{ logicalSessionTimeoutMinutes: MAX }, true], [{ logicalSessionTimeoutMinutes: 'x' }, null],
    [{ compression: ['no', 'such'] }, true], [{ compression: [5] }, null], [{ topologyVersion: { a: 1 } }, null], [{ topologyVersion: 5 }, null],
    [{ setName: 'x', hosts: 5 }, null], [{ setName: 'rs', secondary: true, hosts: Array.from({ length: 300 }, (_, i) => `127.0.0.1:${i + 1}`) }, null],
    [{ ok: 0, errmsg: 'no', code: 11 }, null], [{ connectionId: 'abc' }, null], [{ saslSupportedMechs: 5 }, null], [{ $clusterTime: 5 }, null],
    [{ $clusterTime: { clusterTime: 'x' } }, null], [{ isWritablePrimary: 'x', ismaster: 5 }, null], [{ localTime: 'x' }, null], [{ me: 5, tags: 5 }, null],
    [{ msg: 'isdbgrid' }, true], [{ secondary: true, setName: 5 }, null], [{ serviceId: 5 }, null], [{ readOnly: 'x', passives: [5] }, null],
  ];
  test('a hello of absurd values', async () => {
    for (const [hello, works] of HELLOS) {
      const what = JSON.stringify(hello).slice(0, 80);
      await fixture.control({ reset: true, hello });
      const attempt = async () => {
        const client = await connect({ serverSelectionTimeoutMS: 300 });
        try {
          for (const read of [common['find, toArray'], readers.findLazy]) {
            const { ids, error } = await read(client.db('t').collection('m'), { batchSize: 30 });
            if (error !== null) throw error;
            assert.equal(ids.length, 100, what);
          }
        } finally {
          await client.close();
        }
      };
      const error = await notStuck(attempt().then(() => null, (e) => e), what);
      assert.ok(error === null || error instanceof official.MongoError, `${what}: ${error?.stack}`);
      if (works === true) assert.equal(error, null, what);
      if (works === false) assert.deepEqual(outline(error)?.name, 'MongoServerSelectionError', what);
    }
    await fixture.reset();
    const client = await connect();
    assert.equal((await client.db('t').collection('m').find()).length, 100);
    await client.close();
  });

  // The driver's monitors run on goroutines that do not recover: a panic there would end the process.
  test('every field of a hello with every type', async () => {
    const fields = ['ok', 'isWritablePrimary', 'helloOk', 'secondary', 'arbiterOnly', 'hidden', 'passive', 'setName', 'setVersion', 'electionId', 'me', 'hosts',
      'passives', 'arbiters', 'primary', 'tags', 'lastWrite', 'topologyVersion', 'maxBsonObjectSize', 'maxMessageSizeBytes', 'maxWriteBatchSize',
      'localTime', 'logicalSessionTimeoutMinutes', 'connectionId', 'minWireVersion', 'maxWireVersion', 'readOnly', 'compression', 'saslSupportedMechs',
      'speculativeAuthenticate', 'msg', 'serviceId', '$clusterTime', 'operationTime', 'errorLabels', 'code', 'errmsg', 'isreplicaset', 'iscryptd'];
    const values = [null, 'x', -1, 1.5, Long.MAX_VALUE, true, new Date(0), new ObjectId(), new Binary(Buffer.from('x')), Timestamp.MAX_VALUE, {}, [], ['x', 5],
      { clusterTime: 'x', signature: 5 }, { clusterTime: Timestamp.ONE, signature: 5 }, { processId: 5, counter: 'x' }, { processId: new ObjectId(), counter: Long.ONE },
      { lastWriteDate: 5, opTime: { ts: 5 } }];
    const member = await startFixture({ topology: 'replicaSet' });
    let cases = 0;
    for (const target of [fixture, member]) {
      for (const field of fields) {
        await Promise.all(values.map(async (value, i) => {
          await target.control({ hello: { [field]: value } });
          const client = await notStuck(MongoClient.connect(target.uri, { serverSelectionTimeoutMS: 40, appName: `${field} ${i}` }).catch((e) => e), field);
          cases++;
          if (client instanceof MongoClient) {
            await client.db('t').collection('m').findOne().catch(() => {});
            await client.close();
          } else {
            assert.ok(client instanceof official.MongoError, `${field}: ${client?.stack}`);
          }
        }));
      }
      await target.control({ reset: true });
    }
    console.log(`# ${cases} hellos of wrong types`);
    await member.stop();
  });

  test('a message of 1 GB stays refused when hello allows it', async () => {
    await fixture.control({ reset: true, hello: { maxMessageSizeBytes: MAX } });
    const client = await connect();
    const before = process.memoryUsage();
    for (const [reader, read] of Object.entries(readers)) {
      await fixture.faults({ command: 'find', action: 'length', length: 1_000_000_000, times: 2 });
      const { error } = await notStuck(read(client.db('t').collection('m'), {}), reader);
      assert.equal(error?.name, 'MongoParseError', reader);
    }
    assert.ok(process.memoryUsage().rss - before.rss < 100 * MB);
    await client.close();
    await fixture.reset();
  });

  test('documents over the limit of 16 MB are read as long as the message is none over its own', async () => {
    const large = (size) => Buffer.from(serialize({ _id: size, text: 'x'.repeat(size), last: 1 }));
    await fixture.put('t.large', [large(17 * MB), large(1), large(16 * MB + 16 * 1024 + 1)]);
    const client = await connect();
    for (const [reader, read] of Object.entries(readers)) {
      const { ids, error } = await notStuck(read(client.db('t').collection('large'), {}), reader, 20_000);
      assert.equal(error, null, reader);
      assert.deepEqual(ids, reader === 'findOne' ? [17 * MB] : [17 * MB, 1, 16 * MB + 16 * 1024 + 1], reader);
    }
    await client.close();
  });

  test('100,000 shapes, twice over: memory is bounded, every document right', async () => {
    const COUNT = 100_000;
    const docs = Array.from({ length: COUNT }, (_, i) => Buffer.from(serialize({ _id: i, [`k${i}`]: i, [`n${i % 977}`]: { [`d${i}`]: [i] } })));
    for (let at = 0; at < COUNT; at += 20_000) await fixture.put(`t.shapes${at / 20_000}`, docs.slice(at, at + 20_000));
    const client = await connect();
    const pass = async (sum) => {
      for (let part = 0; part < 5; part++) {
        const collection = client.db('t').collection(`shapes${part}`);
        const eager = await collection.find().toArray();
        const lazy = await collection.findLazy();
        for (let i = 0; i < eager.length; i++) {
          const n = part * 20_000 + i;
          if (eager[i][`k${n}`] !== n || lazy[i][`n${n % 977}`][`d${n}`][0] !== n) assert.fail(`document ${n}`);
          sum += Object.keys(eager[i]).length;
        }
      }
      gc();
      await sleep(10);
      gc();
      return sum;
    };
    assert.equal(await pass(0), 3 * COUNT);
    const first = { ...process.memoryUsage(), go: client.stats().core.goHeapBytes };
    for (let i = 0; i < 2; i++) await pass(0);
    assertTables(client.stats());
    const last = { ...process.memoryUsage(), go: client.stats().core.goHeapBytes };
    const grown = (name) => (last[name] - first[name]) / MB;
    console.log(`# 600,000 documents of 100,000 shapes: heap ${(first.heapUsed / MB).toFixed(0)} then ${(last.heapUsed / MB).toFixed(0)} MB, Go ${(first.go / MB).toFixed(0)} then ${(last.go / MB).toFixed(0)} MB`);
    assert.ok(grown('heapUsed') < 40, `the heap grew by ${grown('heapUsed')} MB`);
    assert.ok(grown('go') < 64, `Go's heap grew by ${grown('go')} MB`);
    // What repeats is still compiled after the flood.
    const { compiled } = client.stats().documents;
    for (let i = 0; i < 20; i++) await client.db('t').collection('m').find();
    assert.ok(client.stats().documents.compiled - compiled > 1000, `${client.stats().documents.compiled - compiled} of 2,000 documents were compiled`);
    await client.close();
  });

  test('6,000 shapes that are seen often enough to be compiled: code and tables are bounded', async () => {
    const client = await connect();
    for (let part = 0; part < 6; part++) {
      const docs = [];
      for (let i = part * 1000; i < (part + 1) * 1000; i++) docs.push(...Array(84).fill(Buffer.from(serialize({ _id: i, [`a${i}`]: i, [`b${i}`]: 'x' }))));
      await fixture.put('t.often', docs);
      const collection = client.db('t').collection('often');
      const before = client.stats().documents.compiled;
      const eager = await collection.find().toArray();
      const lazy = await collection.findLazy();
      for (const [n, doc] of eager.entries()) {
        if (doc[`a${doc._id}`] !== doc._id || lazy[n][`b${doc._id}`] !== 'x') assert.fail(`document ${n}`);
      }
      assert.ok(client.stats().documents.compiled > before, 'nothing is compiled');
      assertTables(client.stats());
    }
    const { shapes, core } = client.stats();
    console.log(`# ${JSON.stringify({ shapes, frameShapes: core.frameShapes, lazyShapes: core.lazyShapes })}`);
    assert.equal(shapes.compiled, 2048);
    assert.ok(core.frameShapes > 4096 && core.lazyShapes > 4096);
    await client.close();
  });
});

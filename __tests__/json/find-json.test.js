'use strict';
// findJSON() and aggregateJSON(): options, arguments, limits, and that no object is made.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const official = require('mongodb');
const bson = require('bson');
const { MongoClient, MongoInvalidArgumentError } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { openCursors } = require('../support/fault-readers.js');
const raw = require('../support/raw-bson.js');
const { nested } = require('../support/edge-documents.js');

const COUNT = 2500;
const BIG = 2n ** 60n;

let fixture;
let client;
let ours;
let theirs;
let docs;
let text;

before(async () => {
  fixture = await startFixture();
  await fixture.load('t.m', 'mixed45', COUNT);
  await fixture.put('t.longs', [raw.document(raw.long('small', 7n), raw.long('large', BIG))]);
  client = await MongoClient.connect(fixture.uri);
  theirs = (await official.MongoClient.connect(fixture.uri)).db('t');
  ours = client.db('t').collection('m');
  docs = await theirs.collection('m').find().toArray();
  text = JSON.stringify(docs);
});

after(async () => {
  await client?.close();
  await theirs?.client.close();
  await fixture?.stop();
});

/** assert.equal prints both texts when they differ. */
function assertEqual(actual, expected, what) {
  assert.ok(actual === expected, `${what ?? ''}: ${actual.slice(0, 300)}\ninstead of\n${expected.slice(0, 300)}`);
}

const readAs = async (options, collection = ours, filter = {}) => (await collection.findJSON(filter, options)).toString();

describe('what it gives', () => {
  test('a Buffer of an array, whatever the batches, and no document was made', async () => {
    const before = client.stats();
    for (const batchSize of [undefined, 1000, 7]) {
      const buffer = await ours.findJSON({}, { batchSize });
      assert.ok(Buffer.isBuffer(buffer));
      assert.ok(buffer.equals(Buffer.from(text)), `batchSize ${batchSize}`);
    }
    const now = client.stats();
    assert.deepEqual(now.documents, before.documents);
    assert.equal(now.chunks.text - before.chunks.text, 3, 'one chunk a read');
    assert.equal(now.core.bytesUnderWay, 0);
  });

  test('the memory is the caller\'s', async () => {
    const one = await ours.findJSON();
    one.fill(0);
    assertEqual(await readAs(), text);
    const small = await ours.findJSON({}, { limit: 1 });
    await ours.findJSON({}, { limit: 2 });
    assertEqual(small.toString(), JSON.stringify(docs.slice(0, 1)));
  });

  test('limit, skip, sort and the rest of a find\'s options go on the wire as those of find()', async () => {
    const options = { limit: 50, skip: 3, comment: 'x', maxTimeMS: 5000, batchSize: 20, readPreference: 'secondaryPreferred' };
    const log = async (read) => {
      await fixture.startLog();
      await read();
      return (await fixture.takeLog()).filter(({ name }) => name !== 'hello' && name !== 'ping').map(({ name, command }) => [name, withoutCursor(bson.deserialize(command))]);
    };
    const withoutCursor = ({ lsid, getMore, ...command }) => ({ ...command, more: getMore !== undefined });
    assert.deepEqual(await log(() => ours.findJSON({}, options)), await log(() => ours.find({}, options).toArray()));
    const pipeline = [{ $match: { a: 1 } }];
    assert.deepEqual(await log(() => ours.aggregateJSON(pipeline, { batchSize: 20 }).catch(() => {})), await log(() => ours.aggregate(pipeline, { batchSize: 20 }).toArray().catch(() => {})));
  });

  test('nothing found', async () => {
    const none = { no: 'such' };
    assertEqual(await readAs({}, ours, none), '[]');
    assertEqual(await readAs({ pretty: true }, ours, none), JSON.stringify([], null, 2));
    assertEqual(await readAs({ single: true }, ours, none), 'null');
    assertEqual(await readAs({ format: 'ndjson' }, ours, none), '');
  });

  test('single, ndjson, pretty, modes', async () => {
    const { EJSON } = bson;
    assertEqual(await readAs({ single: true }), JSON.stringify(docs[0]));
    assertEqual(await readAs({ single: true, pretty: true }), JSON.stringify(docs[0], null, 2));
    assertEqual(await readAs({ single: true, mode: 'canonical' }), EJSON.stringify(docs[0], { relaxed: false }));
    assertEqual(await readAs({ format: 'ndjson' }), docs.map((doc) => `${JSON.stringify(doc)}\n`).join(''));
    assertEqual(await readAs({ pretty: true }), JSON.stringify(docs, null, 2));
    assertEqual(await readAs({ mode: 'relaxed' }), EJSON.stringify(docs));
    assertEqual(await readAs({ mode: 'canonical', pretty: true }), EJSON.stringify(docs, null, 2, { relaxed: false }));
  });

  test('longs, and BigInt', async () => {
    const longs = client.db('t').collection('longs');
    const read = (options) => readAs({ single: true, ...options }, longs);
    assert.equal(await read(), JSON.stringify(await theirs.collection('longs').findOne()));
    assert.equal(await read({ longs: 'string' }), `{"small":7,"large":"${BIG}"}`);
    assert.equal(await read({ longs: 'number' }), `{"small":7,"large":${BIG}}`);
    assert.equal(await read({ longs: 'string', promoteLongs: false }), `{"small":"7","large":"${BIG}"}`);
    assert.equal(await read({ longs: 'string', useBigInt64: true }), `{"small":"7","large":"${BIG}"}`);
    assert.equal(await read({ useBigInt64: true, mode: 'canonical' }), bson.EJSON.stringify(await theirs.collection('longs').findOne({}, { useBigInt64: true }), { relaxed: false }));
  });

  test('raw has no meaning here', async () => {
    assertEqual(await readAs({ raw: true }), text);
  });

  test('the result of a pipeline', async () => {
    assert.ok((await ours.aggregateJSON([])).equals(Buffer.from(text)));
    for (const batchSize of [undefined, 10]) {
      assert.ok((await ours.aggregateJSON([], { single: true, batchSize })).equals(Buffer.from(JSON.stringify(docs[0]))));
      assert.equal(await openCursors(fixture), 0);
    }
    await assert.rejects(ours.aggregateJSON([{ $out: 'x' }]), /\$out/);
  });
});

describe('limits', () => {
  test('maxBytes: a clear error, and no cursor stays open', async () => {
    const least = Buffer.byteLength(text);
    assert.equal((await ours.findJSON({}, { maxBytes: least })).length, least);
    for (const maxBytes of [1, 5000, least - 1]) {
      await assert.rejects(ours.findJSON({}, { maxBytes, batchSize: 100 }), (error) => error instanceof MongoInvalidArgumentError
        && error.message.includes(`larger than ${maxBytes} bytes`) && error.message.includes('streamJSON'), `${maxBytes}`);
      assert.equal(await openCursors(fixture), 0);
    }
    assert.equal(client.stats().core.bytesUnderWay, 0);
    await assert.rejects(ours.findJSON({}, { maxBytes: 1, limit: 1 }), MongoInvalidArgumentError);
  });

  test('deep documents', async () => {
    const deep = client.db('t').collection('deep');
    for (const levels of [150, 20_000]) {
      await fixture.put('t.deep', [nested(levels)]);
      assertEqual(await readAs({}, deep), `[${'{"n":'.repeat(levels)}{"x":1}${'}'.repeat(levels)}]`);
    }
    await fixture.put('t.deep', [nested(50_000)]);
    await assert.rejects(readAs({ pretty: true }, deep), /longer than 512 MB/);
  });

  test('16 MB in one document', async () => {
    const large = client.db('t').collection('large');
    const size = 16 * 1024 * 1024 - 20;
    for (const [bytes, expected] of [
      [raw.document(raw.string('s', '\u0001'.repeat(size))), () => JSON.stringify([{ s: '\u0001'.repeat(size) }])],
      [raw.document(raw.binary('b', 0, Buffer.alloc(size, 7))), () => JSON.stringify([{ b: Buffer.alloc(size, 7).toString('base64') }])],
    ]) {
      await fixture.put('t.large', [bytes]);
      assert.ok((await large.findJSON()).equals(Buffer.from(expected())));
    }
  });
});

describe('arguments', () => {
  const wrong = [
    [{ mode: 'ejson' }, /"mode" must be "plain" or "relaxed" or "canonical"/], [{ format: 'csv' }, /"format"/], [{ pretty: 2 }, /"pretty" must be true or false/],
    [{ single: 1 }, /"single"/], [{ longs: 'bigint' }, /"longs"/], [{ longs: 'string', mode: 'relaxed' }, /"longs" is for mode "plain"/],
    [{ pretty: true, format: 'ndjson' }, /ndjson/], [{ single: true, format: 'ndjson' }, /ndjson/], [{ maxBytes: 0 }, /"maxBytes"/], [{ maxBytes: 2 ** 33 }, /"maxBytes"/],
    [{ compress: 'gzip' }, /streamJSON/], [{ level: 3 }, /streamJSON/], [{ useBigInt64: true }, /longs/], [{ explain: true }, /explain/], [{ session: {} }, /session/],
    ['x', /"options"/], [{ signal: 5 }, /signal/],
  ];
  for (const [options, message] of wrong) {
    test(`refused before anything is sent: ${JSON.stringify(options)}`, async () => {
      await fixture.startLog();
      await assert.rejects(ours.findJSON({}, options), message);
      await assert.rejects(ours.aggregateJSON([], options), message);
      assert.deepEqual((await fixture.takeLog()).filter(({ name }) => name === 'find' || name === 'aggregate'), []);
    });
  }

  test('a bad filter, a bad pipeline', async () => {
    await assert.rejects(ours.findJSON(5), /filter/);
    await assert.rejects(ours.aggregateJSON({}), /pipeline/);
    await assert.rejects(ours.findJSON({}, { single: true, tailable: true }), /[Tt]ailable/);
  });
});

test('an abort ends it with the reason', async () => {
  const controller = new AbortController();
  const reading = ours.findJSON({}, { signal: controller.signal, batchSize: 10 });
  controller.abort(new Error('enough'));
  await assert.rejects(reading, /^Error: enough$/);
  assert.equal(await openCursors(fixture), 0);
});

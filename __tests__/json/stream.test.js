'use strict';
// streamJSON(): whole text whatever the batches and the compression, bounded read-ahead, and no cursor left behind.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const http = require('node:http');
const v8 = require('node:v8');
const vm = require('node:vm');
const zlib = require('node:zlib');
const { once } = require('node:events');
const { Readable } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const { setTimeout: sleep } = require('node:timers/promises');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { missingZstd } = require('../support/official-zstd.js');
const { openCursors, notStuck } = require('../support/fault-readers.js');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');
const COUNT = 6000;
const BATCH = 500;

let fixture;
let client;
let ours;
let whole;

before(async () => {
  fixture = await startFixture();
  await fixture.load('t.m', 'mixed45', COUNT);
  client = await MongoClient.connect(fixture.uri);
  ours = client.db('t').collection('m');
  whole = await ours.findJSON();
});

after(async () => {
  await client?.close();
  await fixture?.stop();
});

async function read(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** Nothing is left: no cursor, no bytes under way, no read. */
async function assertNothingLeft(what) {
  assert.equal(await openCursors(fixture), 0, `${what}: open cursors`);
  for (let i = 0; i < 100 && client.stats().core.bytesUnderWay > 0; i++) await sleep(20);
  assert.equal(client.stats().core.bytesUnderWay, 0, `${what}: bytes under way`);
  assert.equal(client.stats().reads, 0, `${what}: reads`);
}

const decoders = { gzip: zlib.gunzipSync, zstd: (bytes) => require('zstd1').decompress(bytes) };
const missing = { gzip: null, zstd: missingZstd() };

describe('the text', () => {
  for (const batchSize of [undefined, BATCH, 1000]) {
    test(`is that of findJSON(), batchSize ${batchSize}`, async () => {
      assert.ok((await read(ours.streamJSON({}, { batchSize }))).equals(whole));
      const lines = await read(ours.streamJSON({}, { batchSize, format: 'ndjson' }));
      assert.ok(lines.equals(await ours.findJSON({}, { format: 'ndjson' })));
      assert.ok((await read(ours.streamJSON({}, { batchSize, mode: 'canonical', pretty: true }))).equals(await ours.findJSON({}, { mode: 'canonical', pretty: true })));
      assert.ok((await read(ours.streamAggregateJSON([], { batchSize }))).equals(whole));
    });
  }

  for (const [compress, levels] of [['gzip', [undefined, 0, 1, 6, 9]], ['zstd', [undefined, 1, 3, 19]]]) {
    for (const level of levels) {
      test(`${compress}, level ${level}`, { skip: missing[compress] ?? false }, async () => {
        for (const filter of [{}, { no: 'such' }]) {
          for (const format of ['array', 'ndjson']) {
            const compressed = await read(ours.streamJSON(filter, { compress, level, format, batchSize: BATCH }));
            assert.ok((await decoders[compress](compressed)).equals(await ours.findJSON(filter, { format })), `${format}`);
            if (level !== 0 && compressed.length > 1000) assert.ok(compressed.length < whole.length / 2, `${compressed.length} of ${whole.length}`);
          }
        }
      });
    }
  }

  test('what a batch gives comes before the next one, compressed too', async () => {
    for (const compress of ['gzip', undefined]) {
      await fixture.reset();
      await fixture.faults({ command: 'getMore', nth: 2, action: 'never' });
      const stream = ours.streamJSON({}, { compress, format: 'ndjson', batchSize: 20 });
      const decoded = compress ? stream.pipe(zlib.createGunzip()) : stream;
      decoded.setEncoding('utf8'); // characters may come in two parts
      let text = '';
      for await (const part of decoded) {
        text += part;
        if (text.split('\n').length === 41) break;
      }
      stream.destroy();
      if (!stream.closed) await new Promise((closed) => stream.once('close', closed));
      assert.ok((await ours.findJSON({}, { limit: 40, format: 'ndjson' })).equals(Buffer.from(text)));
    }
    await fixture.reset();
    await assertNothingLeft('broken off');
  });

  test('with empty batches in between', async () => {
    for (const options of [{}, { compress: 'gzip' }]) {
      await fixture.reset();
      await fixture.faults({ command: 'getMore', nth: 1, action: 'empty' }, { command: 'getMore', nth: 3, action: 'empty', times: 2 });
      const text = await read(ours.streamJSON({}, { ...options, batchSize: BATCH }));
      assert.ok((options.compress ? zlib.gunzipSync(text) : text).equals(whole));
      assert.ok((await ours.findJSON({}, { batchSize: 1000 })).equals(whole));
    }
    await fixture.reset();
  });

  test('of nothing', async () => {
    assert.equal((await read(ours.streamJSON({ no: 'such' }))).toString(), '[]');
    assert.equal((await read(ours.streamJSON({ no: 'such' }, { format: 'ndjson' }))).length, 0);
    assert.equal((await read(ours.streamJSON({ no: 'such' }, { pretty: true }))).toString(), '[]');
  });

  test('as a web stream', async () => {
    const web = ours.streamJSON({}, { batchSize: BATCH }).toWeb();
    assert.ok(web instanceof ReadableStream);
    assert.ok(Buffer.from(await new Response(web).arrayBuffer()).equals(whole));
    assert.ok((await read(Readable.toWeb(ours.streamJSON()))).equals(whole));
    const cancelled = ours.streamJSON({}, { batchSize: BATCH, readAheadBytes: 1 }).toWeb().getReader();
    await cancelled.read();
    await cancelled.cancel();
    await assertNothingLeft('a cancelled web stream');
  });
});

describe('its life', () => {
  test('nothing is sent before it is read', async () => {
    await fixture.startLog();
    const stream = ours.streamJSON();
    await sleep(20);
    assert.deepEqual(await fixture.takeLog(), []);
    stream.destroy();
    await once(stream, 'close');
    await assertNothingLeft('never read');
  });

  test('a slow reader stops the fetch', async () => {
    await fixture.reset();
    const stream = ours.streamJSON({}, { batchSize: 100, readAheadBytes: 300_000 });
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    let commands = -1;
    for (let i = 0; i < 50; i++) {
      const { commands: { getMore = 0 } } = await fixture.stats();
      if (getMore === commands) break;
      commands = getMore;
      await sleep(50);
    }
    assert.ok(commands < 12, `${commands} getMores of 59 while nothing is read`);
    assert.ok(client.stats().core.bytesUnderWay < 2_000_000);
    let bytes = 0;
    for await (const part of { [Symbol.asyncIterator]: () => iterator }) bytes += part.length;
    assert.ok(bytes > whole.length / 2);
    await assertNothingLeft('read on');
  });

  for (const options of [{}, { compress: 'gzip' }, { compress: 'zstd' }, { format: 'ndjson' }]) {
    test(`destroyed early, ${JSON.stringify(options)}`, async () => {
      for (const parts of [0, 1, 3]) {
        const stream = ours.streamJSON({}, { ...options, batchSize: 100, readAheadBytes: 1 });
        let seen = 0;
        if (parts === 0) stream.read();
        else for await (const _ of stream) if (++seen === parts) break;
        stream.destroy();
        if (!stream.closed) await new Promise((closed) => stream.once('close', closed));
        await assertNothingLeft(`${parts} parts`);
      }
    });

    test(`the server dies in the middle, ${JSON.stringify(options)}`, async () => {
      await fixture.reset();
      await fixture.faults({ command: 'getMore', nth: 5, action: 'close' });
      const stream = ours.streamJSON({}, { ...options, batchSize: BATCH });
      await assert.rejects(notStuck(read(stream), 'the stream'), { name: 'MongoNetworkError' });
      await fixture.reset();
      await assertNothingLeft('a dead server');
    });
  }

  test('an abort is its error', async () => {
    const controller = new AbortController();
    const stream = ours.streamJSON({}, { signal: controller.signal, batchSize: BATCH });
    const reading = read(stream);
    controller.abort(new Error('enough'));
    await assert.rejects(reading, /^Error: enough$/);
    await assertNothingLeft('aborted');
  });

  test('nobody holds it any more', async () => {
    await (async () => {
      const stream = ours.streamJSON({}, { batchSize: 100, readAheadBytes: 1 });
      await stream[Symbol.asyncIterator]().next();
    })();
    for (let i = 0; i < 100 && (await fixture.stats()).cursors.open > 0; i++) {
      await sleep(10);
      gc();
    }
    await assertNothingLeft('collected');
  });

  test('bad options throw at once', () => {
    for (const [options, message] of [
      [{ compress: 'br' }, /"compress" must be "gzip" or "zstd"/], [{ level: 3 }, /"level" goes with/], [{ compress: 'gzip', level: 10 }, /from 0 to 9 for gzip/],
      [{ compress: 'zstd', level: 23 }, /from 1 to 22 for zstd/], [{ compress: 'gzip', level: '6' }, /"level"/], [{ single: true }, /findJSON/], [{ maxBytes: 5 }, /findJSON/],
      [{ format: 'lines' }, /"format"/], [{ mode: 5 }, /"mode"/],
    ]) {
      assert.throws(() => ours.streamJSON({}, options), message);
      assert.throws(() => ours.streamAggregateJSON([], options), message);
    }
  });
});

describe('served', () => {
  let server;

  before(async () => {
    server = http.createServer((request, response) => {
      const compress = request.url === '/gzip' ? 'gzip' : undefined;
      if (compress) response.setHeader('content-encoding', compress);
      pipeline(ours.streamJSON({}, { compress, batchSize: 100, readAheadBytes: 1 }), response).catch(() => {});
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  after(() => server.close());

  const url = (path) => `http://127.0.0.1:${server.address().port}${path}`;

  test('a collection, plain and compressed', async () => {
    for (const path of ['/', '/gzip']) {
      assert.ok(Buffer.from(await (await fetch(url(path))).arrayBuffer()).equals(whole), path);
      await assertNothingLeft(path);
    }
  });

  test('a client that leaves ends the read', async () => {
    for (const path of ['/', '/gzip']) {
      const controller = new AbortController();
      const response = await fetch(url(path), { signal: controller.signal });
      const reader = response.body.getReader();
      await reader.read();
      controller.abort();
      await assertNothingLeft(path);
    }
  });
});

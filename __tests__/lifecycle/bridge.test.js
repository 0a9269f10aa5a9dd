'use strict';
// The native path below the public API: requests, completions, blocks and environments.

const test = require('node:test');
const assert = require('node:assert');
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');
const { Worker } = require('node:worker_threads');
const { BSON } = require('bson');
const bridge = require('../../js/native/bridge');
const { startFixture } = require('../support/fixture-server');

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');

const DOCS = 20_000; // about 24 MB, four batches
const CHILD = path.join(__dirname, '..', 'fixtures', 'bridge-child.js');

const bytes = (doc) => BSON.serialize(doc);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const MODES = [['frames', 1], ['lazy', 2]];

let fixture;
let client;

test.before(async () => {
  fixture = await startFixture();
  await fixture.load('test.docs', 'mixed45', DOCS);
  client = await connect();
});
test.after(async () => {
  await bridge.closeClient(client);
  await fixture.stop();
});
test.afterEach(() => fixture.reset());

function connect(options = {}, on = bridge) {
  return on.connect(bytes({ uri: fixture.uri, options: { serverSelectionTimeoutMS: 5000, ...options } }));
}

const stats = () => BSON.deserialize(bridge.stats());

async function until(condition, what) {
  for (let i = 0; i < 500; i++) {
    if (condition()) return;
    gc();
    await sleep(10);
  }
  assert.fail(`${what} did not happen: ${JSON.stringify(stats())}`);
}

/** Memory use when nothing that earlier tests left is waiting to be freed. */
async function settledMemory() {
  let last = Infinity;
  for (;;) {
    gc();
    await sleep(20);
    const memory = process.memoryUsage();
    if (memory.external >= last) return memory;
    last = memory.external;
  }
}

/** Runs an operation; onChunk decides what happens to a chunk. Resolves with what arrived when it has ended. */
function run(op, command, params, { onChunk = (chunk) => chunk.release(), ack = true, on = bridge, id = client } = {}) {
  const result = { documents: 0, bytes: 0, chunks: 0, kinds: new Set(), fault: undefined, request: undefined };
  const ended = new Promise((resolve) => {
    result.request = on.submit(op, id, bytes(command), bytes({ db: 'test', ...params }), {
      chunk(chunk) {
        assert.strictEqual(result.fault, undefined, 'a chunk after the end');
        assert.strictEqual(chunk.bytes.byteOffset % 8, 0);
        assert.strictEqual(chunk.bytes.length, chunk.size);
        const { size } = chunk;
        result.documents += chunk.count;
        result.bytes += size;
        result.chunks++;
        result.kinds.add(chunk.kind);
        onChunk(chunk, result);
        if (ack) result.request.ack(size);
      },
      end(fault) {
        assert.strictEqual(result.fault, undefined, 'ended twice');
        result.fault = fault === null ? null : BSON.deserialize(fault);
        resolve(result);
      },
    });
    result.request.hold();
  });
  return Object.assign(ended, { result });
}

const command = (doc, options) => run(bridge.OP.COMMAND, doc, {}, options);
const find = (mode, options, more = {}) => run(bridge.OP.FIND, { find: 'docs', ...more }, { mode, batchSize: more.batchSize }, options);

test('a command answers with its reply document', async () => {
  let reply;
  const result = await command({ ping: 1 }, { onChunk: (chunk) => { reply = BSON.deserialize(chunk.bytes); } });
  assert.strictEqual(reply.ok, 1);
  assert.deepStrictEqual([result.chunks, [...result.kinds], result.fault], [1, [3], null]);
});

test('a fault carries what the server said', async () => {
  const { fault, chunks } = await command({ noSuchCommand: 1 });
  assert.strictEqual(chunks, 0);
  assert.strictEqual(fault.kind, 'server');
  assert.strictEqual(fault.code, 59);
  assert.strictEqual(fault.codeName, 'CommandNotFound');
  assert.match(fault.message, /noSuchCommand/);
  assert.strictEqual(fault.raw.ok, 0);
});

test('bad arguments end the request with a fault and never throw away the process', async () => {
  const submit = (op, id, cmd, params) => new Promise((resolve) => {
    bridge.submit(op, id, cmd, params, { chunk: () => resolve('chunk'), end: (fault) => resolve(BSON.deserialize(fault)) }).hold();
  });
  const ok = bytes({ ping: 1 });
  const params = bytes({ db: 'test' });
  const cases = [
    [[9, client, ok, params], 'invalidArgument', /operation 9/],
    [[1, 12345, ok, params], 'closed', /closed/],
    [[1, -1, ok, params], 'closed', /closed/],
    [[1, client, new Uint8Array(3), params], 'invalidArgument', /command/],
    [[1, client, bytes({}), params], 'invalidArgument', /command/],
    [[1, client, ok, bytes({})], 'invalidArgument', /db/],
    [[2, client, ok, params], 'invalidArgument', /mode/],
  ];
  for (const [args, kind, message] of cases) {
    const fault = await submit(...args);
    assert.strictEqual(fault.kind, kind);
    assert.match(fault.message, message);
  }
  assert.throws(() => bridge.submit(1, client, 'text', params, {}), TypeError);
  await assert.rejects(bridge.connect(new Uint8Array(1)).catch((fault) => { throw new Error(BSON.deserialize(fault).kind); }), /invalidArgument/);
});

for (const [mode, kind] of MODES) {
  test(`a find delivers every document once (${mode})`, async () => {
    const ends = [];
    const result = await find(mode, { onChunk: (chunk) => { ends.push(chunk.batchEnd); chunk.release(); } });
    assert.strictEqual(result.fault, null);
    assert.strictEqual(result.documents, DOCS);
    assert.deepStrictEqual([...result.kinds], [kind]);
    assert.ok(ends.at(-1), 'the last chunk ends a batch');
    assert.ok(ends.filter(Boolean).length >= 2, 'several batches');
    assert.ok(ends.length > 10, 'several chunks');
    await until(() => stats().bytesUnderWay === 0, 'giving back all credit');
  });

  test(`a small result is one transient chunk (${mode})`, async () => {
    let kept;
    const result = await find(mode, {
      onChunk(chunk) {
        assert.strictEqual(chunk.transient, true);
        const inInbox = chunk.bytes;
        const before = Buffer.from(inInbox);
        kept = chunk.detach();
        assert.notStrictEqual(kept.buffer, inInbox.buffer);
        assert.deepStrictEqual(Buffer.from(kept), before);
        assert.strictEqual(chunk.transient, false);
      },
    }, { limit: 3 });
    const copy = Buffer.from(kept);
    await find(mode, {}, { limit: 5 }); // writes over the inbox
    assert.deepStrictEqual(Buffer.from(kept), copy);
    assert.deepStrictEqual([result.chunks, result.documents, result.fault], [1, 3, null]);
  });

  test(`an empty result has no chunk (${mode})`, async () => {
    const result = await find(mode, {}, { filter: { _id: -1 } });
    assert.deepStrictEqual([result.chunks, result.fault], [0, null]);
  });
}

test('released blocks are reused, held ones are never aliased', async () => {
  const buffers = new Set();
  await find('frames', { onChunk: (chunk) => { if (!chunk.transient) buffers.add(chunk.bytes.buffer); chunk.release(); } });
  const first = buffers.size;
  await find('frames', { onChunk: (chunk) => { if (!chunk.transient) buffers.add(chunk.bytes.buffer); chunk.release(); } });
  const { chunks } = await find('frames', { onChunk: (chunk) => { if (!chunk.transient) buffers.add(chunk.bytes.buffer); chunk.release(); } });
  assert.ok(buffers.size < chunks * 2, `${buffers.size} buffers (${first} after one read) for three reads of ${chunks} chunks`);

  const held = [];
  await find('frames', { onChunk: (chunk) => { if (!chunk.transient) held.push([chunk, Buffer.from(chunk.bytes)]); } });
  assert.strictEqual(new Set(held.map(([chunk]) => chunk.bytes.buffer)).size, held.length, 'two chunks share a block');
  await find('frames');
  for (const [chunk, copy] of held) assert.ok(copy.equals(chunk.bytes), 'a held chunk changed');
  for (const [chunk] of held) {
    chunk.release();
    chunk.release(); // without effect
    assert.strictEqual(chunk.bytes.length, 0);
  }
});

test('detach keeps the bytes of a pooled block and gives the block back', async () => {
  const kept = [];
  await find('frames', { onChunk: (chunk) => { if (!chunk.transient) { const copy = Buffer.from(chunk.bytes); kept.push([chunk.detach(), copy]); } } });
  await find('frames');
  for (const [detached, copy] of kept) assert.ok(copy.equals(detached));
});

test('a lazy block is its own ArrayBuffer, counted once by V8 and freed when nothing refers to it', async () => {
  const before = await settledMemory();
  let held = [];
  const { bytes: total } = await find('lazy', { onChunk: (chunk) => held.push(chunk.detach()) });
  for (const array of held) assert.strictEqual(array.buffer.byteLength, array.length);
  // process.memoryUsage().arrayBuffers is Node's own allocator only; external is what V8 schedules collections by.
  const external = process.memoryUsage().external - before.external;
  assert.ok(external > total * 0.9 && external < total * 1.2, `V8 counts ${external} external bytes for ${total}`);
  held = null;
  await until(() => process.memoryUsage().external < before.external + total * 0.2, 'freeing lazy blocks');
});

test('the pool keeps no more than its bound', async () => {
  const before = await settledMemory();
  const held = [];
  const reads = await Promise.all(Array.from({ length: 4 }, () => find('frames', { onChunk: (chunk) => held.push(chunk) })));
  const total = reads.reduce((sum, read) => sum + read.bytes, 0);
  assert.ok(total > 48 << 20, `${total} bytes are not enough to show a bound`);
  for (const chunk of held.splice(0)) chunk.release();
  await until(() => process.memoryUsage().external < before.external + (34 << 20), 'freeing surplus blocks');
});

test('cancel() before anything has arrived', async () => {
  const read = find('frames');
  read.result.request.cancel();
  read.result.request.cancel();
  const result = await read;
  assert.strictEqual(result.chunks, 0);
  assert.strictEqual(result.fault.kind, 'cancelled');
});

test('cancel() between chunks: no chunk after it, the end once, the server cursor killed', async () => {
  await fixture.startLog();
  for (const [mode] of MODES) {
    const result = await find(mode, { onChunk: (chunk, { request }) => { chunk.release(); request.cancel(); } }, { batchSize: 100 });
    assert.strictEqual(result.chunks, 1);
    assert.strictEqual(result.fault.kind, 'cancelled');
  }
  const kills = (await fixture.takeLog()).filter(({ name }) => name === 'killCursors');
  assert.strictEqual(kills.length, 2);
  await until(() => stats().bytesUnderWay === 0, 'giving back credit');
});

test('what is not acknowledged stops the fetch', async () => {
  const read = run(bridge.OP.FIND, { find: 'docs', batchSize: 500 }, { mode: 'frames', batchSize: 500, window: 2 << 20 }, { ack: false });
  await sleep(500);
  const { chunks, documents } = read.result;
  assert.ok(documents > 0 && documents < DOCS / 2, `${documents} documents came without an acknowledgement`);
  await sleep(200);
  assert.strictEqual(read.result.chunks, chunks);
  read.result.request.cancel();
  await read;
});

test('credit is given back by acknowledgements after the end, by cancel(), and by forgetting the request', async () => {
  const unacknowledged = async () => find('lazy', { ack: false }, { limit: 3000 });
  await until(() => stats().bytesUnderWay === 0, 'earlier credit');
  let result = await unacknowledged();
  assert.strictEqual(stats().bytesUnderWay, result.bytes);
  result.request.ack(result.bytes);
  await until(() => stats().bytesUnderWay === 0, 'giving back credit after the end');

  result = await unacknowledged();
  result.request.cancel();
  await until(() => stats().bytesUnderWay === 0, 'forgiving the debt of a cancelled request');

  await unacknowledged();
  result = null; // eslint-disable-line no-useless-assignment -- to be collected
  await until(() => stats().bytesUnderWay === 0, 'forgetting the debt of a collected request');
});

test('completions that overflow the inbox all arrive, in order', async () => {
  const reply = bytes({ find: 'docs', limit: 10 });
  const params = bytes({ db: 'test', mode: 'lazy' });
  const order = [];
  const started = 400; // about 12 KB each
  const ended = new Promise((resolve) => {
    for (let i = 0; i < started; i++) {
      let count = 0;
      bridge.submit(bridge.OP.FIND, client, reply, params, {
        chunk(chunk) { count += chunk.count; },
        end(fault) {
          order.push([i, count, fault]);
          if (order.length === started) resolve();
        },
      }).hold();
    }
  });
  const stop = Date.now() + 700;
  while (Date.now() < stop); // the thread takes nothing while the answers come
  await ended;
  assert.ok(order.every(([, count, fault]) => count === 10 && fault === null));
});

test('promise reactions run after the drain, before the next turn', async () => {
  const order = [];
  const ended = [];
  for (let i = 0; i < 3; i++) {
    ended.push(new Promise((resolve) => {
      bridge.submit(bridge.OP.COMMAND, client, bytes({ ping: 1 }), bytes({ db: 'test' }), {
        chunk() { order.push(`chunk ${i}`); },
        end() { order.push(`end ${i}`); resolve(); },
      }).hold();
    }).then(() => order.push(`then ${i}`)));
  }
  const stop = Date.now() + 300;
  while (Date.now() < stop); // so that all three arrive in one drain
  await Promise.all(ended);
  assert.deepStrictEqual(order.map((line) => line.split(' ')[0]),
    ['chunk', 'end', 'chunk', 'end', 'chunk', 'end', 'then', 'then', 'then']);
});

test('closing a client ends its requests, and only its own', async () => {
  const other = await connect({ appName: 'other' });
  await fixture.faults({ command: 'ping', action: 'never', times: -1 });
  const theirs = command({ ping: 1 }, { id: other });
  const ours = command({ ping: 1 });
  await sleep(50);
  await bridge.closeClient(other);
  assert.strictEqual((await theirs).fault.kind, 'closed');
  assert.strictEqual(ours.result.fault, undefined);
  ours.result.request.cancel();
  await ours;
  await bridge.closeClient(other); // twice is not an error
  assert.strictEqual((await command({ ping: 1 }, { id: other })).fault.kind, 'closed');
});

test('the same connection parameters share one deployment', async () => {
  const { deployments } = stats();
  const clients = await Promise.all([connect(), connect()]);
  assert.strictEqual(stats().deployments, deployments);
  await Promise.all(clients.map((id) => bridge.closeClient(id)));
  assert.strictEqual((await command({ ping: 1 })).fault, null);
});

/** The addon's exports for another environment state of this thread. */
function loadAgain() {
  const module = { exports: {} };
  process.dlopen(module, path.join(__dirname, '..', '..', 'build', 'Release', 'rumongo.node'));
  return module.exports;
}

test('a second instance of the addon in the same thread is an environment of its own', async () => {
  const second = new bridge.Bridge(loadAgain());
  const id = await connect({}, second);
  const [mine, its] = await Promise.all([find('lazy'), find('lazy', { on: second, id })]);
  assert.deepStrictEqual([mine.documents, its.documents], [DOCS, DOCS]);
  assert.strictEqual((await command({ ping: 1 }, { id })).fault.kind, 'closed', 'a client of another environment');
  await second.closeClient(id);
});

test('a runtime that refuses external ArrayBuffers gets copies', async () => {
  const native = loadAgain();
  const copying = new bridge.Bridge({ ...native, wrap: () => undefined });
  const id = await connect({}, copying);
  for (const [mode, kind] of MODES) {
    const result = await find(mode, { on: copying, id, onChunk: (chunk) => { assert.ok(chunk.bytes.length > 0); chunk.release(); } });
    assert.deepStrictEqual([result.documents, [...result.kinds], result.fault], [DOCS, [kind], null]);
  }
  assert.ok(native.memory()[3] > 0, 'copied blocks went back to the pool');
  await copying.closeClient(id);
});

test('workers have environments of their own, and their end closes all that was theirs', async () => {
  const before = stats();
  const worker = new Worker(`
    const { workerData, parentPort } = require('node:worker_threads');
    const { BSON } = require('bson');
    const bridge = require(workerData.bridge);
    bridge.connect(BSON.serialize({ uri: workerData.uri, options: {} })).then((client) => {
      const read = () => {
        const request = bridge.submit(2, client, BSON.serialize({ find: 'docs' }), BSON.serialize({ db: 'test', mode: 'frames' }), {
          chunk(chunk) { const { size } = chunk; chunk.release(); request.ack(size); parentPort.postMessage(0); },
          end: read,
        });
        request.hold();
      };
      read(); read(); read();
    });
  `, { eval: true, workerData: { bridge: require.resolve('../../js/native/bridge'), uri: `${fixture.uri}?appName=worker` } });
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  assert.strictEqual(stats().environments, before.environments + 1);
  await worker.terminate();
  await until(() => stats().environments === before.environments && stats().clients === before.clients
    && stats().deployments === before.deployments, 'closing what a worker left');
});

function child(scenario, { args = [], nodeArgs = [] } = {}) {
  return new Promise((resolve) => {
    execFile(process.execPath, [...nodeArgs, CHILD, scenario, fixture.uri, ...args], { timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, signal: error?.signal ?? null, stdout: stdout.trim(), stderr: stderr.trim() });
    });
  });
}

const CLEAN = { code: 0, signal: null, stderr: '' };
const lives = [
  ['throwing-sink', { stdout: '0, 1, 2, uncaught from chunk, uncaught from end' }],
  ['not-held', { stdout: 'submitted' }],
  ['held', { stdout: 'submitted\nended' }],
  ['let-go-early', { stdout: 'submitted' }],
  ['child-process', { stdout: '42\nfork 0 null' }],
  ['wasm-trap', { stdout: 'traps 200' }],
];
for (const [scenario, expected] of lives) {
  test(`a process of its own: ${scenario}`, async () => {
    if (scenario === 'not-held' || scenario === 'let-go-early') await fixture.control({ delayMS: 100 });
    assert.deepStrictEqual(await child(scenario), { ...CLEAN, ...expected });
  });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGPROF']) {
  test(`${signal} without a handler ends the process during a read, as plain Node does`, async () => {
    const { signal: by, stdout, stderr } = await child('signal', { args: [signal] });
    assert.deepStrictEqual([by, stdout, stderr], [signal, '', '']);
  });
}

test('--cpu-prof works', async (t) => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-prof-'));
  t.after(() => fs.rmSync(dir, { recursive: true }));
  assert.deepStrictEqual(await child('busy', { nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${dir}`] }), { ...CLEAN, stdout: 'done' });
  const [file] = fs.readdirSync(dir);
  assert.ok(JSON.parse(fs.readFileSync(path.join(dir, file), 'utf8')).samples.length > 10);
});

test('a broken pipe stays an EPIPE error', async () => {
  const script = `"${process.execPath}" "${CHILD}" broken-pipe "${fixture.uri}" | head -c 100 > /dev/null; exit \${PIPESTATUS[0]}`;
  const result = await new Promise((resolve) => {
    execFile('bash', ['-c', script], { timeout: 60_000 }, (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stderr: stderr.trim() }));
  });
  assert.deepStrictEqual(result, { code: 0, stderr: 'EPIPE' });
});

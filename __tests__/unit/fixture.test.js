'use strict';

// The wire fixture as the official driver sees it. What other tests and the benchmarks rest on.

const { test, before, after, beforeEach, describe } = require('node:test');
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { MongoClient, BSON, Long, Int32, Double, Decimal128, ObjectId, Binary, Timestamp, MongoServerError } = require('mongodb');
const { startFixture } = require('../support/fixture-server');

let fixture;
let client;
let numbers; // 250 documents { _id: n, n, even }

before(async () => {
  fixture = await startFixture();
  client = await MongoClient.connect(fixture.uri, { maxPoolSize: 4 });
  numbers = client.db('t').collection('numbers');
  await numbers.insertMany(Array.from({ length: 250 }, (_, n) => ({ _id: n, n, even: n % 2 === 0 })));
});

after(async () => {
  await client?.close();
  await fixture?.stop();
});

beforeEach(() => fixture.reset());

describe('values', () => {
  test('documents come back with the bytes they went in with', async () => {
    const odd = client.db('t').collection('odd');
    const document = {
      _id: new ObjectId(),
      double: new Double(1), int: new Int32(1), long: Long.MAX_VALUE, decimal: Decimal128.fromString('1.10'),
      text: 'ж漢😀\0end', date: new Date(-1), regex: /a.*b/i, binary: new Binary(Buffer.from('xyz'), 128),
      timestamp: new Timestamp({ t: 4294967295, i: 1 }), nothing: null,
      nested: { empty: {}, list: [], deeper: [{ a: [1, [2]] }] }
    };
    await odd.insertOne(document);
    const [bytes] = await odd.find({}, { raw: true }).toArray();
    assert.deepEqual(Buffer.from(bytes), Buffer.from(BSON.serialize(document)));
  });

  test('put() stores bytes that no driver would send', async () => {
    // Text that is no UTF-8, and one key twice.
    const odd = ['0e000000026100020000008000' + '00', '13000000' + '10610001000000' + '10610002000000' + '00']
      .map((hex) => Buffer.from(hex, 'hex'));
    await fixture.put('t.raw', odd);
    const bytes = await client.db('t').collection('raw').find({}, { raw: true }).toArray();
    assert.deepEqual(bytes.map((document) => Buffer.from(document)), odd);
  });

  test('named sets are the same for the same seed', async () => {
    for (const name of ['mixed45', 'arrays', 'optional20', 'nulls20', 'text', 'types']) {
      const { documents, bytes } = await fixture.load(`t.${name}`, name, 150, 3);
      assert.equal(documents, 150);
      assert.ok(bytes > 150 * 50);
      const first = await client.db('t').collection(name).find({}, { raw: true }).toArray();
      await fixture.load(`t.${name}`, name, 150, 3);
      const second = await client.db('t').collection(name).find({}, { raw: true }).toArray();
      assert.equal(first.length, 150);
      assert.deepEqual(first, second);
    }
    const mixed = await client.db('t').collection('mixed45').findOne();
    assert.equal(Object.keys(mixed).length, 45);
    await assert.rejects(fixture.load('t.x', 'no-such-set', 1), /expected one of: .*mixed45/);
  });
});

describe('find', () => {
  const ids = (documents) => documents.map((document) => document._id);

  test('limit, skip, batchSize, _id, projection', async () => {
    assert.equal((await numbers.find().toArray()).length, 250);
    assert.deepEqual(ids(await numbers.find().skip(247).toArray()), [247, 248, 249]);
    assert.deepEqual(ids(await numbers.find().skip(1).limit(2).toArray()), [1, 2]);
    assert.deepEqual(ids(await numbers.find().limit(5).batchSize(2).toArray()), [0, 1, 2, 3, 4]);
    assert.deepEqual(ids(await numbers.find({ _id: 42 }).toArray()), [42]);
    assert.equal(await numbers.findOne({ _id: 4200 }), null);
    assert.deepEqual(ids(await numbers.find({ _id: { $in: [1, 7] } }).toArray()), [1, 7]);
    assert.deepEqual(await numbers.findOne({ _id: 3 }, { projection: { n: 1 } }), { _id: 3, n: 3 });
    assert.deepEqual(await numbers.findOne({ _id: 3 }, { projection: { n: 0, _id: 0 } }), { even: false });
  });

  test('batches as a server cuts them', async () => {
    await numbers.find().toArray(); // 101, then the rest
    assert.equal((await fixture.stats()).commands.getMore, 1);
    await fixture.reset();
    await numbers.find().batchSize(50).toArray(); // a full last batch does not tell the end
    assert.equal((await fixture.stats()).commands.getMore, 5);
    await fixture.reset();
    await numbers.find().batchSize(50).limit(250).toArray(); // a reached limit does
    assert.equal((await fixture.stats()).commands.getMore, 4);
    await fixture.load('t.large', 'mixed45', 30_000);
    await fixture.reset();
    assert.equal((await client.db('t').collection('large').find({}, { raw: true }).toArray()).length, 30_000);
    assert.equal((await fixture.stats()).commands.getMore, 3); // 36 MB in batches of at most 16 MB
  });

  test('aggregate, count, distinct', async () => {
    assert.equal((await numbers.aggregate([{ $match: {} }]).toArray()).length, 250);
    assert.equal((await numbers.aggregate([]).toArray()).length, 250);
    assert.equal(await numbers.countDocuments({ even: true }), 125);
    assert.equal(await numbers.estimatedDocumentCount(), 250);
    assert.deepEqual(await numbers.distinct('even'), [true, false]);
  });

  test('what it cannot do is an error, never a wrong answer', async () => {
    const code = (expected) => (error) => error instanceof MongoServerError && error.code === expected;
    await assert.rejects(numbers.find({ n: { $foo: 1 } }).toArray(), code(2));
    await assert.rejects(numbers.find({ $where: '1' }).toArray(), code(2));
    await assert.rejects(numbers.find().sort({ n: 1 }).toArray(), code(2));
    await assert.rejects(numbers.find().project({ 'a.b': 1 }).toArray(), code(2));
    await assert.rejects(numbers.aggregate([{ $lookup: {} }]).toArray(), code(40324));
    await assert.rejects(numbers.find().min({ n: 1 }).toArray(), code(2));
  });
});

describe('echo', () => {
  test('find and aggregate return the command', async () => {
    const [command] = await client.db('t').collection('echo').find({ b: 1, a: [2] }).sort({ z: -1, y: 1 }).limit(3).toArray();
    delete command.lsid;
    assert.deepEqual(command, { find: 'echo', filter: { b: 1, a: [2] }, sort: { z: -1, y: 1 }, limit: 3, $db: 't' });
    assert.deepEqual(Object.keys(command), ['find', 'filter', 'sort', 'limit', '$db']);
    const [aggregate] = await client.db('t').collection('echo').aggregate([{ $match: { a: 1 } }]).toArray();
    assert.deepEqual(aggregate.pipeline, [{ $match: { a: 1 } }]);
  });

  test('echo_more returns its getMores too', async () => {
    const [find, ...mores] = await client.db('t').collection('echo_more').find({}, { promoteLongs: false }).batchSize(9).toArray();
    assert.equal(find.find, 'echo_more');
    assert.equal(mores.length, 2);
    for (const more of mores) {
      assert.equal(more.collection, 'echo_more');
      assert.equal(more.batchSize.valueOf(), 9);
      assert.ok(more.getMore.greaterThan(Long.fromNumber(Number.MAX_SAFE_INTEGER)));
    }
    assert.equal((await fixture.stats()).cursors.open, 0);
  });

  test('the log keeps commands that have no cursor', async () => {
    await fixture.startLog();
    await numbers.estimatedDocumentCount();
    const [entry, ...others] = await fixture.takeLog();
    assert.equal(others.length, 0);
    assert.equal(entry.ns, 't.numbers');
    assert.equal(BSON.deserialize(entry.command).count, 'numbers');
  });
});

describe('faults', () => {
  const read = async (options = {}) => {
    const documents = [];
    try {
      for await (const document of numbers.find({}, { batchSize: 100, ...options })) documents.push(document);
      return { count: documents.length, error: null };
    } catch (error) {
      return { count: documents.length, error };
    }
  };

  const cases = [
    ['close in the first batch', { command: 'find', times: -1, action: 'close' }, 0, 'MongoNetworkError'],
    ['reset in a getMore', { command: 'getMore', action: 'reset' }, 100, 'MongoNetworkError'],
    ['half a message', { command: 'getMore', nth: 2, action: 'half' }, 200, 'MongoNetworkError'],
    ['a length that lies', { command: 'getMore', action: 'length', length: -1 }, 100, 'MongoParseError'],
    ['a trickle', { command: 'getMore', action: 'trickle', bytes: 500, everyMS: 1 }, 250, null],
    ['a late reply', { command: 'getMore', action: 'delay', ms: 20 }, 250, null],
    ['an error in the second getMore', { command: 'getMore', nth: 2, action: 'error', code: 8, errmsg: 'no luck' }, 200, 'MongoServerError'],
    ['an empty batch in between', { command: 'getMore', action: 'empty' }, 250, null],
    ['malformed BSON deep in a batch', { command: 'find', action: 'malformed', document: 57 }, 57, 'BSONOffsetError']
  ];
  for (const [name, fault, count, error] of cases) {
    test(name, async () => {
      await fixture.faults({ ns: 't.numbers', ...fault });
      const result = await read();
      assert.equal(result.error?.name ?? null, error, result.error?.stack);
      assert.equal(result.count, count);
      assert.ok((await fixture.stats()).faultsInjected >= 1);
      await fixture.reset();
      assert.deepEqual(await read(), { count: 250, error: null });
    });
  }

  test('a server that never answers', async () => {
    const impatient = await MongoClient.connect(fixture.uri, { socketTimeoutMS: 100 });
    await fixture.faults({ command: 'find', times: -1, action: 'never' });
    await assert.rejects(impatient.db('t').collection('numbers').find().toArray(), { name: 'MongoNetworkTimeoutError' });
    await impatient.close();
  });

  test('error code, name and labels', async () => {
    await fixture.faults({
      command: 'find', times: -1, action: 'error', code: 43, codeName: 'CursorNotFound', errmsg: 'gone', errorLabels: ['A', 'B']
    });
    await assert.rejects(numbers.findOne(), (error) => {
      assert.equal(error.code, 43);
      assert.equal(error.codeName, 'CursorNotFound');
      assert.equal(error.message, 'gone');
      assert.ok(error.hasErrorLabel('A') && error.hasErrorLabel('B'));
      return true;
    });
  });

  test('dropped idle connections', async () => {
    await numbers.findOne();
    const { dropped } = await fixture.control({ dropConnections: true });
    assert.ok(dropped >= 1);
    await new Promise((resolve) => setTimeout(resolve, 100)); // the driver has to see them close
    assert.equal((await numbers.findOne())._id, 0);
  });

  test('a fault that it does not know is refused', async () => {
    await assert.rejects(fixture.faults({ action: 'explode' }), /explode/);
    await assert.rejects(fixture.control({ nonsense: 1 }), /nonsense/);
  });
});

describe('counters', () => {
  test('commands and cursors', async () => {
    for await (const document of numbers.find({}, { batchSize: 10 })) if (document._id === 3) break;
    await numbers.find({}, { batchSize: 200 }).toArray();
    const open = numbers.find({}, { batchSize: 10 });
    await open.next();
    const { commands, cursors, panics } = await fixture.stats();
    assert.equal(commands.find, 3);
    assert.equal(commands.killCursors, 1);
    assert.deepEqual(cursors, { open: 1, opened: 3, exhausted: 1, killed: 1, failed: 0 });
    assert.equal(panics, 0);
    await open.close();
    assert.equal((await fixture.stats()).cursors.open, 0);
  });

  test('connections, without the control connection', async () => {
    const before = (await fixture.stats()).connections.open;
    const other = await MongoClient.connect(fixture.uri, { maxPoolSize: 1 });
    await other.db('t').collection('numbers').findOne();
    assert.ok((await fixture.stats()).connections.open > before);
    await other.close();
  });

  test('the round trip is added to every reply', async () => {
    await fixture.control({ delayMS: 25 });
    const begin = performance.now();
    await numbers.findOne();
    assert.ok(performance.now() - begin >= 24);
  });
});

test('a server left behind ends with its parent, and does not hold it', async () => {
  const support = require.resolve('../support/fixture-server');
  const child = spawn(process.execPath, ['-e',
    `require(${JSON.stringify(support)}).startFixture().then((f) => console.log(f.pid))`], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data) => { output += data; });
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  const pid = Number(output);
  assert.ok(pid > 0);
  const deadline = Date.now() + 5000;
  while (isRunning(pid)) {
    assert.ok(Date.now() < deadline, 'the fixture still runs 5 s after its parent');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

// A process that ended but that nobody waits for still takes signals: its state tells.
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    const fs = require('node:fs');
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

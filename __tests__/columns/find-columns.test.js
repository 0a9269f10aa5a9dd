'use strict';
// findColumns(), streamColumns() and those of a pipeline: options, arguments, limits, lives, and that no document is made.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const official = require('mongodb');
const bson = require('bson');
const { MongoClient, MongoInvalidArgumentError, MongoRuntimeError } = require('../../js/index.js');
const { TYPES } = require('../../js/columns/layout.js');
const { startFixture } = require('../support/fixture-server.js');
const { openCursors, notStuck } = require('../support/fault-readers.js');
const { expectedColumns, actualColumn } = require('../support/expected-columns.js');
const { everyType } = require('../support/every-type.js');
const raw = require('../support/raw-bson.js');

const COUNT = 20_000;
const columns = { _id: 'objectId', sequence: 'int32', at: 'date', kind: 'utf8', value: 'float64', valid: 'bool', unit: 'dictionary' };

let fixture;
let client;
let ours;
let theirs;
let docs;

before(async () => {
  fixture = await startFixture();
  await fixture.load('t.m', 'small', COUNT);
  client = await MongoClient.connect(fixture.uri);
  theirs = await official.MongoClient.connect(fixture.uri);
  ours = client.db('t').collection('m');
  docs = await theirs.db('t').collection('m').find({}, { raw: true }).toArray();
});

after(async () => {
  await client?.close();
  await theirs?.close();
  await fixture?.stop();
});

const sent = async (read) => {
  await fixture.startLog();
  await read();
  return (await fixture.takeLog()).filter(({ name }) => name !== 'hello' && name !== 'ping').map(({ command }) => bson.deserialize(command));
};

async function putDocs(name, list) {
  await fixture.put(`t.${name}`, list.map((doc) => (Buffer.isBuffer(doc) ? doc : Buffer.from(bson.serialize(doc, { ignoreUndefined: false })))));
  return client.db('t').collection(name);
}

/** Nothing is left: no cursor, no bytes under way, no read. */
async function assertNothingLeft(what) {
  assert.equal(await openCursors(fixture), 0, `${what}: open cursors`);
  for (let i = 0; i < 100 && client.stats().core.bytesUnderWay > 0; i++) await sleep(20);
  assert.equal(client.stats().core.bytesUnderWay, 0, `${what}: bytes under way`);
  for (let i = 0; i < 100 && client.stats().reads > 0; i++) await sleep(20);
  assert.equal(client.stats().reads, 0, `${what}: reads`);
}

function assertEqualColumns(result, expected, from = 0) {
  for (const [path, { values, ...counts }] of Object.entries(expected)) {
    const actual = actualColumn(result.columns[path]);
    assert.deepStrictEqual(actual.values, values.slice(from, from + result.length), path);
    if (result.length === values.length) assert.deepStrictEqual({ ...actual, values: undefined }, { values: undefined, ...counts }, path);
  }
}

describe('what it gives', () => {
  test('the values of every document, however the server batches them, and no document was made', async () => {
    const expected = expectedColumns(docs, columns);
    const before = client.stats();
    for (const batchSize of [undefined, 1000, 77]) {
      const result = await ours.findColumns({}, { columns, batchSize });
      assert.equal(result.length, COUNT);
      assertEqualColumns(result, expected);
      const buffers = new Set(Object.values(result.columns).flatMap(({ values, offsets, data }) => [values, offsets, data]).filter(Boolean).map(({ buffer }) => buffer));
      assert.equal(buffers.size, 1, 'one block of memory');
    }
    const now = client.stats();
    assert.deepEqual(now.documents, before.documents);
    assert.equal(now.chunks.columns - before.chunks.columns, 3, 'one chunk a read');
    await assertNothingLeft('read');
  });

  test('many reads at once give what each gives alone', async () => {
    const expected = expectedColumns(docs, columns);
    const results = await Promise.all(Array.from({ length: 8 }, (_, n) => ours.findColumns({}, { columns, batchSize: 500 + n * 321 })));
    for (const result of results) assertEqualColumns(result, expected);
  });

  test('the memory is the caller\'s', async () => {
    const one = await ours.findColumns({}, { columns });
    one.columns.value.values.fill(0);
    const small = await ours.findColumns({}, { columns, limit: 2 });
    await ours.findColumns({}, { columns, limit: 3 });
    assertEqualColumns(small, expectedColumns(docs.slice(0, 2), columns));
    assertEqualColumns(await ours.findColumns({}, { columns }), expectedColumns(docs, columns));
  });

  test('every BSON type in every type of column', async () => {
    const { nested, list, ...all } = everyType(bson);
    const fields = Object.keys(all);
    const names = fields.map((_, n) => `f${n}`);
    for (const value of Object.values(all)) {
      const bytes = Buffer.from(bson.serialize({ v: value, in: { v: value }, list: [0, value] }, { ignoreUndefined: false }));
      const coll = await putDocs('types', [bytes, bytes]);
      for (const type of TYPES) {
        const asked = { v: type, 'in.v': type, 'list.1': type };
        // bson makes objects of its own of references: for columns they are documents, which none of them holds.
        const result = await coll.findColumns({}, { columns: asked, projection: {} });
        const expected = bytes.includes('$ref') ? undefined : expectedColumns([bytes, bytes], asked);
        if (expected !== undefined) assertEqualColumns(result, expected);
        else assert.equal(result.columns.v.nullCount, 2);
      }
    }
    assert.ok(names.length > 50);
  });

  test('single values', async () => {
    const doc = { b: false, i: 5, l: bson.Long.fromString('9223372036854775807'), d: 0.5, at: new Date(5), s: 'x\u00e9', id: new bson.ObjectId(), bin: new bson.Binary(Buffer.from([1, 2])), dec: bson.Decimal128.fromString('1.50') };
    const coll = await putDocs('single', [doc, {}]);
    const asked = { b: 'bool', i: 'int32', l: 'int64', d: 'float64', at: 'date', s: 'utf8', id: 'objectId', bin: 'binary', dec: 'decimal128' };
    const { columns: found } = await coll.findColumns({}, { columns: asked });
    const wanted = { ...doc, l: 9223372036854775807n, bin: Buffer.from([1, 2]) };
    for (const [name, value] of Object.entries(wanted)) {
      assert.deepStrictEqual(found[name].toArray(), [value, null], name);
      assert.deepStrictEqual([...found[name]], [value, null]);
      assert.equal(found[name].at(2), undefined);
      assert.equal(found[name].isNull(0), false);
      assert.equal(found[name].isNull(1), true);
      assert.equal(found[name].missing, 1);
    }
  });

  test('nothing found: columns without rows', async () => {
    const none = await ours.findColumns({ no: 'such' }, { columns });
    assert.equal(none.length, 0);
    assert.deepEqual(Object.values(none.columns).map(({ type, length }) => [type, length]), Object.values(columns).map((type) => [type, 0]));
    assert.equal(none.toArrow().numRows, 0);
    const inferred = await ours.findColumns({ no: 'such' });
    assert.deepEqual([inferred.length, Object.keys(inferred.columns)], [0, []]);
    const batches = [];
    for await (const batch of ours.streamColumns({ no: 'such' }, { columns })) batches.push(batch);
    assert.deepEqual(batches, []);
  });

  test('columns named as members of objects', async () => {
    const coll = await putDocs('odd', [raw.document(raw.int('__proto__', 1), raw.int('constructor', 2), raw.int('0', 3))]);
    const asked = JSON.parse('{"__proto__":"int32","constructor":"int32","0":"int32"}');
    const { columns: found } = await coll.findColumns({}, { columns: asked });
    assert.deepEqual(Object.keys(found), ['0', '__proto__', 'constructor']);
    assert.deepEqual(Object.keys(found).map((name) => found[name].at(0)), [3, 1, 2]);
  });

  test('the results of a pipeline', async () => {
    const expected = expectedColumns(docs, columns);
    assertEqualColumns(await ours.aggregateColumns([], { columns }), expected);
    let row = 0;
    for await (const batch of ours.streamAggregateColumns([], { columns, batchRows: 3000 })) {
      assertEqualColumns(batch, expected, row);
      row += batch.length;
    }
    assert.equal(row, COUNT);
    await assert.rejects(ours.aggregateColumns([{ $out: 'x' }], { columns }), /\$out/);
    assert.throws(() => ours.streamAggregateColumns([{ $out: 'x' }], { columns }), /\$out/);
  });
});

describe('columns that are inferred', () => {
  test('from the first documents', async () => {
    const coll = await putDocs('inferred', [
      { a: null, n: 1, tags: [1], in: { x: 'y', deep: { z: true } }, r: /x/ },
      { a: 'text', n: 2.5, in: { x: 5 }, late: new Date(1) },
      { n: bson.Long.fromNumber(2 ** 40), in: 7 },
    ]);
    const result = await coll.findColumns();
    assert.deepEqual(Object.values(result.columns).map(({ name, type }) => [name, type]),
      [['a', 'utf8'], ['n', 'float64'], ['in.x', 'utf8'], ['in.deep.z', 'bool'], ['late', 'date']]);
    assert.deepEqual(result.omitted, ['tags', 'r']);
    assert.deepEqual(result.columns.n.toArray(), [1, 2.5, 2 ** 40]);
    assert.deepEqual(result.columns['in.x'].toArray(), ['y', null, null]);
    assert.deepEqual([result.columns['in.x'].missing, result.columns['in.x'].mismatched], [1, 1]);
  });

  test('of a large result, and in batches', async () => {
    const types = Object.fromEntries(Object.values((await ours.findColumns()).columns).map(({ name, type }) => [name, type]));
    assert.equal(types.device, 'objectId');
    const expected = expectedColumns(docs, types);
    assertEqualColumns(await ours.findColumns(), expected);
    let row = 0;
    for await (const batch of ours.streamColumns({}, { batchRows: 7000 })) {
      assertEqualColumns(batch, expected, row);
      row += batch.length;
    }
    assert.equal(row, COUNT);
  });

  test('of keys that are data', async () => {
    const coll = await putDocs('wide', [Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`k${i}`, i]))]);
    await assert.rejects(coll.findColumns(), /more than 1000 fields; name those you want in the option "columns"/);
    await assertNothingLeft('refused');
  });
});

describe('strict', () => {
  test('an error with the document, the column and the type', async () => {
    const list = Array.from({ length: 5000 }, (_, i) => ({ n: i, s: 'x' }));
    list[4321] = { n: 4321, s: new Date(0) };
    const coll = await putDocs('strict', list);
    const asked = { n: 'int32', s: 'utf8' };
    const wrong = (error) => {
      assert.ok(error instanceof MongoRuntimeError);
      assert.equal(error.message, 'Document 4321 of the result: column "s" of type utf8 cannot hold this value of type date');
      assert.deepEqual([error.documentIndex, error.column, error.found], [4321, 's', 'date']);
      return true;
    };
    for (const batchSize of [undefined, 10]) {
      await assert.rejects(coll.findColumns({}, { columns: asked, strict: true, batchSize }), wrong);
      let row = 0;
      await assert.rejects(async () => {
        for await (const batch of coll.streamColumns({}, { columns: asked, strict: true, batchRows: 1000, batchSize })) row += batch.length;
      }, wrong);
      assert.equal(row, 4321, 'what comes before it');
      await assertNothingLeft('strict');
    }
    assert.equal((await coll.findColumns({}, { columns: asked })).columns.s.mismatched, 1);
    const sparse = await putDocs('sparse', [{}, { s: null }]);
    assert.equal((await sparse.findColumns({}, { columns: asked, strict: true })).columns.s.nullCount, 2, 'missing and null are no mistakes');
  });
});

describe('on the wire', () => {
  test('the fields that are asked for, and the options of a find', async () => {
    const projections = async (asked, options) => (await sent(() => ours.findColumns({}, { columns: asked, limit: 1, ...options }).catch(() => {})))[0].projection;
    assert.deepEqual(await projections({ sequence: 'int32', kind: 'utf8' }), { _id: 0, sequence: 1, kind: 1 });
    assert.deepEqual(await projections({ _id: 'objectId', kind: 'utf8' }), { _id: 1, kind: 1 });
    assert.deepEqual(await projections({ '_id.x': 'utf8' }), { '_id.x': 1 });
    assert.deepEqual(await projections({ 'a.b': 'utf8', 'a.c': 'utf8' }), { _id: 0, 'a.b': 1, 'a.c': 1 });
    assert.deepEqual(await projections({ 'tags.0': 'utf8', 'tags.1.x': 'utf8', 'a.b.2': 'utf8', 'a.b.c': 'utf8' }), { _id: 0, tags: 1, 'a.b': 1 });
    assert.deepEqual(await projections({ 'ref.$id': 'utf8' }), { _id: 0, ref: 1 });
    assert.deepEqual(await projections({ $odd: 'utf8', a: 'utf8' }), undefined);
    assert.deepEqual(await projections(undefined), undefined);
    assert.deepEqual(await projections({ sequence: 'int32' }, { projection: { kind: 1 } }), { kind: 1 });
    const options = { limit: 50, skip: 3, comment: 'x', maxTimeMS: 5000, batchSize: 20, hint: 'h', readPreference: 'secondaryPreferred', projection: { kind: 1 } };
    const plain = ({ lsid, ...command }) => ({ ...command, getMore: command.getMore !== undefined });
    assert.deepEqual((await sent(() => ours.findColumns({}, { ...options, columns }))).map(plain), (await sent(() => ours.find({}, options).toArray())).map(plain));
  });
});

describe('limits', () => {
  test('maxBytes: a clear error, and no cursor stays open', async () => {
    for (const maxBytes of [1, 5000, 400_000]) {
      await assert.rejects(ours.findColumns({}, { columns, maxBytes, batchSize: 1000 }), (error) => error instanceof MongoInvalidArgumentError
        && error.message.includes(`larger than ${maxBytes} bytes`) && error.message.includes('streamColumns'), `${maxBytes}`);
      await assertNothingLeft(`maxBytes ${maxBytes}`);
    }
    const { buffer } = (await ours.findColumns({}, { columns: { sequence: 'int32' } })).columns.sequence.values;
    assert.equal((await ours.findColumns({}, { columns: { sequence: 'int32' }, maxBytes: buffer.byteLength })).length, COUNT);
    await assert.rejects(ours.findColumns({}, { columns: { sequence: 'int32' }, maxBytes: buffer.byteLength - 1 }), /larger/);
  });

  test('16 MB in one value', async () => {
    const text = '\u00e9'.repeat(8 * 1024 * 1024 - 20);
    const coll = await putDocs('large', [{ s: text }, { s: 'x' }]);
    for (const type of ['utf8', 'dictionary']) assert.ok((await coll.findColumns({}, { columns: { s: type } })).columns.s.at(0) === text);
  });
});

describe('malformed BSON', () => {
  test('rejects with the error of every other reader', async () => {
    const good = raw.document(raw.int('a', 1), raw.string('s', 'x'));
    const nested = raw.document(raw.embedded('in', raw.int('x', 1)), raw.int('a', 1));
    const cases = [];
    for (let at = 4; at < nested.length; at++) {
      const bad = Buffer.from(nested);
      bad[at] ^= 0x55;
      cases.push(bad);
    }
    let refused = 0;
    for (const bad of cases) {
      const coll = await putDocs('bad', [good, bad]);
      const end = (read) => read.then(() => null, (error) => `${error.name}: ${error.message}`);
      const expected = await end(coll.find({}, { raw: true }).toArray());
      if (expected !== null) refused++;
      assert.equal(await end(coll.findColumns({}, { columns: { a: 'int32' }, projection: {} })), expected, bad.toString('hex'));
      assert.equal(await end(coll.findColumns({}, { columns: { 'in.x': 'int32' }, projection: {} })), expected, bad.toString('hex'));
    }
    assert.ok(refused > 10);
    await assertNothingLeft('malformed');
  });

  test('text that is not UTF-8', async () => {
    const coll = await putDocs('utf8', [raw.document(raw.string('s', Buffer.from([0x61, 0xe2, 0x82, 0x62]))), raw.document(raw.int('s', 1))]);
    await assert.rejects(coll.findColumns({}, { columns: { s: 'utf8' } }), { name: 'BSONError', message: /UTF-8/ });
    const loose = await coll.findColumns({}, { columns: { s: 'utf8' }, enableUtf8Validation: false });
    assert.deepEqual(loose.columns.s.toArray(), ['a\ufffdb', null]);
  });
});

describe('the life of a read', () => {
  test('an abort ends it with the reason', async () => {
    const controller = new AbortController();
    const reading = ours.findColumns({}, { columns, signal: controller.signal, batchSize: 10 });
    controller.abort(new Error('enough'));
    await assert.rejects(reading, /^Error: enough$/);
    const later = new AbortController();
    await assert.rejects(async () => {
      for await (const batch of ours.streamColumns({}, { columns, signal: later.signal, batchSize: 10, batchRows: 100 })) if (batch.length > 0) later.abort(new Error('enough'));
    }, /^Error: enough$/);
    await assertNothingLeft('aborted');
  });

  test('leaving the loop early closes the cursor', async () => {
    for (const batchRows of [1, 64, 5000]) {
      for await (const batch of ours.streamColumns({}, { columns, batchRows, batchSize: 100 })) {
        assert.equal(batch.length, batchRows);
        break;
      }
      await assertNothingLeft(`batches of ${batchRows}`);
    }
  });

  test('a reader that takes its time stops the fetch', async () => {
    await fixture.reset();
    const stream = ours.streamColumns({}, { columns, batchRows: 100, batchSize: 100, readAheadBytes: 20_000 });
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    await sleep(500);
    const { commands } = await fixture.stats();
    assert.ok(commands.getMore < 20, `${commands.getMore} of 200 batches`);
    await iterator.return();
    await assertNothingLeft('slow');
  });

  test('faults of the server, in the middle of it', async () => {
    for (const action of ['close', 'error']) {
      await fixture.reset();
      await fixture.faults({ command: 'getMore', nth: 2, action, ...(action === 'error' ? { code: 43, codeName: 'CursorNotFound', errmsg: 'gone' } : {}) });
      await notStuck(assert.rejects(ours.findColumns({}, { columns, batchSize: 100 })), action);
      await fixture.reset();
      await assertNothingLeft(action);
    }
  });

  test('as a web stream', async () => {
    let rows = 0;
    for await (const batch of ours.streamColumns({}, { columns, batchRows: 6000 }).toWeb()) rows += batch.length;
    assert.equal(rows, COUNT);
  });

  test('nothing is sent before a stream is read', async () => {
    const commands = await sent(async () => {
      ours.streamColumns({}, { columns }).destroy();
      await sleep(50);
    });
    assert.deepEqual(commands, []);
  });
});

describe('arguments', () => {
  const wrong = [
    [{ columns: 5 }, /"columns" must be an object/], [{ columns: ['a'] }, /"columns" must be an object/], [{ columns: {} }, /names no column/],
    [{ columns: { a: 'int16' } }, /type of "a" must be one of "bool", "int32".*got "int16"/], [{ columns: { a: 5 } }, /got number/],
    [{ columns: { '': 'int32' } }, /empty name/], [{ columns: { 'a..b': 'int32' } }, /empty name/], [{ columns: { 'a\0': 'int32' } }, /zero bytes/],
    [{ columns: { a: 'int32', 'a.b': 'int32' } }, /"a" and "a.b" exclude each other/], [{ columns: { 'a.b.c': 'int32', 'a.b': 'utf8' } }, /"a.b" and "a.b.c"/],
    [{ columns: { [Array(102).join('a.') + 'a']: 'int32' } }, /102 names/], [{ columns: { a: 'int32' }, strict: 1 }, /"strict" must be true or false/],
    [{ tailable: true }, /[Tt]ailable/], [{ explain: true }, /explain/], [{ session: {} }, /session/], ['x', /"options"/], [{ signal: 5 }, /signal/],
  ];
  for (const [options, message] of wrong) {
    test(`refused before anything is sent: ${JSON.stringify(options)}`, async () => {
      const commands = await sent(async () => {
        await assert.rejects(ours.findColumns({}, options), message);
        await assert.rejects(ours.aggregateColumns([], options), message);
        assert.throws(() => ours.streamColumns({}, options), message);
        assert.throws(() => ours.streamAggregateColumns([], options), message);
      });
      assert.deepEqual(commands, []);
    });
  }

  test('of one of them only', async () => {
    await assert.rejects(ours.findColumns({}, { batchRows: 5 }), /streamColumns/);
    assert.throws(() => ours.streamColumns({}, { maxBytes: 5 }), /findColumns/);
    for (const maxBytes of [0, 2 ** 33, '5']) await assert.rejects(ours.findColumns({}, { maxBytes }), /"maxBytes"/);
    for (const batchRows of [0, 1.5, 2 ** 31, '5']) assert.throws(() => ours.streamColumns({}, { batchRows }), /"batchRows"/);
    await assert.rejects(ours.findColumns(5), /filter/);
  });
});

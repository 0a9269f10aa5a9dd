'use strict';
// shadowCollection(): the official driver reads one collection and ours another, so that the tests choose what differs.

const { test, before, after, beforeEach } = require('node:test');
const assert = require('node:assert/strict');
const { AsyncLocalStorage } = require('node:async_hooks');
const { setTimeout: sleep } = require('node:timers/promises');
const bson = require('bson');
const official = require('mongodb');
const official6 = require('mongodb6');
const { MongoClient, shadowCollection, ShadowSummary } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');

const COUNT = 250; // several batches
const documents = Array.from({ length: COUNT }, (_, n) => ({ _id: n, name: `n${n}`, tags: [{ t: n }], at: new Date(n), id: new bson.ObjectId(n.toString(16).padStart(24, '0')) }));

let fixture;
let other; // where only ours reads, when it is to misbehave
let theirs;
let theirs6;
let ours;
let ours6;
let oursThere;

before(async () => {
  [fixture, other] = await Promise.all([startFixture(), startFixture()]);
  for (const server of [fixture, other]) await server.put('d.docs', documents.map((doc) => bson.serialize(doc)));
  theirs = await official.MongoClient.connect(fixture.uri);
  theirs6 = await official6.MongoClient.connect(fixture.uri);
  ours = await MongoClient.connect(fixture.uri);
  ours6 = await MongoClient.connect(fixture.uri, { bson: official6.BSON });
  oursThere = await MongoClient.connect(other.uri);
});

after(async () => {
  await Promise.all([theirs, theirs6, ours, ours6, oursThere].map((client) => client?.close()));
  await Promise.all([fixture?.stop(), other?.stop()]);
});

beforeEach(async () => {
  await fixture.reset();
  await other.reset();
});

/** What ours reads instead. */
async function nativeReads(docs, client = ours) {
  await fixture.put('d.changed', docs.map((doc) => bson.serialize(doc)));
  return client.db('d').collection('changed');
}

function shadowed(native = ours.db('d').collection('docs'), options = {}, client = theirs) {
  const seen = { divergences: [], matches: [] };
  const collection = shadowCollection(client.db('d').collection('docs'), native, {
    limitMS: 20_000, // a busy machine is no divergence
    ...options,
    onDivergence: (divergence) => seen.divergences.push(divergence),
    onMatch: (match) => seen.matches.push(match),
  });
  return { collection, seen };
}

const batches = { batchSize: 40 };
const all = (stream) => new Promise((resolve, reject) => {
  const docs = [];
  stream.on('data', (doc) => docs.push(doc)).on('end', () => resolve(docs)).on('error', reject);
});

/** The ways to read a cursor to its end. */
const ways = {
  toArray: (cursor) => cursor.toArray(),
  async next(cursor) {
    const docs = [];
    for (let doc; (doc = await cursor.next()) !== null;) docs.push(doc);
    return docs;
  },
  async 'hasNext and next'(cursor) {
    const docs = [];
    while (await cursor.hasNext()) docs.push(await cursor.next());
    return docs;
  },
  async tryNext(cursor) {
    const docs = [];
    for (let doc; (doc = await cursor.tryNext()) !== null || !cursor.closed;) if (doc !== null) docs.push(doc);
    return docs;
  },
  async 'for await'(cursor) {
    const docs = [];
    for await (const doc of cursor) docs.push(doc);
    return docs;
  },
  async forEach(cursor) {
    const docs = [];
    await cursor.forEach((doc) => void docs.push(doc));
    return docs;
  },
  stream: (cursor) => all(cursor.stream()),
  async 'buffered documents'(cursor) {
    const docs = [];
    while (await cursor.hasNext()) docs.push(...cursor.readBufferedDocuments());
    return docs;
  },
};

for (const [driver, client, native] of [['7', () => theirs, () => ours], ['6', () => theirs6, () => ours6]]) {
  for (const [name, way] of Object.entries(ways)) {
    test(`mongodb ${driver}, ${name}: the official documents, compared as they are read and before they may change`, async () => {
      const { collection, seen } = shadowed(native().db('d').collection('docs'), {}, client());
      const docs = await way(collection.find({}, batches));
      assert.equal(docs.length, COUNT);
      assert.deepEqual(docs.map(({ _id }) => _id), documents.map(({ _id }) => _id));
      assert.deepEqual(seen.divergences, []);
      assert.deepEqual(seen.matches.map(({ operation, namespace, documents: n }) => [operation, namespace, n]), [['find', 'd.docs', COUNT]]);

      const changed = documents.map((doc) => (doc._id === 130 ? { ...doc, tags: [{ t: '130' }] } : doc));
      const different = shadowed(await nativeReads(changed, native()), {}, client());
      const spoiled = different.collection.find({}, batches);
      assert.equal((await way(spoiled)).length, COUNT);
      const [found, ...more] = different.seen.divergences;
      assert.deepEqual(more, []);
      const { reason, operation, query, index, path, nativeValue, officialValue, nativeClass, officialClass, native: ourDoc, official: theirDoc } = found;
      assert.deepEqual(
        { reason, operation, query, index, path, nativeValue, officialValue, nativeClass, officialClass, ids: [ourDoc._id, theirDoc._id] },
        {
          reason: 'type', operation: 'find', query: { filter: {}, options: batches }, index: 130, path: '[130].tags[0].t',
          nativeValue: '130', officialValue: 130, nativeClass: 'string', officialClass: 'number', ids: [130, 130],
        },
      );
    });
  }
}

test('callers that change documents at once, in a loop and in a transform, disturb nothing', async () => {
  const { collection, seen } = shadowed();
  for await (const doc of collection.find({}, batches)) {
    doc.name = 'changed';
    doc.tags[0].t = -1;
    delete doc.at;
  }
  const mapped = await collection.find({}, batches).map((doc) => {
    delete doc._id;
    doc.tags.length = 0;
    return doc;
  }).toArray();
  assert.ok(mapped.length === COUNT && mapped.every((doc) => !('_id' in doc)));
  for (const doc of await collection.find({}, batches).toArray()) doc.name = 'changed';
  assert.deepEqual(seen.divergences, []);
  assert.equal(seen.matches.length, 3);
});

test('a divergence keeps what it told, whatever the caller does to the documents', async () => {
  const { collection, seen } = shadowed(await nativeReads(documents.map((doc) => (doc._id === 3 ? { ...doc, tags: [] } : doc))));
  for (const doc of await collection.find().toArray()) doc.tags.push('more');
  assert.deepEqual(seen.divergences[0].officialValue, [{ t: 3 }]);
  assert.deepEqual(seen.divergences[0].official.tags, [{ t: 3 }]);
});

test('another order is told from other documents', async () => {
  const reversed = [...documents].reverse();
  for (const [way, read] of Object.entries(ways)) {
    const { collection, seen } = shadowed(await nativeReads(reversed));
    assert.equal((await read(collection.find({}, batches))).length, COUNT, way);
    assert.deepEqual(seen.divergences.map(({ reason, sorted, index }) => [reason, sorted, index]), [['order', false, 0]], way);
    const { orderOnly, different, compared } = collection.shadowSummary.toJSON();
    assert.deepEqual({ orderOnly, different, compared }, { orderOnly: 1, different: 0, compared: 1 }, way);

    const odd = shadowed(await nativeReads(reversed.map((doc) => (doc._id === 200 ? { ...doc, name: 5 } : doc))));
    await read(odd.collection.find({}, batches));
    const [{ reason, index, nativeIndex, path, nativeValue, officialValue }] = odd.seen.divergences;
    assert.deepEqual(
      { reason, index, nativeIndex, path, nativeValue, officialValue },
      { reason: 'type', index: 200, nativeIndex: COUNT - 201, path: '[200].name', nativeValue: 5, officialValue: 'n200' }, way,
    );
  }
});

test('documents that only one side has', async () => {
  for (const read of Object.values(ways)) {
    const fewer = shadowed(await nativeReads(documents.slice(0, -10)));
    await read(fewer.collection.find({}, batches));
    assert.deepEqual(fewer.seen.divergences.map(({ reason, index, official: doc }) => [reason, index, doc._id]), [['missing in the first', COUNT - 10, COUNT - 10]]);
    const more = shadowed(await nativeReads([...documents, { _id: 'extra' }]));
    await read(more.collection.find({}, batches));
    assert.deepEqual(more.seen.divergences.map(({ reason, index, native: doc }) => [reason, index, doc._id]), [['missing in the second', COUNT, 'extra']]);
  }
});

test('each read that gives a value', async () => {
  const reads = {
    findOne: (c) => c.findOne({}, { projection: { name: 1 } }),
    countDocuments: (c) => c.countDocuments(),
    count: (c) => c.count(),
    estimatedDocumentCount: (c) => c.estimatedDocumentCount(),
    distinct: (c) => c.distinct('name', {}),
    indexes: (c) => c.indexes(),
    indexInformation: (c) => c.indexInformation(),
    indexExists: (c) => c.indexExists('_id_'),
    options: (c) => c.options(),
    isCapped: (c) => c.isCapped(),
    'listIndexes cursor': (c) => c.listIndexes().toArray(),
    'aggregate cursor': (c) => c.aggregate([{ $match: {} }]).toArray(),
  };
  const plain = theirs.db('d').collection('docs');
  for (const [name, read] of Object.entries(reads)) {
    const { collection, seen } = shadowed();
    const outcome = async (c) => {
      try {
        return { value: await read(c) };
      } catch (error) {
        return { name: error.name, message: error.message };
      }
    };
    assert.deepEqual(await outcome(collection), await outcome(plain), name);
    assert.deepEqual(seen.divergences, [], name);
    assert.deepEqual(seen.matches.map(({ operation }) => operation), [name.split(' ')[0]], name);
  }
});

test('values that differ', async () => {
  const { collection, seen } = shadowed(await nativeReads([{ _id: 0, name: 'other' }]));
  assert.equal((await collection.findOne({})).name, 'n0');
  assert.equal(await collection.countDocuments({}), COUNT);
  assert.deepEqual(seen.divergences.map(({ operation, path, query }) => [operation, path, query.filter]), [['findOne', 'tags', {}], ['countDocuments', '', {}]]);
  assert.deepEqual([seen.divergences[1].nativeValue, seen.divergences[1].officialValue], [1, COUNT]);
});

test('setters, clones, rewinding and limits are the same on both sides', async () => {
  const { collection, seen } = shadowed();
  const cursor = collection.find().batchSize(20).limit(40).skip(5).project({ name: 1 });
  assert.ok(cursor instanceof official.FindCursor);
  assert.equal((await cursor.toArray()).length, 40);
  cursor.rewind();
  assert.equal((await cursor.toArray()).length, 40);
  assert.equal((await cursor.clone().toArray()).length, 40);
  assert.equal((await collection.aggregate([]).match({}).limit(3).toArray()).length, 3);
  assert.deepEqual(seen.divergences, []);
  assert.equal(seen.matches.length, 4);
  const asked = seen.matches[0].query.calls;
  assert.deepEqual(asked, [['batchSize', 20], ['limit', 40], ['skip', 5], ['project', { name: 1 }]]);
});

test('a loop that is left early has compared what it read, and leaves no cursor open', async () => {
  const { collection, seen } = shadowed();
  let read = 0;
  for await (const doc of collection.find({}, batches)) if (doc && ++read === 50) break;
  assert.deepEqual(seen.matches.map((match) => match.documents), [50]);
  const never = collection.find({}, batches);
  await never.close();
  for (let i = 0; i < 200 && (await fixture.stats()).cursors.open > 0; i++) await sleep(20);
  assert.equal((await fixture.stats()).cursors.open, 0);
});

test('errors: the official one, and whether ours was the same', async () => {
  await fixture.faults({ command: 'find', action: 'error', code: 43, codeName: 'CursorNotFound', times: -1 });
  const { collection, seen } = shadowed();
  for (const read of [(c) => c.find().toArray(), (c) => c.findOne({}), (c) => c.find().next()]) {
    await assert.rejects(read(collection), (error) => error instanceof official.MongoServerError && error.code === 43);
  }
  assert.deepEqual([seen.divergences.length, seen.matches.length], [0, 3]);
  await fixture.reset();

  await other.faults({ command: 'find', action: 'error', code: 8000, codeName: 'AtlasError', times: -1 }, { command: 'getMore', action: 'error', code: 8000, codeName: 'AtlasError', times: -1 });
  const alone = shadowed(oursThere.db('d').collection('docs'));
  assert.equal((await alone.collection.find().toArray()).length, COUNT);
  assert.equal((await alone.collection.findOne({}))._id, 0);
  assert.deepEqual(alone.seen.divergences.map(({ reason, error }) => [reason, error.code]), [['native threw', 8000], ['native threw', 8000]]);

  // Refused before there is a cursor.
  const before = shadowed();
  assert.throws(() => before.collection.find({}, { sort: 'a', readPreference: 'nonsense' }), official.MongoError);
  assert.equal(before.seen.matches.length + before.seen.divergences.length, 1);
});

test('a transform\'s own error is the caller\'s, and says nothing about the read', async () => {
  const { collection, seen } = shadowed();
  for (const read of [(c) => c.toArray(), (c) => c.next()]) {
    await assert.rejects(read(collection.find().map(() => { throw new RangeError('mine'); })), RangeError);
    await assert.rejects(read(collection.find().map(async () => { throw new RangeError('mine'); })), RangeError);
  }
  assert.deepEqual(seen.divergences, []);
});

test('ours hangs: the official result after limitMS, and no comparing for a while when it goes on', async () => {
  await other.faults({ command: 'find', action: 'never', times: -1 });
  const { collection, seen } = shadowed(oursThere.db('d').collection('docs'), { limitMS: 30 });
  for (let i = 0; i < 4; i++) {
    assert.equal((await collection.find().toArray()).length, COUNT);
    assert.equal((await collection.findOne({}))._id, 0);
  }
  const timedOut = (operation) => [operation, 'native timed out'];
  assert.deepEqual(seen.divergences.map(({ reason, operation }) => [operation, reason]), ['find', 'findOne', 'find', 'findOne', 'find'].map(timedOut));
  const { compared, paused, reasons, nativeMs } = collection.shadowSummary.toJSON();
  assert.deepEqual({ compared, paused, reasons, nativeMs }, { compared: 5, paused: 3, reasons: { 'native timed out': 5 }, nativeMs: null });
});

test('ours stops in the middle, by an error, by silence or by a broken batch', async () => {
  const at = Buffer.from(bson.serialize(documents[100])).indexOf('n100\0') - 4;
  const faults = {
    'native threw': { action: 'error', code: 8000, codeName: 'AtlasError' },
    'native timed out': { action: 'never' },
    'native threw, malformed': { action: 'malformed', document: 0, at, patch: Buffer.from([0xff, 0xff, 0xff, 0x7f]) },
  };
  for (const [reason, fault] of Object.entries(faults)) {
    for (const [name, way] of Object.entries(ways)) {
      await other.faults({ command: 'getMore', nth: 2, times: -1, ...fault });
      const { collection, seen } = shadowed(oursThere.db('d').collection('docs'), { limitMS: fault.action === 'never' ? 700 : 20_000 });
      const docs = await way(collection.find({}, batches));
      assert.deepEqual(docs.map(({ _id }) => _id), documents.map(({ _id }) => _id), name);
      assert.deepEqual(seen.divergences.map((found) => [found.reason, found.index]), [[reason.split(',')[0], 80]], `${reason}, ${name}`);
    }
  }
});

test('a read that its caller aborts says nothing about ours', async () => {
  const { collection, seen } = shadowed();
  const controller = new AbortController();
  await assert.rejects(async () => {
    for await (const doc of collection.find({}, { ...batches, signal: controller.signal })) if (doc._id === 45) controller.abort(new Error('enough'));
  }, /enough/);
  const { signal } = new AbortController();
  assert.equal((await collection.findOne({}, { signal }))._id, 0);
  assert.deepEqual(seen.divergences, []);
});

test('at most maxConcurrent comparisons at a time; the others are official reads and are counted', async () => {
  await other.control({ delayMS: 300 });
  const { collection, seen } = shadowed(oursThere.db('d').collection('docs'), { maxConcurrent: 3 });
  const results = await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? collection.findOne({}) : collection.find().limit(1).toArray())));
  assert.equal(results.length, 10);
  const { compared, busy, reads } = collection.shadowSummary.toJSON();
  assert.deepEqual({ compared, busy, reads, matches: seen.matches.length }, { compared: 3, busy: 7, reads: 10, matches: 3 });
  await collection.findOne({}); // there is room again
  assert.equal(seen.matches.length, 4);
});

test('sampleRate 0 sends nothing of ours', async () => {
  await fixture.startLog();
  const { collection } = shadowed(undefined, { sampleRate: 0 });
  assert.equal((await collection.find().toArray()).length, COUNT);
  await collection.findOne({});
  await collection.countDocuments();
  const drivers = new Set((await fixture.takeLog()).map(({ driver }) => driver));
  assert.deepEqual([...drivers], ['nodejs']);
  assert.deepEqual([collection.shadowSummary.toJSON().notSampled, collection.shadowSummary.toJSON().compared], [3, 0]);
});

test('what cannot be read twice is not', async () => {
  const { collection, seen } = shadowed();
  await fixture.startLog();
  const session = theirs.startSession();
  await collection.find({}, { session }).toArray();
  await collection.findOne({}, { session });
  await session.endSession();
  await collection.aggregate([{ $sample: { size: 1 } }]).toArray().catch(() => {});
  await collection.aggregate([]).out('copy').toArray().catch(() => {});
  await collection.aggregate([{ $match: {} }, { $merge: 'copy' }]).toArray().catch(() => {});
  await collection.find({}, { tailable: true }).tryNext().catch(() => {});
  await collection.find().addCursorFlag('tailable', true).tryNext().catch(() => {});
  const native = (await fixture.takeLog()).filter(({ driver }) => driver !== 'nodejs');
  assert.deepEqual(native, []);
  assert.deepEqual([seen.divergences, collection.shadowSummary.toJSON().notComparable], [[], 7]);
});

test('the collection itself is not changed, and writes go through', async () => {
  const plain = theirs.db('d').collection('docs');
  const names = Object.getOwnPropertyNames(plain);
  const collection = shadowCollection(plain, ours.db('d').collection('docs'));
  assert.ok(collection instanceof official.Collection);
  assert.equal(collection.collectionName, 'docs');
  assert.equal(collection.insertOne, plain.insertOne);
  assert.deepEqual(Object.getOwnPropertyNames(plain), names);
});

test('callbacks run in the context of the read; what they throw is a warning', async () => {
  const storage = new AsyncLocalStorage();
  const contexts = [];
  const note = () => contexts.push(storage.getStore());
  const differs = await nativeReads([{ _id: 0 }]);
  for (const native of [differs, ours.db('d').collection('docs')]) {
    const collection = shadowCollection(theirs.db('d').collection('docs'), native, { onDivergence: note, onMatch: note, limitMS: 20_000 });
    await Promise.all([1, 2].map((id) => storage.run(id, async () => {
      await collection.find().toArray();
      await collection.findOne({});
    })));
  }
  assert.deepEqual(contexts.sort(), [1, 1, 1, 1, 2, 2, 2, 2]);

  const warned = new Promise((resolve) => process.once('warning', resolve));
  const failing = shadowCollection(theirs.db('d').collection('docs'), differs, { onDivergence() { throw new Error('logger'); } });
  assert.equal((await failing.find().toArray()).length, COUNT);
  assert.match((await warned).message, /onDivergence failed: logger/);
});

test('a cursor left half read is let go of after idleMS', async () => {
  const { collection } = shadowed(undefined, { idleMS: 30, maxConcurrent: 1 });
  const cursor = collection.find({}, batches);
  await cursor.next();
  for (let i = 0; i < 200 && (await fixture.stats()).cursors.open > 1; i++) await sleep(20);
  assert.equal((await fixture.stats()).cursors.open, 1, 'that of the official driver');
  assert.equal((await ways.next(cursor)).length, COUNT - 1);
  assert.equal((await collection.findOne({}))._id, 0);
  assert.equal(collection.shadowSummary.toJSON().busy, 0);
});

test('the summary can be shared, read, printed and reset', async () => {
  const summary = new ShadowSummary();
  const { collection } = shadowed(undefined, { summary });
  await collection.find().toArray();
  assert.equal(collection.shadowSummary, summary);
  const { compared, equal, documents: n, timesFaster, nativeMs, officialMs, faster, slower } = summary.toJSON();
  assert.deepEqual([compared, equal, n, faster + slower], [1, 1, COUNT, 1]);
  for (const times of [timesFaster, nativeMs, officialMs]) assert.deepEqual(Object.keys(times), ['p10', 'p50', 'p90', 'p99']);
  assert.match(String(summary), /^reads 1: compared 1 \(250 documents\).*\nequal 1, only the order differs 0, different 0\n/);
  summary.reset();
  assert.equal(summary.toJSON().reads, 0);
});

test('bad arguments', () => {
  const [a, b] = [theirs.db('d').collection('docs'), ours.db('d').collection('docs')];
  const cases = [
    [[null, b], /official must be a collection .* got null/],
    [[a, {}], /native must be a collection of rumongo-go .* without find/],
    [[b, a], /the official one comes first/],
    [[a, b, { sampleRate: 2 }], /sampleRate/],
    [[a, b, { maxConcurrent: 0 }], /maxConcurrent/],
    [[a, b, { limitMS: -1 }], /limitMS/],
    [[a, b, { idleMS: 0 }], /idleMS/],
    [[a, b, { onMatch: 5 }], /onMatch must be a function, got number/],
    [[a, b, { onDifference() {} }], /option "onDifference" is not known; there are sampleRate/],
    [[a, b, []], /options must be an object/],
    [[a, b, { summary: {} }], /summary must be a ShadowSummary/],
  ];
  for (const [args, message] of cases) assert.throws(() => shadowCollection(...args), { name: 'MongoInvalidArgumentError', message });
});

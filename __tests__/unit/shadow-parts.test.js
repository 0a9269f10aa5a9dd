'use strict';
// What shadow mode is made of.

const test = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const bson6 = require('bson6');
const fc = require('fast-check');
const { SequenceComparison } = require('../../js/shadow/sequence.js');
const { fingerprint } = require('../../js/shadow/fingerprint.js');
const { snapshot } = require('../../js/shadow/snapshot.js');
const { findRules, aggregateRules } = require('../../js/shadow/rules.js');
const { shadow, shadowCollection, ShadowSummary } = require('../../js/shadow/index.js');
const { firstDifference } = require('../../js/deep-equal.js');

const hash = (value) => fingerprint(value).hash;
const id = '65f0a1b2c3d4e5f60718293a';

function compare(native, official, options) {
  const sequence = new SequenceComparison(options);
  sequence.load(native, official);
  while (!sequence.step(0));
  return sequence.finish();
}

test('a fingerprint is the same for what is equal, whatever the order of keys, and not for anything else', () => {
  const values = [
    null, undefined, 0, -0, 1, 1n, '1', '', true, NaN, [], {}, [[]], [{}], { a: 1 }, { a: '1' }, { a: undefined }, { b: 1 }, { a: { b: 1 } },
    ['a', 'b'], ['ab'], ['a,b'], { a: 'b', c: 'd' }, { a: 'b,c', d: '' }, new Date(1), new Date(2), new Date(NaN), /a/g, /a/i,
    new bson.ObjectId(id), new bson6.ObjectId(id), id, bson.Long.fromNumber(1), new bson.Int32(1), new bson.Double(1), bson.Decimal128.fromString('1'),
    new bson.Binary(Buffer.from('a')), new bson.Binary(Buffer.from('a'), 4), Buffer.from('a'), new Uint8Array([97]), new bson.MinKey(), new bson.MaxKey(),
    new Map([['a', 1]]), Object.create(null), JSON.parse('{"__proto__":1}'),
  ];
  for (const [i, a] of values.entries()) {
    for (const [j, b] of values.entries()) assert.equal(hash({ v: a }) === hash({ v: b }), i === j, `${i} and ${j}`);
  }
  assert.equal(hash({ a: 1, b: { c: 1, d: 2 } }), hash({ b: { d: 2, c: 1 }, a: 1 }));
  assert.equal(hash(new Proxy({ a: [1] }, {})), hash({ a: [1] }));
  fc.assert(fc.property(fc.object(), fc.object(), (a, b) => (hash(a) === hash(b)) === (firstDifference(a, b) === null)));
});

test('a fingerprint of something endless is none', () => {
  const cycle = {};
  cycle.self = cycle;
  assert.equal(fingerprint(cycle), null);
});

test('a copy is equal, keeps instances, and is not what it is a copy of', () => {
  const value = { a: [{ b: new Date(1) }], id: new bson.ObjectId(id), n: null, p: JSON.parse('{"__proto__":{"x":1}}') };
  value.self = value;
  const copy = snapshot(value);
  assert.equal(firstDifference(copy, value), null);
  assert.equal(copy.self, copy);
  assert.equal(copy.id, value.id);
  value.a[0].b.setTime(5);
  value.a.push(1);
  assert.deepEqual(copy.a, [{ b: new Date(1) }]);
  assert.deepEqual(Object.keys(copy.p), ['__proto__']);
  let deep = {};
  for (let i = 0; i < 100_000; i++) deep = { deep };
  assert.equal(firstDifference(snapshot(deep), deep), null);
});

test('sequences: order, partners by _id and by place, documents of one side', () => {
  const docs = (...ids) => ids.map((_id) => ({ _id, v: 1 }));
  assert.equal(compare(docs(1, 2, 3), docs(1, 2, 3)), null);
  assert.equal(compare(docs(1, 3, 2), docs(1, 2, 3)).reason, 'order');
  assert.equal(compare(docs(1, 1, 2), docs(1, 2, 2)).reason, 'missing in the first');
  assert.equal(compare([1, 2, 2], [2, 2, 1]).reason, 'order');
  const brief = ({ reason, path, index, nativeIndex, a, b }) => ({ reason, path, index, nativeIndex, a, b });
  assert.deepEqual(brief(compare([{ _id: 2, v: 5 }, { _id: 1, v: 1 }], docs(1, 2))), { reason: 'value', path: 'v', index: 1, nativeIndex: 0, a: 5, b: 1 });
  assert.deepEqual(brief(compare([{ v: 2 }, { v: 1 }], [{ v: 1 }, { v: 3 }])), { reason: 'missing in the first', path: '', index: 1, nativeIndex: undefined, a: undefined, b: { v: 3 } });
  assert.deepEqual(brief(compare([{ v: 1 }, { v: 2 }], [{ v: 1 }, { v: 3 }])), { reason: 'value', path: 'v', index: 1, nativeIndex: 1, a: 2, b: 3 });
  assert.deepEqual(brief(compare(docs(1), docs(1, 2))), { reason: 'missing in the first', path: '', index: 1, nativeIndex: undefined, a: undefined, b: { _id: 2, v: 1 } });
  assert.deepEqual(brief(compare(docs(1, 2), docs(1))), { reason: 'missing in the second', path: '', index: 1, nativeIndex: undefined, a: { _id: 2, v: 1 }, b: undefined });
  assert.equal(compare(docs(3, 1, 2), docs(1, 2)).reason, 'missing in the second');
});

test('sequences: what is kept is bounded, and said to be', () => {
  const rotated = (n) => Array.from({ length: 100 }, (_, i) => ({ _id: (i + n) % 100 }));
  assert.equal(compare(rotated(60), rotated(0)).reason, 'order');
  const found = compare(rotated(60), rotated(0), { mostHeld: 10 });
  assert.deepEqual([found.orderUnknown, found.index, found.path], [true, 0, '_id']);
  // Copies stop at a number of bytes, fingerprints go on.
  const large = (n, v) => Array.from({ length: 20 }, (_, i) => ({ _id: (i + n) % 20, text: 'x'.repeat(1_000_000), v }));
  assert.equal(compare(large(10, 1), large(0, 1)).reason, 'order');
  assert.equal(compare(large(10, 1), large(0, 2)).reason, 'value');
});

test('what is known of an order', () => {
  const find = (options, calls) => findRules.sorted(null, { options, calls });
  assert.deepEqual([find(), find({ sort: {} }), find({ sort: { a: 1 } }), find({}, [['sort', 'a']]), find({ sort: 'a' }, [['sort', {}]]), find({ sort: new Map() })],
    [false, false, true, true, false, false]);
  const aggregate = (...pipeline) => aggregateRules.sorted({ pipeline });
  assert.deepEqual([aggregate({ $match: {} }), aggregate({ $sort: { a: 1 } }, { $limit: 1 }), aggregate({ $sort: { a: 1 } }, { $group: {} }), aggregate({ $sortByCount: '$a' })],
    [false, true, false, true]);
});

/** Just enough of a collection. */
function fakeCollection(docs, namespace = 'd.c') {
  const find = () => {
    const left = [...docs];
    return {
      get closed() { return false; },
      next: async () => left.shift() ?? null,
      sort() { return this; },
      readBufferedDocuments: () => left.splice(0),
      close: async () => {},
      async toArray() {
        const first = await this.next();
        return first === null ? [] : [first, ...this.readBufferedDocuments()];
      },
    };
  };
  const value = async () => docs.length;
  return { namespace, find, aggregate: find, findOne: async () => docs[0] ?? null, countDocuments: value, estimatedDocumentCount: value, distinct: async () => docs.map(({ _id }) => _id) };
}

test('with a sort, another order is a difference', async () => {
  const seen = [];
  const collection = shadowCollection(fakeCollection([{ _id: 1 }, { _id: 2 }]), fakeCollection([{ _id: 2 }, { _id: 1 }]), { onDivergence: (d) => seen.push(d) });
  await collection.find().sort({ _id: 1 }).toArray();
  await collection.find().toArray();
  await collection.distinct('_id');
  assert.deepEqual(seen.map(({ reason, sorted, operation }) => [operation, reason, sorted]), [['find', 'order', true], ['find', 'order', false], ['distinct', 'order', false]]);
  const { different, orderOnly, reasons } = collection.shadowSummary.toJSON();
  assert.deepEqual({ different, orderOnly, reasons }, { different: 1, orderOnly: 2, reasons: { order: 1 } });
  assert.match(String(seen[0]), /^d\.c find: order at \[0\]\._id: rumongo-go 2 \(number\), official 1 \(number\)$/);
});

test('the loop turns while large results are compared', async () => {
  const large = () => Array.from({ length: 30_000 }, (_, i) => ({ _id: i, a: { b: [i, i + 1, { c: String(i) }] }, d: 'text' }));
  const [one, other, wide] = [large(), large(), () => ({ list: large() })];
  for (const [a, b] of [[one, other], [wide(), wide()]]) {
    let turns = 0;
    let running = true;
    const turn = () => {
      turns++;
      if (running) setImmediate(turn);
    };
    setImmediate(turn);
    assert.equal(await shadow(() => a, () => b, () => assert.fail('they are equal')), b);
    running = false;
    assert.ok(turns >= 3, `${turns} turns`);
  }
});

test('the signal of a native function aborts at the time limit', async () => {
  const seen = [];
  let aborted;
  const hanging = ({ signal }) => new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => {
      aborted = signal.reason;
      reject(signal.reason); // too late: nobody is told, and nothing is unhandled
    });
  });
  assert.equal(await shadow(hanging, async () => 1, (d) => seen.push(d.reason), { limitMS: 5 }), 1);
  assert.deepEqual(seen, ['native timed out']);
  assert.match(aborted.message, /5 ms after the official read/);
});

test('a summary of shadow(), and its options', async () => {
  const summary = new ShadowSummary();
  await shadow(() => [1], () => [1], () => {}, { summary });
  await shadow(() => [2], () => [1], () => {}, { summary });
  await shadow(() => { throw new Error('no'); }, () => 1, () => {}, { summary });
  const { reads, equal, different, reasons, documents } = JSON.parse(JSON.stringify(summary));
  assert.deepEqual({ reads, equal, different, reasons, documents }, { reads: 3, equal: 1, different: 2, reasons: { value: 1, 'native threw': 1 }, documents: 3 });
  for (let i = 0; i < 3000; i++) summary._compared({ divergence: null, documents: 1, nativeMs: 1, officialMs: 2 });
  const { timesFaster, faster, slower } = summary.toJSON();
  assert.deepEqual({ timesFaster, faster, slower }, { timesFaster: { p10: 2, p50: 2, p90: 2, p99: 2 }, faster: 1000, slower: 0 });
  const f = () => {};
  await assert.rejects(shadow(f, f, f, { timeout: 1 }), { name: 'MongoInvalidArgumentError', message: /option "timeout" is not known; there are limitMS, summary/ });
  await assert.rejects(shadow(f, f, f, { summary: {} }), { name: 'MongoInvalidArgumentError', message: /ShadowSummary/ });
});

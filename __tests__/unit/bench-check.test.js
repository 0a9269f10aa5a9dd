'use strict';

// What the benchmark's results rest on has to notice what it is there for.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const { checkDocument } = require('../../bench/check');
const { judge, geometricMean } = require('../../bench/targets');
const { positionsOf } = require('../../bench/samples');
const { spreadsOf } = require('../../bench/rounds');
const { sets } = require('../../bench/sets');
const { parse, select, usage } = require('../../bench/selection');
const parts = require('../../bench/parts');
const { readers } = require('../../bench/readers');

const id = new bson.ObjectId();
const document = () => ({ _id: new bson.ObjectId(id.toHexString()), a: 1, nested: { list: [1, { b: null }] }, at: new Date(5) });
const bytes = Buffer.from(bson.serialize(document()));
const check = (actual, reader = { check: 'same', kind: 'eager' }, how = {}) =>
  checkDocument(actual, document(), 'a document', reader, { bson, bytes, ...how });

test('equal plain documents pass', () => {
  check(document());
});

test('what is not the same does not', () => {
  assert.throws(() => check(undefined), /is not there/);
  assert.throws(() => check(null), /is not there/);
  assert.throws(() => check({ ...document(), a: 2 }));
  assert.throws(() => check({ ...document(), extra: undefined }));
  assert.throws(() => check({ ...document(), _id: id.toHexString() }));
  assert.throws(() => check({ ...document(), at: new Date(6) }));
});

test('a Proxy or an accessor, at any depth, does not', () => {
  assert.throws(() => check(new Proxy(document(), {})), /Proxy/);
  assert.throws(() => check({ ...document(), nested: new Proxy(document().nested, {}) }), /nested is a Proxy/);
  const accessor = { ...document() };
  Object.defineProperty(accessor, 'a', { get: () => 1, enumerable: true, configurable: true });
  assert.throws(() => check(accessor), /a is no own data property/);
});

test('lazy documents need only be equal', () => {
  check(new Proxy(document(), {}), { check: 'same', kind: 'lazy' });
});

test('readers with values of their own are compared by keys and _id, raw ones by bytes', () => {
  const own = { check: 'keys', kind: 'eager' };
  const extended = { ...document(), _id: { $oid: id.toHexString() }, at: 'anything' };
  check(extended, own, { extendedJSON: true });
  assert.throws(() => check({ ...extended, b: 1 }, own, { extendedJSON: true }), /keys/);
  assert.throws(() => check({ ...extended, _id: { $oid: '0'.repeat(24) } }, own, { extendedJSON: true }), /_id/);
  check({ toObject: document }, own, { convert: (hydrated) => hydrated.toObject() });
  check(Buffer.from(bytes), { check: 'bytes', kind: 'eager' });
  assert.throws(() => check(bytes.subarray(1), { check: 'bytes', kind: 'eager' }), /other bytes/);
});

test('samples have the first and the last document', () => {
  assert.deepEqual(positionsOf(1, 50), [0]);
  assert.deepEqual(positionsOf(3, 50), [0, 1, 2]);
  const positions = positionsOf(30_000, 50);
  assert.deepEqual([positions.length, positions[0], positions.at(-1)], [50, 0, 29_999]);
});

test('spreads are of the rounds, the p99 delay of all of them together', () => {
  const round = (wallMs, gaps) => ({ wallMs, gaps });
  const { find } = spreadsOf({ find: [round(3, [1, 1]), round(1, [1, 9]), round(2, [1])], none: [] });
  assert.deepEqual(find, { wallMs: { median: 2, min: 1, max: 3 }, p99DelayMs: 9, rounds: 3 });
});

test('targets are judged from medians, and left out when a reader was', () => {
  const time = (wallMs, cpuMs, delayMs) => ({ wallMs: { median: wallMs }, cpuMs: { median: cpuMs }, delayMs: { median: delayMs } });
  const cases = [{ id: 'mixed45', set: 'mixed45', contenders: { official: time(900, 1000, 400), find: time(100, 300, 50) } }];
  assert.deepEqual(judge('eager', cases).map(({ value, reached }) => [value, reached]), [[9, true], [0.3, false]]);
  assert.deepEqual(judge('eager', [{ id: 'text', set: 'text', contenders: {} }]), []);
  assert.deepEqual(judge('eager', [{ ...cases[0], set: 'decimals' }]).map(({ least, most }) => least ?? most), [2, 0.5]);
});

test('a geometric mean leaves out what was not measured', () => {
  assert.equal(geometricMean([2, 8, undefined]), 4);
  assert.equal(geometricMean([undefined]), undefined);
});

test('every part has cases of sets and readers that there are', () => {
  for (const [name, { title, about, base, columns, cases }] of Object.entries(parts)) {
    assert.ok(title && about && base && columns.length > 0, name);
    for (const quick of [true, false]) {
      for (const one of cases({ quick })) {
        assert.ok(sets[one.set], `${name}: set ${one.set}`);
        for (const contender of one.contenders) {
          const { reader } = typeof contender === 'string' ? { reader: contender } : contender;
          assert.ok(readers[reader], `${name}: reader ${reader}`);
        }
      }
    }
  }
});

test('a case without any of the readers is left out, and that is said', () => {
  const [point, decode] = select(parse(['--only', 'point,decode', '--readers', 'drain,jsBson']));
  assert.deepEqual(point.cases.map(({ id, contenders }) => [id, contenders.map(({ name }) => name)]),
    [['inFlight1', ['drain']], ['inFlight50', ['drain']], ['inFlight200', ['drain']]]);
  assert.deepEqual(point.left, ['first']);
  assert.ok(decode.cases.every(({ contenders }) => contenders.length === 1 && contenders[0].reader === 'jsBson'));
  const everything = select(parse([]));
  assert.deepEqual(everything.map(({ name }) => name), Object.keys(parts));
  assert.ok(everything.every(({ cases, left }) => left.length === 0 && cases.every(({ contenders }) => contenders.every(({ reader }) => readers[reader]))));
});

test('wrong options say what there is', () => {
  const fails = (args, ...texts) => assert.throws(() => select(parse(args)), (error) => texts.every((text) => error.message.includes(text)), args.join(' '));
  fails(['--readers', 'oficial'], "--readers: unknown 'oficial'", 'official, officialCursor', 'poolLazy');
  fails(['--sets', 'mixed'], "--sets: unknown 'mixed'", 'mixed45', 'binaries');
  fails(['--only', 'eagre'], "--only: unknown 'eagre'", 'eager, loop');
  fails(['--only', 'eager', '--readers', 'findJSON'], 'none of findJSON is in eager', '--only may be json');
  fails(['--round', '3'], "Unknown option '--round'", '--rounds <n>', 'mixed45');
  fails(['--rounds', '2'], '--rounds must be a whole number, 3 or more');
  for (const name of [...Object.keys(parts), ...Object.keys(sets), ...Object.keys(readers)]) assert.match(usage, new RegExp(`\\b${name}\\b`));
});

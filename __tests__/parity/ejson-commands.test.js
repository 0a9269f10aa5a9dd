'use strict';
// Extended JSON in reads: what text and objects with wrappers put on the wire is what the official driver sends for the
// result of EJSON.parse.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fc = require('fast-check');
const bson = require('bson');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { wellFormed, losesProto, hasReference } = require('../support/arbitrary-ejson.js');
const { elements } = require('../support/command-parity.js');

const { EJSON } = bson;
const SEED = Number(process.env.RUMONGO_SEED ?? Date.now() % 1e9);
const ID = '507f1f77bcf86cd799439011';

let fixture;
let ours;
let theirs;

before(async () => {
  fixture = await startFixture();
  ours = await MongoClient.connect(fixture.uri);
  theirs = await official.MongoClient.connect(fixture.uri);
});

after(async () => {
  await ours?.close();
  await theirs?.close();
  await fixture?.stop();
});

/** The find command of a read, element by element, without its session. */
async function sent(client, filter, options, read = (collection) => collection.find(filter, options).toArray()) {
  await fixture.startLog();
  let failure;
  await read(client.db('ejson').collection('echo')).catch((error) => { failure = error; });
  const log = await fixture.takeLog();
  // The echoed command may hold a regular expression that JavaScript cannot compile; it was sent all the same.
  if (log.length === 0) throw failure;
  const [{ command }] = log;
  return elements(command).filter(([name]) => name !== 'lsid').map(([, bytes]) => bytes.toString('hex'));
}

/** A random text whose value can be a filter, and that value; null for the others. */
function asFilter(text) {
  try {
    const filter = EJSON.parse(text);
    if (filter === null || typeof filter !== 'object' || filter instanceof Date || (filter._bsontype ?? 'ObjectId') !== 'ObjectId') return null;
    bson.serialize({ filter });
    return filter;
  } catch {
    return null;
  }
}

test('filters: text and objects', async (t) => {
  t.diagnostic(`RUMONGO_SEED=${SEED}`);
  const texts = fc.sample(wellFormed.filter((text) => /^\s*\{/.test(text) && text.includes('$') && !losesProto(text)), { seed: SEED, numRuns: 200 });
  let compared = 0;
  for (const text of texts) {
    const filter = asFilter(text);
    if (filter === null) continue;
    const expected = await sent(theirs, filter);
    assert.deepEqual(await sent(ours, text), expected, text);
    if (!hasReference(text)) assert.deepEqual(await sent(ours, JSON.parse(text)), expected, text);
    compared += 1;
  }
  assert.ok(compared > 30, `${compared} filters`);
});

test('filters: every way to read takes text', async () => {
  const text = `{ "_id": { "$oid": "${ID}" } }`;
  const expected = await sent(theirs, EJSON.parse(text));
  for (const read of [
    (collection) => collection.find(text).toArray(),
    (collection) => collection.find().filter(text).toArray(),
    (collection) => collection.findLazy(text),
    async (collection) => (await collection.findCursor(text)).nextBatch(),
  ]) assert.deepEqual(await sent(ours, null, null, read), expected);
  assert.deepEqual(await sent(ours, null, null, (collection) => collection.findOne(text)), await sent(theirs, null, null, (collection) => collection.findOne(EJSON.parse(text))));
  assert.deepEqual(await sent(ours, `{ "$oid": "${ID}" }`), await sent(theirs, new bson.ObjectId(ID)));
  assert.deepEqual(await sent(ours, { $oid: ID }), await sent(theirs, new bson.ObjectId(ID)));
  assert.deepEqual(await sent(ours, ' null '), await sent(theirs, null));
});

test('projections: text and wrappers', async () => {
  const text = `{ "a": 1, "b": { "$elemMatch": { "c": { "$oid": "${ID}" } } } }`;
  const expected = await sent(theirs, {}, { projection: EJSON.parse(text) });
  assert.deepEqual(await sent(ours, {}, { projection: text }), expected);
  assert.deepEqual(await sent(ours, {}, { projection: JSON.parse(text) }), expected);
  assert.deepEqual(await sent(ours, {}, { projection: '["a", "b"]' }), await sent(theirs, {}, { projection: ['a', 'b'] }));
});

test('min, max and let: wrappers; sort, hint and comment: as they are', async () => {
  const wrapped = { a: { $oid: ID } };
  for (const name of ['min', 'max', 'let']) {
    assert.deepEqual(await sent(ours, {}, { [name]: wrapped }), await sent(theirs, {}, { [name]: { a: new bson.ObjectId(ID) } }));
  }
  for (const options of [{ sort: '{"a":1}' }, { hint: '{"a":1}' }, { hint: wrapped }, { comment: wrapped }, { collation: wrapped }]) {
    assert.deepEqual(await sent(ours, {}, options), await sent(theirs, {}, options));
  }
});

test('query operators stay: $regex with $options', async () => {
  for (const filter of [{ a: { $regex: 'x', $options: 'i' } }, { a: { $regex: 'x' } }, { a: { $not: { $regex: '^x', $options: 'si' } } }]) {
    const expected = await sent(theirs, filter);
    assert.deepEqual(await sent(ours, filter), expected);
    assert.deepEqual(await sent(ours, JSON.stringify(filter)), expected);
  }
});

test('{ ejson: false } turns both off', async () => {
  const wrapped = { a: { $oid: ID }, b: { $numberInt: 'x' } };
  assert.deepEqual(await sent(ours, wrapped, { ejson: false }), await sent(theirs, wrapped));
  assert.deepEqual(await sent(ours, {}, { projection: '{"a":1}', ejson: false }), await sent(theirs, {}, { projection: '{"a":1}' }));
  const collection = ours.db('ejson').collection('echo');
  for (const read of [(options) => collection.find('{}', options).toArray(), (options) => collection.findOne('{}', options), (options) => collection.findLazy('{}', options)]) {
    await assert.rejects(read({ ejson: false }), { name: 'MongoInvalidArgumentError', message: 'Query filter must be a plain object or ObjectId' });
    await read({});
  }
});

test('text that is no filter is refused as a filter of its kind is', async () => {
  const collection = ours.db('ejson').collection('echo');
  for (const text of ['5', '"x"', '[]', 'true']) {
    await assert.rejects(collection.findOne(text), { name: 'MongoInvalidArgumentError', message: 'Query filter must be a plain object or ObjectId' });
  }
});

test('an error names the argument and the position in the string', async () => {
  const collection = ours.db('ejson').collection('echo');
  for (const [text, position, says] of [
    ['', 0, /unexpected end/],
    ['{"a":1,}', 7, /unexpected '}'/],
    ['{"日本😀": tru}', 9, /unexpected 't'/],
    ['{"\\ud800": x}', 11, /unexpected 'x'/],
    ['{"\ud800": x}', 6, /unexpected 'x'/],
    ['{"a": {"$oid": "zz"}}', 15, /24 hexadecimal/],
    ['{"a\\u0000": 1}', 1, /NUL/],
    ['['.repeat(201), 200, /200 levels/],
    ['['.repeat(12 << 20), 200, /200 levels/],
    [`"${'x'.repeat(16 << 20)}"`, undefined, /longer than 16777216 bytes/],
    [`"${'é'.repeat(9 << 20)}"`, undefined, /longer than 16777216 bytes/],
  ]) {
    await assert.rejects(collection.findOne(text), (error) => {
      assert.equal(error.name, 'MongoInvalidArgumentError');
      assert.match(error.message, /^Extended JSON text of "filter" is not valid/);
      assert.match(error.message, says);
      if (position !== undefined) assert.equal(error.position, position);
      return true;
    }, text.slice(0, 30));
  }
  await assert.rejects(collection.findOne({}, { projection: '{' }), /text of "projection"/);
});

'use strict';
// Every read of an official client, with and without acceleration: the same commands on the wire, byte by byte, the same
// outcome. The cases are those that rumongo-go's own reads are compared with.

const test = require('node:test');
const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const bson = require('bson');
const { startFixture } = require('../support/fixture-server.js');
const { assertSameCommands, assertSameError, elements } = require('../support/command-parity.js');
const { DRIVERS, Twins, isOurs } = require('../support/acceleration.js');
const { reads, calls, clients } = require('../parity/command-cases/reads.js');

const finds = {
  ...prefixed('filters', require('../parity/command-cases/filters.js')),
  ...prefixed('sorts', require('../parity/command-cases/sorts.js')),
  ...prefixed('options', require('../parity/command-cases/options.js')),
  ...prefixed('cursors', require('../parity/command-cases/cursors.js')),
};

function prefixed(prefix, cases) {
  return Object.fromEntries(Object.entries(cases).map(([name, given]) => [`${prefix}: ${name}`, given]));
}

const options = (given) => (given.options === undefined ? undefined : { ...given.options });
const find = (collection, given) => chained(collection.find(given.filter, options(given)), given).toArray();
const chained = (cursor, { chain }) => (chain === undefined ? cursor : chain(cursor) ?? cursor);
const oneByOne = async (collection, given) => {
  const documents = [];
  for await (const document of chained(collection.find(given.filter, options(given)), given)) documents.push(document);
  return documents;
};

/** Echo collections answer with the command, and so with its session. */
function shown(value) {
  if (Array.isArray(value)) return value.map(shown);
  if (value instanceof Uint8Array && value.length > 100) return elements(Buffer.from(value)).filter(([name]) => name !== 'lsid');
  if (value === null || typeof value !== 'object' || !('lsid' in value)) return value;
  const { lsid, ...rest } = value;
  return rest;
}

/** Since reads do not repeat a batchSize of 0, which a lenient server answers without end. */
const repeatsZero = (log) => log.some(({ name, command }) => name === 'getMore' && bson.deserialize(command).batchSize === 0);

async function start(t, mongodb, topology) {
  const fixture = await startFixture({ topology });
  const twins = new Twins(fixture, mongodb);
  t.after(async () => {
    await twins.close();
    await fixture.stop();
  });
  await fixture.put('parity.numbers', Array.from({ length: 20 }, (_, _id) => bson.serialize({ _id, a: _id % 3 })));
  return twins;
}

/** @returns how many commands rumongo-go has sent */
async function same(twins, given, read) {
  const { plain, fast } = await twins.both(given, read);
  assert.ok(plain.log.every((entry) => !isOurs(entry)));
  if (repeatsZero(plain.log)) return 0;
  if (fast.log.length === 0 && plain.log.length > 0) throw new Error('nothing was sent', { cause: fast.outcome.error });
  assertSameCommands(fast.log, plain.log);
  const { value, error } = plain.outcome;
  if (error !== undefined) assertSameError(fast.outcome.error, error);
  else {
    if (fast.outcome.error !== undefined) throw fast.outcome.error;
    const text = (result) => inspect(shown(result), { depth: Infinity, maxArrayLength: 30, maxStringLength: 100 });
    assert.equal(text(fast.outcome.value), text(value));
  }
  return fast.log.filter(isOurs).length;
}

const copy = (value) => (value !== null && typeof value === 'object' ? { ...value } : value);

for (const [name, mongodb] of Object.entries(DRIVERS)) {
  test(`${name}: find, every argument`, async (t) => {
    const twins = await start(t, mongodb);
    let native = 0;
    for (const [what, given] of Object.entries(finds)) {
      await t.test(what, async () => {
        native += await same(twins, given, find);
        native += await same(twins, given, oneByOne);
        if (given.chain === undefined) native += await same(twins, given, (collection) => collection.findOne(given.filter, options(given)));
      });
    }
    assert.ok(native > 600, `${native} commands were rumongo-go's`);
  });

  test(`${name}: other reads, every argument`, async (t) => {
    const twins = await start(t, mongodb);
    let native = 0;
    for (const [method, [read, sets]] of Object.entries(reads)) {
      await t.test(method, async (t) => {
        for (const [what, set] of Object.entries(sets)) {
          // There it is a time, of which what is left is sent. Such reads are the official driver's: fallback.test.js.
          if (set?.timeoutMS !== undefined && name.includes('6.20')) continue;
          for (const collection of ['echo', 'numbers']) {
            await t.test(`${what}, ${collection}`, async () => {
              native += await same(twins, { name: collection }, (c) => read(c, copy(set)));
            });
          }
        }
      });
    }
    for (const [what, read] of Object.entries(calls)) {
      await t.test(what, async () => {
        native += await same(twins, {}, read);
      });
    }
    assert.ok(native > 200, `${native} commands were rumongo-go's`);
  });
}

for (const [name, settings] of Object.entries(clients)) {
  for (const topology of ['mongos', 'replicaSet', 'secondary']) {
    test(`${name}, ${topology}`, async (t) => {
      const twins = await start(t, DRIVERS['mongodb 7'], topology);
      const given = { ...settings, client: { ...settings.client, serverSelectionTimeoutMS: 300 } };
      // Members of a set are not found under the addresses they name.
      if (topology === 'secondary') given.client = { ...given.client, directConnection: true };
      let native = 0;
      for (const [method, [read]] of Object.entries(reads)) {
        await t.test(method, async () => {
          native += await same(twins, given, (c) => read(c));
        });
      }
      native += await same(twins, given, find);
      assert.ok(native > 0, 'no command was rumongo-go\'s');
    });
  }
}

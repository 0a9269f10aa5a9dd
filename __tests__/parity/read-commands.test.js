'use strict';
// Every reading method other than find, with each of its options: the official driver's commands on the wire, byte by byte,
// and its outcome.

const test = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const { startFixture } = require('../support/fixture-server.js');
const { CommandParity, assertSameCommands, assertSameError } = require('../support/command-parity.js');
const { reads, calls, clients } = require('./command-cases/reads.js');

async function start(t, topology) {
  const fixture = await startFixture({ topology });
  const parity = new CommandParity(fixture);
  t.after(async () => {
    await parity.close();
    await fixture.stop();
  });
  await fixture.put('parity.numbers', Array.from({ length: 20 }, (_, _id) => bson.serialize({ _id, a: _id % 3 })));
  return parity;
}

/** The sessions differ, and they are in the commands that echo collections answer with. */
const shown = (value) => bson.EJSON.stringify(value ?? null, { relaxed: false }).replace(/"lsid":\{.*?\}\}\},?/g, '');

async function same(parity, given, read) {
  const sent = await parity.compare(given, read, read);
  if (sent.ours.log.length === 0 && sent.theirs.log.length > 0) throw new Error('nothing was sent', { cause: sent.ours.outcome.error });
  assertSameCommands(sent.ours.log, sent.theirs.log);
  const { value, error } = sent.theirs.outcome;
  if (error !== undefined) assertSameError(sent.ours.outcome.error, error);
  else {
    if (sent.ours.outcome.error !== undefined) throw sent.ours.outcome.error;
    assert.equal(shown(sent.ours.outcome.value), shown(value));
  }
  return sent.ours.log.length;
}

for (const topology of [undefined, 'mongos']) {
  test(`reads on ${topology ?? 'a standalone'}: every method with every option`, async (t) => {
    const parity = await start(t, topology);
    for (const [method, [read, options]] of Object.entries(reads)) {
      await t.test(method, async (t) => {
        for (const [name, option] of Object.entries(options)) {
          for (const collection of ['echo', 'numbers']) {
            await t.test(`${name}, ${collection}`, () => same(parity, { name: collection }, (c) => read(c, copy(option))));
          }
        }
      });
    }
  });
}

/** The official driver writes into some options. */
const copy = (options) => (options !== null && typeof options === 'object' ? { ...options } : options);

test('reads: other arguments', async (t) => {
  const parity = await start(t);
  for (const [name, read] of Object.entries(calls)) {
    await t.test(name, () => same(parity, {}, read));
  }
});

for (const [name, settings] of Object.entries(clients)) {
  for (const topology of ['mongos', 'replicaSet', 'secondary']) {
    test(`reads: ${name}, ${topology}`, async (t) => {
      const parity = await start(t, topology);
      const given = { ...settings };
      // Members of a set are not found under the addresses they name.
      if (topology === 'secondary') given.client = { ...given.client, directConnection: true };
      for (const [method, [read]] of Object.entries(reads)) {
        await t.test(method, () => same(parity, given, (c) => read(c)));
      }
    });
  }
}

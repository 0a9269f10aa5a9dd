'use strict';
// getMore and killCursors on the wire: the official driver's bytes.

const test = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const { startFixture } = require('../support/fixture-server.js');
const { CommandParity, METHODS, assertSameCommands, assertSameError, elements } = require('../support/command-parity.js');
const cases = require('./command-cases/cursors.js');

async function start(t) {
  const fixture = await startFixture();
  const parity = new CommandParity(fixture);
  t.after(async () => {
    await parity.close();
    await fixture.stop();
  });
  await fixture.put('parity.numbers', Array.from({ length: 20 }, (_, _id) => bson.serialize({ _id })));
  return { fixture, parity };
}

test('commands: find, getMore and killCursors of a cursor', async (t) => {
  const { parity } = await start(t);
  let getMores = 0;
  for (const [name, given] of Object.entries(cases)) {
    await t.test(name, async () => {
      for (const method of given.chain === undefined ? ['find', 'findLazy', 'findCursor', 'findCursor, eager'] : ['find']) {
        const { ours, theirs } = METHODS[method];
        const sent = await parity.compare(given, ours, theirs);
        assertSameCommands(sent.ours.log, sent.theirs.log);
        const { outcome } = sent.theirs;
        if (outcome.error !== undefined) assertSameError(sent.ours.outcome.error, outcome.error);
        else if (given.name === 'numbers') assert.equal(sent.ours.outcome.value.length, outcome.value.length);
        getMores += sent.ours.log.filter((entry) => entry.name === 'getMore').length;
      }
    });
  }
  assert.ok(getMores > 250, `${getMores} getMores were compared`);
});

test('commands: a batchSize of 0 is not repeated', async (t) => {
  const { fixture, parity } = await start(t);
  const { ours: client } = parity.pair();
  await client.connect();
  const collection = client.db('parity').collection('numbers');
  for (const options of [{ batchSize: 0 }, { batchSize: 0, limit: 0 }, { batchSize: 0, limit: 7 }]) {
    for (const read of [
      () => collection.find({}, options).toArray(),
      () => collection.findLazy({}, options),
      async () => (await Array.fromAsync?.(await collection.findCursor({}, options))) ?? collection.findLazy({}, options),
    ]) {
      await fixture.startLog();
      assert.equal((await read()).length, options.limit || 20);
      const log = await fixture.takeLog();
      const fields = log.filter(({ name }) => name === 'getMore').map(({ command }) => elements(command).map(([field]) => field));
      assert.ok(fields.length >= 1 && fields.every((names) => !names.includes('batchSize')), JSON.stringify(fields));
    }
  }
});

test('commands: a limit of 0 with an empty first batch reads everything', async (t) => {
  // The official driver takes no documents for as many as the limit allows, and closes the cursor.
  const { fixture, parity } = await start(t);
  const { ours: client } = parity.pair();
  await client.connect();
  await fixture.faults({ command: 'find', action: 'empty' });
  const collection = client.db('parity').collection('numbers');
  assert.equal((await collection.find({}, { limit: 0, batchSize: 5 }).toArray()).length, 20);
});

'use strict';
// The command on the wire, for hundreds of combinations of arguments: its bytes are the official driver's.

const test = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const { startFixture } = require('../support/fixture-server.js');
const { CommandParity, METHODS, assertSameCommands, assertSameError, elements } = require('../support/command-parity.js');

const suites = {
  filters: require('./command-cases/filters.js'),
  'sort, projection, hint': require('./command-cases/sorts.js'),
  options: require('./command-cases/options.js'),
};

for (const [suite, cases] of Object.entries(suites)) {
  test(`commands: ${suite}`, async (t) => {
    const fixture = await startFixture();
    const parity = new CommandParity(fixture);
    t.after(async () => {
      await parity.close();
      await fixture.stop();
    });
    for (const [name, given] of Object.entries(cases)) {
      await t.test(name, async () => {
        for (const [method, { ours, theirs }] of Object.entries(METHODS)) {
          // Only find() has a chain.
          if (given.chain !== undefined && method !== 'find') continue;
          const sent = await parity.compare(given, ours, theirs);
          if (sent.ours.log.length === 0 && sent.theirs.log.length > 0) throw new Error(`${method} sends nothing`, { cause: sent.ours.outcome.error });
          try {
            assertSameCommands(sent.ours.log, sent.theirs.log);
            if (sent.theirs.log.length === 0) assertSameError(sent.ours.outcome.error, sent.theirs.outcome.error);
          } catch (error) {
            error.message = `${method}: ${error.message}`;
            throw error;
          }
        }
      });
    }
  });
}

// What both drivers send is the same; these say what that is where it matters most.
test('commands: the order of a sort and the meaning of undefined', async (t) => {
  const fixture = await startFixture();
  const parity = new CommandParity(fixture);
  t.after(async () => {
    await parity.close();
    await fixture.stop();
  });
  const sent = async (given) => {
    const { log } = (await parity.compare(given, METHODS.find.ours, METHODS.find.theirs)).ours;
    return bson.deserialize(log[0].command);
  };
  for (const [sort, expected] of [
    [new Map([['2', 1], ['1', -1]]), [['2', 1], ['1', -1]]],
    [[['2', 1], ['1', -1]], [['2', 1], ['1', -1]]],
    [{ 2: 1, 1: -1 }, [['1', -1], ['2', 1]]], // a plain object has this order itself
    [['b', 'a'], [['b', 1], ['a', 1]]],
  ]) {
    const { command } = (await parity.compare({ options: { sort } }, METHODS.find.ours, METHODS.find.theirs)).ours.log[0];
    const [, document] = elements(command).find(([name]) => name === 'sort');
    assert.deepEqual(elements(document.subarray('.sort.'.length)).map(([name, bytes]) => [name, bytes.readInt32LE(bytes.length - 4)]), expected);
  }
  const filter = { a: undefined, b: { c: undefined } };
  assert.deepEqual((await sent({ filter })).filter, { a: null, b: { c: null } });
  assert.deepEqual((await sent({ filter, options: { ignoreUndefined: true } })).filter, { b: {} });
  assert.deepEqual((await sent({ filter, client: { ignoreUndefined: true } })).filter, { b: {} });
  assert.deepEqual((await sent({ filter: undefined })).filter, {});
  assert.equal((await sent({ filter: null })).filter, null);
});

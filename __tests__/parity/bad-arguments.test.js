'use strict';
// Bad arguments: nothing is sent, and the error is the official driver's.

const test = require('node:test');
const assert = require('node:assert/strict');
const { startFixture } = require('../support/fixture-server.js');
const { CommandParity, METHODS, assertSameError } = require('../support/command-parity.js');
const { same, ours: refusedByUs } = require('./command-cases/bad-arguments.js');

async function start(t) {
  const fixture = await startFixture();
  const parity = new CommandParity(fixture);
  t.after(async () => {
    await parity.close();
    await fixture.stop();
  });
  return parity;
}

const methodsFor = ({ chain }) => (chain === undefined ? ['find', 'findOne', 'findLazy', 'findCursor'] : ['find']);

/** Whether find() itself throws, or the promise of what it finds rejects. */
function findThrows(collection, given) {
  try {
    const cursor = collection.find(given.filter, given.options);
    given.chain?.(cursor)?.catch?.(() => {});
    return false;
  } catch {
    return true;
  }
}

test('bad arguments: the same error', async (t) => {
  const parity = await start(t);
  for (const [name, given] of Object.entries(same)) {
    await t.test(name, async () => {
      for (const method of methodsFor(given)) {
        const { ours, theirs } = METHODS[method];
        const sent = await parity.compare(given, ours, theirs);
        assert.deepEqual([sent.theirs.log, sent.ours.log], [[], []]);
        assertSameError(sent.ours.outcome.error, sent.theirs.outcome.error);
      }
      const { ours, theirs } = parity.pair();
      if (given.collection === undefined && given.db === undefined) {
        assert.equal(findThrows(ours.db().collection('c'), given), findThrows(theirs.db().collection('c'), given), 'thrown, not rejected');
      }
    });
  }
});

test('bad arguments: refused by name', async (t) => {
  const parity = await start(t);
  for (const [name, { given, says }] of Object.entries(refusedByUs)) {
    await t.test(name, async () => {
      for (const method of methodsFor(given)) {
        const { ours } = METHODS[method];
        const sent = await parity.compare(given, ours, () => {});
        assert.deepEqual(sent.ours.log, []);
        const { error } = sent.ours.outcome;
        assert.equal(error?.name, 'MongoInvalidArgumentError', String(error));
        assert.match(error.message, says);
      }
    });
  }
});

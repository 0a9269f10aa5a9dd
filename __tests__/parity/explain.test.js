'use strict';
// The explain command on the wire: the official driver's bytes.

const test = require('node:test');
const assert = require('node:assert/strict');
const { startFixture } = require('../support/fixture-server.js');
const { CommandParity, assertSameCommands } = require('../support/command-parity.js');

const finds = {
  'no arguments': {},
  'a filter': { filter: { a: 1, b: undefined } },
  'every option': {
    filter: { a: { $gt: 1 } },
    options: {
      sort: { a: -1 }, projection: { a: 1 }, hint: 'h', skip: 1, limit: 2, batchSize: 3, comment: 'c', max: { a: 9 }, min: { a: 1 }, returnKey: false,
      showRecordId: true, noCursorTimeout: true, allowPartialResults: false, allowDiskUse: true, let: { v: 1 }, readConcern: 'local',
      collation: { locale: 'en' }, maxTimeMS: 7, tailable: false,
    },
  },
  'undefined ignored': { filter: { a: undefined }, options: { ignoreUndefined: true } },
  'by the chain': { filter: { a: 1 }, chain: (c) => c.sort('a').limit(2).batchSize(4).comment('x').withReadConcern({ level: 'majority' }).addCursorFlag('noCursorTimeout', true) },
  'a read preference': { options: { readPreference: 'secondary' } },
  'a server API': { client: { serverApi: { version: '1', strict: true } } },
};

const verbosities = {
  none: [], true: [true], false: [false], queryPlanner: ['queryPlanner'], 'an unknown one': ['whatever'],
  'an object': [{ verbosity: 'executionStats' }], 'an object with maxTimeMS': [{ verbosity: 'queryPlanner', maxTimeMS: 50 }],
};

for (const topology of [undefined, 'mongos']) {
  test(`explain on ${topology ?? 'a standalone'}`, async (t) => {
    const fixture = await startFixture({ topology });
    const parity = new CommandParity(fixture);
    t.after(async () => {
      await parity.close();
      await fixture.stop();
    });
    for (const [name, given] of Object.entries(finds)) {
      for (const [verbosity, args] of Object.entries(verbosities)) {
        await t.test(`${name}, ${verbosity}`, async () => {
          const explain = (collection) => {
            const cursor = collection.find(given.filter, given.options && { ...given.options });
            given.chain?.(cursor);
            return cursor.explain(...args);
          };
          const sent = await parity.compare(given, explain, explain);
          assert.deepEqual(sent.theirs.log.map((entry) => entry.name), ['explain']);
          assertSameCommands(sent.ours.log, sent.theirs.log);
        });
      }
    }
  });
}

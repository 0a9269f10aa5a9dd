'use strict';
// The command on the wire, for hundreds of combinations of arguments: its bytes are the official driver's.

const test = require('node:test');
const { startFixture } = require('../support/fixture-server.js');
const { CommandParity, METHODS, assertSameCommands, assertSameError } = require('../support/command-parity.js');

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

'use strict';
// $readPreference and what stands around it, on each kind of server: present where the official driver sends it, with
// its bytes, in its place, in find, getMore and killCursors alike.

const test = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const official = require('mongodb');
const { startFixture } = require('../support/fixture-server.js');
const { CommandParity, METHODS, assertSameCommands, elements } = require('../support/command-parity.js');

const { ReadPreference } = official;
const tags = [{ dc: 'ny', rack: '1' }, {}];

// Preferences that the one server of each topology satisfies.
const preferences = {
  'none': {},
  'primary, by the call': { options: { readPreference: 'primary' } },
  'primaryPreferred, by the call': { options: { readPreference: 'primaryPreferred' } },
  'nearest, by the call': { options: { readPreference: 'nearest' } },
  'nearest, by the chain': { chain: (c) => c.withReadPreference('nearest') },
  'nearest, by the collection': { collection: { readPreference: 'nearest' } },
  'nearest, by the database': { db: { readPreference: 'nearest' } },
  'nearest, by the client': { client: { readPreference: 'nearest' } },
  'the call over the rest': { options: { readPreference: 'nearest' }, collection: { readPreference: 'primary' }, client: { readPreference: 'primaryPreferred' } },
  'primary by the call over the client': { options: { readPreference: 'primary' }, client: { readPreference: 'nearest' } },
  'the collection over the client': { collection: { readPreference: 'primaryPreferred' }, client: { readPreference: 'nearest' } },
  'the chain over the call': { options: { readPreference: 'primaryPreferred' }, chain: (c) => c.withReadPreference(ReadPreference.nearest) },
  'tags': { options: { readPreference: { mode: 'nearest', tags } } },
  'no tags': { options: { readPreference: { mode: 'nearest', tags: [] } } },
  'tags beside a mode': { options: { readPreference: 'nearest', readPreferenceTags: tags } },
  'tags of both kinds': { options: { readPreference: { mode: 'nearest', tags: [{}] }, readPreferenceTags: tags } },
  'tags of the client': { client: { readPreference: 'nearest', readPreferenceTags: tags } },
  'maxStalenessSeconds of the client': { client: { readPreference: 'primaryPreferred', maxStalenessSeconds: 120 } },
  'maxStalenessSeconds': { options: { readPreference: { mode: 'primaryPreferred', maxStalenessSeconds: 120 } } },
  'maxStalenessSeconds beside a mode': { options: { readPreference: 'primaryPreferred', maxStalenessSeconds: 120 } },
  'hedge': { options: { readPreference: 'nearest', hedge: { enabled: true } } },
  'hedge inside an object': { options: { readPreference: { mode: 'nearest', hedge: { enabled: false } } } },
  'a class with everything': { options: { readPreference: new ReadPreference('primaryPreferred', tags, { maxStalenessSeconds: 90, hedge: { enabled: true } }) } },
  'an object with the older name of the mode': { options: { readPreference: { preference: 'nearest' } } },
  'with a server API': { options: { readPreference: 'nearest' }, client: { serverApi: { version: '1', strict: false } } },
};

const secondaries = {
  'secondary, by the call': { options: { readPreference: 'secondary' } },
  'secondary, by the client': { client: { readPreference: 'secondary' } },
  'secondaryPreferred, by the collection': { collection: { readPreference: 'secondaryPreferred' } },
  'tags that are no text': { options: { readPreference: { mode: 'secondaryPreferred', tags: [{ a: 1 }, 'x'] } } },
  'a fractional maxStalenessSeconds': { options: { readPreference: { mode: 'secondaryPreferred', maxStalenessSeconds: 100.5 } } },
  'a very long maxStalenessSeconds': { options: { readPreference: { mode: 'secondaryPreferred', maxStalenessSeconds: 2 ** 60 } } },
  'secondary with tags': { options: { readPreference: { mode: 'secondaryPreferred', tags } } },
};

// sent: in how many of the cases' commands there is a $readPreference, so that equal does not come to mean absent.
const servers = [
  { topology: undefined, uri: '', cases: { ...preferences, ...secondaries }, sent: 'none' },
  { topology: undefined, uri: '?directConnection=true', cases: preferences, sent: 'none' },
  { topology: 'replicaSet', uri: '', cases: preferences, sent: 'some' },
  { topology: 'replicaSet', uri: '?directConnection=true', cases: { ...preferences, ...secondaries }, sent: 'all' },
  { topology: 'secondary', uri: '?directConnection=true', cases: { ...preferences, ...secondaries }, sent: 'all' },
  { topology: 'mongos', uri: '', cases: { ...preferences, ...secondaries }, sent: 'some' },
  { topology: 'mongos', uri: '?directConnection=true', cases: preferences, sent: 'some' },
  { topology: 'loadBalancer', uri: '?loadBalanced=true', cases: { ...preferences, ...secondaries }, sent: 'some' },
];

for (const { topology, uri, cases, sent } of servers) {
  test(`read preferences on ${topology ?? 'standalone'}${uri}`, async (t) => {
    const fixture = await startFixture({ topology });
    const parity = new CommandParity(fixture, uri);
    t.after(async () => {
      await parity.close();
      await fixture.stop();
    });
    // A cursor that never ends, so that one which reads ahead has to be killed too.
    await fixture.put('parity.endless', Array.from({ length: 5 }, () => bson.serialize({})));
    await fixture.faults({ command: 'getMore', ns: 'parity.endless', action: 'empty', times: -1 });
    const counts = { sent: 0, all: 0 };
    for (const [name, given] of Object.entries(cases)) {
      await t.test(name, async () => {
        for (const [method, collection] of [['find', 'echo_more'], ['findLazy', 'echo_more'], ['findOne', 'echo']]) {
          if (given.chain !== undefined && method !== 'find') continue;
          const { ours, theirs } = METHODS[method];
          await compare(parity, { ...given, name: collection }, ours, theirs, ['find', 'getMore'], counts);
        }
        await compare(parity, { ...given, name: 'endless', options: { ...given.options, batchSize: 1 } }, closedEarly, closedEarly, ['find', 'killCursors'], counts);
      });
    }
    const share = counts.sent === 0 ? 'none' : counts.sent === counts.all ? 'all' : 'some';
    assert.equal(share, sent, `${counts.sent} of ${counts.all}`);
  });
}

async function compare(parity, given, ourRead, theirRead, commands, counts) {
  const { ours, theirs } = await parity.compare(given, ourRead, theirRead);
  const error = theirs.outcome.error ?? ours.outcome.error;
  if (error !== undefined) throw error;
  const compared = (log) => log.filter(({ name }) => commands.includes(name));
  assertSameCommands(compared(ours.log), compared(theirs.log));
  const names = new Set(theirs.log.map(({ name }) => name));
  if (given.name !== 'echo') assert.ok(commands.every((name) => names.has(name)), [...names].join(' '));
  for (const { name, command } of compared(ours.log)) {
    if (name === 'killCursors') continue;
    counts.all += 1;
    if (elements(command).some(([field]) => field === '$readPreference')) counts.sent += 1;
  }
}

async function closedEarly(collection, given) {
  const cursor = collection.find(given.filter, given.options && { ...given.options });
  if (given.chain) given.chain(cursor);
  await cursor.next();
  await cursor.close();
}

test('a maxStalenessSeconds that is too short is refused when a server is selected', async (t) => {
  const fixture = await startFixture({ topology: 'replicaSet' });
  const parity = new CommandParity(fixture);
  t.after(async () => {
    await parity.close();
    await fixture.stop();
  });
  const given = { options: { readPreference: { mode: 'nearest', maxStalenessSeconds: 10 } }, client: { serverSelectionTimeoutMS: 500 } };
  const { ours, theirs } = await parity.compare(given, METHODS.find.ours, METHODS.find.theirs);
  assert.deepEqual([ours.log, theirs.log], [[], []]);
  assert.equal(theirs.outcome.error.name, 'MongoInvalidArgumentError');
  assert.equal(ours.outcome.error.name, 'MongoServerSelectionError');
  assert.match(ours.outcome.error.message, /max staleness \(10s\)/);
});

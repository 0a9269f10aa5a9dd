'use strict';
// The same calls on an official cursor and on a shadowed one: values, errors, states and events are the same, whatever ours does.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const bson = require('bson');
const official = require('mongodb');
const official6 = require('mongodb6');
const { MongoClient, shadowCollection } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { kinds, outcome, isLeftOut, numbers } = require('../support/cursor-steps.js');

const COUNT = 7;

let fixture;
const theirs = {}; // by major version
let ours;
let ours6;

before(async () => {
  fixture = await startFixture();
  const docs = Array.from({ length: COUNT }, (_, _id) => ({ _id }));
  await fixture.put('d.numbers', docs.map((doc) => bson.serialize(doc)));
  await fixture.put('d.others', docs.slice(1).map((doc) => bson.serialize({ ...doc, more: 1 })));
  theirs[7] = await official.MongoClient.connect(fixture.uri);
  theirs[6] = await official6.MongoClient.connect(fixture.uri);
  ours = await MongoClient.connect(fixture.uri);
  ours6 = await MongoClient.connect(fixture.uri, { bson: official6.BSON });
});

after(async () => {
  await Promise.all([...Object.values(theirs), ours, ours6].map((client) => client?.close()));
  await fixture?.stop();
});

const stateOf = (cursor) => ({ id: String(cursor.id), closed: cursor.closed, killed: cursor.killed, buffered: cursor.bufferedCount() });

async function play(kind, batchSize, names, collections) {
  if (isLeftOut(names)) return;
  const played = [];
  for (const collection of collections) {
    const cursor = kind.make(collection, batchSize);
    const told = [];
    cursor.on('close', () => told.push('close'));
    for (const name of names) {
      const { id, ...state } = stateOf(cursor);
      told.push([name, await outcome(kind.steps[name], cursor), id === '0' || id === 'undefined' ? id : 'open', state]);
    }
    await cursor.close();
    played.push(told);
  }
  assert.deepEqual(played[1], played[0], names.join(', '));
}

/** Ours: what it reads. The first two also beside the official driver's older major version. */
const natives = {
  'the same': (client) => client.db('d').collection('numbers'),
  'other documents': (client) => client.db('d').collection('others'),
  'no cursor': () => {
    const fail = () => { throw new Error('ours'); };
    return { ...Object.fromEntries(['findOne', 'countDocuments', 'estimatedDocumentCount', 'distinct'].map((name) => [name, fail])), find: fail, aggregate: fail };
  },
};

function playAll({ version, which, name, kind, native }) {
  test(`mongodb ${version}, ${name}, ours reads ${which}: each step, after each other one, and longer sequences`, async () => {
    const divergences = [];
    const plain = theirs[version].db('d').collection('numbers');
    const shadowed = shadowCollection(plain, native(version === 7 ? ours : ours6), { limitMS: 20_000, onDivergence: (divergence) => divergences.push(divergence) });
    const all = Object.keys(kind.steps);
    const random = numbers(version);
    const sequences = all.flatMap((first) => all.map((second) => [first, second, 'state']));
    for (let i = 0; i < 200; i++) sequences.push(Array.from({ length: 3 + Math.floor(random() * 6) }, () => all[Math.floor(random() * all.length)]));
    for (const [i, names] of sequences.entries()) {
      await play(kind, [undefined, 1, 3, COUNT][i % 4], names, [plain, shadowed]);
      if (which === 'the same') assert.deepEqual(divergences.map(String), [], names.join(', '));
    }
    if (which !== 'the same') assert.ok(divergences.length > 50, `${divergences.length} divergences`);
  });
}

for (const [which, native] of Object.entries(natives)) {
  for (const [name, kind] of Object.entries(kinds)) {
    playAll({ version: 7, which, name, kind, native });
    if (which !== 'no cursor') playAll({ version: 6, which, name, kind, native });
  }
}

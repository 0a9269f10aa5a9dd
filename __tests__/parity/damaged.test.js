'use strict';
// Documents with some bytes changed, over the wire: where the official driver gives a value so do we, where it throws so
// do we, with its class and reason. RUMONGO_SEED repeats a run, RUMONGO_DAMAGED makes it longer.

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const official = require('mongodb');
const bson = require('bson');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { random } = require('../support/document-sets');
const { wellFormed } = require('../support/edge-documents.js');
const { assertSameOutcome } = require('../support/same.js');
const { readers, outcomeOf } = require('../support/readers.js');

const SEED = Number(process.env.RUMONGO_SEED ?? Date.now() % 1e9);
const COUNT = Number(process.env.RUMONGO_DAMAGED ?? 3000);
const SMALL = 1500; // so that most bytes matter

let fixture;
let theirs;
let ours;

before(async () => {
  fixture = await startFixture();
  theirs = (await official.MongoClient.connect(fixture.uri)).db('damaged').collection('c');
  ours = (await MongoClient.connect(fixture.uri)).db('damaged').collection('c');
});

after(async () => {
  await ours?.client.close();
  await theirs?.client?.close();
  await fixture?.stop();
});

const rnd = random(SEED);
const pick = (n) => Math.floor(rnd() * n);

function damage(bytes) {
  const copy = Buffer.from(bytes);
  for (let times = 1 + pick(2); times > 0; times--) {
    // Now and then the document's own length: the batch's next documents are then not where they should be.
    const at = pick(50) === 0 ? pick(4) : 4 + pick(copy.length - 4);
    const kind = pick(10);
    if (kind < 2) copy[at] = pick(256);
    else if (kind < 5) copy[at] ^= 1 << pick(8);
    else if (kind < 9) copy[at] = [0, 1, 2, 3, 4, 5, 8, 0x0b, 0x0c, 0x0f, 0x10, 0x24, 0x7f, 0x80, 0xff][pick(15)];
    else copy.copy(copy, at, pick(copy.length), copy.length - pick(8));
  }
  return copy;
}

/** Theirs, without where it is in the reply. */
const reason = (message) => message.replace(/\. offset: \d+$/, '');

/**
 * How our error relates to theirs: 'same' class and reason, or 'other'. With two faults in a document another one may be
 * met first, and js-bson at times reads on in what follows the document in the reply, and words its error by that.
 */
function compareErrors(actual, expected) {
  const ours = actual.offset === undefined ? `${actual.message}: ` : actual.message;
  return actual.constructor === expected.constructor && ours.startsWith(`${reason(expected.message)}: `) ? 'same' : 'other';
}

test(`${COUNT} damaged documents, seed ${SEED}`, { timeout: 600_000 }, async (t) => {
  const sources = wellFormed(bson).map(({ bytes }) => bytes).filter((bytes) => bytes.length < SMALL && bytes.length > 5);
  const seen = { read: 0, same: 0, other: 0 };
  const good = bson.serialize({ good: 1 });
  for (let n = 0; n < COUNT; n++) {
    const bytes = damage(sources[n % sources.length]);
    const what = `RUMONGO_SEED=${SEED}, document ${n}: ${bytes.toString('hex')}`;
    await fixture.put('damaged.c', [good, bytes, good]);
    const expected = await outcomeOf(() => theirs.find().toArray());
    let result = 'read';
    for (const reader of ['find, toArray', 'findLazy', 'findLazy, toObject']) {
      const actual = await outcomeOf(() => readers[reader](ours, {}));
      if (expected.error === undefined || actual.error === undefined) {
        assertSameOutcome(actual, expected, `${reader}, ${what}`);
        continue;
      }
      const { error } = actual;
      assert.ok(error instanceof bson.BSONError || error instanceof SyntaxError, `${reader}: ${error.stack}; ${what}`);
      if (error.offset !== undefined) assert.match(error.message, / at byte offset \d+$/);
      result = result === 'other' ? result : compareErrors(error, expected.error);
    }
    seen[result]++;
  }
  t.diagnostic(JSON.stringify(seen));
  assert.ok(seen.read > COUNT / 5 && seen.same > COUNT / 5 && seen.other < COUNT / 20, JSON.stringify(seen));
});

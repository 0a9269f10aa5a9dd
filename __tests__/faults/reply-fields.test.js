'use strict';
// What a reply holds beside its documents, with other types than it should have: ignored as by the official driver, or one
// clear error, and a client that works afterwards.

const { test, after, before, describe } = require('node:test');
const assert = require('node:assert/strict');
const { Long, Timestamp, ObjectId, Binary, Double, Int32, Decimal128 } = require('bson');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { ScriptedServer } = require('../support/scripted-server.js');
const { readers, common, notStuck, outline } = require('../support/fault-readers.js');

const DOCS = [{ _id: 1 }, { _id: 2 }];
const VALUES = {
  null: null, string: 'x', int: 5, negative: new Int32(-1), double: new Double(1.5), long: Long.MAX_VALUE, boolean: true, date: new Date(0), objectId: new ObjectId(),
  binary: new Binary(Buffer.from('x')), timestamp: Timestamp.fromBits(1, 2), decimal: Decimal128.fromString('1'), document: {}, array: [], strings: ['a', 'b'], mixed: ['a', 5],
  'a text': { clusterTime: 'x', signature: { hash: 5, keyId: 'x' } }, 'no signature': { clusterTime: Timestamp.fromBits(1, 2) }, 'a wrong signature': { clusterTime: Timestamp.fromBits(1, 2), signature: 5 },
  nested: { clusterTime: { clusterTime: { clusterTime: 1 } } },
};
const FIELDS = ['$clusterTime', 'operationTime', 'errorLabels', 'recoveryToken', 'atClusterTime', 'writeConcernError', 'writeErrors', 'topologyVersion', 'code', 'codeName',
  'errmsg', '$configTime', '$gleStats', 'lastCommittedOpTime', 'n', 'value', 'none of the above'];
const IN_CURSOR = ['atClusterTime', 'postBatchResumeToken', 'partialResultsReturned', 'invalidated', 'ns'];

// Reads have no write concern; a name without a dot is refused by both, under another name.
const LENIENT = /^(writeConcernError: |cursor\.ns: string$)/;

describe('fields of a reply', () => {
  let server;
  let extra = {}; // beside the cursor
  let inCursor = {};
  let ours;
  let theirs;

  before(async () => {
    // Two batches: a field may be wrong in either.
    server = await ScriptedServer.start((command, name) => {
      if (name === 'killCursors') return { ok: 1 };
      const id = name === 'find' && !command.limit ? Long.fromNumber(77) : Long.ZERO;
      const batch = name === 'find' ? { firstBatch: DOCS.slice(0, 1) } : { nextBatch: DOCS.slice(1) };
      return { ...extra, cursor: { id, ns: 't.m', ...batch, ...inCursor }, ok: 1 };
    });
    ours = await MongoClient.connect(server.uri);
    theirs = await official.MongoClient.connect(server.uri);
  });
  after(async () => {
    await Promise.all([ours.close(), theirs.close()]);
    server.stop();
  });

  async function compare(what, beside, inside) {
    [extra, inCursor] = [beside, inside];
    for (const [reader, read] of Object.entries(readers)) {
      const got = await notStuck(read(ours.db('t').collection('m'), {}), what);
      if (got.error !== null) {
        assert.ok(got.error instanceof official.MongoError, `${what}, ${reader}: ${got.error.stack}`);
        assert.notEqual(got.error.name, 'MongoRuntimeError', `${what}, ${reader}: ${got.error.stack}`);
      }
      if (!common[reader]) continue;
      const same = await notStuck(read(theirs.db('t').collection('m'), {}), what);
      // Where the official driver fails by accident (TypeError, BSONError), ignoring the field or saying what is wrong both do.
      const accident = same.error !== null && !(same.error instanceof official.MongoError);
      if (accident || LENIENT.test(what)) assert.ok([undefined, 'MongoUnexpectedServerResponseError', 'MongoServerError'].includes(got.error?.name), `${what}, ${reader}: ${got.error}`);
      else assert.deepEqual([got.ids, outline(got.error)], [same.ids, outline(same.error)], `${what}, ${reader}`);
    }
    [extra, inCursor] = [{}, {}];
    for (const [reader, read] of Object.entries(readers)) {
      const { ids, error } = await notStuck(read(ours.db('t').collection('m'), {}), `${what}, afterwards`);
      assert.equal(error, null, `${what}, ${reader} afterwards: ${error?.stack}`);
      assert.deepEqual(ids, reader === 'findOne' ? [1] : [1, 2], `${what}, ${reader} afterwards`);
    }
  }

  for (const field of FIELDS) {
    test(field, async () => {
      for (const [kind, value] of Object.entries(VALUES)) await compare(`${field}: ${kind}`, { [field]: value }, {});
    });
  }

  for (const field of IN_CURSOR) {
    test(`cursor.${field}`, async () => {
      for (const [kind, value] of Object.entries(VALUES)) await compare(`cursor.${field}: ${kind}`, {}, { [field]: value });
    });
  }
});

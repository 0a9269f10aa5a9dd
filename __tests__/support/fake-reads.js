'use strict';
// Reads with a test in the place of the native core: readers and cursors over FakeBridge and FakeDecoder.

const bson = require('bson');
const { Reader } = require('../../js/cursor/reader.js');
const { MongoClient } = require('../../js/index.js');
const { DEFAULTS } = require('../../js/bson/options.js');
const { FakeBridge, FakeDecoder, withFakeBridge } = require('./fake-bridge.js');

const classes = { BSON: bson, BSONError: bson.BSONError, Long: bson.Long };
const empty = Buffer.alloc(5);

function open() {
  const bridge = new FakeBridge();
  const reader = new Reader(new FakeDecoder(), classes, DEFAULTS);
  reader.submit(bridge, 2, 1, empty, bson.serialize({}));
  return { reader, request: bridge.last };
}

/** A FindCursor whose decoder is the FakeDecoder. */
async function openFind(configure = (cursor) => cursor, options) {
  const client = new MongoClient('mongodb://127.0.0.1:1/d');
  const bridge = withFakeBridge(client);
  await client.connect();
  const cursor = configure(client.db().collection('c').find({}, options));
  return { client, bridge, cursor, get request() { return bridge.last; } };
}

function fakeDecoding(t) {
  const submit = Reader.prototype.submit;
  t.mock.method(Reader.prototype, 'submit', function (...args) {
    this.decoder = new FakeDecoder();
    return submit.apply(this, args);
  });
}

const range = (from, to) => Array.from({ length: to - from }, (_, i) => ({ n: from + i }));

module.exports = { open, openFind, fakeDecoding, range };

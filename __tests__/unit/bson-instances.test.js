'use strict';
// Instances made without bson's constructors are those that its constructors make; where they would not be, the
// constructors are called. And the bytes of eager values are their own.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const bson7 = require('bson');
const bson6 = require('bson6');
const { resolveBson } = require('../../js/bson/classes');
const { makersFor } = require('../../js/bson/instances');
const { Materializer } = require('../../js/frames/materialize');
const { frameDump } = require('../support/frame-dump');
const { assertSame } = require('../support/same');

const bytes = () => Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const ARGUMENTS = { Binary: [bytes(), 128], UUID: [bytes()], Decimal128: [bytes()], Code: ['f'] };

for (const [name, bson] of Object.entries({ 'bson 7': bson7, 'bson 6': bson6 })) {
  test(`${name}: every class has a maker, and its instances are the same`, () => {
    const classes = resolveBson({ bson });
    const makers = makersFor(classes);
    for (const [type, args] of Object.entries(ARGUMENTS)) {
      assert.notEqual(makers[type], bson[type], type);
      const made = new makers[type](...args);
      const constructed = new bson[type](...args);
      assertSame(made, constructed, type);
      assert.ok(made instanceof bson[type], type);
      assert.equal(made.constructor, bson[type], type);
    }
    for (const [low, high] of [[0, 0], [-1, -1], [1, -2147483648], [2147483647, 5]]) {
      const made = new makers.Timestamp(low, high);
      assertSame(made, new bson.Timestamp({ i: low >>> 0, t: high >>> 0 }), 'Timestamp');
      assert.deepEqual(Object.keys(made), Object.keys(new bson.Timestamp({ i: 1, t: 1 })));
      assert.equal(made.toString(), new bson.Timestamp({ i: low >>> 0, t: high >>> 0 }).toString());
    }
  });
}

test('a bson whose instances have more than that keeps its constructors', () => {
  class Private extends bson7.Binary {
    #secret = 1;
    toJSON() { return this.#secret; }
    toExtendedJSON() { return { secret: this.#secret }; }
  }
  class More extends bson7.Decimal128 {
    constructor(value) {
      super(value);
      this.more = true;
    }
  }
  class Hidden extends bson7.Code {
    constructor(code) {
      super(code);
      Object.defineProperty(this, 'code', { writable: false });
    }
  }
  class Frozen extends bson7.UUID {
    constructor(value) {
      super(value);
      Object.preventExtensions(this);
    }
  }
  const classes = { ...resolveBson({ bson: bson7 }), Binary: Private, Decimal128: More, Code: Hidden, UUID: Frozen };
  const makers = makersFor(classes);
  assert.equal(makers.Binary, Private);
  assert.equal(makers.Decimal128, More);
  assert.equal(makers.Code, Hidden);
  assert.equal(makers.UUID, Frozen);
});

const SIZES = [0, 1, 16, 24, 25, 40, 4000, 4087, 4088, 4089, 5000, 9000];

/** Documents of Binary values of many sizes, of Decimal128, and of ObjectIds between them. */
function documents() {
  const filled = (size, byte) => new bson7.Binary(Buffer.alloc(size, byte));
  return Array.from({ length: 60 }, (_, n) => ({
    _id: new bson7.ObjectId(), list: SIZES.map((size) => filled(size, n)), d: new bson7.Decimal128(bytes()), uuid: new bson7.UUID(bytes()),
    last: filled(30, 255 - n)
  }));
}

function decoded(list) {
  const { chunks, bridge } = frameDump(Buffer.concat(list.map((document) => bson7.serialize(document))));
  const out = [];
  const materializer = new Materializer(resolveBson({ bson: bson7 }), {}, bridge);
  for (const chunk of chunks) {
    materializer.decode(chunk.bytes, out);
    chunk.bytes.fill(0xa5); // a value that views the chunk would show it
  }
  return out;
}

const buffersOf = (document) => [...document.list, document.last, document.uuid].map((value) => value.buffer).concat(document.d.bytes);

function assertOwnBytes() {
  const list = documents();
  const out = decoded(list);
  assert.deepEqual(out, list);
  const all = out.flatMap(buffersOf);
  // Each is written over with a number of its own: whoever shares a byte with another one shows it.
  all.forEach((buffer, k) => buffer.fill(k % 251));
  all.forEach((buffer, k) => assert.ok(buffer.every((byte) => byte === k % 251), `buffer ${k} shares bytes`));
  return all;
}

test('the bytes of values overlap nothing, whatever their size, and those in one pool are not transferred away', () => {
  const all = assertOwnBytes();
  const sizes = all.map(({ length }) => length);
  for (const buffer of all) {
    if (buffer.buffer.byteLength === buffer.length) continue;
    try {
      structuredClone(0, { transfer: [buffer.buffer] });
    } catch (error) {
      assert.equal(error.name, 'DataCloneError'); // Node 20 does not throw, it only does not transfer
    }
  }
  assert.deepEqual(all.map(({ length }) => length), sizes);
});

test('without Node\'s Buffer pool each value has memory to itself', () => {
  const size = Buffer.poolSize;
  Buffer.poolSize = 0;
  try {
    for (const buffer of assertOwnBytes()) assert.equal(buffer.buffer.byteLength, buffer.length);
  } finally {
    Buffer.poolSize = size;
  }
});

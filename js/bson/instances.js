'use strict';
// Instances of bson's classes without its constructors. Those check what they are given and take it apart, which is most
// of what such a value costs: a UUID 260 ns with bson 7, 36 without; a Timestamp 92 and 6; a Binary 118 and 36.
//
// A maker is a function with the class's own prototype that sets the same properties in the same order. Whether it does
// is looked at, not known: where an instance of the application's bson is in any way another, its constructor is called.

const { inspect, isDeepStrictEqual } = require('node:util');

const UUID_SUBTYPE = 4;
const known = new WeakMap(); // by classes

/**
 * Constructors to use for these classes, for arguments that are right: Binary(buffer, byte), UUID(buffer),
 * Decimal128(buffer), Code(string), Timestamp(low, high) of two int32.
 */
function makersFor(bson) {
  let makers = known.get(bson);
  if (makers === undefined) known.set(bson, makers = make(bson));
  return makers;
}

// Of two candidates one is for bson 7, which has class fields, the other for bson 6. Each is a function of its own for
// each bson, since it gets the class's prototype.
function make(bson) {
  const bytes = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
  const { Timestamp: Official } = bson;
  return Object.freeze({
    Binary: fitting(bson, bson.Binary, [bytes, 7], [
      function Binary(buffer, subtype) { this.buffer = buffer; this.sub_type = subtype; this.position = buffer.length; },
      function Binary(buffer, subtype) { this.sub_type = subtype; this.buffer = buffer; this.position = buffer.length; }
    ]),
    UUID: fitting(bson, bson.UUID, [bytes], [
      function UUID(buffer) { this.buffer = buffer; this.sub_type = UUID_SUBTYPE; this.position = buffer.length; },
      function UUID(buffer) { this.sub_type = UUID_SUBTYPE; this.buffer = buffer; this.position = buffer.length; }
    ]),
    Decimal128: fitting(bson, bson.Decimal128, [bytes], [function Decimal128(buffer) { this.bytes = buffer; }]),
    Code: fitting(bson, bson.Code, ['text'], [function Code(text) { this.code = text; this.scope = null; }]),
    Timestamp: fitting(bson, function Timestamp(low, high) { return new Official({ i: low >>> 0, t: high >>> 0 }); }, [-5, 7], [
      function Timestamp(low, high) { this.high = high; this.low = low; this.unsigned = true; },
      function Timestamp(low, high) { this.low = low; this.high = high; this.unsigned = true; }
    ])
  });
}

/** The candidate whose instances are like those of the constructor, or the constructor. */
function fitting(bson, Constructor, args, candidates) {
  const constructed = new Constructor(...args);
  for (const Candidate of candidates) {
    Candidate.prototype = Object.getPrototypeOf(constructed);
    if (alike(bson.BSON, new Candidate(...args), constructed)) return Candidate;
  }
  return Constructor;
}

function alike({ serialize, EJSON }, made, constructed) {
  const attributes = (value) => Reflect.ownKeys(value).map((key) => [key, Object.getOwnPropertyDescriptor(value, key)]);
  try {
    return Object.isExtensible(constructed) && isDeepStrictEqual(attributes(made), attributes(constructed))
      && [(v) => Buffer.from(serialize({ v })).toString('hex'), (v) => EJSON.stringify({ v }), inspect, String].every((f) => f(made) === f(constructed));
  } catch {
    return false; // a method that wants more of its object than properties
  }
}

module.exports = { makersFor };

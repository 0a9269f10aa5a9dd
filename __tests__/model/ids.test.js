'use strict';
// Ids in filters, cast beside Mongoose.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const mongoose = require('mongoose');
const { Schema } = require('../..');
const { IdCaster } = require('../../js/model/ids.js');

const { ObjectId } = mongoose.Types;
const hex = '0123456789abcdef01234567';
const types = { owner: mongoose.Schema.Types.ObjectId, friends: [mongoose.Schema.Types.ObjectId] };
const Theirs = mongoose.model('Person', new mongoose.Schema({ ...types, name: String }));
const ours = new IdCaster(new Schema({ ...types, name: 1 })._ids, { client: { bsonClasses: { ObjectId } }, collectionName: 'Person' });
const theirs = (filter) => Theirs.find().cast(Theirs, structuredClonable(filter));

/** Mongoose casts in place. */
function structuredClonable(value) {
  if (Array.isArray(value)) return value.map(structuredClonable);
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, structuredClonable(inner)]));
}

const id = new ObjectId(hex);
const values = [
  hex, hex.toUpperCase(), id, null, undefined, { _id: id }, { _id: hex }, { toString: () => hex }, [hex, id], [],
  { $in: [hex, id, null] }, { $nin: [hex] }, { $in: hex }, { $ne: hex }, { $eq: hex }, { $gt: hex, $lte: id }, { $gte: hex, $lt: hex },
  { $exists: true }, { $not: { $in: [hex] } }, { $ne: null }, { $type: 'objectId' },
  'bad', 'blablablabla', '', 5, 0, true, {}, { a: 1 }, new Date(0), /x/, Buffer.alloc(3), Symbol.iterator.description, 'g'.repeat(24),
  { $in: ['bad'] }, { $ne: 'bad' }, { $gt: 5 }, ['bad'], { $not: { $eq: 'bad' } },
];

for (const path of ['_id', 'owner']) {
  for (const value of values) {
    test(`${path}: ${JSON.stringify(value) ?? value}`, () => {
      for (const filter of [{ [path]: value }, { $or: [{ [path]: value }, { name: 'x' }] }, { $and: [{ $nor: [{ [path]: value }] }] }]) {
        let expected;
        try {
          expected = theirs(filter);
        } catch (error) {
          const { name, path: at, kind, stringValue, valueType } = error;
          assert.throws(() => ours.filter(filter), (thrown) => {
            assert.deepEqual([thrown.name, thrown.path, thrown.kind, thrown.stringValue, thrown.valueType], [name, at, kind, stringValue, valueType]);
            return true;
          });
          continue;
        }
        assert.deepStrictEqual(ours.filter(filter), expected);
      }
    });
  }
}

test('the filter that was given stays as it is', () => {
  const filter = Object.freeze({ _id: Object.freeze({ $in: Object.freeze([hex]) }), $or: Object.freeze([Object.freeze({ owner: hex })]) });
  assert.deepEqual(ours.filter(filter), { _id: { $in: [id] }, $or: [{ owner: id }] });
});

test('fields of other names and types are not looked at', () => {
  const filter = { name: hex, friend: 'bad', ['__proto__']: 'bad', 'a._id': 'bad' };
  assert.deepStrictEqual(ours.filter(filter), filter);
});

test('which fields are ids', () => {
  const of = (definition) => [...new Schema(definition)._ids].sort();
  assert.deepEqual(of({ name: 1 }), ['_id']);
  assert.deepEqual(of({ _id: 0, name: 1 }), ['_id']);
  assert.deepEqual(of({ _id: String }), []);
  assert.deepEqual(of({ _id: { type: Number } }), []);
  assert.deepEqual(of({ _id: ObjectId, a: 'ObjectId', b: { type: ObjectId }, c: [{ type: types.owner }], d: String }), ['_id', 'a', 'b', 'c']);
});

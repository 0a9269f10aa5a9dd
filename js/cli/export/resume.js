'use strict';
// What is left of a read in order of _id.

/**
 * The order of types, as servers sort. Conditions such as $gt look at one of them only, and an _id may be of any, so those
 * that follow are asked for one by one.
 */
const TYPES = [
  ['minKey', { $type: 'minKey' }], ['null', { $type: 'null' }], ['number', { $type: 'number' }], ['string', { $gte: '' }], ['object', { $type: 'object' }],
  ['binData', { $type: 'binData' }], ['objectId', { $type: 'objectId' }], ['bool', { $type: 'bool' }], ['date', { $type: 'date' }],
  ['timestamp', { $type: 'timestamp' }], ['code', { $type: ['javascript', 'javascriptWithScope'] }], ['maxKey', { $type: 'maxKey' }],
];
const BY_CLASS = {
  MinKey: 'minKey', Int32: 'number', Long: 'number', Double: 'number', Decimal128: 'number', BSONSymbol: 'string', DBRef: 'object', Binary: 'binData',
  ObjectId: 'objectId', Timestamp: 'timestamp', Code: 'code', MaxKey: 'maxKey',
};

function typeOf(value) {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'number';
  if (value instanceof Date) return 'date';
  return BY_CLASS[value._bsontype] ?? 'object';
}

/**
 * The condition of all documents whose _id comes after `last`.
 * @param last an _id, with values as stored
 * @param largest that of the last document of all: usually of the same type, and then nothing else is asked for
 */
function after(last, largest) {
  const at = TYPES.findIndex(([type]) => type === typeOf(last));
  const to = TYPES.findIndex(([type]) => type === typeOf(largest));
  // Nothing is greater than NaN by $gt, although all numbers follow it.
  const condition = String(last) === 'NaN' && typeOf(last) === 'number' ? { $gte: -Infinity } : { $gt: last };
  const conditions = [condition, ...TYPES.slice(at + 1, Math.max(at, to) + 1).map(([, type]) => type)];
  return conditions.length === 1 ? { _id: condition } : { $or: conditions.map((one) => ({ _id: one })) };
}

/** The filter of the rest of a collection. */
async function filterAfter(collection, filter, last, signal) {
  const end = await collection.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 }, promoteValues: false, signal });
  const rest = after(last, end === null ? last : end._id);
  return Object.keys(filter).length === 0 ? rest : { $and: [filter, rest] };
}

module.exports = { after, filterAfter };

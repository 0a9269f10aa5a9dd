'use strict';
// The fields of a model: the projection they make, and which of them are ids.

const { invalidArgument } = require('../errors.js');

class Schema {
  /**
   * @param {Record<string, unknown>} definition field names (dotted ones too) as keys. Values are free, as in
   *   Mongoose (`String`, `1`, ...); `_id: 0` means leave out, a type of ObjectId an id.
   * @throws {MongoInvalidArgumentError} when it is no plain object, or a field other than _id is 0 or false
   */
  constructor(definition) {
    if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
      throw invalidArgument(
        'Schema: the definition must be an object with field names as keys, such as { name: 1, age: 1 }');
    }
    const projection = {};
    for (const [field, value] of Object.entries(definition)) {
      if (field === '' || field.startsWith('$')) {
        throw invalidArgument(`Schema: "${field}" is not the name of a field`);
      }
      const leftOut = value === 0 || value === false;
      if (leftOut && field !== '_id') {
        throw invalidArgument(
          `Schema: field "${field}" is ${value}; name the fields to read and leave the others out`);
      }
      projection[field] = leftOut ? 0 : 1;
    }
    /** @type {string[]} */
    this.fields = Object.keys(projection).filter((field) => projection[field] === 1);
    /** @type {Readonly<Record<string, 0 | 1>>} frozen: every read of the model shares it */
    this.projection = Object.freeze(projection);
    // For Model. Not enumerable: a schema shows what is read.
    Object.defineProperty(this, '_ids', { value: idsOf(definition) });
  }
}

/** The fields whose values are ObjectIds. `_id` is one unless the definition gives it another type, as in Mongoose. */
function idsOf(definition) {
  const ids = new Set(Object.keys(definition).filter((field) => isObjectId(typeOf(definition[field]))));
  const type = Object.hasOwn(definition, '_id') ? typeOf(definition._id) : 1;
  if (typeof type === 'number' || typeof type === 'boolean') ids.add('_id');
  return ids;
}

/** The type in `Type`, `[Type]` and `{ type: Type }`. */
function typeOf(value) {
  const inner = Array.isArray(value) ? value[0] : value;
  return typeof inner === 'object' && inner?.type !== undefined ? typeOf(inner.type) : inner;
}

/** That of Mongoose's schemas, that of bson, and their name. */
function isObjectId(type) {
  if (typeof type === 'function') return type.schemaName === 'ObjectId' || type.prototype?._bsontype === 'ObjectId';
  return type === 'ObjectId' || type === 'ObjectID';
}

module.exports = { Schema };

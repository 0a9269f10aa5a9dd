'use strict';
// Ids in filters, cast as Mongoose casts them: text of 24 hexadecimal characters is an ObjectId, what can be none is an error.

const { castError } = require('./cast-error.js');

const HEX24 = /^[0-9a-fA-F]{24}$/;
const GROUPS = new Set(['$and', '$or', '$nor']);
const OF_A_VALUE = new Set(['$eq', '$ne', '$gt', '$gte', '$lt', '$lte']);
const OF_A_LIST = new Set(['$in', '$nin', '$all']);

const isPlain = (value) => typeof value === 'object' && value !== null
  && (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null);
const isOperators = (value) => isPlain(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => key.startsWith('$'));
const isWrapper = (value) => Object.keys(value).length === 1 && typeof value.$oid === 'string';

class IdCaster {
  /**
   * @param {ReadonlySet<string>} paths the fields that are ids
   * @param {import('../collection.js').Collection} collection
   */
  constructor(paths, { client, collectionName }) {
    this.paths = paths;
    this.client = client; // its classes are found at the first use
    this.model = collectionName;
  }

  /** A filter with its ids cast. What is no object of fields is for the collection to take or to refuse. */
  filter(filter) {
    if (!isPlain(filter)) return filter;
    const cast = {};
    for (const [key, value] of Object.entries(filter)) {
      if (this.paths.has(key)) define(cast, key, this.condition(value, key));
      else define(cast, key, GROUPS.has(key) && Array.isArray(value) ? value.map((part) => this.filter(part)) : value);
    }
    return cast;
  }

  condition(value, path) {
    if (Array.isArray(value)) return { $in: value.map((one) => this.id(one, path)) };
    if (!isOperators(value) || isWrapper(value)) return this.id(value, path);
    return Object.fromEntries(Object.entries(value).map(([operator, operand]) => [operator, this.operand(operator, operand, path)]));
  }

  operand(operator, operand, path) {
    if (OF_A_VALUE.has(operator)) return this.id(operand, path);
    if (operator === '$not') return this.condition(operand, path);
    if (!OF_A_LIST.has(operator)) return operand;
    return (Array.isArray(operand) ? operand : [operand]).map((one) => this.id(one, path));
  }

  /** One id. A document stands for its `_id`; an Extended JSON wrapper is converted with the rest of the filter. */
  id(value, path) {
    if (value === null || value === undefined || value._bsontype === 'ObjectId') return value;
    if (isPlain(value) && isWrapper(value)) return value;
    const id = value._id ?? value;
    if (id._bsontype === 'ObjectId') return id;
    const text = typeof id.toString === 'function' ? id.toString() : '';
    if (typeof text === 'string' && HEX24.test(text)) return new this.client.bsonClasses.ObjectId(text);
    throw castError(value, path, this.model);
  }
}

/** Also of a field that is named __proto__. */
function define(object, key, value) {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

module.exports = { IdCaster, isOperators };

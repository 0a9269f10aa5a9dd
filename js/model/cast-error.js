'use strict';
// The error of an id that is none. It has what Mongoose's CastError has, for the handlers that answer 400 to it.

const { inspect } = require('node:util');
const { errors } = require('../errors.js');

const MAX_SHOWN = 100;

const classes = new WeakMap(); // MongoInvalidArgumentError -> its CastError

function castErrorClass() {
  const { MongoInvalidArgumentError } = errors();
  let CastError = classes.get(MongoInvalidArgumentError);
  if (CastError === undefined) {
    CastError = class extends MongoInvalidArgumentError {
      get name() {
        return 'CastError';
      }
    };
    classes.set(MongoInvalidArgumentError, CastError);
  }
  return CastError;
}

/**
 * @param value what is no id
 * @param {string} path the field
 * @param {string} model the collection's name
 */
function castError(value, path, model) {
  const stringValue = `"${inspect(value, { depth: 1, maxStringLength: MAX_SHOWN }).replace(/^'|'$/g, '')}"`;
  const valueType = typeof value === 'object' ? value?.constructor?.name ?? 'object' : typeof value;
  const error = new (castErrorClass())(
    `Cast to ObjectId failed for value ${stringValue} (type ${valueType}) at path "${path}" for model "${model}". `
    + `An id is an ObjectId or a string of 24 hexadecimal characters; a definition with another type, as { ${path}: String }, allows others`);
  return Object.assign(error, { stringValue, valueType, kind: 'ObjectId', value, path });
}

module.exports = { castError };

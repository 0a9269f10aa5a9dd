'use strict';

// Mongoose with a schema that has the type of each field, as an application's has, made from documents of the set.

function schemaOf(mongoose, documents) {
  const { Schema } = mongoose;
  const options = { _id: false, id: false, versionKey: false, typeKey: '$type', suppressReservedKeysWarning: true };
  const typeOf = (values) => {
    const value = values.find((one) => one !== null && one !== undefined);
    if (typeof value === 'string') return String;
    if (typeof value === 'number') return Number;
    if (typeof value === 'boolean') return Boolean;
    if (value instanceof Date) return Date;
    if (value?._bsontype === 'ObjectId') return Schema.Types.ObjectId;
    if (value?._bsontype === 'Decimal128') return Schema.Types.Decimal128;
    if (value?._bsontype === 'Binary') return Schema.Types.Buffer;
    if (Array.isArray(value)) {
      const elements = values.filter(Array.isArray).flat();
      const isDocument = elements.length > 0 && elements.every(isPlain);
      const element = isDocument ? new Schema(fieldsOf(elements), options) : elements.length > 0 ? typeOf(elements) : Schema.Types.Mixed;
      return { $type: [element], default: undefined }; // not an empty array where the document has none
    }
    if (isPlain(value)) return fieldsOf(values.filter(isPlain));
    return Schema.Types.Mixed;
  };
  const fieldsOf = (list) => {
    const keys = [...new Set(list.flatMap(Object.keys))];
    return Object.fromEntries(keys.map((key) => [key, typeOf(list.map((one) => one[key]))]));
  };
  return new Schema(fieldsOf(documents), { ...options, _id: true, strict: false });
}

const isPlain = (value) => value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;

/** @param prepare what is done to the model before it reads */
async function open({ uri, database, collection: name, expected }, query, convert, prepare = (model) => model) {
  const mongoose = require('mongoose');
  const { BSON } = mongoose.mongo;
  const connection = await mongoose.createConnection(uri, { dbName: database, autoIndex: false, autoCreate: false }).asPromise();
  const documents = expected.slice(0, 20).map(({ bytes }) => BSON.deserialize(Buffer.from(bytes, 'base64')));
  const model = prepare(connection.model('Bench', schemaOf(mongoose, documents), name));
  return {
    async all({ projection, ...options }) {
      const found = await query(model.find({}, projection, options));
      return { length: found.length, documents: found };
    },
    one: (filter) => query(model.findOne(filter)),
    convert,
    bson: BSON,
    close: () => connection.close()
  };
}

const accelerated = (model) => require('../../js/index.js').accelerate(model);

module.exports = {
  lean: {
    title: 'mongoose lean()',
    kind: 'eager',
    check: 'same',
    open: (parameters) => open(parameters, (found) => found.lean())
  },
  leanAccelerated: {
    title: 'mongoose accelerated, lean()',
    kind: 'eager',
    check: 'same',
    open: (parameters) => open(parameters, (found) => found.lean(), undefined, accelerated)
  },
  hydratedAccelerated: {
    title: 'mongoose accelerated, hydrated',
    kind: 'eager',
    check: 'keys',
    open: (parameters) => open(parameters, (found) => found, (document) => document.toObject(), accelerated)
  },
  hydrated: {
    title: 'mongoose hydrated',
    kind: 'eager',
    check: 'keys',
    open: (parameters) => open(parameters, (found) => found, (document) => document.toObject())
  }
};

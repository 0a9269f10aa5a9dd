'use strict';
// Queries of a service on Mongoose that are lean: [name, (models) => query or aggregate]. They run on models of Mongoose and on
// those of Model.fromMongoose().

const hex = (letter, n) => `${n}`.padStart(24, letter);

/** A model for what Mongoose casts. */
function defineThing(mongoose, connection) {
  const { Schema } = mongoose;
  const { ObjectId, Decimal128, Mixed } = Schema.Types;
  const part = new Schema({ size: Number, made: Date, of: ObjectId, flag: Boolean }, { _id: false });
  const thing = new Schema({
    n: { type: String, alias: 'name' },
    count: { type: Number, default: 7 },
    on: Boolean,
    at: Date,
    owner: ObjectId,
    owners: [ObjectId],
    price: Decimal128,
    bytes: Buffer,
    labels: { type: Map, of: Number },
    any: Mixed,
    nested: { deep: { size: Number, at: Date, owner: ObjectId } },
    part,
    parts: [part],
    numbers: [Number],
    grid: [[Number]],
    token: { type: String, select: false },
    loud: { type: String, get: (text) => text?.toUpperCase(), set: (text) => text?.trim(), lowercase: true },
  }, { collection: 'things', id: false });
  thing.virtual('twice').get(function twice() { return this.count * 2; });
  return connection.model('Thing', thing);
}

/** A model whose schema has options for its reads. */
function defineStrict(mongoose, connection) {
  const schema = new mongoose.Schema(
    { n: { type: String, alias: 'name' }, count: Number },
    { collection: 'things', read: 'secondaryPreferred', readConcern: 'local', collation: { locale: 'en', strength: 2 }, strictQuery: true, translateAliases: true },
  );
  return connection.model('Strict', schema);
}

/** Without what the dev server cannot store, Decimal128 and arrays in arrays. */
function things({ ObjectId }) {
  return Array.from({ length: 24 }, (_, i) => ({
    _id: new ObjectId(hex('d', i)),
    n: `thing ${i}`,
    ...(i % 2 ? { count: i } : {}),
    on: i % 3 === 0,
    at: new Date(1.6e12 + i * 864e5),
    owner: new ObjectId(hex('a', i % 5)),
    owners: [new ObjectId(hex('a', i % 5)), new ObjectId(hex('a', (i + 1) % 5))],
    bytes: Buffer.from([i, 1, 2]),
    labels: { a: i, b: 2 },
    any: i % 2 ? { x: i } : `${i}`,
    nested: { deep: { size: i, at: new Date(1.6e12 + i), owner: new ObjectId(hex('a', i % 5)) } },
    part: { size: i, made: new Date(1.6e12), of: new ObjectId(hex('a', 1)), flag: true },
    parts: [{ size: i, flag: i % 2 === 0 }, { size: i + 1, of: new ObjectId(hex('a', 2)) }],
    numbers: [i, i + 1],
    token: `secret ${i}`,
    loud: `text ${i}`,
    unknown: { kept: i },
  }));
}

const author = hex('a', 1);
const day = '2020-09-20';

/** All are sorted, so that a server has one answer. */
const FINDS = {
  'everything': ({ Thing }) => Thing.find().sort('_id'),
  'null as a filter': ({ Thing }) => Thing.find(null).sort('_id'),
  'a string': ({ Thing }) => Thing.find({ n: 'thing 3' }),
  'a number for a string': ({ Thing }) => Thing.find({ n: 3 }),
  'a regular expression': ({ Thing }) => Thing.find({ n: /^thing 1/ }).sort('_id'),
  '$regex and $options': ({ Thing }) => Thing.find({ n: { $regex: '^THING 2', $options: 'i' } }).sort('_id'),
  'a string for a number': ({ Thing }) => Thing.find({ count: '7' }),
  'a string for a number, operators': ({ Thing }) => Thing.find({ count: { $gt: '3', $lte: '11' } }).sort('_id'),
  'a boolean, cast': ({ Thing }) => Thing.find({ on: 'true' }).sort('_id'),
  'a boolean, from a number': ({ Thing }) => Thing.find({ on: 0 }).sort('_id'),
  'a date, cast from text': ({ Thing }) => Thing.find({ at: { $gte: day } }).sort('_id'),
  'a date, cast from a number': ({ Thing }) => Thing.find({ at: 1.6e12 }),
  'an id, as text': ({ Thing }) => Thing.find({ _id: hex('d', 3) }),
  'an id, upper case': ({ Thing }) => Thing.find({ _id: hex('d', 3).toUpperCase() }),
  'an id, an ObjectId': ({ Thing }, { Types }) => Thing.find({ _id: new Types.ObjectId(hex('d', 3)) }),
  'an id, a document': ({ Thing }, { Types }) => Thing.find({ owner: { _id: new Types.ObjectId(author) } }).sort('_id'),
  'ids, $in': ({ Thing }) => Thing.find({ _id: { $in: [hex('d', 1), hex('d', 5)] } }).sort('_id'),
  'ids, an array': ({ Thing }) => Thing.find({ _id: [hex('d', 1), hex('d', 5)] }).sort('_id'),
  'ids, $nin and $ne': ({ Thing }) => Thing.find({ owner: { $nin: [author], $ne: hex('a', 2) } }).sort('_id'),
  'ids, in an array': ({ Thing }) => Thing.find({ owners: author }).sort('_id'),
  'ids, $all': ({ Thing }) => Thing.find({ owners: { $all: [author, hex('a', 2)] } }).sort('_id'),
  '$and': ({ Thing }) => Thing.find({ $and: [{ count: { $gt: '2' } }, { on: 'false' }] }).sort('_id'),
  '$or, nested': ({ Thing }) => Thing.find({ $or: [{ owner: author }, { $and: [{ n: 4 }, { n: 'thing 4' }] }, { count: '5' }] }).sort('_id'),
  '$nor': ({ Thing }) => Thing.find({ $nor: [{ owner: author }, { on: 'true' }] }).sort('_id'),
  '$not': ({ Thing }) => Thing.find({ count: { $not: { $gt: '5' } } }).sort('_id'),
  '$exists': ({ Thing }) => Thing.find({ count: { $exists: 'true' } }).sort('_id'),
  '$mod': ({ Thing }) => Thing.find({ count: { $mod: ['4', '1'] } }).sort('_id'),
  '$size': ({ Thing }) => Thing.find({ numbers: { $size: '2' } }).sort('_id').limit(3),
  'null': ({ Thing }) => Thing.find({ count: null }).sort('_id'),
  'a nested path': ({ Thing }) => Thing.find({ 'nested.deep.size': '4' }),
  'a nested path, an id': ({ Thing }) => Thing.find({ 'nested.deep.owner': author, 'nested.deep.at': { $lt: 1.6e12 + 9 } }).sort('_id'),
  'a sub-document by path': ({ Thing }) => Thing.find({ 'part.size': { $in: ['3', 4] }, 'part.of': author }).sort('_id'),
  'an array of documents by path': ({ Thing }) => Thing.find({ 'parts.size': '4' }).sort('_id'),
  'an array of documents by index': ({ Thing }) => Thing.find({ 'parts.1.of': hex('a', 2), 'parts.0.size': { $lt: '4' } }).sort('_id'),
  '$elemMatch of documents': ({ Thing }) => Thing.find({ parts: { $elemMatch: { size: { $gte: '20' }, of: hex('a', 2) } } }).sort('_id'),
  '$elemMatch of numbers': ({ Thing }) => Thing.find({ numbers: { $elemMatch: { $gte: '5', $lt: '7' } } }).sort('_id'),
  'an array, whole': ({ Thing }) => Thing.find({ numbers: ['3', '4'] }),
  'a key of a map': ({ Thing }) => Thing.find({ 'labels.a': 5 }),
  'a mixed value': ({ Thing }) => Thing.find({ 'any.x': 5 }),
  'a setter and lowercase': ({ Thing }) => Thing.find({ loud: ' TEXT 4 ' }),
  'strictQuery false: an unknown path stays': ({ Thing }) => Thing.find({ 'unknown.kept': 3 }).sort('_id'),
  'strictQuery true: it goes': ({ Thing }) => Thing.find({ nobodyKnows: 3 }).setOptions({ strictQuery: true }).sort('_id').limit(3),
  'strictQuery throw': ({ Thing }) => Thing.find({ nobodyKnows: 3 }, null, { strictQuery: 'throw' }),
  'sanitizeFilter': ({ Thing }) => Thing.find({ count: { $gt: 1 } }, null, { sanitizeFilter: true }),
  'aliases, translated': ({ Thing }) => Thing.find({ name: 'thing 6' }, null, { translateAliases: true }),
  'aliases, not translated': ({ Thing }) => Thing.find({ name: 'thing 6' }),
  'a projection, text': ({ Thing }) => Thing.find({}, 'n count').sort('_id').limit(4),
  'a projection, exclusion': ({ Thing }) => Thing.find({}, '-parts -grid -_id').sort('_id').limit(4),
  'a projection, an object and $slice': ({ Thing }) => Thing.find({}, { numbers: { $slice: 1 } }).sort('_id').limit(3),
  'select: false, chosen': ({ Thing }) => Thing.find().select('+token').sort('_id').limit(3),
  'select: false, alone': ({ Thing }) => Thing.find().select('token').sort('_id').limit(3),
  'select, several': ({ Thing }) => Thing.find().select(['n', 'nested.deep.size']).sort('_id').limit(3),
  'sort, skip and limit': ({ Thing }) => Thing.find().sort({ count: -1, _id: 1 }).skip('2').limit('5'),
  'sort, skip and limit as options': ({ Thing }) => Thing.find({ on: false }, null, { sort: '-n', skip: 1, limit: 4 }),
  'batchSize': ({ Thing }) => Thing.find().sort('_id').batchSize(5),
  'where and chains': ({ Thing }) => Thing.where('count').gte('3').lte(15).where('on', 'false').sort('_id'),
  'or() and nor()': ({ Thing }) => Thing.find().or([{ count: '3' }, { owner: author }]).nor([{ n: 'thing 1' }]).sort('_id'),
  'merge': ({ Thing }) => Thing.find({ on: 'false' }).merge({ count: { $gt: '4' } }).sort('_id'),
  'a query as a filter': ({ Thing }) => Thing.find(Thing.where({ count: '5' })),
  'maxTimeMS, comment, hint, read': ({ Thing }) => Thing.find({ count: '5' }).maxTimeMS(4000).comment('why').read('primaryPreferred').readConcern('local'),
  'clone': ({ Thing }) => Thing.find({ count: '5' }).sort('_id').clone(),
  'toConstructor': ({ Thing }) => new (Thing.find({ on: 'false' }).sort('_id').toConstructor())().where({ count: { $gt: '7' } }),
  'lean, flags of plugins that are not there': ({ Thing }) => Thing.find().sort('_id').limit(2).lean({ virtuals: true, defaults: true, getters: true }),
  'discriminator': ({ Click }) => Click.find({ x: '4' }),
  'discriminator, select': ({ Click }) => Click.find().select('x').sort('_id'),
  'discriminator, base': ({ Event }) => Event.find({ path: '/p1' }).sort('_id'),
  'discriminator, the key in the filter': ({ Event }) => Event.find({ kind: 'Click', x: '4' }),
  'discriminator, another key in the filter': ({ Click }) => Click.find({ kind: 'View' }),
  'hooks': ({ Book }) => Book.find({ pages: { $gt: '200' } }).sort('_id'),
  'a static and a query helper': ({ Book }) => Book.long(300).cheap(9),
  'an id that is none': ({ Thing }) => Thing.find({ _id: 'bad' }),
  'an id that is none, in $in': ({ Thing }) => Thing.find({ owner: { $in: ['bad'] } }),
  'a number that is none': ({ Thing }) => Thing.find({ count: { $gt: 'many' } }),
  'a date that is none': ({ Thing }) => Thing.find({ at: 'some day' }),
  'a filter that is none': ({ Thing }) => Thing.find('text'),
};

const OTHERS = {
  'findOne': ({ Thing }) => Thing.findOne({ count: '5' }),
  'findOne, sorted and selected': ({ Thing }) => Thing.findOne({}, 'n', { sort: { _id: -1 } }),
  'findOne, none': ({ Thing }) => Thing.findOne({ n: 'nobody' }),
  'findOne, orFail': ({ Thing }) => Thing.findOne({ n: 'nobody' }).orFail(),
  'findById, text': ({ Thing }) => Thing.findById(hex('d', 4)),
  'findById, an ObjectId': ({ Thing }, { Types }) => Thing.findById(new Types.ObjectId(hex('d', 4)), 'n'),
  'findById, absent': ({ Thing }) => Thing.findById(hex('f', 4)),
  'findById, no id': ({ Thing }) => Thing.findById('bad'),
  'findById, 12 characters': ({ Thing }) => Thing.findById('blablablabla'),
  'findById, a number': ({ Thing }) => Thing.findById(5),
  'findById, no id and orFail': ({ Thing }) => Thing.findById('bad').orFail(),
  'findById, undefined': ({ Thing }) => Thing.findById(undefined),
  'findById, null': ({ Thing }) => Thing.findById(null),
  'findById, a discriminator': ({ Click }) => Click.findById('1'),
  'exists': ({ Thing }) => Thing.exists({ count: '5' }),
  'exists, none': ({ Thing }) => Thing.exists({ n: 'nobody' }),
  'countDocuments': ({ Thing }) => Thing.countDocuments(),
  'countDocuments, cast': ({ Thing }) => Thing.countDocuments({ count: { $gte: '5' }, owner: author }),
  'countDocuments, skip and limit': ({ Thing }) => Thing.countDocuments({}, { skip: 3, limit: 5 }),
  'countDocuments, a discriminator': ({ Click }) => Click.countDocuments(),
  'countDocuments of a find': ({ Thing }) => Thing.find({ on: 'true' }).countDocuments(),
  'estimatedDocumentCount': ({ Thing }) => Thing.estimatedDocumentCount(),
  'distinct': ({ Thing }) => Thing.distinct('owner', { count: { $gt: '3' } }),
  'distinct, a discriminator': ({ Click }) => Click.distinct('path'),
  'aggregate': ({ Thing }) => Thing.aggregate([{ $match: { count: { $gt: 3 } } }, { $sort: { _id: 1 } }, { $limit: 3 }]),
  'aggregate, nothing is cast': ({ Thing }) => Thing.aggregate([{ $match: { count: '5' } }]),
  'aggregate, chained': ({ Thing }) => Thing.aggregate().match({ on: true }).sort('_id').limit(2),
  'aggregate, a discriminator': ({ Click }) => Click.aggregate([{ $sort: { _id: 1 } }]),
};

/** What the dev server cannot do. */
const NOT_ON_THE_DEV_SERVER = {
  'a decimal': ({ Thing }) => Thing.find({ price: '3.50' }),
  'schema options': ({ Strict }) => Strict.find({ name: 'thing 3', nobodyKnows: 1 }),
  'schema options, findOne': ({ Strict }) => Strict.findOne({ name: 'thing 3' }).select('name'),
  'schema options, countDocuments': ({ Strict }) => Strict.countDocuments({ nobodyKnows: 1 }),
  'schema options, distinct': ({ Strict }) => Strict.distinct('name', { count: '5' }),
  'schema options, aggregate': ({ Strict }) => Strict.aggregate([{ $match: { n: 'thing 3' } }]),
  'options of a call': ({ Strict }) => Strict.find({ n: 3 }, null, { read: 'primary', collation: { locale: 'de' }, maxTimeMS: 50, allowDiskUse: true, hint: { n: 1 } }),
  'arrays in arrays': ({ Thing }) => Thing.find({ grid: [['1'], [2]] }),
};

module.exports = { defineThing, defineStrict, things, FINDS, OTHERS, NOT_ON_THE_DEV_SERVER };

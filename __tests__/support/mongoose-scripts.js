'use strict';
// Queries of a service on Mongoose: [name, (models, mongoose) => Promise]. They run with and without acceleration.

const ids = (letter, n) => Array.from({ length: n }, (_, i) => `${letter}${i}`.padStart(24, letter));
const AUTHORS = ids('a', 5);
const BOOKS = ids('b', 40);

/** Plain values to store: [collection, documents], made with a package's own ObjectId. */
function documents(ObjectId) {
  return [
    ['authors', AUTHORS.map((id, i) => ({ _id: new ObjectId(id), name: `Author ${i}`, country: i % 2 ? 'NO' : 'DK', born: new Date(1e12 + i * 864e5) }))],
    ['books', BOOKS.map((id, i) => ({
      _id: new ObjectId(id),
      title: `title ${String(i).padStart(2, '0')}`,
      pages: 100 + i * 7,
      price: i / 4,
      author: new ObjectId(AUTHORS[i % AUTHORS.length]),
      tags: ['paper', `t${i % 3}`],
      reviews: i % 5 === 0 ? [{ _id: new ObjectId(ids('c', 40)[i]), by: new ObjectId(AUTHORS[(i + 1) % 5]), stars: i % 6 }] : [],
      secret: `s${i}`,
      unknown: { kept: i },
      published: new Date(1.5e12 + i * 1e9),
      ...(i % 4 === 0 ? { subtitle: null } : {}),
    }))],
    ['events', Array.from({ length: 12 }, (_, i) => ({ _id: i, kind: i % 3 === 0 ? undefined : i % 3 === 1 ? 'Click' : 'View', at: new Date(1.6e12 + i), x: i, path: `/p${i % 4}` }))],
  ];
}

/** Models with hooks, virtuals, getters, plugins and discriminators; calls of hooks go to `calls`. */
function define(mongoose, connection) {
  const calls = [];
  const { Schema } = mongoose;
  const author = new Schema({ name: { type: String, get: (name) => name?.toUpperCase() }, country: String, born: Date });
  author.virtual('books', { ref: 'Book', localField: '_id', foreignField: 'author', options: { sort: { _id: 1 } } });
  const book = new Schema({
    title: String,
    pages: Number,
    price: Number,
    author: { type: Schema.Types.ObjectId, ref: 'Author' },
    tags: [String],
    reviews: [{ by: { type: Schema.Types.ObjectId, ref: 'Author' }, stars: Number }],
    secret: { type: String, select: false },
    published: Date,
    subtitle: String,
    edition: { type: Number, default: 1 },
  });
  book.virtual('heading').get(function heading() { return `${this.title} (${this.pages})`; });
  book.pre('find', function pre() { calls.push(`pre find ${JSON.stringify(this.getFilter())}`); });
  book.post('find', (found) => { calls.push(`post find ${found.length}`); });
  book.pre('findOne', () => { calls.push('pre findOne'); });
  book.post('findOne', (found) => { calls.push(`post findOne ${found?.title}`); });
  book.pre('countDocuments', () => { calls.push('pre countDocuments'); });
  book.pre('aggregate', () => { calls.push('pre aggregate'); });
  book.post('init', (document) => { if (document.pages === 100) calls.push('post init'); });
  book.statics.long = function long(pages) { return this.find({ pages: { $gte: pages } }).sort({ _id: 1 }); };
  book.query.cheap = function cheap(price) { return this.where('price').lt(price); };
  book.plugin((schema) => schema.method('short', function short() { return this.title.slice(0, 3); }));
  const event = new Schema({ _id: Number, at: Date, path: String }, { discriminatorKey: 'kind' });
  const Event = connection.model('Event', event, 'events');
  return {
    calls,
    Author: connection.model('Author', author, 'authors'),
    Book: connection.model('Book', book, 'books'),
    Event,
    Click: Event.discriminator('Click', new Schema({ x: Number })),
    View: Event.discriminator('View', new Schema({ y: Number })),
  };
}

const SCRIPTS = {
  'lean': ({ Book }) => Book.find().sort({ _id: 1 }).lean(),
  'lean, a filter that is cast': ({ Book }) => Book.find({ author: AUTHORS[1], pages: { $gt: '120' }, published: { $gte: '2017-07-15' } }).sort('_id').lean(),
  'lean, select': ({ Book }) => Book.find().select('title author').sort({ _id: 1 }).limit(4).lean(),
  'lean, select what is left out': ({ Book }) => Book.find().select('+secret').sort({ _id: 1 }).limit(3).lean(),
  'lean, skip, limit and sort': ({ Book }) => Book.find().sort({ price: -1 }).skip(3).limit(7).lean(),
  'lean, flags of plugins that are not there': ({ Book }) => Book.find().sort('_id').limit(2).lean({ virtuals: true, defaults: true, getters: true }),
  'lean, batchSize': ({ Book }) => Book.find().sort({ _id: 1 }).batchSize(7).lean(),
  'hydrated': ({ Book }) => Book.find({ pages: { $lt: 140 } }).sort({ _id: 1 }),
  'hydrated, virtuals, defaults and methods': async ({ Book }) => (await Book.find().sort({ _id: 1 }).limit(3)).map((one) => [one.heading, one.edition, one.short(), one.id, one.isNew, one.isModified(), one.get('unknown.kept')]),
  'hydrated, getters': async ({ Author }) => (await Author.find().sort({ _id: 1 })).map((one) => [one.name, one.toObject({ getters: true }).name, one.toObject().name]),
  'hydrated, changed and validated': async ({ Book }) => {
    const one = await Book.findOne({ title: 'title 03' });
    one.pages = 'many';
    return [one.isModified('pages'), String(await one.validate().catch((error) => error.name))];
  },
  'findOne': ({ Book }) => Book.findOne({ title: 'title 05' }),
  'findOne, lean': ({ Book }) => Book.findOne({ title: 'title 05' }).lean(),
  'findOne, sort and select': ({ Book }) => Book.findOne().sort({ pages: -1 }).select('pages').lean(),
  'findOne, nothing': ({ Book }) => Book.findOne({ title: 'none' }),
  'findById': ({ Book }) => Book.findById(BOOKS[4]).lean(),
  'findById, an invalid id': async ({ Book }) => Promise.all(['bad', 'blablablabla', 5].map((id) => Book.findById(id).catch((error) => `${error.name} ${error.path}`))),
  'findById, none': async ({ Book }) => [await Book.findById(undefined), await Book.findById(null)],
  'findById, orFail': async ({ Book }) => [await Book.findById('bad').orFail().catch((error) => error.name), await Book.findById('f'.repeat(24)).orFail().catch((error) => error.name)],
  'exists': async ({ Book }) => [await Book.exists({ title: 'title 01' }), await Book.exists({ title: 'none' })],
  'a static and a query helper': ({ Book }) => Book.long(300).cheap(9).lean(),
  'where and chains': ({ Book }) => Book.where('pages').gte(120).lte(200).where('tags').in(['t1']).sort('_id').lean(),
  'cursor': async ({ Book }) => {
    const titles = [];
    for await (const one of Book.find().sort({ _id: 1 }).cursor()) titles.push(one.title);
    return titles;
  },
  'cursor, lean, batches': async ({ Book }) => {
    const pages = [];
    for await (const one of Book.find().sort({ _id: 1 }).lean().cursor({ batchSize: 6 })) pages.push(one.pages);
    return pages;
  },
  'cursor, eachAsync': async ({ Book }) => {
    const titles = [];
    await Book.find().sort({ _id: 1 }).cursor().eachAsync((some) => { titles.push(some.map(({ title }) => title)); }, { batchSize: 9 });
    return titles;
  },
  'cursor, left early': async ({ Book }) => {
    const cursor = Book.find().sort({ _id: 1 }).cursor({ batchSize: 3 });
    const first = await cursor.next();
    await cursor.close();
    return [first.title, await cursor.next().catch((error) => error.name)];
  },
  'cursor, as a stream': async ({ Book }) => {
    const titles = [];
    await new Promise((resolve, reject) => {
      Book.find().sort({ _id: 1 }).limit(6).cursor().on('data', ({ title }) => titles.push(title)).on('end', resolve).on('error', reject);
    });
    return titles;
  },
  'async iteration of a query': async ({ Book }) => {
    let pages = 0;
    for await (const one of Book.find()) pages += one.pages;
    return pages;
  },
  'populate': ({ Book }) => Book.find().sort({ _id: 1 }).limit(6).populate('author'),
  'populate, lean': ({ Book }) => Book.find().sort({ _id: 1 }).limit(6).populate('author').lean(),
  'populate, select and match': ({ Book }) => Book.find().sort({ _id: 1 }).limit(6).populate({ path: 'author', select: 'name', match: { country: 'DK' } }).lean(),
  'populate in arrays': ({ Book }) => Book.find({ 'reviews.0': { $exists: true } }).sort({ _id: 1 }).populate('reviews.by').lean(),
  'populate a virtual': ({ Author }) => Author.find().sort({ _id: 1 }).populate({ path: 'books', select: 'title' }).lean(),
  'populate of a populated path': ({ Author }) => Author.find().sort({ _id: 1 }).limit(2).populate({ path: 'books', populate: { path: 'author', select: 'country' } }).lean(),
  'populate later': async ({ Book }) => (await Book.findOne({ title: 'title 02' })).populate('author'),
  'countDocuments': async ({ Book }) => [await Book.countDocuments(), await Book.countDocuments({ pages: { $gte: '200' } }), await Book.find({ tags: 't1' }).countDocuments()],
  'estimatedDocumentCount': ({ Author }) => Author.estimatedDocumentCount(),
  'distinct': async ({ Book }) => [await Book.distinct('tags').then((tags) => tags.sort()), await Book.find({ pages: { $lt: 130 } }).distinct('title').then((titles) => titles.sort())],
  'aggregate': ({ Book }) => Book.aggregate([{ $match: { pages: { $gt: 150 } } }, { $sort: { _id: 1 } }, { $limit: 3 }]),
  'aggregate, a group': async ({ Book }) => (await Book.aggregate().group({ _id: '$author', pages: { $sum: '$pages' } })).sort((a, b) => (String(a._id) < String(b._id) ? -1 : 1)),
  'aggregate, a cursor': async ({ Book }) => {
    const titles = [];
    for await (const one of Book.aggregate([{ $sort: { _id: 1 } }]).cursor({ batchSize: 5 })) titles.push(one.title);
    return titles;
  },
  'discriminators': async ({ Event, Click, View }) => [
    await Event.find().sort({ _id: 1 }), await Click.find({ x: '4' }).lean(), await Click.findById(1).lean(), await Click.find().select('x').sort({ _id: 1 }).lean(),
    await Click.countDocuments(), await View.countDocuments({ path: '/p1' }), await View.find().sort({ _id: 1 }).limit(2),
  ],
  'the collection below': async ({ Book }) => [await Book.collection.find({ pages: { $lt: 115 } }).sort({ _id: 1 }).toArray(), await Book.collection.findOne({ title: 'title 09' }), await Book.collection.countDocuments({})],
  'strictQuery': ({ Book }) => Book.find({ nobodyKnows: 1, title: 'title 01' }).setOptions({ strictQuery: true }).lean(),
  'sanitizeFilter': async ({ Book }) => Book.find({ title: { $ne: 'x' } }).setOptions({ sanitizeFilter: true }).then((found) => found.length, (error) => error.name),
  'a cast error': ({ Book }) => Book.find({ pages: 'many' }).lean().catch((error) => [error.name, error.path]),
  'transform and several at a time': async ({ Book }) => Promise.all(Array.from({ length: 8 }, (_, i) => Book.findOne({ title: `title 0${i}` }).transform((one) => one.pages).lean())),
  'read preference and concern': ({ Book }) => Book.find({ pages: { $lt: 115 } }).read('primary').readConcern('local').sort('_id').lean(),
  'maxTimeMS, comment and hint': ({ Book }) => Book.find({ pages: { $lt: 115 } }).maxTimeMS(5000).comment('why').sort('_id').lean(),
};

/** A session of its own for each read; only where the server has sessions. */
const IN_SESSIONS = {
  'in a session': async ({ Book }) => {
    const session = await Book.startSession();
    try {
      return [
        await Book.find().session(session).sort({ _id: 1 }).limit(2).lean(), await Book.findOne({}, null, { session, sort: { _id: 1 } }).lean(),
        await Book.countDocuments({}, { session }), await Book.aggregate([{ $match: { pages: 100 } }]).session(session),
        await Book.find().session(session).sort({ _id: 1 }).limit(2).populate('author').lean(),
      ];
    } finally {
      await session.endSession();
    }
  },
};

/** What a result shows: hydrated documents as their values, with their class. */
function shown(value) {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value?.toObject === 'function' && value.$isNew !== undefined) return [value.constructor.modelName, value.toObject({ virtuals: true, getters: true })];
  return value;
}

module.exports = { documents, define, SCRIPTS, IN_SESSIONS, shown };

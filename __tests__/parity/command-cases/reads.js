'use strict';
// Every reading method other than find: (collection, options) => Promise, and the options each is called with.

const bson = require('bson');
const official = require('mongodb');

const id = new bson.ObjectId('507f1f77bcf86cd799439011');
const all = (cursor) => cursor.toArray();

/** What every command takes. */
const common = {
  'nothing': undefined,
  'no options': {},
  'maxTimeMS': { maxTimeMS: 100 },
  'a fractional maxTimeMS': { maxTimeMS: 1.5 },
  'a maxTimeMS that is no number': { maxTimeMS: '5' },
  'a text comment': { comment: 'why' },
  'a document as the comment': { comment: { a: 1, b: [id] } },
  'an empty comment': { comment: '' },
  'a null comment': { comment: null },
  'collation': { collation: { locale: 'de', strength: 1 } },
  'a collation that is no object': { collation: 'de' },
  'readConcern': { readConcern: { level: 'majority' } },
  'readConcern as text': { readConcern: 'local' },
  'readConcern as a class': { readConcern: new official.ReadConcern('available') },
  'readPreference': { readPreference: 'secondary' },
  'readPreference with tags': { readPreference: new official.ReadPreference('nearest', [{ dc: 'ny' }], { maxStalenessSeconds: 120 }) },
  'readPreference with hedge': { readPreference: 'nearest', hedge: { enabled: true } },
  'undefined ignored': { ignoreUndefined: true, comment: { a: undefined } },
  'decoding options': { promoteLongs: false, promoteValues: false, bsonRegExp: true },
  'options of writes': { writeConcern: { w: 1 }, bypassDocumentValidation: false },
  'timeoutMS, which has no effect': { timeoutMS: 5000 },
  'an option nobody knows': { nobodyKnows: 1 },
};

const batches = {
  'batchSize': { batchSize: 2 },
  'batchSize 0': { batchSize: 0 },
  'a batchSize that is no number': { batchSize: '2' },
  'maxAwaitTimeMS': { maxAwaitTimeMS: 10 },
};

const hints = {
  'a hint by name': { hint: 'a_1' },
  'a hint by keys': { hint: { a: 1 } },
  'a hint as a Map': { hint: new Map([['b', 1], ['a', 1]]) },
  'an empty hint': { hint: '' },
};

const explains = {
  'explain': { explain: true },
  'explain false': { explain: false },
  'explain by name': { explain: 'executionStats' },
  'explain with maxTimeMS': { explain: { verbosity: 'queryPlanner', maxTimeMS: 5 }, maxTimeMS: 9 },
};

const aggregates = {
  ...common, ...batches, ...hints, ...explains,
  'allowDiskUse': { allowDiskUse: true },
  'allowDiskUse false': { allowDiskUse: false },
  'bypassDocumentValidation': { bypassDocumentValidation: true },
  'let': { let: { x: id } },
  'cursor': { cursor: { batchSize: 5 } },
  'cursor and batchSize': { cursor: { batchSize: 5, x: 1 }, batchSize: 2 },
  'a cursor that is no object': { cursor: 5 },
  'limit and skip, which are stages here': { limit: 3, skip: 1 },
  'everything': {
    maxTimeMS: 7, collation: { locale: 'en' }, readConcern: 'local', let: { v: 1 }, allowDiskUse: true, hint: 'h', comment: 'c', batchSize: 3, maxAwaitTimeMS: 5,
  },
};

const pipelines = {
  'no pipeline': undefined,
  'an empty one': [],
  'stages': [{ $match: { a: id, b: undefined } }, { $group: { _id: '$a', n: { $sum: 1 } } }, { $sort: { n: -1 } }],
  'stages as Maps': [new Map([['$sort', new Map([['b', 1], ['a', -1]])]])],
  'integer names': [{ $sort: { 2: 1, 1: 1 } }],
  'a stage that is none': [5, null, 'x'],
  '$changeStream-like stages': [{ $currentOp: {} }],
};

const builders = {
  'every builder': (c) => c.match({ a: 1 }).group({ _id: '$a' }).project({ a: 1 }).lookup({ from: 'x', as: 'y', localField: 'a', foreignField: 'b' })
    .redact({ $cond: [] }).skip(1).limit(5).sort({ a: -1 }).unwind('$b').geoNear({ near: [0, 0] }).addStage({ $count: 'n' }),
  'batchSize': (c) => c.batchSize(3),
  'maxTimeMS': (c) => c.maxTimeMS(30),
  'a flag': (c) => c.addCursorFlag('noCursorTimeout', true),
  'readConcern': (c) => c.withReadConcern({ level: 'majority' }),
  'readPreference': (c) => c.withReadPreference('nearest'),
  'a clone': (c) => c.match({ a: 1 }).clone(),
  'rewound': (c) => (c.rewind(), c.match({ b: 1 })),
};

const filters = {
  'no filter': undefined,
  'a filter': { a: { $gt: 1 }, b: undefined },
  'a null filter': null,
  'a Map': new Map([['b', 1], ['a', 2]]),
  'an ObjectId': id,
};

/** name: [read, option sets] */
const reads = {
  'aggregate': [(c, options) => all(c.aggregate([{ $match: { a: 1 } }], options)), aggregates],
  'db.aggregate': [(c, options) => all(c.db.aggregate([{ $currentOp: {} }], options)), aggregates],
  'aggregate, explain()': [(c, options) => c.aggregate([{ $match: { a: 1 } }], options).explain(), aggregates],
  'countDocuments': [(c, options) => c.countDocuments({ a: 1 }, options), {
    ...common, ...hints, 'skip and limit': { skip: 1, limit: 5 }, 'limit 0': { limit: 0 }, 'limit as text': { limit: '5' }, 'let': { let: { a: 1 } }, 'batchSize': { batchSize: 2 },
  }],
  'count': [(c, options) => c.count({ a: 1 }, options), { ...common, ...hints, 'skip and limit': { skip: 1, limit: 5, maxTimeMS: 3 }, 'a negative limit': { limit: -5 } }],
  'cursor.count': [(c, options) => c.find({ a: 1 }, { hint: 'h', maxTimeMS: 3, comment: 'c' }).limit(5).skip(2).count(options), { ...common, ...hints, 'true': true, 'limit': { limit: 7 } }],
  'estimatedDocumentCount': [(c, options) => c.estimatedDocumentCount(options), common],
  'distinct': [(c, options) => c.distinct('a', { b: 1 }, options), { ...common, ...hints, ...explains }],
  'listIndexes': [(c, options) => all(c.listIndexes(options)), { ...common, ...batches, 'explain': { explain: true } }],
  'indexes': [(c, options) => c.indexes(options), { ...common, 'full false': { full: false } }],
  'indexInformation': [(c, options) => c.indexInformation(options), { ...common, 'full': { full: true } }],
  'indexExists': [(c, options) => c.indexExists(['a', 'b'], options), common],
  'listSearchIndexes': [(c, options) => all(c.listSearchIndexes('x', options)), { 'nothing': undefined, 'comment': { comment: 'c' }, 'batchSize': { batchSize: 3 } }],
  'options': [(c, options) => c.options(options), common],
  'isCapped': [(c, options) => c.isCapped(options), common],
  'listCollections': [(c, options) => all(c.db.listCollections({ name: 'x' }, options)), {
    ...common, ...batches, 'explain': { explain: true }, 'nameOnly': { nameOnly: true }, 'authorizedCollections': { authorizedCollections: true, nameOnly: 1 },
  }],
  'collections': [async (c, options) => (await c.db.collections(options)).map((one) => one.namespace), common],
  'db.indexInformation': [(c, options) => c.db.indexInformation('x', options), common],
  'stats': [(c, options) => c.db.stats(options), { ...common, 'scale': { scale: 1024 } }],
  'profilingLevel': [(c, options) => c.db.profilingLevel(options), common],
  'db.command': [(c, options) => c.db.command({ count: 'x', query: { a: id, b: undefined }, maxTimeMS: 5 }, options), common],
  'admin.command': [(c, options) => c.db.admin().command({ getParameter: 1, b: undefined }, options), common],
  'listDatabases': [(c, options) => c.db.admin().listDatabases(options), {
    ...common, 'nameOnly': { nameOnly: true }, 'filter': { filter: { name: /^a/ } }, 'authorizedDatabases': { authorizedDatabases: false }, 'nameOnly as a number': { nameOnly: 1 },
  }],
  'buildInfo': [(c, options) => c.db.admin().buildInfo(options), common],
  'serverInfo': [(c, options) => c.db.admin().serverInfo(options), common],
  'serverStatus': [(c, options) => c.db.admin().serverStatus(options), common],
  'replSetGetStatus': [(c, options) => c.db.admin().replSetGetStatus(options), common],
  'validateCollection': [(c, options) => c.db.admin().validateCollection('x', options), { 'nothing': undefined, 'background': { background: true }, 'maxTimeMS': { maxTimeMS: 5 } }],
  'runCursorCommand': [(c, options) => all(c.db.runCursorCommand({ find: 'echo_more', filter: { a: undefined }, batchSize: 2 }, options)), {
    'nothing': undefined, 'decoding options': { promoteLongs: false }, 'undefined ignored': { ignoreUndefined: true }, 'batchSize and comment': { batchSize: 3, comment: 'c' },
  }],
  'runCursorCommand, set': [(c) => all(c.db.runCursorCommand({ find: 'echo_more', filter: {} }).setBatchSize(5).setComment({ a: 1 }).setMaxTimeMS(7)), { nothing: undefined }],
};

/** name -> (collection) => Promise: arguments other than options. */
const calls = {
  ...Object.fromEntries(Object.entries(pipelines).map(([name, pipeline]) => [`aggregate: ${name}`, (c) => all(c.aggregate(pipeline))])),
  ...Object.fromEntries(Object.entries(builders).map(([name, build]) => [`aggregate by the chain: ${name}`, (c) => all(build(c.aggregate([])))])),
  ...Object.fromEntries(Object.entries(builders).map(([name, build]) => [`listIndexes by the chain: ${name}`, (c) => all(build(c.listIndexes({ comment: 'c' })))])
    .filter(([name]) => !/builder|clone|rewound/.test(name))),
  ...Object.fromEntries(Object.entries(builders).map(([name, build]) => [`listCollections by the chain: ${name}`, (c) => all(build(c.db.listCollections({ a: 1 }, { nameOnly: true })))])
    .filter(([name]) => !/builder|clone|rewound/.test(name))),
  ...Object.fromEntries([[], [true], ['queryPlanner'], [{ verbosity: 'executionStats', maxTimeMS: 4 }], [{ maxTimeMS: 4 }], [{ timeoutMS: 4 }], ['queryPlanner', { timeoutMS: 4 }], [undefined, { timeoutMS: 4 }], [null]]
    .flatMap((args) => [
      [`aggregate: explain(${JSON.stringify(args)})`, (c) => c.aggregate([{ $match: {} }], { maxTimeMS: 9, batchSize: 2 }).explain(...args)],
      [`find: explain(${JSON.stringify(args)})`, (c) => c.find({ a: 1 }, { maxTimeMS: 9 }).explain(...args)],
    ])),
  ...Object.fromEntries(Object.entries(explains).map(([name, options]) => [`find, option ${name}`, (c) => all(c.find({ a: 1 }, options))])),
  ...Object.fromEntries(Object.entries(explains).map(([name, options]) => [`findOne, option ${name}`, (c) => c.findOne({ a: 1 }, options)])),
  'find: the query modifier $explain': (c) => all(c.find({ a: 1 }).addQueryModifier('$explain', true)),
  ...Object.fromEntries(Object.entries(filters).flatMap(([name, filter]) => [
    [`countDocuments: ${name}`, (c) => c.countDocuments(filter)],
    [`count: ${name}`, (c) => c.count(filter)],
    [`distinct: ${name}`, (c) => c.distinct('a', filter)],
    [`listCollections: ${name}`, (c) => all(c.db.listCollections(filter))],
  ])),
  'distinct: a key that is no text': (c) => c.distinct(5),
  'indexExists: one name': (c) => c.indexExists('a'),
  'listSearchIndexes: no name': (c) => all(c.listSearchIndexes()),
  'listSearchIndexes: options only': (c) => all(c.listSearchIndexes({ comment: 'c' })),
  'listCollections: a clone': (c) => all(c.db.listCollections({ a: 1 }, { batchSize: 2 }).batchSize(5).clone()),
  'listIndexes: a clone': (c) => all(c.listIndexes({ comment: 'x' }).batchSize(5).maxTimeMS(3).clone()),
  'getMore of an aggregation': (c) => all(c.db.collection('echo_more').aggregate([], { batchSize: 2, comment: 'c', maxAwaitTimeMS: 7 })),
  'getMore of an aggregation, limit': (c) => all(c.db.collection('echo_more').aggregate([], { batchSize: 2, limit: 3 })),
  'getMore of an aggregation, a new batchSize': (c) => all(c.db.collection('echo_more').aggregate([], { batchSize: 2 }).batchSize(9)),
};

const clients = {
  'serverApi': { client: { serverApi: { version: '1', strict: true } } },
  'read concern and preference of the client': { client: { readConcernLevel: 'majority', readPreference: 'secondaryPreferred' } },
  'read concern and preference of the database': { db: { readConcern: { level: 'local' }, readPreference: 'nearest' } },
  'read concern and preference of the collection': { collection: { readConcern: { level: 'available' }, readPreference: 'nearest' }, db: { readPreference: 'secondaryPreferred' } },
  'undefined ignored by the client': { client: { ignoreUndefined: true } },
};

module.exports = { reads, calls, clients };

// What the compiler infers. A line under "@ts-expect-error" must not compile: one that does is an error itself.
import {
  accelerate, AggregationCursor, BatchCursor, BSON, Collection, Db, deepEqual, FindCursor, LazyDocument, ListCollectionsCursor, Long,
  Model, MongoAPIError, MongoClient, MongoError, MongoNetworkError, MongoServerError, ObjectId, ReadPreference, Schema, shadow,
  shadowCollection, ShadowSummary, version, WorkerPool,
} from 'rumongo-go';
import type {
  CollectionInfo, CommandStartedEvent, Divergence, Document, Filter, FindOptions, IndexDescriptionCompact, IndexDescriptionInfo, JSONStream,
  MongoClientOptions, OptionalId, PropertyType, StrictFilter, TopologyDescription, WithId,
} from 'rumongo-go';
import type * as official from 'mongodb';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
declare function same<A, B>(answer: Same<A, B>): void;

interface Order {
  _id: number;
  customer: string;
  total: number;
  open?: boolean;
  tags: string[];
  address: { city: string; at: { lat: number; lon: number } };
  lines: { sku: string; price: number }[];
  placed: Date;
  owner: ObjectId;
}
interface Note {
  text: string;
}

declare const client: MongoClient;
declare const orders: Collection<Order>;
declare const notes: Collection<Note>;
declare const any: Collection;

// ---- documents and ids

same<WithId<Note>['_id'], ObjectId>(true);
same<WithId<Order>['_id'], number>(true);
same<WithId<Document>, Document & { _id: ObjectId }>(true);
same<OptionalId<Order>['_id'], number | undefined>(true);
same<WithId<Note>, official.WithId<Note>>(true);
same<Parameters<typeof notes.find>[0], Filter<Note> | string | undefined>(true);

// ---- find

const found = orders.find({ total: { $gt: 10 } });
same<typeof found, FindCursor<WithId<Order>>>(true);
const projected = orders.find<{ customer: string }>({}, { projection: { customer: 1 } });
same<typeof projected, FindCursor<{ customer: string }>>(true);
const chained = found.sort({ total: -1 }).limit(3).hint('total_1').project<{ total: number }>({ total: 1 });
same<typeof chained, FindCursor<{ total: number }>>(true);
const mapped = found.map((order) => order.customer.length);
same<typeof mapped, FindCursor<number>>(true);
const mappedLater = found.map(async (order) => order.placed);
same<typeof mappedLater, FindCursor<Date>>(true);

export async function reads() {
  same<Awaited<typeof found>, WithId<Order>[]>(true);
  const list = await orders.find();
  same<typeof list, WithId<Order>[]>(true);
  const array = await mapped.toArray();
  same<typeof array, number[]>(true);
  const one = await orders.findOne({ customer: 'Ada' });
  same<typeof one, WithId<Order> | null>(true);
  const part = await orders.findOne<Pick<Order, 'total'>>({ customer: 'Ada' }, { projection: { total: 1 } });
  same<typeof part, Pick<Order, 'total'> | null>(true);
  const byId = await notes.findById('507f1f77bcf86cd799439011');
  same<typeof byId, WithId<Note> | null>(true);
  for await (const order of found) same<typeof order, WithId<Order>>(true);
  const next = await found.next();
  same<typeof next, WithId<Order> | null>(true);
  const id = found.id;
  same<typeof id, Long | undefined>(true);

  const free = await any.find({ anything: 1 });
  same<(typeof free)[0]['anything'], any>(true);

  // lazy documents and batches
  const lazy = await orders.findLazy();
  same<typeof lazy, LazyDocument<WithId<Order>>[]>(true);
  const plain = lazy[0]!.toObject();
  same<typeof plain, WithId<Order>>(true);
  same<(typeof lazy)[0]['total'], number>(true);
  const batches = await orders.findCursor();
  same<typeof batches, BatchCursor<LazyDocument<WithId<Order>>>>(true);
  const plainBatches = await orders.findCursor({}, { lazy: false });
  const batch = await plainBatches.nextBatch();
  same<typeof batch, WithId<Order>[] | null>(true);

  // aggregate, distinct, numbers
  const groups = orders.aggregate<{ _id: string; sum: number }>([{ $group: { _id: '$customer', sum: { $sum: '$total' } } }]);
  same<typeof groups, AggregationCursor<{ _id: string; sum: number }>>(true);
  const sums = await groups.match({ sum: 1 }).project<{ sum: number }>({ sum: 1 }).toArray();
  same<typeof sums, { sum: number }[]>(true);
  const untyped = await orders.aggregate([]).next();
  same<typeof untyped, Document | null>(true);
  const tags = await orders.distinct('tags');
  same<typeof tags, string[]>(true);
  const customers = await orders.distinct('customer', { open: true });
  same<typeof customers, string[]>(true);
  const cities = await orders.distinct('address.city');
  same<typeof cities, any[]>(true);
  const plan = await orders.distinct('customer', {}, { explain: true });
  same<typeof plan, Document>(true);
  const count = await orders.countDocuments({ open: true }, { limit: 5 });
  same<typeof count, number>(true);

  // Columns
  const table = await orders.findColumns({}, { columns: { total: 'float64', 'address.city': 'utf8', at: 'date', kind: 'dictionary' }, strict: true });
  same<typeof table.columns.total.values, Float64Array>(true);
  const city = table.columns['address.city'].at(0);
  same<typeof city, string | null | undefined>(true);
  same<typeof table.columns.at.values, BigInt64Array>(true);
  same<typeof table.columns.kind.dictionary.offsets, Int32Array>(true);
  const kinds = [...table.columns.kind];
  same<typeof kinds, (string | null)[]>(true);
  for await (const batch of orders.streamColumns({}, { columns: { total: 'int64' }, batchRows: 10 })) {
    const total = batch.columns.total.at(0);
    same<typeof total, bigint | null | undefined>(true);
  }
  const inferred = await orders.findColumns();
  same<(typeof inferred.columns)[string]['length'], number>(true);
  // @ts-expect-error no such type
  await orders.findColumns({}, { columns: { total: 'int16' } });
  // @ts-expect-error of a stream only
  await orders.findColumns({}, { batchRows: 5 });

  // JSON
  const body = await orders.findJSON({}, { mode: 'relaxed', single: true });
  same<typeof body, Buffer>(true);
  const stream = orders.streamJSON({}, { format: 'ndjson', compress: 'zstd' });
  same<typeof stream, JSONStream>(true);
  new Response(stream.toWeb());
  // @ts-expect-error no such mode
  await orders.findJSON({}, { mode: 'yaml' });
  // @ts-expect-error of a stream only
  await orders.findJSON({}, { compress: 'gzip' });
  // @ts-expect-error of a whole text only
  orders.streamJSON({}, { maxBytes: 5 });

  // lists
  const names = await client.db('shop').listCollections({}, { nameOnly: true }).toArray();
  same<typeof names, Pick<CollectionInfo, 'name' | 'type'>[]>(true);
  const collections = client.db('shop').listCollections({}, { nameOnly: false });
  same<typeof collections, ListCollectionsCursor<CollectionInfo>>(true);
  const indexes = await orders.indexes();
  same<typeof indexes, IndexDescriptionInfo[]>(true);
  const compact = await orders.indexInformation();
  same<typeof compact, IndexDescriptionCompact>(true);
}

// ---- filters

const filters: Filter<Order>[] = [
  { customer: 'Ada', total: 5, tags: 'new', owner: new ObjectId() },
  { tags: ['new', 'old'] },
  { customer: /^A/, total: { $in: [1, 2], $exists: true, $mod: [2, 0] } },
  { customer: { $regex: '^A', $options: 'i', $not: /b/ }, tags: { $size: 2, $all: ['new'] } },
  { $or: [{ open: true }, { open: { $exists: false } }], $and: [{ total: { $gte: 1 } }] },
  { $text: { $search: 'coffee' }, $where: function () { return this.total > 5; } },
  { 'address.city': 'Paris', 'lines.0.price': { $gt: 5 }, lines: { $elemMatch: { sku: 'a' } } },
  { address: { city: 'Paris', at: { lat: 1, lon: 2 } }, placed: { $type: 'date', $lt: new Date() } },
  { _id: { $gt: 5 } },
];
declare const officialFilter: official.Filter<Order>;
filters.push(officialFilter); // one that is used for writes, too
// @ts-expect-error not a text
orders.find({ customer: 5 });
// @ts-expect-error a list of numbers
orders.find({ total: { $in: ['1'] } });
// @ts-expect-error only for text
orders.find({ total: { $regex: 'a' } });
// @ts-expect-error not of the literal's values
orders.find({ _id: 'x' });
// @ts-expect-error no array
orders.find({ customer: { $size: 1 } });
// @ts-expect-error no filter
orders.find(5);

const strict: StrictFilter<Order>[] = [
  { 'address.city': 'Paris', 'address.at.lat': { $gt: 5 }, 'lines.price': { $lt: 3 }, 'lines.0.sku': 'a', 'tags.1': 'new', total: 5 },
  { $or: [{ total: 5 }] },
];
same<PropertyType<Order, 'address.at.lat'>, number>(true);
same<PropertyType<Order, 'lines.3.sku'>, string>(true);
// @ts-expect-error latitudes are numbers
const strictValue: StrictFilter<Order> = { 'address.at.lat': 'north' };
// @ts-expect-error there is no such field
const strictName: StrictFilter<Order> = { 'address.town': 'Paris' };

// A document that holds itself ends.
interface Tree {
  name: string;
  left?: Tree;
  children: Tree[];
}
const tree: StrictFilter<Tree> = { 'left.left.name': 'a', 'children.children.name': { $ne: 'b' } };

// ---- options

orders.find({}, { sort: { total: -1 }, projection: { _id: 0 }, signal: AbortSignal.timeout(5), readPreference: ReadPreference.nearest });
orders.find({}, { sort: new Map([['total', -1]] as const), readConcern: 'majority', readAheadBytes: 1, ejson: false });
orders.find('{"open":true}').sort([['total', 'desc']]).collation({ locale: 'fr' });
// @ts-expect-error no such option
orders.find({}, { sortt: { total: 1 } });
// @ts-expect-error no such direction
orders.find({}, { sort: { total: 'up' } });
// @ts-expect-error no such mode
orders.find({}, { readPreference: 'nearby' });
declare const session: official.ClientSession;
// @ts-expect-error reads in sessions are the official driver's
orders.find({}, { session });
declare const officialFindOptions: Omit<official.FindOptions, 'session'>;
const findOptions: FindOptions = officialFindOptions;
declare const officialClientOptions: Pick<official.MongoClientOptions, 'maxPoolSize' | 'readPreference' | 'compressors' | 'tls' | 'serverApi' | 'readConcern' | 'w' | 'writeConcern'>;
const clientOptions: MongoClientOptions = officialClientOptions;
new MongoClient('mongodb://localhost', { connectTimeoutMs: 5, tracing: { enabled: true }, bson: BSON });
// @ts-expect-error no such option
new MongoClient('mongodb://localhost', { poolSize: 5 });
// @ts-expect-error in the connection string only
new MongoClient('mongodb://localhost', { loadBalanced: true });
// @ts-expect-error the core has no hooks
new MongoClient('mongodb://localhost', { checkServerIdentity: () => undefined });

same<typeof client.options.maxPoolSize, number>(true);
// @ts-expect-error they are settled
client.options.maxPoolSize = 5;

// ---- what is refused does not compile

// @ts-expect-error writes
orders.insertOne({});
// @ts-expect-error writes
orders.updateMany({}, {});
// @ts-expect-error writes, without an argument, too
orders.drop();
// @ts-expect-error sessions
client.startSession();
// @ts-expect-error change streams
client.db().watch();
// @ts-expect-error writes
orders.aggregate([]).out('elsewhere');
// @ts-expect-error made by db.collection()
new Collection();

// ---- an async function cannot give a cursor that can be awaited: its caller has the array

const giveAway = async () => orders.find();
export async function taken() {
  const given = await giveAway();
  same<typeof given, WithId<Order>[]>(true);
  // @ts-expect-error no cursor any more
  given.toArray();
}

// ---- events

client.on('commandStarted', (event) => {
  same<typeof event, CommandStartedEvent>(true);
  const { command }: { command: Document } = event;
  return command;
});
client.once('topologyDescriptionChanged', ({ newDescription }) => same<typeof newDescription, TopologyDescription>(true));
client.prependListener('connectionClosed', (event) => same<typeof event.reason, 'idle' | 'stale' | 'poolClosed' | 'error'>(true));
client.on('my own', (what: string) => what);
// @ts-expect-error not a member of the event
client.on('commandFailed', (event) => event.reply);
const chain: MongoClient = client.off('open', () => undefined).removeAllListeners();
found.once('close', () => undefined);

// ---- errors

export function code(error: unknown): number | string | undefined {
  if (error instanceof MongoServerError) {
    same<typeof error.codeName, string | undefined>(true);
    return error.errorResponse.errmsg ?? error.code;
  }
  if (error instanceof MongoNetworkError) return error.errorLabels.length;
  if (error instanceof MongoAPIError || error instanceof MongoError) return String(error.cause);
  return undefined;
}
declare const someError: MongoServerError;
const asOfficial: official.MongoError = someError;

// ---- accelerate() keeps the type

declare const officialOrders: official.Collection<Order>;
declare const officialClient: official.MongoClient;
const fast = accelerate(officialOrders, { readAhead: true });
same<typeof fast, official.Collection<Order>>(true);
same<ReturnType<typeof accelerate<official.MongoClient>>, official.MongoClient>(true);
const restored = accelerate.restore(officialClient);
same<typeof restored, official.MongoClient>(true);
same<ReturnType<typeof accelerate.status>['reason'], string | null>(true);
// @ts-expect-error no object
accelerate('mongodb://localhost');
// @ts-expect-error no such option
accelerate(officialOrders, { readahead: true });

// ---- models, pools, shadow mode

const model = Model.define(orders, { customer: 1, total: Number });
same<typeof model, Model<Order>>(true);
Model.define(orders, new Schema({ customer: String }));
// @ts-expect-error a collection of the official driver
Model.define(officialOrders, { customer: 1 });

export async function beside(pool: WorkerPool, summary: ShadowSummary) {
  const one = await model.findOne({ customer: 'Ada' });
  same<typeof one, WithId<Order> | null>(true);
  const { acc, count } = await pool.reduce('shop', 'orders', {}, { lazy: true }, (sum: number, order: Order) => sum + order.total, 0);
  same<typeof acc, number>(true);
  same<typeof count, number>(true);
  // @ts-expect-error the accumulator is a number
  await pool.reduce('shop', 'orders', {}, null, (sum: number) => `${sum}`, 0);
  const spread = await pool.reduce('shop', 'orders', null, { timeoutMS: 5000 }, (sum: number, order: Order) => sum + order.total, 0, { combine: (a, b) => a + b });
  same<typeof spread.acc, number>(true);
  await pool.reduce('shop', 'orders', null, null, { module: '/reducers.js', export: 'sum' }, 0);
  const totals = await pool.map('shop', 'orders', {}, { batchSize: 500 }, (found: Order[], call) => ({ call, totals: Float64Array.from(found, (order) => order.total) }));
  same<(typeof totals)[0]['call'], number>(true);
  // @ts-expect-error documents cannot be handed over
  await pool.map('shop', 'orders', {}, null, (found: Order[]) => found.map((order) => order.placed));
  const answer = await pool.run<string>({ module: new URL('file:///tasks.js'), export: 'task' }, [1], { timeoutMS: 5000, transfer: [new ArrayBuffer(1)] });
  same<typeof answer, string>(true);
  await pool.close({ force: true });
  const both = await shadow(({ signal }) => orders.find({}, { signal }), () => officialOrders.find().toArray(), (divergence) => {
    same<typeof divergence, Divergence>(true);
  });
  same<typeof both, official.WithId<Order>[]>(true);
  const watched = shadowCollection(officialOrders, orders, { sampleRate: 0.1, summary });
  const same1: official.Collection<Order> = watched;
  return [same1, watched.shadowSummary.toJSON().different, deepEqual(1, 1), version.length];
}

export { asOfficial, chain, clientOptions, Db, findOptions, strict, strictName, strictValue, tree };

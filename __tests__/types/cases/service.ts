// A service as it is written for the official driver. The test compiles it as it is, and once more with the package of
// its import replaced.
import { MongoClient, MongoError, MongoNetworkError, MongoServerError, ObjectId, ReadPreference, Long } from 'mongodb';
import type {
  AbstractCursor, AggregateOptions, AggregationCursor, Collection, CollationOptions, CommandFailedEvent, CommandStartedEvent,
  CommandSucceededEvent, ConnectionPoolClearedEvent, CountDocumentsOptions, Db, Document, Filter, FindCursor, FindOptions,
  MongoClientOptions, ServerHeartbeatFailedEvent, Sort, TopologyDescriptionChangedEvent, WithId,
} from 'mongodb';

// ---- what is stored

interface Address {
  street: string;
  city: string;
  location?: { type: 'Point'; coordinates: [number, number] };
}

interface User {
  _id: ObjectId;
  name: string;
  email: string;
  age?: number;
  roles: ('admin' | 'editor' | 'reader')[];
  address?: Address;
  createdAt: Date;
  logins: Long;
}

interface Order {
  _id: string;
  userId: ObjectId;
  lines: { sku: string; quantity: number; price: number }[];
  status: 'open' | 'paid' | 'shipped';
  placedAt: Date;
  note: string | null;
}

interface Visit {
  path: string;
  at: Date;
}

type UserSummary = Pick<User, '_id' | 'name'>;
interface CityTotal {
  _id: string;
  total: number;
  customers: number;
}

// ---- repositories

export abstract class Repository<T extends Document> {
  protected constructor(protected readonly collection: Collection<T>) {}

  async byFilter(filter: Filter<T>, options: FindOptions = {}): Promise<WithId<T>[]> {
    return await this.collection.find(filter, { maxTimeMS: 2000, ...options }).toArray();
  }

  async first(filter: Filter<T>, sort?: Sort): Promise<WithId<T> | null> {
    return await this.collection.findOne(filter, { sort });
  }

  async count(filter: Filter<T> = {}, options?: CountDocumentsOptions): Promise<number> {
    return await this.collection.countDocuments(filter, options);
  }

  async mapped<R>(filter: Filter<T>, transform: (document: WithId<T>) => R): Promise<R[]> {
    return await this.collection.find(filter).map(transform).toArray();
  }

  protected pipeline<R extends Document>(stages: Document[], options?: AggregateOptions): AggregationCursor<R> {
    return this.collection.aggregate<R>(stages, { allowDiskUse: true, ...options });
  }
}

export class Users extends Repository<User> {
  private static readonly collation: CollationOptions = { locale: 'en', strength: 2 };

  constructor(db: Db) {
    super(db.collection<User>('users', { readPreference: ReadPreference.secondaryPreferred }));
  }

  async byId(id: string): Promise<User | null> {
    return await this.collection.findOne({ _id: new ObjectId(id) });
  }

  async byEmail(email: string): Promise<UserSummary | null> {
    return await this.collection.findOne<UserSummary>({ email }, { projection: { name: 1 }, collation: Users.collation });
  }

  async adultsIn(city: string, page: number): Promise<{ name: string; age: number }[]> {
    const cursor = this.collection
      .find({ 'address.city': city, age: { $gte: 18 }, roles: { $in: ['reader', 'editor'] } })
      .sort({ age: -1, name: 1 })
      .skip(page * 20)
      .limit(20)
      .project<{ name: string; age: number }>({ _id: 0, name: 1, age: 1 });
    return await cursor.toArray();
  }

  async search(text: string): Promise<WithId<User>[]> {
    const filter: Filter<User> = {
      $or: [{ name: { $regex: text, $options: 'i' } }, { email: /@example\.com$/ }, { roles: 'admin' }],
      createdAt: { $gt: new Date(0), $lte: new Date() },
      address: { $exists: true },
      logins: { $ne: Long.fromNumber(0) },
    };
    return await this.byFilter(filter, { hint: { name: 1 }, comment: 'search', batchSize: 100 });
  }

  async *all(signal?: AbortSignal): AsyncGenerator<User> {
    for await (const user of this.collection.find({}, { signal, noCursorTimeout: true })) yield user;
  }

  async names(): Promise<string[]> {
    return await this.collection.distinct('name', { age: { $exists: true } });
  }

  async roles(): Promise<User['roles'][number][]> {
    return await this.collection.distinct('roles');
  }

  async mostActive(): Promise<User | undefined> {
    const cursor = this.collection.find().sort('logins', -1).limit(1);
    try {
      const user = await cursor.next();
      return user ?? undefined;
    } finally {
      await cursor.close();
    }
  }
}

export class Orders extends Repository<Order> {
  constructor(db: Db) {
    super(db.collection<Order>('orders'));
  }

  totals(since: Date): AggregationCursor<CityTotal> {
    return this.pipeline<CityTotal>([
      { $match: { placedAt: { $gte: since }, status: { $ne: 'open' } } },
      { $lookup: { from: 'users', localField: 'userId', foreignField: '_id', as: 'user' } },
      { $unwind: '$user' },
      { $group: { _id: '$user.address.city', total: { $sum: '$total' }, customers: { $sum: 1 } } },
    ]).sort({ total: -1 });
  }

  async largest(): Promise<number> {
    let largest = 0;
    await this.collection.find({ 'lines.0': { $exists: true }, note: null }).forEach((order) => {
      const sum = order.lines.reduce((all, line) => all + line.quantity * line.price, 0);
      if (sum > largest) largest = sum;
    });
    return largest;
  }

  async ids(status: Order['status']): Promise<string[]> {
    const cursor: FindCursor<string> = this.collection.find({ status }).map((order) => order._id);
    const ids: string[] = [];
    while (await cursor.hasNext()) {
      const id = await cursor.next();
      if (id !== null) ids.push(id);
    }
    return ids;
  }

  export(target: NodeJS.WritableStream): void {
    const stream = this.collection.find().batchSize(500).stream();
    stream.on('error', (error: Error) => console.error(error.message));
    stream.pipe(target);
  }

  async plan(): Promise<Document> {
    return await this.collection.find({ status: 'open' }).explain('executionStats');
  }
}

/** A helper over any cursor. */
async function drain<T>(cursor: AbstractCursor<T>, most: number): Promise<T[]> {
  const out: T[] = [];
  for (let item = await cursor.tryNext(); item !== null && out.length < most; item = await cursor.tryNext()) out.push(item);
  out.push(...cursor.readBufferedDocuments());
  cursor.rewind();
  return out;
}

// ---- errors

export function explainError(error: unknown): { status: number; reason: string } {
  if (error instanceof MongoServerError) {
    return { status: error.code === 50 ? 504 : 500, reason: `${error.codeName ?? 'unknown'}: ${error.errorResponse.errmsg ?? error.message}` };
  }
  if (error instanceof MongoNetworkError) return { status: 503, reason: error.hasErrorLabel('RetryableError') ? 'again' : error.message };
  if (error instanceof MongoError) return { status: 500, reason: `${error.name} ${error.errorLabels.join()}` };
  throw error;
}

// ---- the service

const options: MongoClientOptions = {
  appName: 'shop',
  maxPoolSize: 20,
  minPoolSize: 2,
  serverSelectionTimeoutMS: 5000,
  retryReads: true,
  retryWrites: true,
  w: 'majority',
  compressors: ['zstd', 'none'],
  readPreference: 'secondaryPreferred',
  readConcern: { level: 'majority' },
  monitorCommands: true,
  promoteLongs: false,
  tls: true,
  auth: { username: 'shop', password: 'secret' },
  serverApi: { version: '1', strict: true },
};

export class Shop implements AsyncDisposable {
  readonly #client: MongoClient;
  readonly users: Users;
  readonly orders: Orders;
  readonly visits: Collection<Visit>;
  slow: { command: string; ms: number }[] = [];
  #started = new Map<number, CommandStartedEvent>();

  constructor(uri: string) {
    this.#client = new MongoClient(uri, options);
    const db = this.#client.db('shop', { readConcern: undefined });
    this.users = new Users(db);
    this.orders = new Orders(db);
    this.visits = db.collection('visits');
    this.#watch();
  }

  #watch(): void {
    this.#client
      .on('commandStarted', (event) => this.#started.set(event.requestId, event))
      .on('commandSucceeded', ({ requestId, commandName, duration }: CommandSucceededEvent) => {
        this.#started.delete(requestId);
        if (duration > 100) this.slow.push({ command: commandName, ms: duration });
      })
      .on('commandFailed', (event: CommandFailedEvent) => console.error(event.address, event.failure.message));
    this.#client.once('connectionPoolCleared', (event: ConnectionPoolClearedEvent) => console.warn(event.address, event.time.toISOString()));
    this.#client.on('topologyDescriptionChanged', (event: TopologyDescriptionChangedEvent) => {
      for (const [address, server] of event.newDescription.servers) console.log(address, server.type, server.roundTripTime);
    });
    this.#client.addListener('serverHeartbeatFailed', (event: ServerHeartbeatFailedEvent) => console.warn(event.connectionId, event.failure));
  }

  async start(): Promise<this> {
    this.#client.appendMetadata({ name: 'shop', version: '1.2' });
    await this.#client.connect();
    console.log(this.#client.options.hosts.join(), this.#client.options.dbName);
    const { databases } = await this.#client.db().admin().listDatabases({ nameOnly: true });
    const collections = await this.#client.db('shop').listCollections({}, { nameOnly: true }).toArray();
    const indexes = await this.visits.indexes();
    const { ok } = await this.#client.db('admin').command({ ping: 1 });
    console.log(databases.map((database) => database.name), collections[0]?.name, indexes[0]?.name, ok);
    return this;
  }

  async overview(): Promise<{ users: number; cities: CityTotal[]; paths: string[]; last: Date | undefined }> {
    const since = new Date(Date.now() - 86_400_000);
    const [users, cities, visits] = await Promise.all([
      this.users.count({ createdAt: { $gte: since } }, { limit: 1000 }),
      drain(this.orders.totals(since), 10),
      this.visits.find({ at: { $gte: since } }, { projection: { path: 1, at: 1 }, sort: [['at', -1]], limit: 10 }).toArray(),
    ]);
    const last: WithId<Visit> | undefined = visits[0];
    const hex: string | undefined = last?._id.toHexString();
    return { users, cities, paths: visits.map((visit) => `${visit.path}#${hex ?? ''}`), last: last?.at };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.removeAllListeners();
    await this.#client.close();
  }
}

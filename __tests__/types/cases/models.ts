// Models, and those of Mongoose: what is inferred.

import mongoose from 'mongoose';
import { Model, type Collection, type LazyDocument, type LeanQuery, type MongoClient, type MongooseModel, type ObjectId } from 'rumongo-go';

type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends (<X>() => X extends B ? 1 : 2) ? true : false;
declare function same<A, B>(is: Same<A, B>): void;

interface Order {
  _id: ObjectId;
  customer: string;
  total: number;
}
declare const orders: Collection<Order>;
declare const client: MongoClient;

export async function defined(): Promise<void> {
  const model = Model.define(orders, { customer: 1, total: Number });
  const exists = await model.exists({ customer: 'Ada' });
  same<typeof exists, { _id: ObjectId } | null>(true);
  const lazy = await model.findLazy({}, { limit: 3 });
  same<(typeof lazy)[number]['total'], number>(true);
  const count = await model.countDocuments({ total: { $gt: 3 } });
  same<typeof count, number>(true);
  await model.findById(undefined);
  for await (const order of model.stream()) void order;
  // @ts-expect-error no id
  await model.findById(5);
  // @ts-expect-error a string is not compared with a number
  await model.countDocuments({ total: { $gt: 'three' } });
}

interface User {
  name: string;
  age: number;
}

export async function fromMongoose(): Promise<void> {
  const User = mongoose.model<User>('User', new mongoose.Schema<User>({ name: String, age: Number }));
  const fast = Model.fromMongoose(User);
  same<typeof fast, MongooseModel<User>>(true);
  const users = await fast.find({ age: '3' }).sort('name').limit(3);
  same<typeof users, User[]>(true);
  const some = fast.find({ age: 3 });
  same<typeof some, LeanQuery<User[], User>>(true);
  const found = await some;
  same<typeof found, User[]>(true);
  const one = await fast.findById('bad').orFail();
  same<typeof one, User>(true);
  const lazy = await fast.findLazy();
  same<typeof lazy, LazyDocument<User>[]>(true);
  const body: Buffer = await fast.find().json({ format: 'ndjson' });
  void body;
  for await (const user of fast.stream()) same<typeof user, User>(true);
  const cursor = await fast.findCursor({}, 'name', { lazy: false, batchSize: 100 });
  const batch = await cursor.nextBatch();
  same<typeof batch, User[] | null>(true);
  const inferred = Model.fromMongoose(mongoose.model('Other', new mongoose.Schema({ name: { type: String, required: true } })), client);
  const other = await inferred.findOne();
  same<NonNullable<typeof other>['name'], string>(true);
  // @ts-expect-error no model
  Model.fromMongoose(orders);
}

'use strict';
// First steps: connect, read three ways, sum in a worker thread. It only reads, so point it at a collection you have:
//
//   MONGODB_URI=mongodb://127.0.0.1:27017 node examples/reduce.js mydb mycollection somenumber

const { MongoClient, WorkerPool } = require('rumongo-go');

const uri = process.env.MONGODB_URI ?? 'mongodb://127.0.0.1:27017';
const [db = 'test', name = 'things', field = 'amount'] = process.argv.slice(2);

async function main() {
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 3000 });
  const things = client.db(db).collection(name);

  // Plain objects, as from the official driver.
  console.log('the first three:', await things.find().limit(3));

  // Documents that stay bytes: only the one field is decoded.
  let sum = 0;
  for (const thing of await things.findLazy({}, { limit: 10_000 })) sum += thing[field] ?? 0;
  console.log(`${field} of the first 10,000:`, sum);

  // The whole collection in a thread, while this one stays free. The reducer sees its arguments only.
  const pool = await WorkerPool.create({ uri, size: 2 });
  const { acc, count } = await pool.reduce(db, name, {}, { projection: { [field]: 1 } }, (total, thing) => {
    total.sum += thing[total.field] ?? 0;
    return total;
  }, { field, sum: 0 });
  console.log(`${field} of all ${count}:`, acc.sum);

  await pool.close();
  await client.close();
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});

'use strict';

// Four fields of a collection as columns: typed arrays filled from the official driver's documents, and built in the core.
// Both ask the server for these fields alone.

const { createHash } = require('node:crypto');
const path = require('node:path');

const columns = { sequence: 'int32', at: 'date', kind: 'utf8', value: 'float64' };
const projection = { _id: 0, sequence: 1, at: 1, kind: 1, value: 1 };

/** A source of columns: columns() gives { length, arrays }. */
function reader(title, load, read) {
  return {
    title,
    kind: 'columns',
    check: 'columns',
    async open({ uri, database, collection: name }) {
      const client = await load().MongoClient.connect(uri);
      const collection = client.db(database).collection(name);
      return {
        columns: () => read(collection),
        close: () => client.close()
      };
    }
  };
}

/** Arrays that grow, since a cursor does not say how many documents there are. */
class Builder {
  length = 0;
  texts = [];

  #resize(room) {
    const grown = (Type, old) => {
      const array = new Type(room);
      if (old !== undefined) array.set(old);
      return array;
    };
    this.sequence = grown(Int32Array, this.sequence);
    this.at = grown(BigInt64Array, this.at);
    this.value = grown(Float64Array, this.value);
  }

  add({ sequence, at, kind, value }) {
    const n = this.length++;
    if (n === (this.sequence?.length ?? 0)) this.#resize(Math.max(1024, 2 * n));
    this.sequence[n] = sequence;
    this.at[n] = BigInt(at.getTime());
    this.value[n] = value;
    this.texts.push(kind);
  }

  end() {
    const { length, texts } = this;
    const data = Buffer.from(texts.join(''));
    const offsets = new Int32Array(length + 1);
    for (let i = 0, at = 0; i < length; i++) offsets[i + 1] = at += Buffer.byteLength(texts[i]);
    return { length, arrays: [this.sequence.subarray(0, length), this.at.subarray(0, length), this.value.subarray(0, length), offsets, data] };
  }
}

async function fromArray(collection) {
  const builder = new Builder();
  for (const document of await collection.find({}, { projection }).toArray()) builder.add(document);
  return builder.end();
}

async function fromCursor(collection) {
  const builder = new Builder();
  for await (const document of collection.find({}, { projection })) builder.add(document);
  return builder.end();
}

async function whole(collection) {
  const { length, columns: { sequence, at, kind, value } } = await collection.findColumns({}, { columns });
  return { length, arrays: [sequence.values, at.values, value.values, kind.offsets, kind.data] };
}

/** What equal columns have in common. */
function columnsHash(arrays) {
  const hash = createHash('sha1');
  for (const { buffer, byteOffset, byteLength } of arrays) hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  return hash.digest('hex');
}

const official = () => require('mongodb');
const ours = () => require(path.join(__dirname, '..', '..'));

module.exports = {
  columnsHash,
  readers: {
    officialColumns: reader('mongodb toArray, typed arrays', official, fromArray),
    officialCursorColumns: reader('mongodb for await, typed arrays', official, fromCursor),
    findColumns: reader('rumongo-go findColumns', ours, whole)
  }
};

'use strict';
// Every way to read documents with rumongo-go, each as (collection, options) => Promise<documents>.

const { types: { isProxy } } = require('node:util');

async function collect(iterable) {
  const docs = [];
  for await (const doc of iterable) docs.push(doc);
  return docs;
}

async function batches(cursor) {
  const docs = [];
  for (let batch; (batch = await cursor.nextBatch()) !== null;) docs.push(...batch);
  return docs;
}

/** A lazy document as toObject() gives it. A DBRef, which lazy readers return where js-bson does, is itself. */
const detached = (docs) => docs.map((doc) => {
  if (!isProxy(doc)) return doc;
  return Object.hasOwn(doc, 'toObject') ? { ...doc } : doc.toObject();
});

/**
 * A plain copy made by reading a lazy document's fields one by one, the last first and nested ones too, as code does
 * that knows its documents.
 */
function fieldByField(value) {
  if (Array.isArray(value)) {
    const copy = new Array(value.length);
    for (let i = value.length - 1; i >= 0; i--) copy[i] = fieldByField(value[i]);
    return copy;
  }
  if (!isProxy(value)) return value;
  const keys = Object.keys(value);
  const values = new Map();
  for (const key of [...keys].reverse()) values.set(key, fieldByField(value[key]));
  const copy = {};
  for (const key of keys) Object.defineProperty(copy, key, { value: values.get(key), writable: true, enumerable: true, configurable: true });
  return copy;
}

const readers = {
  'find, toArray': (collection, options) => collection.find({}, options).toArray(),
  'find, awaited': async (collection, options) => await collection.find({}, options),
  'find, for await': (collection, options) => collect(collection.find({}, options)),
  'find, next': async (collection, options) => {
    const docs = [];
    const cursor = collection.find({}, options);
    for (let doc; (doc = await cursor.next()) !== null;) docs.push(doc);
    return docs;
  },
  'find, stream': (collection, options) => collect(collection.find({}, options).stream()),
  findLazy: (collection, options) => collection.findLazy({}, options),
  'findLazy, toObject': async (collection, options) => detached(await collection.findLazy({}, options)),
  'findLazy, field by field': async (collection, options) => (await collection.findLazy({}, options)).map(fieldByField),
  'findCursor, lazy batches': async (collection, options) => batches(await collection.findCursor({}, options)),
  'findCursor, lazy documents': async (collection, options) => collect(await collection.findCursor({}, options)),
  'findCursor, eager documents': async (collection, options) => collect(await collection.findCursor({}, { ...options, lazy: false })),
  'findCursor, eager batches': async (collection, options) => batches(await collection.findCursor({}, { ...options, lazy: false })),
  findOne: async (collection, options) => {
    const doc = await collection.findOne({}, options);
    return doc === null ? [] : [doc];
  },
};

/** Readers whose documents are proxies. */
const isLazy = (reader) => reader === 'findLazy' || reader.startsWith('findCursor, lazy');

/** What a read gives once every value in it has been looked at: lazy documents throw for a bad value at first access. */
async function outcomeOf(read) {
  try {
    const value = await read();
    for (const doc of value) visit(doc);
    return { value };
  } catch (error) {
    return { error };
  }
}

/** Reads everything in order, on a stack of its own. */
function visit(value) {
  const inside = (at) => (typeof at !== 'object' || at === null || ArrayBuffer.isView(at) ? null : { at, keys: Object.keys(at), next: 0 });
  const stack = [inside(value)];
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    if (frame === null || frame.next === frame.keys.length) stack.pop();
    else stack.push(inside(frame.at[frame.keys[frame.next++]]));
  }
}

/** Every combination of the decoding options, 128 in all. */
function optionCombinations() {
  const values = { promoteLongs: true, promoteValues: true, promoteBuffers: false, useBigInt64: false, bsonRegExp: false, raw: false, enableUtf8Validation: true };
  let list = [{}];
  for (const [name, usual] of Object.entries(values)) list = list.flatMap((options) => [options, { ...options, [name]: !usual }]);
  return list;
}

module.exports = { readers, collect, batches, isLazy, outcomeOf, optionCombinations, visit };

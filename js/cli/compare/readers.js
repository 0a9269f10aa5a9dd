'use strict';
// The reads that are compared. What they give is alive until it is measured.

const FIELDS = 3; // of each lazy document, as by somebody who needs few

const readFew = (docs, names) => {
  let read = 0;
  for (const doc of docs) for (const name of names) if (doc[name] !== undefined) read++;
  return read;
};

async function drain(collection, { filter, options }, settings, each) {
  const docs = [];
  const cursor = await collection.findCursor(filter, { ...options, ...settings });
  for (let batch; (batch = await cursor.nextBatch()) !== null;) each(batch, docs);
  return docs;
}

const gather = (batch, docs) => {
  for (const doc of batch) docs.push(doc);
};

const fieldsOf = (docs) => (docs.length === 0 ? [] : Object.keys(docs[0]).slice(0, FIELDS));

/**
 * name; official: whose collection it reads; read: what is measured; compared: as what it is compared, 'documents' or 'text'
 * of one document a line; gives: what is compared, where that is not what is measured; against: the name of the official read it replaces.
 */
const READERS = [
  {
    name: 'mongodb find().toArray()',
    official: true,
    read: (collection, { filter, options }) => collection.find(filter, options).toArray(),
  },
  {
    name: 'find',
    against: 'mongodb find().toArray()',
    compared: 'documents',
    read: (collection, { filter, options }) => collection.find(filter, options).toArray(),
  },
  {
    name: 'findLazy',
    note: `${FIELDS} fields read`,
    against: 'mongodb find().toArray()',
    compared: 'documents',
    gives: (collection, { filter, options }) => collection.findLazy(filter, options),
    async read(collection, { filter, options }) {
      const docs = await collection.findLazy(filter, options);
      readFew(docs, fieldsOf(docs));
      return docs;
    },
  },
  {
    name: 'findCursor',
    note: `batches, lazy, ${FIELDS} fields read`,
    against: 'mongodb find().toArray()',
    compared: 'documents',
    gives: (collection, query) => drain(collection, query, {}, gather),
    read: (collection, query) => drain(collection, query, {}, (batch) => readFew(batch, fieldsOf(batch))),
  },
  {
    name: 'findCursor lazy: false',
    note: 'batches of plain objects',
    against: 'mongodb find().toArray()',
    compared: 'documents',
    gives: (collection, query) => drain(collection, query, { lazy: false }, gather),
    read: (collection, query) => drain(collection, query, { lazy: false }, () => {}),
  },
  {
    name: 'mongodb, JSON.stringify',
    official: true,
    read: async (collection, { filter, options }) => JSON.stringify(await collection.find(filter, options).toArray()),
  },
  {
    name: 'findJSON',
    against: 'mongodb, JSON.stringify',
    compared: 'text',
    gives: (collection, { filter, options }) => collection.findJSON(filter, { ...options, format: 'ndjson' }),
    read: (collection, { filter, options }) => collection.findJSON(filter, options),
  },
];

module.exports = { READERS };

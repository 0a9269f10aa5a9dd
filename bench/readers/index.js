'use strict';

// Every reader of the suite. A reader is { title, kind, check, optional?, open(parameters) -> source }, and a source is
//
//   all(options, pick?)  reads a collection: { length, documents } or, for cursors, { length, picked }, where picked is a
//                        Map of the documents at the positions in the Set pick
//   one(filter)          a point read
//   bson                 the classes its values have
//   close()
//
// kind: eager (plain objects), lazy (lazy documents, two fields of each read), cursor (documents seen one by one or batch
// by batch, two fields read, and dropped), reducer (reducers.js), text (json.js), columns (columns.js) or floor.
// check: how a document is compared with the official driver's: same (deepStrictEqual; for eager ones also no Proxy
// anywhere), keys (values of its own kind: the keys and the _id), bytes, sum, text, columns, or count (there is nothing else to check).

const readers = {
  ...require('./official'),
  ...require('./mongoose'),
  ...require('./rumongo'),
  ...require('./ours'),
  ...require('./floors'),
  ...require('./decoders'),
  ...require('./reducers'),
  ...require('./json'),
  ...require('./columns').readers
};

module.exports = { readers };

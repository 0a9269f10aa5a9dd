'use strict';

// The document sets of the suite: generator names of tools/wirefixture/sets, counts, and two fields that a lazy reader
// touches. A set with `of` is a projection of another one.

const sets = {
  mixed45: { count: 30_000, fields: ['orderNumber', 'total'], title: '45 mixed fields' },
  width4: width(4),
  width9: width(9),
  width15: width(15),
  width35: width(35),
  width45: width(45),
  point: { count: 10_000, fields: ['slug', 'title'], title: 'what is looked up by key, 1.5 KB', lookedUp: true },
  small: { count: 300_000, fields: ['sequence', 'value'], title: 'small documents, 183 bytes' },
  tweet: { count: 10_000, fields: ['text', 'user'], title: 'nested posts with optional parts' },
  deep: { count: 10_000, fields: ['_id', 'le001'], title: 'a tree of documents, six levels' },
  flat: { count: 5_000, fields: ['property000', 'property004'], title: '145 simple top-level fields' },
  full: { count: 3_000, fields: ['_id', 'part3'], title: 'every BSON type, ten times' },
  large: { count: 1, fields: ['title', 'lines'], title: 'one document of 2.5 MB' },
  arrays: { count: 20_000, fields: ['name', 'numbers'], title: 'three arrays of 0 to 50 elements' },
  randomKeys: { count: 20_000, fields: ['_id', 'key001'], title: '12 of 400 keys in random order' },
  optional20: { count: 20_000, fields: ['field00', 'field06'], title: '20 optional fields, each there half the time' },
  nulls20: { count: 20_000, fields: ['field00', 'field06'], title: '20 fields, null half the time' },
  text: { count: 20_000, fields: ['n', 'cjk'], title: 'non-ASCII text' },
  decimals: { count: 10_000, fields: ['_id', 'amount03'], title: '20 Decimal128, nothing else', constructors: true },
  binaries: { count: 10_000, fields: ['_id', 'hash03'], title: '20 Binary, nothing else', constructors: true }
};

const wideFields = ['name', 'email', 'age', 'status', 'city', 'country', 'createdAt', 'active', 'balance', 'visits',
  'accountId', 'phone', 'lastSeen', 'plan', 'address', 'settings', 'tags',
  ...Array.from({ length: 27 }, (_, i) => `attribute${i + 19}`)];

function width(fields) {
  return {
    of: 'wide45',
    count: 30_000,
    fields: ['name', 'age'],
    title: `user profiles, ${fields} of 45 fields`,
    get projection() {
      // _id comes by itself; the whole document needs no projection.
      return fields === 45 ? undefined : Object.fromEntries(wideFields.slice(0, fields - 1).map((key) => [key, 1]));
    }
  };
}

const database = 'bench';

module.exports = { sets, database };

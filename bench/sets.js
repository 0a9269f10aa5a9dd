'use strict';

// The document sets of the speed check: generator names of tools/wirefixture, counts, and two fields that a
// lazy reader touches.

const sets = {
  mixed45: { count: 30_000, fields: ['orderNumber', 'total'], title: '45 mixed fields' },
  arrays: { count: 20_000, fields: ['name', 'numbers'], title: 'three arrays of 0 to 50 elements' },
  optional20: { count: 20_000, fields: ['field00', 'field06'], title: '20 optional fields, each there half the time' },
  nulls20: { count: 20_000, fields: ['field00', 'field06'], title: '20 fields, null half the time' },
  text: { count: 20_000, fields: ['n', 'cjk'], title: 'non-ASCII text' }
};

const database = 'bench';

module.exports = { sets, database };

'use strict';
// Sorts in each form, projections and hints.

const sorts = {
  'an object': { b: -1, a: 'asc' },
  'an object of integer names': { 2: 1, 1: -1 },
  'every word': { a: 'asc', b: 'DESC', c: 'ascending', d: 'Descending', e: '1', f: '-1', g: 1, h: -1 },
  'a Map': new Map([['2', 1], ['1', -1]]),
  'a Map of words': new Map([['b', 'desc'], ['a', 'asc']]),
  'an empty Map': new Map(),
  'an empty object': {},
  'an empty array': [],
  'pairs': [['2', 1], ['1', 'descending']],
  'a pair without direction': [['a'], ['b', -1]],
  'one pair': ['a', 'desc'],
  'one pair of numbers': ['a', -1],
  'a pair of a name and undefined': ['a', undefined],
  'names': ['b', 'a'],
  'three names': ['c', 'b', 'a'],
  'one name': ['a'],
  'integer-like names': ['2', '1', '0'],
  'a string': 'a',
  'a dotted string': 'a.b.0',
  'an empty string': '',
  'the same name twice': [['a', 1], ['b', 1], ['a', -1]],
  'text score': { score: { $meta: 'textScore' } },
  'text score in pairs': [['score', { $meta: 'textScore' }], ['a', 1]],
  'one pair with text score': ['score', { $meta: 'textScore' }],
  'undefined as a direction': { a: undefined },
  '$natural': { $natural: -1 },
  'null': null,
  'a Set': new Set(['a']),
  'an instance of a class': new (class { constructor() { this.a = 1; } })(),
};

const chains = {
  'a name': (c) => c.sort('a'),
  'a name and a direction': (c) => c.sort('a', -1),
  'a name and a word': (c) => c.sort('a', 'descending'),
  'a name and text score': (c) => c.sort('score', { $meta: 'textScore' }),
  'a direction beside an object': (c) => c.sort({ a: 1 }, -1),
  'the last of two': (c) => c.sort('a').sort('b'),
  'none after one': (c) => c.sort('a').sort({}),
};

const projections = {
  'inclusion': { a: 1, 'b.c': true },
  'exclusion': { a: 0, _id: false },
  'operators': { a: { $slice: [1, 2] }, b: { $elemMatch: { c: 1 } }, d: { $meta: 'textScore' }, e: '$f', g: { $add: ['$h', 1.5] } },
  'names': ['a', 'b'],
  'names twice': ['a', 'b', 'a'],
  'no names': [],
  'integer names': ['2', '1'],
  'the name __proto__': ['__proto__', 'a'],
  'a Map': new Map([['b', 1], ['a', 1]]),
  'an empty object': {},
  'null': null,
  'zero': 0,
  'a number': 5,
  'true': true,
};

const hints = {
  'a name': 'a_1',
  'an object': { a: 1, b: -1 },
  'an object of integer names': { 2: 1, 1: 1 },
  'names': ['a', 'b'],
  'names twice': ['a', 'b', 'a'],
  'the name __proto__': ['__proto__', 'a'],
  'a Map, which has no own names': new Map([['a', 1]]),
  'inherited names': Object.create({ a: 1 }, { b: { value: 1, enumerable: true } }),
  'an empty string': '',
  'an empty object': {},
  'a number': 5,
  'true': true,
  'null': null,
};

const cases = {};
for (const [name, sort] of Object.entries(sorts)) cases[`sort: ${name}`] = { options: { sort } };
for (const [name, chain] of Object.entries(chains)) cases[`sort by the chain: ${name}`] = { chain };
for (const [name, projection] of Object.entries(projections)) cases[`projection: ${name}`] = { options: { projection } };
for (const [name, hint] of Object.entries(hints)) cases[`hint: ${name}`] = { options: { hint } };
Object.assign(cases, {
  'projection by the chain': { options: { projection: { a: 1 } }, chain: (c) => c.project({ b: 1 }) },
  'hint by the chain': { chain: (c) => c.hint({ a: 1 }) },
});

module.exports = cases;

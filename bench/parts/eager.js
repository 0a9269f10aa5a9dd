'use strict';

const { sets } = require('../sets');

module.exports = {
  title: 'Eager reads',
  about: 'All documents of a set as plain objects, in one array (cursors: one after the other).',
  base: 'official',
  columns: ['wall', 'docs', 'mb', 'cpu', 'delay', 'gc', 'rss', 'times'],
  cases({ quick, sets: wanted }) {
    const names = wanted ?? (quick ? ['mixed45', 'arrays', 'optional20', 'nulls20', 'text'] : Object.keys(sets).filter((name) => !sets[name].lookedUp));
    const contenders = quick
      ? ['official', 'rumongo', 'find']
      : ['official', 'officialCursor', 'officialRaw', 'lean', 'hydrated', 'rumongo', 'find', 'forAwait', 'constants', 'drain'];
    return names.map((set) => ({ id: set, set, contenders }));
  }
};

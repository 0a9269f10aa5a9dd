'use strict';

module.exports = {
  title: 'Concurrent eager reads',
  about: '20 reads of 5,000 documents of 45 fields at once.',
  base: 'official',
  columns: ['wall', 'docs', 'mb', 'cpu', 'delay', 'gc', 'rss', 'times'],
  cases: () => [{
    id: 'twenty', set: 'mixed45', count: 5_000, work: { kind: 'all', concurrent: 20 },
    contenders: ['official', 'lean', 'rumongo', 'find', 'findLazy', 'drain']
  }]
};

'use strict';

module.exports = {
  title: 'From 1,000 to 1,000,000 documents',
  about: 'Documents of 183 bytes; what one of them costs as there are more. All documents of an eager read are alive at its end.',
  base: 'official@1000',
  columns: ['wall', 'perDocument', 'cpu', 'gc', 'rss'],
  cases({ quick }) {
    const counts = [1_000, 10_000, 100_000, ...(quick ? [] : [1_000_000])];
    return [{
      id: 'count', set: 'small', count: counts.at(-1),
      contenders: ['official', 'find', 'findLazy', 'findCursor'].flatMap((reader) => counts.map((limit) => ({
        name: `${reader}@${limit}`, reader, suffix: limit.toLocaleString('en'), work: { kind: 'all', options: { limit } }
      })))
    }];
  }
};

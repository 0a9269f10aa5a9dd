'use strict';

const sizes = { default: undefined, 1000: 1_000, 10000: 10_000, 100000: 100_000 };

module.exports = {
  title: 'Cursors by batch size',
  about: '300,000 documents of 183 bytes, two fields of each read, with batch sizes from the server\'s default to 100,000.',
  base: 'officialCursor@default',
  columns: ['wall', 'docs', 'cpu', 'delay', 'rss', 'times'],
  cases({ quick }) {
    const readers = quick ? ['officialCursor', 'findCursor'] : ['officialCursor', 'rumongoCursor', 'findCursor', 'findCursorEager', 'drain'];
    return [{
      id: 'batchSize', set: 'small',
      contenders: readers.flatMap((reader) => Object.entries(sizes).map(([name, batchSize]) => ({
        name: `${reader}@${name}`, reader, suffix: `batchSize ${name}`, work: { kind: 'all', options: batchSize && { batchSize } }
      })))
    }];
  }
};

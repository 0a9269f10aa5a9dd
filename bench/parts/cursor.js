'use strict';

const sizes = [undefined, 1_000, 10_000, 100_000];

module.exports = {
  title: 'Cursors by batch size',
  about: '300,000 documents of 183 bytes, two fields of each read, with batch sizes from the server\'s default to 100,000.',
  base: 'officialCursor@default',
  columns: ['wall', 'docs', 'cpu', 'delay', 'rss', 'times'],
  cases({ quick }) {
    const readers = quick ? ['officialCursor', 'findCursor'] : ['officialCursor', 'rumongoCursor', 'findCursor', 'findCursorEager', 'drain'];
    return [{
      id: 'batchSize', set: 'small',
      contenders: readers.flatMap((reader) => sizes.map((batchSize) => ({
        name: `${reader}@${batchSize ?? 'default'}`, reader, suffix: `batchSize ${batchSize?.toLocaleString('en') ?? 'default'}`,
        work: { kind: 'all', options: batchSize && { batchSize } }
      })))
    }];
  }
};

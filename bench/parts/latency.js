'use strict';

// The collection is 100 batches of 300: as many round trips, which no reader can have at once.
const batches = 100;
const batchSize = 300;

module.exports = {
  title: 'Round trips',
  about: `30,000 documents of 45 fields in ${batches} batches, from a server that is 1 ms and 20 ms away. Decoding while the next batch `
    + 'is on its way hides the smaller of the two times. @0: the same read without a delay.',
  base: 'official@delay',
  columns: ['wall', 'docs', 'cpu', 'delay', 'times'],
  cases({ quick }) {
    const work = { kind: 'all', options: { batchSize } };
    return (quick ? [1] : [1, 20]).map((delayMS) => ({
      id: `${delayMS}ms`, title: `${delayMS} ms of round trip`, set: 'mixed45', work, batches, delayMS,
      contenders: ['official', 'rumongo', 'find', 'findCursor', 'drain'].flatMap((reader) => [
        { name: `${reader}@delay`, reader, suffix: `${delayMS} ms away`, delayMS },
        ...(reader.startsWith('find') ? [{ name: `${reader}@0`, reader, suffix: 'no delay' }] : [])
      ])
    }));
  }
};

'use strict';

const work = { kind: 'text' };

/** Those of a case have the same base, which is the official driver doing the same. */
const official = (reader) => ({ name: 'official', reader });

module.exports = {
  title: 'JSON without objects',
  about: 'A collection as JSON text, which equals that of `JSON.stringify` byte for byte: whole, streamed, and streamed with compression.',
  base: 'official',
  columns: ['wall', 'thread', 'cpu', 'delay', 'rss', 'out', 'times'],
  cases({ quick }) {
    return [
      { id: 'whole', title: 'one text of 30,000 documents of 45 fields', set: 'mixed45', work, contenders: [official('officialJSON'), 'findJSON'] },
      { id: 'stream', title: 'a stream of it', set: 'mixed45', work, contenders: [official('officialJSONStream'), 'streamJSON'] },
      { id: 'gzip', title: 'a compressed stream of it', set: 'mixed45', work, contenders: [official('officialGzip'), 'streamGzip', 'streamZstd'] },
      ...(quick ? [] : [{
        id: 'million', title: 'memory while a million small documents are streamed', set: 'small', count: 1_000_000, work,
        contenders: ['streamJSON', 'streamGzip']
      }])
    ];
  }
};

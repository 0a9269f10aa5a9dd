'use strict';

// What the reader does with the documents stands in its way too: 30,000 lazy documents read in one loop are a turn of
// their own. These show the driver's share.
const untouched = ['findLazy', 'findCursor'].map((reader) => ({
  name: `${reader}Untouched`, reader, title: `rumongo-go ${reader}, nothing read`, fields: []
}));

module.exports = {
  title: 'Event-loop delay',
  about: 'How long the event loop stands still while 36 MB are read, by one reader and by ten at once.',
  base: 'official',
  columns: ['wall', 'delay', 'p99', 'gcPause', 'gc', 'rss', 'times'],
  cases({ quick }) {
    const one = ['official', 'rumongo', 'find', 'forAwait', 'rumongoLazy', 'findLazy', 'findCursor', 'findCursorEager', ...untouched];
    return [
      { id: 'one', title: 'one reader of 30,000 documents of 45 fields', set: 'mixed45', contenders: one },
      ...(quick ? [] : [{
        id: 'ten', title: 'ten readers of it at once', set: 'mixed45', work: { kind: 'all', concurrent: 10 },
        contenders: ['officialCursor', 'find', 'rumongoLazy', 'findLazy', 'rumongoCursor', 'findCursor', 'findCursorEager', ...untouched]
      }])
    ];
  }
};

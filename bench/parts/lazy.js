'use strict';

module.exports = {
  title: 'Lazy reads: two of 45 fields',
  about: 'All documents of a set, of which two fields are read.',
  base: 'official',
  columns: ['wall', 'docs', 'mb', 'cpu', 'delay', 'gc', 'rss', 'times'],
  cases({ quick, sets: wanted }) {
    const names = wanted ?? (quick ? ['mixed45'] : ['mixed45', 'width45']);
    const contenders = quick
      ? ['official', 'rumongoLazy', 'findLazy', 'drain']
      : ['official', 'officialCursor', 'officialRaw', 'rumongoLazy', 'rumongoCursor', 'findLazy', 'findCursor', 'findCursorEager', 'drain'];
    return names.map((set) => ({ id: set, set, contenders }));
  }
};

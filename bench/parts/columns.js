'use strict';

module.exports = {
  title: 'Columns',
  about: 'Four fields of 300,000 documents (int32, date, string, double) as typed arrays in Arrow\'s layout.',
  base: 'officialColumns',
  columns: ['wall', 'docs', 'cpu', 'delay', 'gc', 'rss', 'times'],
  cases: () => [{ id: 'four', title: 'four columns of 300,000 documents', set: 'small', work: { kind: 'columns' }, contenders: ['officialColumns', 'officialCursorColumns', 'findColumns'] }]
};

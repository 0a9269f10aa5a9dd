'use strict';

module.exports = {
  title: 'Worker pools',
  about: 'One reduction, a sum and a count, on the main thread and in a worker of a pool of two; the delay is that of the main loop.',
  base: 'mainOfficial',
  columns: ['wall', 'cpu', 'delay', 'times'],
  cases({ quick }) {
    const counts = quick ? [10_000] : [100, 1_000, 10_000, 100_000];
    return counts.flatMap((count) => (quick ? ['one'] : ['one', 'all']).map((reading) => ({
      id: `${reading}${count}`,
      title: `${count.toLocaleString('en')} documents, ${reading === 'one' ? 'one field' : 'all fields'} read`,
      set: 'mixed45',
      count,
      work: { kind: 'reduce', size: 2, reading },
      contenders: ['mainOfficial', 'mainFind', 'rumongoPool', 'pool', 'poolCombine', 'poolLazy']
    })));
  }
};

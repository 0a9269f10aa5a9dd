'use strict';

const titles = {
  official: 'mongodb findOne', accelerated: 'mongodb accelerated, findOne', lean: 'mongoose findOne, lean()',
  leanAccelerated: 'mongoose accelerated, findOne, lean()', find: 'rumongo-go findOne'
};

module.exports = {
  title: 'Acceleration',
  about: 'The official driver and Mongoose with and without `accelerate()`.',
  base: 'official',
  columns: ['wall', 'docs', 'cpu', 'delay', 'times'],
  cases({ quick }) {
    const point = (inFlight) => ({
      id: `inFlight${inFlight}`,
      title: `findOne by _id, ${inFlight === 1 ? 'one at a time' : `${inFlight} in flight`}`,
      set: 'point',
      samples: 1_000,
      work: { kind: 'point', count: (quick ? 1_000 : 3_000) * (inFlight === 1 ? 1 : 3), inFlight },
      contenders: Object.keys(titles).map((name) => ({ name, reader: name, title: titles[name] }))
    });
    return [
      {
        id: 'eager', title: 'all documents of 45 fields', set: 'mixed45',
        contenders: quick
          ? ['official', 'accelerated', 'lean', 'leanAccelerated', 'find']
          : ['official', 'accelerated', 'officialCursor', 'acceleratedCursor', 'lean', 'leanAccelerated', 'hydrated', 'hydratedAccelerated', 'find']
      },
      point(1),
      point(50)
    ];
  }
};

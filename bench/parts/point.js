'use strict';

const titles = {
  official: 'mongodb findOne', lean: 'mongoose findOne, lean()', rumongo: 'rumongo find, limit 1', find: 'rumongo-go findOne',
  drain: 'floor: Go driver, nothing decoded'
};

module.exports = {
  titles,
  title: 'Point reads',
  about: 'findOne by _id of a 1.5 KB document, one at a time and many in flight; the first read of a new client, its connecting included.',
  base: 'official',
  columns: ['wall', 'docs', 'cpuPerRead', 'times'],
  cases({ quick }) {
    const contenders = Object.keys(titles).filter((name) => !quick || name !== 'lean').map((name) => ({ name, reader: name, title: titles[name] }));
    const reads = quick ? 1_000 : 3_000;
    const cases = [1, 50, 200].filter((inFlight) => !quick || inFlight < 200).map((inFlight) => ({
      id: `inFlight${inFlight}`,
      title: inFlight === 1 ? 'one at a time' : `${inFlight} in flight`,
      set: 'point',
      samples: 1_000,
      work: { kind: 'point', count: inFlight === 1 ? reads : reads * 3, inFlight },
      contenders
    }));
    return [...cases, {
      id: 'first', title: 'connect and first read', set: 'point',
      work: { kind: 'connect' },
      contenders: contenders.filter(({ name }) => name !== 'drain' && name !== 'lean')
    }];
  }
};

'use strict';

// What the suite asks for. Every value is a ratio of medians, or a time, of one run of one case; it must be `least` or
// more, or `most` or less.

const { sets } = require('./sets');

const wall = (one, slow, fast) => ratio(one.contenders[slow]?.wallMs, one.contenders[fast]?.wallMs);
const cpu = (one, ours, theirs) => ratio(one.contenders[ours]?.cpuMs, one.contenders[theirs]?.cpuMs);
const ratio = (a, b) => (a === undefined || b === undefined ? undefined : a.median / b.median);
const delay = (one, name) => one.contenders[name]?.delayMs.median;

const lazyDelays = (one, name, title) => [
  { name: `${title}: longest loop delay, ms`, most: 10, value: delay(one, `${name}Untouched`) },
  { name: `${title}, two fields of each document read: longest loop delay, ms`, most: 10, value: delay(one, name) }
];

function geometricMean(values) {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.exp(known.reduce((sum, value) => sum + Math.log(value), 0) / known.length);
}

const targets = {
  eager(cases) {
    // Documents of nothing but classes that the user's own constructors make: they are the time.
    const slow = (one) => sets[one.set].constructors === true;
    const usual = cases.filter((one) => !slow(one));
    return [
      ...cases.flatMap((one) => [
        { name: `${one.id}: times faster than mongodb`, least: slow(one) ? 2 : 4, value: wall(one, 'official', 'find') },
        { name: `${one.id}: times faster than rumongo`, least: slow(one) ? 2 : 2.5, value: wall(one, 'rumongo', 'find') },
        { name: `${one.id}: CPU as a part of mongodb's`, most: slow(one) ? 0.5 : 0.25, value: cpu(one, 'find', 'official') },
        { name: `${one.id}: times faster than mongoose lean()`, least: slow(one) ? 2 : 4, value: wall(one, 'lean', 'find') },
        { name: `${one.id}: times faster than mongoose hydrated`, least: slow(one) ? 2 : 10, value: wall(one, 'hydrated', 'find') }
      ]),
      ...(usual.length < 2 ? [] : [
        { name: 'geometric mean: times faster than mongodb', least: 6.5, value: geometricMean(usual.map((one) => wall(one, 'official', 'find'))) },
        { name: 'geometric mean: times faster than rumongo', least: 3, value: geometricMean(usual.map((one) => wall(one, 'rumongo', 'find'))) },
        { name: 'geometric mean: times faster than mongoose lean()', least: 6.5, value: geometricMean(usual.map((one) => wall(one, 'lean', 'find'))) }
      ])
    ];
  },

  lazy: (cases) => cases.flatMap((one) => [
    { name: `${one.id}: findLazy times faster than mongodb`, least: 16, value: wall(one, 'official', 'findLazy') },
    { name: `${one.id}: findLazy times faster than rumongo findLazy`, least: 1, value: wall(one, 'rumongoLazy', 'findLazy') },
    { name: `${one.id}: findLazy wall, times the Go driver's that decodes nothing`, most: 2, value: wall(one, 'findLazy', 'drain') }
  ]),

  loop: (cases) => cases.flatMap((one) => (one.id === 'one'
    ? [
        { name: 'find: longest loop delay, ms', most: 40, value: delay(one, 'find') },
        { name: 'find: longest loop delay as a part of mongodb\'s', most: 0.1, value: ratio(one.contenders.find?.delayMs, one.contenders.official?.delayMs) },
        { name: 'find: p99 loop delay, ms', most: 15, value: one.contenders.find?.p99DelayMs },
        ...['findLazy', 'findCursor'].flatMap((name) => lazyDelays(one, name, name))
      ]
    : ['findLazy', 'findCursor'].flatMap((name) => lazyDelays(one, name, `10 ${name} at once`)))),

  cursor: (cases) => cases.flatMap((one) => ['findCursor', 'findCursorEager'].map((name) => {
    const medians = Object.entries(one.contenders).filter(([key]) => key.startsWith(`${name}@`)).map(([, { wallMs }]) => wallMs.median);
    const value = medians.length < 2 ? undefined : Math.max(...medians) / Math.min(...medians);
    return { name: `${name}: slowest batch size, times the fastest`, most: 1.5, value };
  })),

  concurrent: (cases) => cases.flatMap((one) => [
    { name: '20 reads at once: times faster than mongodb', least: 5, value: wall(one, 'official', 'find') }
  ]),

  latency: (cases) => cases.flatMap((one) => ['find', 'findCursor'].map((name) => {
    const found = one.contenders[`${name}@delay`];
    const decode = one.contenders[`${name}@0`];
    const least = Math.max(one.batches * one.delayMS, decode?.wallMs.median ?? 0);
    return { name: `${one.id}: ${name} wall, times the larger of round trips and decode time`, most: 1.15, value: found && found.wallMs.median / least };
  })),

  point: (cases) => cases.flatMap((one) => {
    if (one.id === 'first') return [{ name: 'first read after connect: wall as a part of mongodb\'s', most: 1, value: wall(one, 'find', 'official') }];
    const single = one.id === 'inFlight1';
    return [
      { name: `${one.title}: times faster than mongodb`, least: single ? 1.15 : 3, value: wall(one, 'official', 'find') },
      { name: `${one.title}: times faster than rumongo`, least: single ? 1.6 : 1, value: wall(one, 'rumongo', 'find') },
      { name: `${one.title}: CPU per read as a part of mongodb's`, most: 0.45, value: cpu(one, 'find', 'official') }
    ];
  }),

  columns: (cases) => cases.flatMap((one) => [
    { name: 'findColumns: times faster than typed arrays from mongodb\'s documents', least: 20, value: wall(one, 'officialColumns', 'findColumns') }
  ]),

  json: (cases) => cases.flatMap((one) => ({
    whole: () => [
      { name: 'findJSON: times faster than mongodb and JSON.stringify', least: 15, value: wall(one, 'official', 'findJSON') },
      { name: 'findJSON: CPU of the JS thread, ms', most: 5, value: one.contenders.findJSON?.threadMs?.median },
      { name: 'findJSON: longest loop delay, ms', most: 5, value: delay(one, 'findJSON') }
    ],
    gzip: () => [{ name: 'streamJSON to gzip: times faster than mongodb\'s stream and zlib', least: 4, value: wall(one, 'official', 'streamGzip') }],
    million: () => [{
      name: 'streamJSON: peak RSS of a million small documents, times that of 30,000 large ones', most: 1.25,
      value: ratio(one.contenders.streamJSON?.rssMB, cases.find(({ id }) => id === 'stream')?.contenders.streamJSON?.rssMB)
    }]
  }[one.id]?.() ?? [])),

  // Below a kilobyte a document is too short for what a call costs.
  decode: (cases) => cases.filter((one) => one.bytes / one.documents >= 1024).flatMap((one) => ['deserialize', 'deserializeMany'].map((name) => (
    { name: `${one.id}: ${name}, times faster than js-bson`, least: 1, value: wall(one, 'jsBson', name) }
  ))),

  linear: (cases) => cases.flatMap((one) => ['find', 'findCursor'].map((name) => {
    const each = (n) => ratio(one.contenders[`${name}@${n}`]?.wallMs, { median: n });
    return { name: `${name}: cost of a document of 1,000,000, times that of 10,000`, most: 1.5, value: ratioOf(each(1_000_000), each(10_000)) };
  })),

  goroutines: (cases) => cases.flatMap((one) => ['find', 'findLazy'].map((name) => {
    const curve = Object.entries(one.contenders).filter(([key]) => key.startsWith(`${name}@`)).map(([, { wallMs }]) => wallMs.median);
    return { name: `${name}: wall with one Go processor, times that with the most`, least: 0.9, value: ratioOf(curve[0], curve.at(-1)) };
  })),

  pool: (cases) => cases.flatMap((one) => {
    const { pool, rumongoPool } = one.contenders;
    const times = (key) => ratio(rumongoPool?.[key], pool?.[key]);
    // At a hundred documents the messages between threads are the time: a fifth behind is allowed.
    if (one.documents < 1_000) return [{ name: `${one.title}: wall, times faster than rumongo's pool`, least: 1 / 1.2, value: times('wallMs') }];
    return [
      { name: `${one.title}: wall, times faster than rumongo's pool`, least: 1, value: times('wallMs') },
      { name: `${one.title}: main loop's delay, times shorter than with rumongo's pool`, least: 1, value: times('delayMs') },
      ...(one.documents < 10_000 ? [] : [
        { name: `${one.title}: over both workers, times faster than mongodb on the main thread`, least: 4, value: wall(one, 'mainOfficial', 'poolCombine') }
      ]),
      ...(one.documents < 100_000 ? [] : [
        { name: `${one.title}: main loop's delay, ms`, most: 5, value: delay(one, 'pool') },
        { name: `${one.title}, over both workers: main loop's delay, ms`, most: 5, value: delay(one, 'poolCombine') }
      ])
    ];
  })
};

const ratioOf = (a, b) => (a === undefined || b === undefined ? undefined : a / b);

/** @returns {{ name: string, least?: number, most?: number, value: number, reached: boolean }[]} those that the run measured */
function judge(part, cases) {
  return (targets[part]?.(cases) ?? [])
    .filter(({ value }) => value !== undefined)
    .map((target) => ({ ...target, reached: target.least !== undefined ? target.value >= target.least : target.value <= target.most }));
}

module.exports = { judge, geometricMean };

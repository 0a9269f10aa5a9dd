'use strict';

// The worker-pool table: one reduction over 100 to 100,000 documents, on the main thread and in worker pools.
//
//   node bench/pool.js [--counts n[,n]] [--contenders name[,name]] [--reading one|five|all] [--size 2]
//                      [--rounds 9] [--warmup 3]
//
// The exit code is 0 unless a sum is wrong or a contender fails: slow is reported, not punished.

const { parseArgs } = require('node:util');
const { ensureReady } = require('../scripts/ensure');
const { UsageError, listOption, numberOption, start, printEnvironment, save } = require('./command-line');
const { database } = require('./sets');

const set = 'mixed45';
const usualCounts = [100, 1_000, 10_000, 50_000, 100_000];

async function main() {
  const options = parse();
  ensureReady();
  // These need what ensureReady installs and builds.
  const { startFixture } = require('../__tests__/support/fixture-server');
  const report = require('./report');

  const environment = { command: `node bench/pool.js ${process.argv.slice(2).join(' ')}`.trim(), machine: report.machine(), versions: report.versions() };
  printEnvironment(environment);
  console.log(`Pools of ${options.size} workers; the reducer reads ${options.reading} field(s) of ${set}; ${options.rounds} timed rounds (more where`);
  console.log(`they are short) after ${options.warmup} of warm-up, interleaved; medians (min-max). Sums are compared with the official driver's.`);
  const fixture = await startFixture();
  const results = [];
  try {
    for (const count of options.counts) results.push(await runCount(fixture, count, options, report));
  } finally {
    await fixture.stop();
  }
  printSummary(results, report);
  save('pool', { ...environment, date: new Date().toISOString(), ...options, results });
  if (results.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1;
}

function parse() {
  const { contenders, readings } = require('./pool-readers');
  const { values } = parseArgs({
    options: {
      counts: { type: 'string', default: usualCounts.join() }, contenders: { type: 'string' },
      reading: { type: 'string', default: 'one' }, size: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '9' }, warmup: { type: 'string', default: '3' }
    }
  });
  if (!readings.includes(values.reading)) throw new UsageError(`--reading must be one of ${readings.join(', ')}`);
  const known = Object.keys(contenders);
  return {
    counts: values.counts.split(',').map((text) => numberOption(text, '--counts', 1)),
    contenders: values.contenders === undefined
      ? known.filter((name) => !contenders[name].extra)
      : listOption(values.contenders, known, '--contenders'),
    reading: values.reading,
    size: numberOption(values.size, '--size', 1),
    rounds: numberOption(values.rounds, '--rounds', 3),
    warmup: numberOption(values.warmup, '--warmup', 1)
  };
}

// A round of few documents is a millisecond or two, of which one unlucky wake-up is a large part: more rounds then.
const times = (count) => (count <= 1_000 ? 5 : count <= 10_000 ? 2 : 1);

async function runCount(fixture, count, { contenders: names, reading, size, rounds, warmup }, report) {
  const { contenders } = require('./pool-readers');
  const { runRounds, spreadsOf } = require('./rounds');
  const { bytes } = await fixture.load(`${database}.${set}`, set, count);
  console.log(`\n${count.toLocaleString('en')} documents, ${(bytes / 1e6).toFixed(1)} MB`);
  const parameters = { table: 'pool-readers', uri: fixture.uri, database, collection: set, size, reading };
  const { samples, wrong } = await runRounds({
    contenders, names, parameters, count, rounds: rounds * times(count), warmup: warmup * times(count)
  });

  const spreads = spreadsOf(samples);
  const rows = [['contender', 'wall ms', 'client CPU ms', 'longest main-loop delay ms']];
  for (const [name, { wallMs, cpuMs, delayMs }] of Object.entries(spreads)) {
    rows.push([contenders[name].title, report.range(wallMs), report.range(cpuMs), report.range(delayMs)]);
  }
  console.log(report.table(rows));
  const targets = judge(count, spreads);
  for (const target of targets) console.log(`  ${report.targetLine(target)}`);
  for (const text of wrong) console.log(`  WRONG  ${text}`);
  return { count, bytes, contenders: spreads, samples, targets, wrong: wrong.map((text) => `${count} documents: ${text}`) };
}

// From 1,000 documents up ours is to be ahead on both; below, not more than a fifth behind on wall time.
function judge(count, { pool, rumongoPool }) {
  if (pool === undefined || rumongoPool === undefined) return [];
  const target = (name, key, least) => {
    const value = rumongoPool[key].median / pool[key].median;
    return { name, least, value, reached: value >= least };
  };
  if (count < 1_000) return [target('wall: times faster than rumongo\'s pool', 'wallMs', 1 / 1.2)];
  return [
    target('wall: times faster than rumongo\'s pool', 'wallMs', 1),
    target('main-loop delay: times shorter than rumongo\'s pool', 'delayMs', 1)
  ];
}

function printSummary(results, { table, digits, targetLine }) {
  const { contenders } = require('./pool-readers');
  const names = [...new Set(results.flatMap((result) => Object.keys(result.contenders)))];
  console.log('\nMedian wall ms / longest main-loop delay ms');
  console.log(table([
    ['documents', ...names.map((name) => contenders[name].title)],
    ...results.map((result) => [result.count.toLocaleString('en'), ...names.map((name) => {
      const found = result.contenders[name];
      return found === undefined ? '' : `${digits(found.wallMs.median)} / ${digits(found.delayMs.median)}`;
    })])
  ]));
  console.log('\nTargets (ratios of medians of this run)');
  for (const { count, targets } of results) for (const target of targets) console.log(`  ${count.toLocaleString('en').padStart(8)}  ${targetLine(target)}`);
  const wrong = results.flatMap((result) => result.wrong);
  console.log(wrong.length === 0 ? 'All sums are right.' : `WRONG RESULTS:\n  ${wrong.join('\n  ')}`);
}

start(main);

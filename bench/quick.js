'use strict';

// The speed check: every reader on five document sets, from a server that costs next to no CPU, in one run.
//
//   node bench/quick.js [--only set[,set]] [--readers name[,name]] [--rounds 7] [--warmup 2]
//
// The exit code is 0 unless a result is wrong or a reader fails: slow is reported, not punished.

const { parseArgs } = require('node:util');
const { ensureReady } = require('../scripts/ensure');
const { listOption, numberOption, start, printEnvironment, save } = require('./command-line');
const { sets, database } = require('./sets');

const leastRounds = 5;

async function main() {
  const options = parse();
  ensureReady();
  // These need what ensureReady installs and builds.
  const { startFixture } = require('../__tests__/support/fixture-server');
  const report = require('./report');

  const environment = { command: `node bench/quick.js ${process.argv.slice(2).join(' ')}`.trim(), machine: report.machine(), versions: report.versions() };
  printEnvironment(environment);
  console.log(`${options.rounds} timed rounds after ${options.warmup} of warm-up, interleaved; medians (min-max). Every result of rumongo-go is`);
  console.log('compared with the official driver\'s, outside the clock. The server sends batches from memory.');
  const fixture = await startFixture();
  const results = [];
  try {
    for (const set of options.sets) results.push(await runSet(fixture, set, options, report));
  } finally {
    await fixture.stop();
  }
  printSummary(results);
  save('quick', { ...environment, date: new Date().toISOString(), rounds: options.rounds, warmup: options.warmup, results });
  if (results.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1;
}

function parse() {
  const { contenders } = require('./readers');
  const { values } = parseArgs({
    options: {
      only: { type: 'string' }, readers: { type: 'string' },
      rounds: { type: 'string', default: '7' }, warmup: { type: 'string', default: '2' }
    }
  });
  return {
    sets: listOption(values.only, Object.keys(sets), '--only'),
    readers: listOption(values.readers, Object.keys(contenders), '--readers'),
    rounds: numberOption(values.rounds, '--rounds', leastRounds),
    warmup: numberOption(values.warmup, '--warmup', 1)
  };
}

async function runSet(fixture, set, { readers: names, rounds, warmup }, report) {
  const { contenders } = require('./readers');
  const { runRounds } = require('./rounds');
  const { count, fields, title } = sets[set];
  const { bytes } = await fixture.load(`${database}.${set}`, set, count);
  console.log(`\n${set}: ${count.toLocaleString('en')} documents, ${(bytes / 1e6).toFixed(1)} MB: ${title}`);
  const parameters = { table: 'readers', uri: fixture.uri, database, collection: set, fields };
  const { samples, wrong } = await runRounds({ contenders, names, parameters, count, rounds, warmup });
  return summarise({ set, count, bytes, samples, wrong: wrong.map((text) => `${set}: ${text}`) }, contenders, report);
}

function summarise({ set, count, bytes, samples, wrong }, contenders, report) {
  const { judge } = require('./targets');
  const { spreadsOf } = require('./rounds');
  const spreads = spreadsOf(samples);
  const rows = [['reader', 'wall ms', 'client CPU ms', 'longest loop delay ms', 'MB/s', 'x mongodb']];
  for (const [name, { wallMs, cpuMs, delayMs }] of Object.entries(spreads)) {
    const times = spreads.official ? `${(spreads.official.wallMs.median / wallMs.median).toFixed(2)}` : '';
    rows.push([contenders[name].title, report.range(wallMs), report.range(cpuMs), report.range(delayMs),
      (bytes / 1000 / wallMs.median).toFixed(0), times]);
  }
  console.log(report.table(rows));

  const medians = Object.fromEntries(Object.entries(spreads).map(([name, { wallMs, delayMs }]) =>
    [name, { wallMs: wallMs.median, delayMs: delayMs.median }]));
  const targets = judge(set, medians);
  for (const target of targets) console.log(`  ${report.targetLine(target)}`);
  for (const text of wrong) console.log(`  WRONG  ${text}`);
  return { set, count, bytes, readers: spreads, samples, targets, wrong };
}

function printSummary(results) {
  const { targetLine } = require('./report');
  console.log('\nTargets (ratios of medians of this run)');
  for (const { set, targets } of results) for (const target of targets) console.log(`  ${set.padEnd(10)}  ${targetLine(target)}`);
  const wrong = results.flatMap((result) => result.wrong);
  console.log(wrong.length === 0 ? 'All results are right.' : `WRONG RESULTS:\n  ${wrong.join('\n  ')}`);
}

start(main);

'use strict';

// The speed check: every reader on five document sets, from a server that costs next to no CPU, in one run.
//
//   node bench/quick.js [--only set[,set]] [--readers name[,name]] [--rounds 7] [--warmup 2]
//
// The exit code is 0 unless a result is wrong or a reader fails: slow is reported, not punished.

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { ensureReady } = require('../scripts/ensure');
const { sets, database } = require('./sets');

const leastRounds = 5;

async function main() {
  const options = parse();
  ensureReady();
  // These need what ensureReady installs and builds.
  const { startFixture } = require('../__tests__/support/fixture-server');
  const report = require('./report');

  const environment = { command: `node bench/quick.js ${process.argv.slice(2).join(' ')}`.trim(), machine: report.machine(), versions: report.versions() };
  printEnvironment(environment, options);
  const fixture = await startFixture();
  const results = [];
  try {
    for (const set of options.sets) results.push(await runSet(fixture, set, options, report));
  } finally {
    await fixture.stop();
  }
  printSummary(results);
  save({ ...environment, date: new Date().toISOString(), rounds: options.rounds, warmup: options.warmup, results });
  if (results.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1;
}

function parse() {
  const { readers } = require('./readers');
  const { values } = parseArgs({
    options: {
      only: { type: 'string' }, readers: { type: 'string' },
      rounds: { type: 'string', default: '7' }, warmup: { type: 'string', default: '2' }
    }
  });
  const list = (text, known, name) => {
    const names = text === undefined ? Object.keys(known) : text.split(',');
    for (const item of names) {
      if (!Object.hasOwn(known, item)) throw new UsageError(`${name}: unknown '${item}', expected ${Object.keys(known).join(', ')}`);
    }
    return names;
  };
  const number = (text, name, least) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least) throw new UsageError(`${name} must be a whole number, ${least} or more`);
    return value;
  };
  return {
    sets: list(values.only, sets, '--only'),
    readers: list(values.readers, readers, '--readers'),
    rounds: number(values.rounds, '--rounds', leastRounds),
    warmup: number(values.warmup, '--warmup', 1)
  };
}

class UsageError extends Error {}

// Rounds are interleaved: in each one every reader reads once, so that what else the machine does hits all
// alike. One process per reader, so that no reader collects another's garbage.
async function runSet(fixture, set, { readers: names, rounds, warmup }, report) {
  const { readers } = require('./readers');
  const { TrialProcess } = require('./trial-process');
  const { count, fields, title } = sets[set];
  const { bytes } = await fixture.load(`${database}.${set}`, set, count);
  console.log(`\n${set}: ${count.toLocaleString('en')} documents, ${(bytes / 1e6).toFixed(1)} MB: ${title}`);

  const wrong = [];
  const trials = new Map();
  const samples = {};
  const fail = async (name, error) => {
    await trials.get(name)?.end();
    trials.delete(name);
    delete samples[name];
    if (readers[name].optional) console.log(`\r  ${readers[name].title}: left out (${error.message})`);
    else wrong.push(`${set}: ${readers[name].title}: ${error.message}`);
  };
  const each = async (note, act) => {
    for (const name of names) {
      if (!trials.has(name)) continue;
      progress(`  ${note}: ${readers[name].title}`);
      await act(name, trials.get(name)).catch((error) => fail(name, error));
    }
  };

  for (const name of names) {
    progress(`  starting ${readers[name].title}`);
    try {
      trials.set(name, await TrialProcess.start({ uri: fixture.uri, database, set, fields, reader: name }));
      samples[name] = [];
    } catch (error) {
      await fail(name, error);
    }
  }
  try {
    for (let round = 1; round <= warmup; round++) await each(`warm-up ${round} of ${warmup}`, (name, trial) => trial.run());
    for (let round = 1; round <= rounds; round++) {
      await each(`round ${round} of ${rounds}`, async (name, trial) => {
        const sample = await trial.run();
        if (sample.documents !== count) throw new Error(`${sample.documents} documents instead of ${count}`);
        samples[name].push(sample);
      });
    }
    await each('checking', async (name, trial) => {
      const { documents, equal } = await trial.check();
      if (documents !== count) throw new Error(`${documents} documents instead of ${count}`);
      if (readers[name].checked && !equal) throw new Error('not compared');
    });
  } finally {
    for (const trial of trials.values()) await trial.end();
    progress('');
  }
  return summarise({ set, count, bytes, samples, wrong }, readers, report);
}

function summarise({ set, count, bytes, samples, wrong }, readers, report) {
  const { judge } = require('./targets');
  const spreads = {};
  for (const [name, list] of Object.entries(samples)) {
    spreads[name] = {
      wallMs: report.spread(list.map((sample) => sample.wallMs)),
      cpuMs: report.spread(list.map((sample) => sample.cpuMs)),
      delayMs: report.spread(list.map((sample) => sample.delayMs)),
      rssMB: report.spread(list.map((sample) => sample.rssMB))
    };
  }
  const rows = [['reader', 'wall ms', 'client CPU ms', 'longest loop delay ms', 'MB/s', 'x mongodb']];
  for (const [name, { wallMs, cpuMs, delayMs }] of Object.entries(spreads)) {
    const times = spreads.official ? `${(spreads.official.wallMs.median / wallMs.median).toFixed(2)}` : '';
    rows.push([readers[name].title, report.range(wallMs), report.range(cpuMs), report.range(delayMs),
      (bytes / 1000 / wallMs.median).toFixed(0), times]);
  }
  console.log(report.table(rows));

  const medians = Object.fromEntries(Object.entries(spreads).map(([name, { wallMs, delayMs }]) =>
    [name, { wallMs: wallMs.median, delayMs: delayMs.median }]));
  const targets = judge(set, medians);
  for (const target of targets) console.log(`  ${targetLine(target)}`);
  for (const text of wrong) console.log(`  WRONG  ${text}`);
  return { set, count, bytes, readers: spreads, samples, targets, wrong };
}

const targetLine = ({ name, least, value, reached }) =>
  `${reached ? 'reached    ' : 'NOT REACHED'}  ${name}: ${value.toFixed(2)} (at least ${least})`;

function printEnvironment({ command, machine, versions }, { rounds, warmup }) {
  console.log(`\n${command}`);
  console.log(`${machine.cpu}, ${machine.cores} cores, ${machine.memoryGB} GB, ${machine.system}; load ${machine.load.join(' ')}`);
  console.log(Object.entries(versions).map(([name, value]) => `${name} ${value}`).join(', '));
  console.log(`${rounds} timed rounds after ${warmup} of warm-up, interleaved; medians (min-max). Every result of rumongo-go is`);
  console.log('compared with the official driver\'s, outside the clock. The server sends batches from memory.');
}

function printSummary(results) {
  console.log('\nTargets (ratios of medians of this run)');
  for (const { set, targets } of results) for (const target of targets) console.log(`  ${set.padEnd(10)}  ${targetLine(target)}`);
  const wrong = results.flatMap((result) => result.wrong);
  console.log(wrong.length === 0 ? 'All results are right.' : `WRONG RESULTS:\n  ${wrong.join('\n  ')}`);
}

function save(report) {
  const folder = path.join(__dirname, 'results');
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `quick-${report.date.replace(/[:.]/g, '-')}.json`);
  fs.writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
  console.log(`Written: ${path.relative(process.cwd(), file)}`);
}

// One line that is written over; without a terminal nothing, the set's table is progress enough.
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
}

main().catch((error) => {
  console.error(error instanceof UsageError ? error.message : error);
  process.exitCode = 1;
});

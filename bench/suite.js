'use strict';

// The benchmark suite: `npm run bench`. bench/README.md says what it measures and how.
//
//   npm run bench                                          # everything, about 50 minutes; writes BENCHMARKS.md and the charts
//   npm run bench -- --quick                               # the main figures, within three minutes
//   npm run bench -- --only eager,lazy --sets mixed45,text --readers official,find --rounds 15 --warmup 3
//   npm run bench -- --only point --write                  # measures one part again and puts it into BENCHMARKS.md
//   npm run bench -- --render                              # BENCHMARKS.md and charts from the results of last time
//
// The exit code is 0 unless a result is wrong or a reader fails: slow is reported, not punished.

const { ensureReady } = require('../scripts/ensure');
const { start, printEnvironment } = require('./command-line');
const { parse, select, usage } = require('./selection');

const quickMs = 120_000; // of measuring, shared by the cases: one whose share is used up ends with the least rounds

async function main() {
  const options = parse(process.argv.slice(2));
  if (options.help) return console.log(usage);
  const selected = options.render ? [] : select(options);
  ensureReady();
  // These need what ensureReady installs and builds.
  const report = require('./report');
  const results = require('./results');
  if (options.render) return results.render();

  const environment = {
    command: `npm run bench${options.text && ` -- ${options.text}`}`, date: new Date().toISOString(),
    rounds: options.rounds, warmup: options.warmup, machine: report.machine(), versions: report.versions()
  };
  printEnvironment(environment);
  console.log(`${options.rounds} timed rounds (more where they are short) after ${options.warmup}${options.quick ? '' : ` to ${5 * options.warmup}`} of warm-up, interleaved; medians (min-max).`);
  console.log('Every result is checked outside the clock: its count, and samples of its documents against the official driver\'s.');
  const measured = [];
  const time = new Time(options.quick ? quickMs : Infinity, selected.flatMap(({ cases }) => cases).length);
  for (const one of selected) {
    for (const id of one.left) console.log(`\n${one.name}: ${id}: left out, none of the readers is in it`);
    if (one.cases.length === 0) continue;
    measured.push(await runPart(one, options, environment, time, report));
    results.save(measured, options); // now: whoever stops a run of an hour keeps the parts that are done
  }
  printSummary(measured, report);
  if (measured.some(({ cases }) => cases.some(({ wrong }) => wrong.length > 0))) process.exitCode = 1;
}

/** Shares out the time that there is. */
class Time {
  #end;
  #cases;

  constructor(ms, cases) {
    this.#end = performance.now() + ms;
    this.#cases = cases;
  }

  get isUp() {
    return performance.now() > this.#end;
  }

  /** When the next case has to come to its end. */
  next() {
    const now = performance.now();
    return now + (this.#end - now) / this.#cases--;
  }
}

async function runPart({ name, cases }, options, environment, time, { table, targetLine }) {
  const { runCase } = require('./case');
  const { judge } = require('./targets');
  const { rowsOf } = require('./columns');
  const { title, about, base, columns } = require('./parts')[name];
  console.log(`\n== ${name}: ${title}\n${about}`);
  const part = { part: name, title, about, base, columns, environment, cases: [] };
  for (const one of cases) {
    if (time.isUp) {
      console.log(`\n${one.id}: left out, the time is up`);
      continue;
    }
    const result = { ...one, ...await runCase(one, { ...options, deadline: time.next() }) };
    delete result.server;
    part.cases.push(result);
    console.log(`\n${one.id}: ${result.documents.toLocaleString('en')} documents, ${(result.bytes / 1e6).toFixed(1)} MB: ${result.title}`);
    console.log(table(rowsOf(part, result)));
    for (const text of result.left) console.log(`  left out  ${text}`);
    for (const text of result.wrong) console.log(`  WRONG  ${text}`);
  }
  part.targets = judge(name, part.cases);
  for (const target of part.targets) console.log(`  ${targetLine(target)}`);
  return part;
}

function printSummary(measured, { targetLine }) {
  const targets = measured.flatMap(({ part, targets: list }) => list.map((target) => ({ part, ...target })));
  const missed = targets.filter(({ reached }) => !reached);
  console.log(`\nTargets: ${targets.length - missed.length} of ${targets.length} reached.`);
  for (const target of missed) console.log(`  ${target.part.padEnd(10)}  ${targetLine(target)}`);
  const wrong = measured.flatMap(({ cases }) => cases.flatMap((one) => one.wrong));
  console.log(wrong.length === 0 ? 'All results are right.' : `WRONG RESULTS:\n  ${wrong.join('\n  ')}`);
}

start(main);

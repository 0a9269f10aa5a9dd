'use strict';

// What a run is asked for: options of the command line, and the cases and readers of the parts that they leave.

const { parseArgs } = require('node:util');
const { UsageError, listOption, numberOption } = require('./command-line');
const parts = require('./parts');
const { readers } = require('./readers');
const { sets } = require('./sets');

const leastRounds = 3;
const usualRounds = 7;

const wrapped = (names) => names.join(', ').replace(/(.{1,76})(?: |$)/g, '    $1\n').trimEnd();

const usage = `npm run bench -- [options]      measures this package beside others; bench/README.md says how

  --quick              the main figures, within three minutes
  --only <parts>       some parts, separated by commas; all if not said
  --sets <sets>        some sets (of the parts eager and lazy)
  --readers <readers>  some readers; a case that has none of them is left out
  --rounds <n>         timed rounds, ${usualRounds} if not said, ${leastRounds} at least
  --warmup <n>         rounds before them, up to five times as many for those that have read for less than a second
  --write              puts what was measured into BENCHMARKS.md, as a run of everything does
  --render             writes BENCHMARKS.md and the charts from the results of last time
  --help               this text

  parts:
${wrapped(Object.keys(parts))}
  sets:
${wrapped(Object.keys(sets))}
  readers:
${wrapped(Object.keys(readers))}`;

/** @param {string[]} args of the command */
function parse(args) {
  const { quick, help, render, only, sets: chosen, readers: some, rounds, warmup, write } = valuesOf(args);
  const partial = quick || [only, chosen, some].some((value) => value !== undefined);
  return {
    quick,
    help,
    render,
    text: args.join(' '),
    parts: listOption(only ?? (quick ? 'lazy,point,eager' : undefined), Object.keys(parts), '--only'),
    sets: chosen && listOption(chosen, Object.keys(sets), '--sets'),
    only: some && listOption(some, Object.keys(readers), '--readers'),
    rounds: numberOption(rounds ?? String(usualRounds), '--rounds', leastRounds),
    warmup: numberOption(warmup ?? (quick ? '2' : '3'), '--warmup', 1),
    write: write || !partial
  };
}

function valuesOf(args) {
  const flag = { type: 'boolean', default: false };
  const text = { type: 'string' };
  try {
    const options = { quick: flag, only: text, sets: text, readers: text, rounds: text, warmup: text, write: flag, render: flag, help: { ...flag, short: 'h' } };
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(`${error.message}\n\n${usage}`);
  }
}

/**
 * The cases to run, each part's with those of its contenders that are wanted.
 * @param {object} options of parse()
 * @returns {{ name: string, cases: object[], left: string[] }[]} left: ids of cases that none of the readers is in
 */
function select(options) {
  const selected = options.parts.map((name) => {
    const all = parts[name].cases(options).map((one) => ({ ...one, contenders: contendersOf(one, options.only) }));
    const isLeft = ({ contenders }) => contenders.length === 0;
    return { name, cases: all.filter((one) => !isLeft(one)), left: all.filter(isLeft).map(({ id }) => id) };
  });
  if (selected.every(({ cases }) => cases.length === 0)) {
    const having = Object.keys(parts).filter((name) => parts[name].cases(options).some((one) => contendersOf(one, options.only).length > 0));
    throw new UsageError(`--readers: none of ${options.only.join(', ')} is in ${options.parts.join(', ')}; `
      + (having.length === 0 ? 'no part measures it with the other options' : `--only may be ${having.join(', ')}`));
  }
  return selected;
}

const contendersOf = ({ contenders }, only) => contenders
  .map((entry) => (typeof entry === 'string' ? { name: entry, reader: entry } : entry))
  .filter(({ reader }) => only === undefined || only.includes(reader));

module.exports = { parse, select, usage };

'use strict';
// Every check there is, and how they are run: a line each.

const { check: compareInterface } = require('./abi');
const audit = require('./audit');
const code = require('./code');
const { NotCheckable, skipped } = require('./command');

const CHECKS = [...code, { name: 'C interface', fast: true, run: compareInterface }, ...audit];

function attempt(run, fix) {
  try {
    return run(fix);
  } catch (error) {
    if (error instanceof NotCheckable) return skipped(error.message);
    throw error;
  }
}

/**
 * Runs checks and prints a line for each; what has failed comes with its output.
 * @param {{ name: string, run: (fix: boolean) => { state: string, said: string, output?: string } }[]} checks
 * @returns {Record<'ok' | 'skipped' | 'FAILED', number>} how many
 */
function runChecks(checks, { fix = false, print = console.log } = {}) {
  const counts = { ok: 0, skipped: 0, FAILED: 0 };
  for (const { name, run } of checks) {
    const { state, said, output } = attempt(run, fix);
    counts[state]++;
    print(`${state.padEnd(8)} ${name}: ${said}`);
    if (output) print(output);
  }
  return counts;
}

module.exports = { CHECKS, FAST: CHECKS.filter(({ fast }) => fast), runChecks };

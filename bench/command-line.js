'use strict';

// What is around the measuring: options, progress, the environment.

/** Wrong use of a command: printed without a stack. */
class UsageError extends Error {}

/** Names from a comma-separated option, all of `known` without one. */
function listOption(text, known, name) {
  const names = text === undefined ? known : text.split(',');
  for (const item of names) {
    if (!known.includes(item)) throw new UsageError(`${name}: unknown '${item}', expected ${known.join(', ')}`);
  }
  return names;
}

function numberOption(text, name, least) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) throw new UsageError(`${name} must be a whole number, ${least} or more`);
  return value;
}

/** Runs a command's main function; a failure of any kind gives exit code 1. */
function start(main) {
  main().catch((error) => {
    console.error(error instanceof UsageError ? error.message : error);
    process.exitCode = 1;
  });
}

function printEnvironment({ command, machine, versions }) {
  console.log(`\n${command}`);
  console.log(`${machine.cpu}, ${machine.cores} cores, ${machine.memoryGB} GB, ${machine.system}; load ${machine.load.join(' ')}`);
  console.log(Object.entries(versions).map(([name, value]) => `${name} ${value}`).join(', '));
}

// One line that is written over; without a terminal nothing, the tables are progress enough.
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
}

module.exports = { UsageError, listOption, numberOption, start, printEnvironment, progress };

'use strict';

const os = require('node:os');
const { execFileSync } = require('node:child_process');

/** What the numbers depend on. */
function machine() {
  const cpus = os.cpus();
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown',
    cores: cpus.length,
    memoryGB: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    load: os.loadavg().map((value) => Number(value.toFixed(2)))
  };
}

function versions() {
  return {
    node: process.versions.node,
    v8: process.versions.v8,
    go: run('go', ['env', 'GOVERSION']),
    'rumongo-go': require('../package.json').version,
    mongodb: version('mongodb'),
    mongoose: version('mongoose'),
    rumongo: version('rumongo')
  };
}

function version(name) {
  try {
    return require(`${name}/package.json`).version;
  } catch {
    return 'not installed';
  }
}

function run(command, args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8' }).trim();
  } catch {
    return 'not installed';
  }
}

/** { median, min, max } of numbers. */
function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, min: sorted[0], max: sorted.at(-1) };
}

/** A table as lines of text; the first column to the left, the others to the right. */
function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  const line = (row) => row.map((cell, column) =>
    (column === 0 ? String(cell).padEnd(widths[column]) : String(cell).padStart(widths[column]))).join('  ');
  return [line(rows[0]), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.slice(1).map(line)].join('\n');
}

const range = ({ median, min, max }) => `${digits(median)} (${digits(min)}-${digits(max)})`;
const digits = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

const targetLine = ({ name, least, most, value, reached }) =>
  `${reached ? 'reached    ' : 'NOT REACHED'}  ${name}: ${value.toFixed(2)} (${least === undefined ? `at most ${short(most)}` : `at least ${short(least)}`})`;
const short = (value) => Number(value.toFixed(2));

module.exports = { machine, versions, spread, table, range, digits, targetLine };

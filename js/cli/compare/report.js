'use strict';
// The words and numbers of the command compare.

const { table } = require('../table.js');
const { printable } = require('../../shadow/report.js');

const LARGE_BYTES = 32 * 1024 * 1024; // from here on a result is better read batch by batch
const LARGE_COUNT = 50_000;
const SERVER_BOUND = 1.3; // below it the readers hardly count
const LITTLE_COUNT = 100; // too few documents to tell readers apart

const integer = (value) => value.toLocaleString('en');
const megabytes = (bytes) => (bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 1);
const milliseconds = (ms) => (ms >= 100 ? ms.toFixed(0) : ms.toFixed(1));
const times = (ratio) => (ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(1));

const verdict = {
  heading({ ns, limit }, count, bytes) {
    const cut = limit > 0 && count >= limit ? ` (stopped at --limit ${limit})` : '';
    return `${ns}: ${integer(count)} documents, ${megabytes(bytes)} MB${cut}\n\nParity with the official driver`;
  },

  line({ name, divergence, attempts, count }) {
    const again = attempts > 1 && divergence === null ? `, at attempt ${attempts}: the data was changing` : '';
    if (divergence === null) return `  equal      ${name}: ${integer(count)} documents${again}`;
    const kind = divergence.reason === 'order' ? 'order      ' : 'DIFFERENT  ';
    const line = `  ${kind}${name}: ${printable(divergence)}`;
    if (divergence.reason === 'order') return `${line}; the same documents`;
    return attempts > 1 ? `${line}; still so after ${attempts} reads` : line;
  },

  end(same, { sorted, limit }, count) {
    if (same && count === 0) return 'Nothing was found, so nothing was compared: look at --ns and --filter.';
    if (same) return 'The results are the same.';
    const hint = !sorted && limit > 0 ? ' Without --sort a server may choose other documents each time it stops at --limit: try with one.' : '';
    return `The results DIFFER.${hint} Please report what you can of the lines above.`;
  },
};

function speedTable(measured, count, bytes) {
  const perSecond = (amount, ms) => (ms > 0 ? (amount / ms) * 1000 : 0);
  const rows = measured.map((row) => [
    row.note === undefined ? row.name : `${row.name} (${row.note})`,
    milliseconds(row.ms),
    integer(Math.round(perSecond(count, row.ms))),
    megabytes(perSecond(bytes, row.ms)),
    milliseconds(row.delayMs),
    row.against === undefined ? '' : times(fasterThan(measured, row)),
  ]);
  return table([['read', 'ms', 'documents/s', 'MB/s', 'longest loop delay, ms', 'times faster'], ...rows]);
}

const rowOf = (measured, name) => measured.find((row) => row.name === name);
const fasterThan = (measured, row) => rowOf(measured, row.against).ms / row.ms;

/** Which read suits what was read. */
function advice(measured, { count, bytes, same }) {
  const lines = [];
  const say = (name, when) => {
    const row = rowOf(measured, name);
    if (row === undefined) return; // it failed
    lines.push(`  ${name}: ${when} (${times(fasterThan(measured, row))} times as fast as ${row.against}, longest loop delay ${milliseconds(row.delayMs)} ms)`);
  };
  const large = bytes >= LARGE_BYTES || count >= LARGE_COUNT;
  if (large) say('findCursor lazy: false', 'suits this result, which is large: one batch in memory at a time');
  say('find', large ? 'when the whole array is needed' : 'suits this result: a drop-in for find().toArray()');
  say('findLazy', 'when only a few fields of each document are read');
  if (!large) say('findCursor lazy: false', 'for results that grow: one batch in memory at a time');
  say('findJSON', 'when the documents are only passed on as JSON');
  const head = same ? 'Which read suits' : 'Which read would suit, once the difference is explained';
  if (count < LITTLE_COUNT) lines.push('So few documents say little about speed: take a query with more of them.');
  else if (['find', 'findLazy'].every((name) => rowOf(measured, name) !== undefined && fasterThan(measured, rowOf(measured, name)) < SERVER_BOUND)) {
    lines.push('Most of the time is the server\'s or the network\'s here: look at the loop delays.');
  }
  return [head, ...lines].join('\n');
}

module.exports = { verdict, speedTable, advice };

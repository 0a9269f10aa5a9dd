'use strict';

// BENCHMARKS.md, written from the results.

const { rowsOf } = require('./columns');

const introduction = `# Benchmarks

Written by \`npm run bench\`; [bench/README.md](bench/README.md) says what is measured and how. Medians, least and most in
brackets; each table is one run with interleaved rounds, so its ratios hold and its milliseconds are those of one machine.
The server is the project's own, which sends batches from memory: what is measured is the client. Single results, all
rounds of them included, are in [bench/results/latest.json](bench/results/latest.json).`;

/** @returns {string} the page */
function page(parts, charts) {
  return `${[introduction, ...targetsOf(parts), ...parts.map((part) => sectionOf(part, charts))].join('\n\n')}\n`;
}

function targetsOf(parts) {
  const targets = parts.flatMap(({ part, targets: list }) => list.map((target) => ({ part, ...target })));
  const reached = targets.filter((target) => target.reached).length;
  const rows = targets.map((target) => [target.part, target.name, bound(target), target.value.toFixed(2), target.reached ? 'reached' : '**not reached**']);
  return ['## Targets', `${reached} of ${targets.length} reached.`, table([['part', 'target', 'wanted', 'measured', ''], ...rows])];
}

const bound = ({ least, most }) => (least === undefined ? `at most ${short(most)}` : `at least ${short(least)}`);
const short = (value) => Number(value.toFixed(2));

function sectionOf(part, charts) {
  const { environment: { command, date, machine, versions, rounds } } = part;
  const lines = [`## ${part.title}`, part.about];
  for (const { file, title } of charts.filter((chart) => chart.part === part.part)) lines.push(`![${title}](bench/charts/${file})`);
  for (const one of part.cases) {
    lines.push(`**${one.id}**: ${one.title}; ${one.documents.toLocaleString('en')} documents, ${(one.bytes / 1e6).toFixed(1)} MB`);
    lines.push(table(rowsOf(part, one)));
    for (const text of one.left) lines.push(`Left out: ${text}.`);
  }
  lines.push(`<sub>\`${command}\`, ${rounds} rounds or more, ${date.slice(0, 10)}; ${machine.cpu}, ${machine.cores} cores, `
    + `${machine.memoryGB} GB, ${machine.system}, load ${machine.load[0]} before; `
    + `${Object.entries(versions).map(([name, value]) => `${name} ${value}`).join(', ')}</sub>`);
  return lines.join('\n\n');
}

function table([head, ...rows]) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

module.exports = { page };

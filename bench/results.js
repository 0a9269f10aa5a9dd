'use strict';

// Where results go: bench/results/latest.json, BENCHMARKS.md and bench/charts/ for what is to be shown, a file with a
// date for everything else.

const fs = require('node:fs');
const path = require('node:path');

const folder = path.join(__dirname, 'results');
const latest = path.join(folder, 'latest.json');

/** Keeps the parts of a run; with `write` they replace those that are shown. */
function save(measured, { write }) {
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${measured[0].environment.date.replace(/[:.]/g, '-')}.json`);
  put(file, { parts: measured });
  if (!write) return;
  const order = Object.keys(require('./parts'));
  const parts = new Map(load().parts.map((part) => [part.part, part]));
  for (const part of measured) parts.set(part.part, part);
  put(latest, { parts: order.filter((name) => parts.has(name)).map((name) => parts.get(name)) });
  render();
}

function load() {
  return fs.existsSync(latest) ? JSON.parse(fs.readFileSync(latest, 'utf8')) : { parts: [] };
}

function render() {
  const { parts } = load();
  const root = path.join(__dirname, '..');
  const charts = require('./charts').draw(parts, path.join(__dirname, 'charts'));
  fs.writeFileSync(path.join(root, 'BENCHMARKS.md'), require('./markdown').page(parts, charts));
  console.log(`Written: BENCHMARKS.md, ${charts.length} charts`);
}

function put(file, value) {
  // Three decimals are more than any of these figures is good for.
  const text = JSON.stringify(value, (key, item) => (typeof item === 'number' ? Number(item.toFixed(3)) : item), 1);
  fs.writeFileSync(file, `${text}\n`);
  console.log(`Written: ${path.relative(process.cwd(), file)}`);
}

module.exports = { save, render };

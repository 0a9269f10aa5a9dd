'use strict';
// `npm run fuzz`: every Go fuzz target of the repository, one after the other, for FUZZ_SECONDS in all (60 if not set).
// The seeds are each target's own and the BSON corpus, fetched into the module cache first. What a target finds it
// writes to testdata/fuzz/ in its package: mend it, and commit the file, which `go test` runs from then on.
// `npm run fuzz -- FuzzEncode` runs only the targets whose names contain one of the arguments.

const { spawnSync } = require('node:child_process');
const os = require('node:os');
const path = require('node:path');

const root = path.resolve(__dirname, '..');
const CORPUS = 'go.mongodb.org/mongo-driver@v1.17.4';

function go(args, options) {
  const result = spawnSync('go', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  if (result.error) {
    console.error(`cannot run go: ${result.error.message}; fuzzing needs Go (https://go.dev/dl/)`);
    process.exit(1);
  }
  return result;
}

/** @returns {{ name: string, folder: string }[]} */
function targets() {
  const { stdout, stderr, status } = go(['test', '-list', '^Fuzz', './...']);
  if (status !== 0) {
    console.error(`${stdout}${stderr}`);
    process.exit(1);
  }
  const found = [];
  let names = [];
  for (const line of stdout.split('\n')) {
    if (/^Fuzz\w+$/.test(line)) names.push(line);
    const [, folder] = /^ok\s+(\S+)/.exec(line) ?? [];
    if (folder === undefined) continue;
    for (const name of names) found.push({ name, folder });
    names = [];
  }
  return found;
}

function secondsInAll() {
  const seconds = Number(process.env.FUZZ_SECONDS ?? 60);
  if (!(seconds > 0)) {
    console.error(`FUZZ_SECONDS must be a number of seconds above 0, got "${process.env.FUZZ_SECONDS}"`);
    process.exit(1);
  }
  return seconds;
}

function main(wanted) {
  const seconds = secondsInAll();
  if (go(['mod', 'download', CORPUS], { cwd: os.tmpdir() }).status !== 0) {
    console.log(`The BSON corpus (${CORPUS}) cannot be fetched: fuzzing from the targets' own seeds`);
  }
  const all = targets();
  const chosen = all.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  if (chosen.length === 0) {
    console.error(`No fuzz target is named like ${wanted.join(', ')}; there are ${all.map(({ name, folder }) => `${name} in ${folder}`).join(', ')}`);
    process.exit(1);
  }
  const each = Math.max(1, Math.round(seconds / chosen.length));
  const failed = [];
  for (const { name, folder } of chosen) {
    console.log(`\n${name} in ${folder}, ${each} s`);
    const { status } = go(['test', '-run=^$', `-fuzz=^${name}$`, `-fuzztime=${each}s`, folder], { stdio: 'inherit' });
    if (status !== 0) failed.push(`${name} in ${folder}`);
  }
  if (failed.length > 0) {
    console.error(`\nFailed: ${failed.join(', ')}. The inputs are in testdata/fuzz/ of these packages; the output above has the command that runs one.`);
    process.exit(1);
  }
  console.log(`\n${chosen.length} fuzz targets, nothing found`);
}

main(process.argv.slice(2));

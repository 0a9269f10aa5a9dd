'use strict';
// `npm run release -- --dry-run`: everything up to publishing. `npm run release -- --help` has the options.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { root, step, ensureReady } = require('./ensure');

const HELP = `npm run release -- --dry-run | --confirm <version>

  --dry-run            do all but publish
  --confirm <version>  publish; the version must be the one in package.json
  --target <name>      a platform package (repeatable); this machine's, and those of --prebuilt, if not said
  --prebuilt <folder>  binaries from elsewhere, in <folder>/<target>/
  --tests <folders>    the tests to run: all (npm test), or folders such as "package unit", or none (not when publishing)
`;

/** @returns {string[]} what is wrong, in words */
function wrongVersions({ manifest, lock, changelog }) {
  const { version } = manifest;
  const wrong = [];
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) wrong.push(`package.json: version "${version}" is no version`);
  for (const [where, other] of [['package-lock.json', lock.version], ['package-lock.json, packages[""]', lock.packages?.['']?.version]]) {
    if (other !== version) wrong.push(`${where} says ${other}, package.json ${version}: run "npm install --package-lock-only"`);
  }
  const first = /^## (.+)$/m.exec(changelog)?.[1];
  if (first === undefined || !new RegExp(`^${version.replaceAll('.', '\\.')}(\\s|$)`).test(first)) {
    wrong.push(`the first heading of CHANGELOG.md is "${first}", expected "${version} (date)"`);
  }
  return wrong;
}

/** What a rehearsal may have and a publication may not. */
function unready({ manifest, changelog }) {
  const first = /^## (.+)$/m.exec(changelog)?.[1] ?? '';
  const problems = [];
  if (/unreleased/i.test(first)) problems.push(`CHANGELOG.md: "${first}" needs a date`);
  if (manifest.private) problems.push('package.json is private');
  return problems;
}

/** @returns {{ targets: string[], prebuilt: Record<string, string>, tests: string[] | null, dryRun: boolean } | null} tests null: none; null: help */
function parse(args, { version }) {
  const { values } = parseArgs({
    args,
    options: {
      'dry-run': { type: 'boolean' }, 'confirm': { type: 'string' }, 'target': { type: 'string', multiple: true },
      'prebuilt': { type: 'string' }, 'tests': { type: 'string', default: 'all' }, 'help': { type: 'boolean' },
    },
  });
  if (values.help) return null;
  const dryRun = values['dry-run'] ?? false;
  if (dryRun === (values.confirm !== undefined)) {
    throw new Error(`Say either --dry-run, or --confirm ${version} to publish`);
  }
  if (!dryRun && values.confirm !== version) throw new Error(`--confirm ${values.confirm} is not the version in package.json, ${version}`);
  if (!dryRun && values.tests !== 'all') throw new Error('To publish, all tests run: leave --tests away');
  const { prebuiltIn, chooseTargets } = require('./pack');
  const prebuilt = prebuiltIn(values.prebuilt);
  const tests = values.tests === 'none' ? null : values.tests.split(/[\s,]+/).filter((folder) => folder !== 'all');
  return { targets: chooseTargets(values.target, prebuilt), prebuilt, tests, dryRun };
}

/**
 * Packs again from a clone of the commit, in another folder and with nothing compiled before, and compares: what is
 * published must be what anybody can build from the sources.
 */
function checkReproducible(targets, sums) {
  const { run } = require('./pack/run');
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-again-'));
  try {
    const clone = path.join(dir, 'clone');
    run('git', ['clone', '--quiet', root, clone]);
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(clone, 'node_modules'));
    run(process.execPath, ['scripts/pack/index.js', ...targets.flatMap((target) => ['--target', target])],
      { cwd: clone, env: { ...process.env, GOCACHE: path.join(dir, 'cache') } });
    const again = new Set(fs.readFileSync(path.join(clone, 'dist', 'SHA256SUMS'), 'utf8').trim().split('\n'));
    const different = sums.trim().split('\n').filter((line) => !again.has(line));
    if (different.length > 0) throw new Error(`packed twice, these differ:\n${different.join('\n')}`);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

function title(text) {
  console.log(`\n> ${text}`);
}

function checkTree(files) {
  const { run } = require('./pack/run');
  title('Working tree, versions, changelog');
  const changed = run('git', ['status', '--porcelain'], { cwd: root });
  if (changed !== '') throw new Error(`the working tree is not clean; commit or remove:\n${changed}`);
  const wrong = wrongVersions(files);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  console.log(`${files.manifest.name} ${files.manifest.version} at ${run('git', ['rev-parse', '--short', 'HEAD'], { cwd: root }).trim()}`);
}

/** The platform packages first: when the main one appears, what it names is there. */
function publish(packed, dryRun) {
  for (const { file } of packed) {
    step(dryRun ? 'What npm would publish' : 'Publishing', 'npm', ['publish', ...(dryRun ? ['--dry-run'] : []), '--access', 'public', file]);
  }
}

function main(args) {
  const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
  const files = { manifest: JSON.parse(read('package.json')), lock: JSON.parse(read('package-lock.json')), changelog: read('CHANGELOG.md') };
  const options = parse(args, files.manifest);
  if (options === null) {
    console.log(HELP);
    return;
  }
  const { targets, prebuilt, tests, dryRun } = options;
  checkTree(files);
  const notYet = unready(files);
  if (notYet.length > 0 && !dryRun) throw new Error(notYet.join('\n'));
  ensureReady();

  if (tests !== null) step('Tests', process.execPath, ['scripts/test.js', ...tests]);

  const { pack, report } = require('./pack');
  title(`Packing ${targets.join(', ')}: binaries, symbol versions, bill of materials, licences, checksums`);
  const packed = pack({ targets, prebuilt });
  const sums = fs.readFileSync(path.join(root, 'dist', 'SHA256SUMS'), 'utf8');
  console.log(`${report(packed)}\n\n${sums}`);

  const built = targets.filter((target) => !(target in prebuilt));
  if (built.length === targets.length) {
    title('The same once more, from a clone in another folder and an empty build cache');
    checkReproducible(targets, sums);
    console.log('equal, byte for byte');
  } else {
    console.log('Not checked here: whether prebuilt binaries can be reproduced; the machine that built them can.');
  }

  publish(packed, dryRun);
  if (dryRun) {
    title('Nothing was published');
    if (tests === null || tests.length > 0) notYet.push(`tests: ${tests === null ? 'none' : `only ${tests.join(', ')}`} were run`);
    for (const line of notYet) console.log(`before publishing: ${line}`);
    console.log(`to publish: npm run release -- --confirm ${files.manifest.version}`);
  } else {
    console.log(`\nPublished. Now: git tag v${files.manifest.version} && git push origin v${files.manifest.version}`);
  }
}

module.exports = { wrongVersions, unready, parse };

if (require.main === module) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(`\nrelease: ${error.message}`);
    process.exit(1);
  }
}

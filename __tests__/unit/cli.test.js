'use strict';
// The command line as far as it goes without a server.

const test = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { main } = require('../../js/cli/index.js');
const { redactor } = require('../../js/cli/redact.js');
const { table } = require('../../js/cli/table.js');
const { Progress } = require('../../js/cli/progress.js');
const { ExportProgress, duration } = require('../../js/cli/export/progress.js');
const { after } = require('../../js/cli/export/resume.js');
const { advice, verdict } = require('../../js/cli/compare/report.js');
const { runChild, CLEAN } = require('../support/run-child.js');
const { version } = require('../../package.json');

const BIN = path.join(__dirname, '..', '..', 'bin', 'rumongo-go.js');

async function run(args, env = {}) {
  const out = { stdout: '', stderr: '' };
  const stream = (name) => ({ write(text) { out[name] += text; } });
  const code = await main(args, { stdout: stream('stdout'), stderr: stream('stderr'), env });
  return { code, ...out };
}

test('help and version', async () => {
  for (const args of [['--help'], ['-h'], ['help']]) {
    const { code, stdout } = await run(args);
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: npx rumongo-go <command>[\s\S]* compare /);
  }
  for (const args of [['compare', '--help'], ['help', 'compare']]) assert.match((await run(args)).stdout, /--ns <db.collection>/);
  assert.deepEqual(await run(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' });
});

const uri = 'mongodb://localhost/';
const wrong = [
  [[], /Usage: npx rumongo-go/],
  [['comparison'], /there is no command "comparison"/],
  [['toString'], /there is no command "toString"/],
  [['compare'], /--uri is missing/],
  [['compare', '--uri', 'http://h/', '--ns', 'a.b'], /--uri must begin with mongodb:\/\//],
  [['help', 'comparison'], /there is no command "comparison"/],
  [['compare', '--uri', 'mongodb://bob:p@ss/word@h/', '--ns', 'a.b'], /--uri has more than one "@": percent-encode/],
  [['compare', '--uri', uri], /--ns is missing/],
  [['compare', '--uri', uri, '--ns', 'users'], /--ns must be a database and a collection/],
  [['compare', '--uri', uri, '--ns', 'app.'], /--ns must be/],
  [['compare', '--uri', uri, '--ns', 'a.b', '--limit', '-1'], /--limit/],
  [['compare', '--uri', uri, '--ns', 'a.b', '--limit', '1.5'], /--limit must be a whole number, 0 or more, got "1.5"/],
  [['compare', '--uri', uri, '--ns', 'a.b', '--rounds', '0'], /--rounds must be a whole number, 1 to 1000/],
  [['compare', '--uri', uri, '--ns', 'a.b', '--filter', '{a: 1}'], /--filter is not Extended JSON/],
  [['compare', '--uri', uri, '--ns', 'a.b', '--filter', '[]'], /--filter must be an object/],
  [['compare', '--uri', uri, '--ns', 'a.b', '--sort', '1'], /--sort must be an object/],
  [['compare', '--uri', uri, '--ns', 'a.b', '--projection', '{"$oid":"65f0a1b2c3d4e5f60718293a"}'], /--projection must be an object/],
  [['compare', '--uri', uri, '--ns', 'a.b', '--quick'], /Unknown option '--quick'/],
  [['compare', uri], /positional|Unexpected argument/],
  ...[
    [['--uri', 'http://h/'], /--uri must begin with mongodb:\/\//],
    [['--uri', 'mongodb://bob:p@ss/word@h/'], /--uri has more than one "@"/],
    [['--ns', 'app.users'], /--ns needs --uri/],
    [['--uri', uri, '--ns', 'users'], /--ns must be a database and a collection/],
    [['--timeout', '1'], /--timeout must be a whole number, 100 to 600000, got "1"/],
    [['--verbose'], /Unknown option '--verbose'/],
    [[uri], /positional|Unexpected argument/],
  ].map(([args, message]) => [['doctor', ...args], message]),
  [['cat'], /the file is missing/],
  [['export', '--uri', uri, '--ns', 'a.b'], /--out is missing/],
  ...[
    [['--out', 'x', '--format', 'xml'], /--format must be ndjson, json or csv, got "xml"/],
    [['--out', 'x', '--compress', 'br'], /--compress must be gzip, zstd or none/],
    [['--out', 'x', '--level', '3'], /--level goes with --compress/],
    [['--out', 'x.gz', '--level', '10'], /--level must be a whole number, 0 to 9, got "10"/],
    [['--out', 'x', '--json-mode', 'bson'], /--json-mode must be plain, relaxed or canonical/],
    [['--out', 'x', '--fields', 'a'], /--fields is for csv/],
    [['--out', 'x.csv', '--fields', 'a,,b'], /--fields must be names/],
    [['--out', 'x.csv', '--fields', 'a,b,a'], /--fields must be names.*got "a"/],
    [['--out', 'x.csv', '--json-mode', 'plain'], /--json-mode and --longs are for ndjson and json/],
    [['--out', 'x', '--longs', 'string', '--json-mode', 'relaxed'], /--longs is for --json-mode plain/],
    [['--out', '-', '--resume'], /--force and --resume are for files/],
    [['--out', 'x', '--limit=-3'], /--limit must be a whole number, 0 or more/],
    [['--out', 'x', '--filter', '[1]'], /--filter must be an object/],
    [['--out', 'x', '--resume', '--sort', '{"a":1}'], /--resume goes by _id/],
  ].map(([more, message]) => [['export', '--uri', uri, '--ns', 'a.b', ...more], message]),
  [['compare', '--uri', 'mongodb://localhost/?nonsense=1', '--ns', 'a.b'], /--uri: /],
];
for (const [args, message] of wrong) {
  test(`wrong: ${args.join(' ')}`, async () => {
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 2);
    assert.match(stderr, message);
    assert.equal(stdout, '');
  });
}

test('secrets are taken out of what is printed', async () => {
  const given = 'mongodb+srv://bob:p%40ss@word@host/db?authMechanismProperties=AWS_SESSION_TOKEN:t0ken&proxyPassword=pr0xy&w=1';
  const redact = redactor(['--uri', given, undefined, '--ns']);
  assert.equal(redact(given), 'mongodb+srv://***@host/db?authMechanismProperties=AWS_SESSION_TOKEN:***&proxyPassword=***&w=1');
  assert.equal(redact('no such user: p@ss@word, nor p%40ss@word'), 'no such user: ***, nor ***');
  assert.equal(redact('proxy refused pr0xy, t0ken'), 'proxy refused ***, ***');
  assert.equal(redact('mongodb://localhost/a'), 'mongodb://localhost/a');
  assert.equal(redactor(['--uri=mongodb://u:hidden@h/'])('hidden'), '***');

  const secret = 'mongodb://bob:s3cr3t@h/?nonsense=1';
  for (const [args, env] of [[['compare', '--uri', secret, '--ns', 'a.b'], {}], [['compare', '--ns', 'a.b'], { MONGODB_URI: secret }], [['compare', `--url=${secret}`], {}], [['compare', secret], {}]]) {
    const { code, stdout, stderr } = await run(args, env);
    assert.deepEqual([code, /s3cr3t/.test(stdout + stderr)], [2, false], stderr);
  }
});

test('advice: by size, by what is measured, and without the reads that failed', () => {
  const theirs = [{ name: 'mongodb find().toArray()', ms: 100, delayMs: 50 }, { name: 'mongodb, JSON.stringify', ms: 200, delayMs: 90 }];
  const row = (name, ms, against = 'mongodb find().toArray()') => ({ name, against, ms, delayMs: 5 });
  const ours = [row('find', 25), row('findLazy', 10), row('findCursor lazy: false', 20), row('findJSON', 20, 'mongodb, JSON.stringify')];
  const small = advice([...theirs, ...ours], { count: 1000, bytes: 1e6, same: true });
  assert.match(small, /^Which read suits\n {2}find: suits this result: a drop-in for find\(\)\.toArray\(\) \(4\.0 times as fast as mongodb/);
  assert.match(small, /findJSON: .* \(10 times as fast as mongodb, JSON\.stringify, longest loop delay 5\.0 ms\)$/);
  assert.match(advice([...theirs, ...ours], { count: 100_000, bytes: 1e8, same: true }), /suits\n {2}findCursor lazy: false: suits this result, which is large/);
  const slow = [row('find', 95), row('findLazy', 99)];
  assert.match(advice([...theirs, ...slow], { count: 1000, bytes: 1e6, same: true }), /Most of the time is the server's/);
  assert.match(advice([...theirs, ...slow], { count: 10, bytes: 1e3, same: false }), /^Which read would suit, once[\s\S]*So few documents/);
  assert.doesNotMatch(advice([...theirs, ours[0]], { count: 1000, bytes: 1e6, same: false }), /findLazy/);
  assert.match(verdict.end(false, { sorted: false, limit: 5 }), /DIFFER\. Without --sort/);
});

test('progress: one line on a terminal, which is taken away; lines elsewhere', () => {
  const written = (isTTY) => {
    const texts = [];
    const progress = new Progress({ isTTY, write: (text) => texts.push(text) });
    progress.start('reading');
    progress.update(1, 2); // too soon to say more
    progress.done();
    progress.done();
    return texts;
  };
  assert.deepEqual(written(true), ['\r\x1b[2Kreading', '\r\x1b[2K']);
  assert.deepEqual(written(false), ['reading ...\n']);
});

test('progress of an export: share, rate, size and time left', () => {
  const texts = [];
  const progress = new ExportProgress({ isTTY: true, write: (text) => texts.push(text) }, 'app.users', 100);
  progress.total = 1000;
  for (const end = performance.now() + 150; performance.now() < end;); // lines come a tenth of a second apart
  progress.update(600, 12_345_678);
  assert.match(texts[1], /app\.users: 600 of 1,000 \(60 %\) \[={12} {8}\], [\d,]+\/s, 12\.3 MB, \d+ s left$/);
  assert.match(progress.summary(1000, 5000), /^1,000 documents, 900 of them now, 0\.01 MB in \d+\.\d s \([\d,]+\/s\)$/);
  assert.deepEqual([0.2, 59.5, 60, 3599, 7260].map(duration), ['1 s', '60 s', '1 min 0 s', '59 min 59 s', '2 h 1 min']);
});

test('what follows an _id: its own type, and those that are greater', () => {
  const { ObjectId, Double, MinKey, MaxKey } = require('bson');
  const id = new ObjectId();
  assert.deepEqual(after(id, id), { _id: { $gt: id } });
  assert.deepEqual(after(id, 'earlier'), { _id: { $gt: id } });
  assert.deepEqual(after('a', id), { $or: [{ _id: { $gt: 'a' } }, { _id: { $type: 'object' } }, { _id: { $type: 'binData' } }, { _id: { $type: 'objectId' } }] });
  assert.deepEqual(after(new Double(NaN), 5), { _id: { $gte: -Infinity } });
  assert.deepEqual(after(new MinKey(), 5).$or.length, 3);
  assert.deepEqual(after(new Date(0), new MaxKey()).$or.at(-1), { _id: { $type: 'maxKey' } });
});

test('a table', () => {
  assert.equal(table([['a', 'bb'], ['ccc', '1']]), 'a    bb\n---  --\nccc   1');
});

test('the script of package.json', async () => {
  assert.deepEqual(await runChild(BIN, ['--version']), { ...CLEAN, stdout: version });
  const { code, stderr } = await runChild(BIN, ['compare', '--limit', 'many']);
  assert.equal(code, 2);
  assert.match(stderr, /rumongo-go compare: --uri is missing/);
});

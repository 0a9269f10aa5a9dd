'use strict';
// `npx rumongo-go export`: the files are what the official driver's documents make, and nothing else is ever under their name.

const { test, before, after, beforeEach, describe } = require('node:test');
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const zlib = require('node:zlib');
const { setTimeout: sleep } = require('node:timers/promises');
const bson = require('bson');
const official = require('mongodb');
const { main } = require('../../js/cli/index.js');
const { filterAfter } = require('../../js/cli/export/resume.js');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');
const { startDevServer } = require('../support/dev-server.js');
const { everyType } = require('../support/every-type.js');
const { missingZstd } = require('../support/official-zstd.js');
const { runChild } = require('../support/run-child.js');

const BIN = path.join(__dirname, '..', '..', 'bin', 'rumongo-go.js');
const { EJSON } = bson;
const LARGE = 20_000; // 24 MB in three batches: 101 documents, 16 MB, and the rest
const TYPES = 8;
const noZstd = missingZstd();

let fixture;
let folder;
let theirs;

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-export-'));
  fixture = await startFixture();
  await fixture.load('app.large', 'mixed45', LARGE);
  await fixture.put('app.types', Array.from({ length: TYPES }, (_, n) => bson.serialize({ ...everyType(bson), _id: n }, { ignoreUndefined: false })));
  theirs = await official.MongoClient.connect(fixture.uri);
});
after(async () => {
  await theirs?.close();
  await fixture?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => fixture.reset());

const documents = (name, options) => theirs.db('app').collection(name).find({}, options).toArray();
const place = (name) => path.join(folder, name);
const left = (name) => fs.readdirSync(folder).filter((file) => file.startsWith(name));
const gone = (name) => fs.rmSync(place(name), { force: true });
const args = (name, out, ...more) => ['export', '--uri', fixture.uri, '--ns', `app.${name}`, '--out', out === '-' ? out : place(out), ...more];

async function run(list, env = {}) {
  const out = { stdout: '', stderr: '' };
  const stream = (name) => ({ write(text) { out[name] += text; return true; }, on() {}, once() {} });
  const code = await main(list, { stdout: stream('stdout'), stderr: stream('stderr'), env });
  return { code, ...out };
}

function decompressed(name) {
  const bytes = fs.readFileSync(place(name));
  if (name.endsWith('.gz')) return zlib.gunzipSync(bytes);
  if (name.endsWith('.zst')) return require('zstd1').decompress(bytes);
  return bytes;
}

const lines = (texts) => texts.map((text) => `${text}\n`).join('');
const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

describe('what is written', () => {
  const modes = {
    plain: [{}, (doc) => JSON.stringify(doc)],
    relaxed: [{ bsonRegExp: true }, (doc) => EJSON.stringify(doc, { relaxed: true })],
    canonical: [{ promoteValues: false, bsonRegExp: true }, (doc) => EJSON.stringify(doc, { relaxed: false })],
  };
  for (const [mode, [values, text]] of Object.entries(modes)) {
    for (const name of ['a.ndjson', 'a.json', 'a.ndjson.gz', 'a.json.gz', 'a.ndjson.zst']) {
      test(`${name} ${mode}`, { skip: name.endsWith('.zst') && (noZstd ?? false) }, async () => {
        const { code, stdout, stderr } = await run(args('types', name, '--json-mode', mode));
        assert.deepEqual([code, stdout], [0, ''], stderr);
        const texts = (await documents('types', values)).map((doc) => text(doc));
        assert.equal((await decompressed(name)).toString(), name.includes('ndjson') ? lines(texts) : `[${texts.join()}]`);
        assert.match(stderr, /^8 documents, [\d.]+ MB in [\d.]+ s \([\d,]+\/s\)$/m);
        assert.deepEqual(left('a.'), [name]);
        gone(name);
      });
    }
  }

  test('csv: named columns, dotted paths, values of every kind', async () => {
    const fields = '_id,nested.deeper.emoji,thirteen,list.3,past53,decimal,bin,date,invalid,yes,nil,nothing,such.no,lists,double,timestamp,regex';
    for (const name of ['a.csv', 'a.csv.gz']) {
      assert.equal((await run(args('types', name, '--fields', fields))).code, 0);
      const [doc] = await documents('types', { limit: 1 });
      const row = ['', doc.nested.deeper.emoji, 'abcdefghijklm', String(doc.list[3]), '9007199254740993', '1.10', 'AQID', '2023-11-14T22:13:20.123Z', '1970-01-01T00:00:00.000Z', 'true', '', '', '', JSON.stringify(doc.lists), '1.5', '{"$timestamp":"18446744073709551615"}', '{"pattern":"ab+c","options":"im"}'];
      const want = Array.from({ length: TYPES }, (_, n) => [String(n), ...row.slice(1)].map(quoted).join());
      assert.equal(decompressed(name).toString(), lines([fields, ...want]));
      gone(name);
    }
  });

  test('csv: the columns are those of the first documents, and others are told of', async () => {
    const docs = [...Array.from({ length: 1200 }, (_, n) => ({ _id: n, name: n === 7 ? 'a "b", c\nd\re' : `n${n}`, at: { city: 'x', geo: { lat: n } }, empty: {} })), { _id: 1200, late: { x: 1 } }];
    await fixture.put('app.people', docs.map((doc) => bson.serialize(doc)));
    const { code, stderr } = await run(args('people', 'p.csv'));
    assert.equal(code, 0, stderr);
    const want = docs.map(({ _id, name = '', at, empty }) => [_id, name, at?.city ?? '', at?.geo.lat ?? '', empty ? '{}' : ''].map((value) => quoted(String(value))).join());
    assert.equal(decompressed('p.csv').toString(), lines(['_id,name,at.city,at.geo.lat,empty', ...want]));
    assert.match(stderr, /^these fields are no columns.*: late\.x; name all with --fields$/m);
    gone('p.csv');
    await run(args('people', 'one.csv', '--fields', 'late.x'));
    assert.equal(decompressed('one.csv').toString(), `late.x\n${'""\n'.repeat(1200)}1\n`);
    gone('one.csv');
  });

  test('nothing', async () => {
    for (const [name, want, ...more] of [['n.ndjson', ''], ['n.json', '[]'], ['n.ndjson.gz', ''], ['n.json.gz', '[]'], ['n.csv', ''], ['n.csv', 'a,b\n', '--fields', 'a,b'], ['n.csv.gz', '']]) {
      assert.equal((await run(args('none', name, ...more))).code, 0);
      assert.equal(decompressed(name).toString(), want, name);
      gone(name);
    }
  });

  test('the query goes to the server with its types, in the order of _id', async () => {
    await fixture.startLog();
    const { code } = await run(args('types', '-', '--filter', '{"_id":{"$in":[3,{"$numberLong":"4"}]}}', '--projection', '{"yes":1}', '--limit', '7', '--format', 'ndjson'));
    assert.equal(code, 0);
    const [{ command }] = (await fixture.takeLog()).filter(({ name }) => name === 'find');
    const { filter, projection, sort, limit } = bson.deserialize(command, { promoteValues: false });
    assert.deepEqual([filter, projection, sort, limit].map((value) => EJSON.stringify(value, { relaxed: false })),
      ['{"_id":{"$in":[{"$numberInt":"3"},{"$numberLong":"4"}]}}', '{"yes":{"$numberInt":"1"}}', '{"_id":{"$numberInt":"1"}}', '{"$numberInt":"7"}']);
  });

  test('stdout gets the text, stderr all else', async () => {
    const { code, stdout, stderr } = await runChild(BIN, args('types', '-', '--limit', '5'));
    assert.deepEqual([code, stdout], [0, (await documents('types', { limit: 5 })).map((doc) => JSON.stringify(doc)).join('\n')]);
    assert.match(stderr, /^app\.types \.\.\.\n5 documents/);
  });
});

/** Starts an export whose second getMore is never answered, and waits until a state says that documents are written. */
async function startStuck(list, out) {
  await fixture.faults({ command: 'getMore', nth: 2, action: 'never' });
  const child = spawn(process.execPath, [BIN, ...list], { stdio: ['ignore', 'ignore', 'pipe'] });
  child.errors = '';
  child.stderr.on('data', (data) => { child.errors += data; });
  const state = `${place(out)}.partial.state`;
  for (let i = 0; i < 1500; i++) {
    if (child.exitCode !== null) throw new Error(`ended early: ${child.errors}`);
    if (fs.existsSync(state) && JSON.parse(fs.readFileSync(state, 'utf8')).documents > 0) return child;
    await sleep(20);
  }
  child.kill('SIGKILL');
  throw new Error(`no state: ${child.errors}`);
}

async function stop(child, signal) {
  child.kill(signal);
  const [code, by] = await once(child, 'close');
  return { code, by };
}

describe('interrupted', () => {
  for (const [name, ...more] of [['k.ndjson'], ['k.ndjson.zst'], ['k.json'], ['k.json.gz', '--json-mode', 'canonical'], ['k.csv.gz']]) {
    test(`killed and continued: ${name}`, { skip: name.endsWith('.zst') && (noZstd ?? false) }, async () => {
      const list = args('large', name, ...more);
      const child = await startStuck(list, name);
      assert.deepEqual(await stop(child, 'SIGKILL'), { code: null, by: 'SIGKILL' });
      assert.deepEqual(left(name), [`${name}.partial`, `${name}.partial.state`]);
      await fixture.reset();
      await fixture.startLog();
      const { code, stderr } = await run([...list, '--resume']);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^20,000 documents, [\d,]+ of them now/m);
      const last = (await fixture.takeLog()).filter(({ name: command }) => command === 'find').at(-1);
      assert.ok(bson.deserialize(last.command).filter._id.$gt instanceof bson.ObjectId, 'not from the beginning');
      assert.deepEqual(left(name), [name]);
      const continued = await decompressed(name);
      const whole = await run([...list, '--force']);
      assert.equal(whole.code, 0, whole.stderr);
      assert.ok(continued.equals(await decompressed(name)), 'the same as without an interruption');
      if (name === 'k.ndjson') assert.ok(continued.equals(Buffer.from(lines((await documents('large')).map((doc) => JSON.stringify(doc))))));
      gone(name);
    });
  }

  test('with a limit, and when all was written but the end', async () => {
    const list = args('large', 'l.json.gz', '--limit', '19500');
    await stop(await startStuck(list, 'l.json.gz'), 'SIGKILL');
    await fixture.reset();
    assert.equal((await run([...list, '--resume'])).code, 0);
    assert.equal(JSON.parse(decompressed('l.json.gz')).length, 19_500);
    gone('l.json.gz');

    // As if it had been killed before the bracket.
    const docs = (await documents('types', { limit: 5 })).map((doc) => JSON.stringify(doc));
    const again = args('types', 'e.json', '--limit', '5');
    const { saveState } = require('../../js/cli/export/state.js');
    const { readExport } = require('../../js/cli/export/query.js');
    const { asked } = readExport({ uri: fixture.uri, ns: 'app.types', out: place('e.json'), limit: '5' }, {}, EJSON);
    const text = `[${docs.join()}`;
    fs.writeFileSync(`${place('e.json')}.partial`, `${text},{"half`);
    await saveState(`${place('e.json')}.partial.state`, { asked, ordered: true, documents: 5, bytes: Buffer.byteLength(text), last: '{"$numberInt":"4"}' });
    assert.equal((await run([...again, '--resume'])).code, 0);
    assert.equal(decompressed('e.json').toString(), `${text}]`);
    gone('e.json');
  });

  for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]]) {
    test(`${signal} ends in good order`, async () => {
      const child = await startStuck(args('large', 's.ndjson'), 's.ndjson');
      assert.deepEqual(await stop(child, signal), { code, by: null }, child.errors);
      assert.match(child.errors, new RegExp(`^\\d+ documents are in .*s\\.ndjson\\.partial; --resume goes on from there\\nrumongo-go export: interrupted \\(${signal}\\)$`, 'm'));
      await fixture.reset();
      assert.equal((await run([...args('large', 's.ndjson'), '--resume'])).code, 0);
      assert.equal(decompressed('s.ndjson').toString().split('\n').length, LARGE + 1);
      gone('s.ndjson');
    });
  }

  test('SIGINT before anything came leaves nothing', async () => {
    await fixture.faults({ command: 'find', action: 'never', times: -1 });
    const child = spawn(process.execPath, [BIN, ...args('large', 'early.ndjson')], { stdio: ['ignore', 'ignore', 'pipe'] });
    while (left('early').length < 2) await sleep(10);
    assert.deepEqual(await stop(child, 'SIGINT'), { code: 130, by: null });
    assert.deepEqual(left('early'), []);
  });

  test('an error of the server: 3, and what was written can be continued', async () => {
    await fixture.faults({ command: 'getMore', nth: 2, action: 'error', code: 13, errmsg: 'not any more' });
    const list = args('large', 'f.ndjson.gz');
    const failed = await run(list);
    assert.equal(failed.code, 3);
    assert.match(failed.stderr, /documents are in .*\nrumongo-go export: not any more$/m);
    assert.ok(!left('f.').includes('f.ndjson.gz'));
    assert.equal((await run([...list, '--resume'])).code, 0);
    assert.equal(decompressed('f.ndjson.gz').toString().split('\n').length, LARGE + 1);
    gone('f.ndjson.gz');
  });

  test('what must not be continued is refused, and stays', async () => {
    const name = 'r.ndjson';
    const list = args('large', name);
    const child = await startStuck(list, name);
    const alive = await run([...list, '--resume']);
    assert.equal(alive.code, 4);
    assert.match(alive.stderr, new RegExp(`process ${child.pid} is writing`));
    await stop(child, 'SIGKILL');
    await fixture.reset();

    const state = `${place(name)}.partial.state`;
    const saved = fs.readFileSync(state, 'utf8');
    const size = fs.statSync(`${place(name)}.partial`).size;
    for (const [more, message, code] of [
      [[], /an unfinished export .* of \d+ documents; --resume continues it, --force begins anew/, 4],
      [['--resume', '--filter', '{"a":1}'], /begun with another --filter:/, 2],
      [['--resume', '--format', 'json', '--json-mode', 'relaxed'], /begun with another --format, --json-mode:/, 2],
      [['--resume', '--sort', '{"a":1}'], /--resume goes by _id/, 2],
      [['--resume', '--projection', '{"_id":0}'], /--resume goes by _id/, 2],
    ]) {
      const refused = await run([...list, ...more]);
      assert.equal(refused.code, code, refused.stderr);
      assert.match(refused.stderr, message);
    }
    for (const [damaged, message] of [[saved.slice(0, -20), /is damaged: it is not JSON/], [saved.replace(/"bytes": \d/, '"bytes": 7'), /is damaged: its content/], [saved.replace('$oid', '$old'), /is damaged/], ['null', /is damaged/]]) {
      fs.writeFileSync(state, damaged);
      const refused = await run([...list, '--resume']);
      assert.equal(refused.code, 4);
      assert.match(refused.stderr, message);
    }
    fs.writeFileSync(state, saved);
    assert.equal(fs.statSync(`${place(name)}.partial`).size, size, 'untouched');
    fs.truncateSync(`${place(name)}.partial`, 1000);
    assert.match((await run([...list, '--resume'])).stderr, /is damaged: it has 1000 bytes/);
    assert.equal((await run([...list, '--force'])).code, 0);
    assert.deepEqual(left(name), [name]);
    gone(name);
  });

  test('killed anywhere, again and again', async () => {
    const name = 'again.ndjson.gz';
    const list = args('large', name, '--resume');
    await fixture.control({ delayMS: 100 });
    let kills = 0;
    for (let wait = 500; !fs.existsSync(place(name)); wait *= 2) {
      const child = spawn(process.execPath, [BIN, ...list], { stdio: 'ignore' });
      const timer = setTimeout(() => child.kill('SIGKILL'), wait);
      const [code] = await once(child, 'close');
      clearTimeout(timer);
      if (code === null) kills++;
      else assert.equal(code, 0);
    }
    assert.ok(kills > 0);
    const rows = decompressed(name).toString().trimEnd().split('\n').map((line) => JSON.parse(line)._id);
    assert.deepEqual(rows, (await documents('large', { projection: { _id: 1 } })).map(({ _id }) => _id.toHexString()));
    gone(name);
  });
});

describe('where it goes', () => {
  test('a file that exists stays without --force', async () => {
    fs.writeFileSync(place('x.ndjson'), 'mine');
    const refused = await run(args('types', 'x.ndjson'));
    assert.deepEqual([refused.code, decompressed('x.ndjson').toString()], [4, 'mine']);
    assert.match(refused.stderr, /x\.ndjson exists; --force replaces it/);
    fs.symlinkSync('x.ndjson', place('x.link.ndjson'));
    assert.equal((await run(args('types', 'x.link.ndjson', '--force', '--limit', '1'))).code, 0);
    assert.ok(fs.lstatSync(place('x.link.ndjson')).isSymbolicLink());
    assert.match(decompressed('x.ndjson').toString(), /^\{"_id":0,/);
  });

  test('one that appears meanwhile stays', async () => {
    const child = await startStuck(args('large', 'm.ndjson'), 'm.ndjson');
    await stop(child, 'SIGKILL');
    await fixture.reset();
    await fixture.faults({ command: 'find', action: 'delay', ms: 1500 });
    const exporting = run([...args('large', 'm.ndjson'), '--resume']);
    await sleep(300);
    fs.writeFileSync(place('m.ndjson'), 'mine');
    const { code, stderr } = await exporting;
    assert.deepEqual([code, decompressed('m.ndjson').toString()], [4, 'mine']);
    assert.match(stderr, /m\.ndjson exists meanwhile; the export is in .*m\.ndjson\.partial/);
    for (const name of left('m.')) gone(name);
  });

  test('no room, no folder, a folder', { skip: process.platform !== 'linux' && 'needs /dev/full' }, async () => {
    for (const more of [[], ['--compress', 'gzip'], ['--format', 'csv']]) {
      const full = await run(['export', '--uri', fixture.uri, '--ns', 'app.types', '--out', '/dev/full', ...more]);
      assert.equal(full.code, 4);
      assert.match(full.stderr, /cannot write \/dev\/full: no space left on the device \(ENOSPC\)/);
    }
    const piped = await runChild(BIN, args('large', '-'), { wrap: ['bash', '-c', 'exec "$@" > /dev/full', 'bash'] });
    assert.equal(piped.code, 4, piped.stderr);
    assert.match(piped.stderr, /cannot write to stdout: no space left on the device \(ENOSPC\)$/);
    const limited = await runChild(BIN, args('large', 'big.ndjson'), { wrap: ['bash', '-c', 'ulimit -f 15000; exec "$@"', 'bash'] });
    assert.equal(limited.code, 4, limited.stderr);
    assert.match(limited.stderr, /big\.ndjson\.partial: the file would be larger than allowed \(EFBIG\)/);
    assert.equal((await run([...args('large', 'big.ndjson'), '--resume'])).code, 0);
    assert.equal(decompressed('big.ndjson').toString().split('\n').length, LARGE + 1);
    gone('big.ndjson');
    const none = await run(args('types', 'no/such.ndjson'));
    assert.equal(none.code, 4);
    assert.match(none.stderr, /cannot write .*such\.ndjson: there is no such folder \(ENOENT\)/);
    assert.equal((await run(args('types', '.'))).code, 2);
    assert.equal((await run(['export', '--uri', fixture.uri, '--ns', 'app.types', '--out', '/dev/null'])).code, 0);
  });

  test('a reader that leaves is no error', async () => {
    for (const more of [[], ['--compress', 'zstd'], ['--format', 'csv']]) {
      const child = spawn(process.execPath, [BIN, ...args('large', '-', ...more)], { stdio: ['ignore', 'pipe', 'pipe'] });
      let stderr = '';
      child.stderr.on('data', (data) => { stderr += data; });
      child.stdout.once('data', () => child.stdout.destroy());
      assert.deepEqual(await once(child, 'close'), [0, null], stderr);
      assert.doesNotMatch(stderr, /EPIPE/);
    }
  });

  test('no server: 3, nothing is left, and no password is printed', async () => {
    const uri = 'mongodb://bob:s3cr3t@127.0.0.1:1/?serverSelectionTimeoutMS=200';
    const { code, stdout, stderr } = await run(['export', '--uri', uri, '--ns', 'a.b', '--out', place('u.ndjson')]);
    assert.equal(code, 3);
    assert.doesNotMatch(stdout + stderr, /s3cr3t/);
    assert.deepEqual(left('u.'), []);
  });
});

test('what follows an _id, of every type, on a server', async () => {
  const server = await startDevServer();
  const client = await MongoClient.connect(server.uri);
  const writer = await official.MongoClient.connect(server.uri);
  try {
    const name = 'ids';
    const written = writer.db('cli_export').collection(name);
    await written.deleteMany({});
    await written.insertMany([
      new official.Double(-1.5), 0, new official.Long(7), 7.5, 1e300, '', 'a', 'b', { a: 1 }, { a: 1, b: 2 }, { b: 0 }, new official.ObjectId('0'.repeat(24)), new official.ObjectId('f'.repeat(24)),
      false, true, new Date(-5), new Date(5), new official.Timestamp({ t: 1, i: 1 }),
    ].map((_id) => ({ _id, k: 1 })), { ordered: false });
    const sorted = await written.find({}, { sort: { _id: 1 }, promoteValues: false }).toArray();
    const ours = client.db('cli_export').collection(name);
    for (const filter of [{}, { k: 1 }]) {
      for (const [i, { _id }] of sorted.entries()) {
        const rest = await ours.find(await filterAfter(ours, filter, _id), { sort: { _id: 1 }, promoteValues: false, ejson: false });
        assert.deepEqual(rest, sorted.slice(i + 1), `after ${EJSON.stringify(_id)}`);
      }
    }
    await written.drop();
  } finally {
    await client.close();
    await writer.close();
    await server.stop();
  }
});

'use strict';
// `npx rumongo-go doctor`: what is well, what is not and what to do, whatever does not answer; and no secret in any of it.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { once } = require('node:events');
const { main } = require('../../js/cli/index.js');
const { asText } = require('../../js/cli/doctor/report.js');
const { Hider } = require('../../js/cli/doctor/hide.js');
const { startFixture } = require('../support/fixture-server.js');
const { startAuthServer } = require('../support/auth-server.js');
const { runChild } = require('../support/run-child.js');
const { version } = require('../../package.json');

const root = path.join(__dirname, '..', '..');
const bin = path.join(root, 'bin', 'rumongo-go.js');

async function run(args, env = {}) {
  const out = { stdout: '', stderr: '' };
  const stream = (name) => ({ write(text) { out[name] += text; } });
  const code = await main(['doctor', ...args], { stdout: stream('stdout'), stderr: stream('stderr'), env });
  assert.equal(out.stderr, '');
  return { code, ...out };
}

/** Runs it in this process as JSON; the text is written from the same checks, as without --json. */
async function doctor(...args) {
  const env = typeof args.at(-1) === 'object' ? args.pop() : {};
  const { code, stdout: json } = await run([...args, '--json'], env);
  const report = JSON.parse(json);
  assert.deepEqual([report.ok, report.version], [code === 0, version]);
  const lines = [];
  const writer = asText((line) => lines.push(line));
  for (const check of report.checks) writer.check(check);
  const text = `${lines.join('\n')}\n${writer.end(report)}`;
  for (const { name, status, remedy } of report.checks) if (['warn', 'fail'].includes(status)) assert.match(remedy ?? '', /^[A-Z].*\.$/s, `${name} has a remedy`);
  const find = (section, name) => report.checks.find((check) => check.section === section && (name === undefined || check.name === name));
  return { code, text, json, report, find, status: (section, name) => find(section, name)?.status };
}

const pathsOf = (uri) => new URL(uri.replace('mongodb:', 'http:'));
/** A server's connection string by the name localhost, with these parameters. */
function local(uri, params = {}) {
  const { port } = pathsOf(uri);
  return `mongodb://localhost:${port}/?${new URLSearchParams(params)}`;
}

async function listen(onConnection) {
  const sockets = new Set();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, stop: () => { for (const socket of sockets) socket.destroy(); server.close(); } };
}

test('without a connection string: this machine', async () => {
  const { code, find, report } = await doctor();
  assert.equal(code, 0);
  assert.ok(report.checks.every(({ section }) => section === 'This machine'));
  const value = (name) => find('This machine', name).value;
  const { node, v8, napi } = process.versions;
  assert.equal(value('rumongo-go'), version);
  assert.match(value('Node.js'), new RegExp(`^${node}, V8 ${v8}, N-API ${napi},`));
  assert.match(value('platform'), new RegExp(`^${process.platform} ${process.arch}`));
  assert.match(value('mongodb'), new RegExp(`^${require('mongodb/package.json').version} \\(`));
  assert.match(value('binary'), /rumongo\.node\n.+\./);
  const driver = /mongo-driver\/v2 (v\S+)/.exec(fs.readFileSync(path.join(root, 'go.mod'), 'utf8'))[1];
  assert.match(value('addon'), new RegExp(`^version ${version}, ABI \\d+ \\(addon\\) and \\d+ \\(core\\), go1\\.\\d+\\S*, mongo-driver ${driver}$`));
});

test('the environment: what concerns us, and never what is secret', async () => {
  const env = { GOGC: '100', NODE_OPTIONS: '--max-semi-space-size=64', AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI', HOME_PAGE: 'x', GODEBUG: 'asyncpreemptoff=0' };
  const { find, text, json } = await doctor(env);
  const { status, value } = find('This machine', 'environment');
  assert.equal(status, 'warn');
  assert.equal(value, 'GOGC=100\nGODEBUG=asyncpreemptoff=0\nNODE_OPTIONS=--max-semi-space-size=64\nAWS_SECRET_ACCESS_KEY is set');
  assert.ok(!`${text}${json}`.includes('wJalrXUtnFEMI'));
  assert.match((await doctor({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).find('This machine', 'environment').remedy, /tlsCAFile/);
  assert.equal((await doctor({ NODE_EXTRA_CA_CERTS: '/nowhere.pem' })).status('This machine', 'environment'), 'warn');
});

test('a binary that is not there: said, and the rest goes on', async () => {
  const { code, stdout } = await runChild(bin, ['doctor', '--json', '--uri', 'mongodb://127.0.0.1:1/', '--timeout', '1500'], { env: { RUMONGO_BINDING: '/nowhere/rumongo.node' }, cwd: root });
  const { checks } = JSON.parse(stdout);
  assert.equal(code, 1);
  const addon = checks.find(({ name }) => name === 'addon');
  assert.deepEqual([addon.status, /RUMONGO_BINDING/.test(addon.value)], ['fail', true]);
  assert.ok(checks.some(({ section }) => section === 'Official driver'));
});

test('no bson to be found: said, and no other fault is made of it', async () => {
  const alone = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-go-doctor-'));
  try {
    for (const name of ['bin', 'js', 'package.json']) fs.cpSync(path.join(root, name), path.join(alone, name), { recursive: true });
    const { code, stdout } = await runChild(path.join(alone, 'bin', 'rumongo-go.js'), ['doctor', '--json'],
      { cwd: alone, env: { RUMONGO_BINDING: path.join(root, 'build', 'Release', 'rumongo.node'), MONGODB_URI: '' } });
    const { checks } = JSON.parse(stdout);
    const check = (wanted) => checks.find(({ name }) => name === wanted);
    assert.equal(code, 1);
    assert.deepEqual(['bson', 'mongodb', 'mongoose'].map((name) => check(name).value), ['not installed', 'not installed', 'not installed']);
    assert.deepEqual([check('BSON classes').status, check('addon').status], ['fail', 'ok']);
    assert.match(check('binary').value, /RUMONGO_BINDING/);
  } finally {
    fs.rmSync(alone, { recursive: true });
  }
});

describe('a server', () => {
  let fixture;
  let dead;

  before(async () => {
    fixture = await startFixture({ topology: 'replicaSet' });
    await fixture.load('app.users', 'mixed45', 120);
    const closed = await listen(() => {});
    dead = closed.port;
    closed.stop();
  });
  after(() => fixture?.stop());

  test('all well: exit code 0, the server, a read, the pool, and the same by the official driver', async () => {
    const { code, find, text } = await doctor('--uri', fixture.uri, '--ns', 'app.users');
    assert.equal(code, 0, text);
    assert.match(find('Server', 'topology').value, /^ReplicaSetWithPrimary, set rs, primary 127\.0\.0\.1:\d+$/);
    assert.match(find('Server', `127.0.0.1:${pathsOf(fixture.uri).port}`).value, /^RSPrimary, wire versions 0 to 21,/);
    assert.match(find('Server', 'version').value, /^\d+\.\d+\.\d+/);
    assert.match(find('Server', 'ping').value, /^first [\d.]+ ms, then/);
    for (const section of ['Server', 'Official driver']) assert.match(find(section, 'read').value, /^app\.users: findOne [\d.]+ ms, find of 100 documents/);
    assert.match(find('Server', 'pool').value, /^\d+ connections made, .* 0 closed, 0 check-outs failed; maxPoolSize 100$/);
    assert.equal((await fixture.stats()).cursors.open, 0);

    const { stdout } = await run(['--uri', fixture.uri, '--ns', 'app.users']);
    assert.match(stdout, /^rumongo-go \S+ doctor\n\nThis machine\n {2}ok {4}rumongo-go {16}\S+\n/);
    for (const section of ['Options', 'DNS', 'TCP', 'TLS', 'Server', 'Official driver']) assert.match(stdout, new RegExp(`\\n\\n${section}\\n {2}(ok|skip) `));
    assert.match(stdout, /\n {2}ok {4}read {22}app\.users: findOne .* ms\)\n/);
    assert.match(stdout, /\n\n(All well|Failed: 0, warnings: \d)\.\n$/); // a machine may have a low limit of files
  });

  test('the connection string of the environment; a collection is found, or the read is said to be left out', async () => {
    const { find, status } = await doctor({ MONGODB_URI: fixture.uri.replace(/\/$/, '/nothing') });
    assert.equal(status('Server', 'connect'), 'ok');
    assert.deepEqual([status('Server', 'read'), /--ns/.test(find('Server', 'read').value)], ['skip', true]);
  });

  test('a dead port: refused, by both drivers', async () => {
    const { code, find, text } = await doctor('--uri', `mongodb://127.0.0.1:${dead}/`, '--timeout', '1500');
    assert.equal(code, 1);
    const tcp = find('TCP', `127.0.0.1:${dead}`);
    assert.deepEqual([tcp.status, tcp.remedy], ['fail', 'Nothing listens there: start the server, or correct host and port.']);
    assert.match(find('Server', 'connect').value, /connection refused/);
    assert.deepEqual(['version', 'ping', 'read', 'pool'].map((name) => find('Server', name).status), ['skip', 'skip', 'skip', 'skip']);
    assert.match(text, /Failed: \d+, warnings: 0\. The official driver fails too: the cause is not rumongo-go\.\n$/);
  });

  test('a dead member beside a live one: said, and the read is made', async () => {
    const { code, status } = await doctor('--uri', `mongodb://127.0.0.1:${pathsOf(fixture.uri).port},127.0.0.1:${dead}/`, '--ns', 'app.users', '--timeout', '8000');
    assert.deepEqual([code, status('TCP', `127.0.0.1:${dead}`), status('Server', 'read')], [1, 'fail', 'ok']);
  });

  test('a host that does not resolve', async () => {
    const { code, find, status } = await doctor('--uri', 'mongodb://no-such-host.invalid/', '--timeout', '4000');
    assert.equal(code, 1);
    assert.equal(status('DNS', 'no-such-host.invalid'), 'fail');
    assert.equal(find('TCP', 'no-such-host.invalid:27017').value, 'not checked: its name has no address');
    assert.match(find('Server', 'connect').remedy, /host name/);
  });

  test('SRV records that do not exist', async () => {
    const { code, status } = await doctor('--uri', 'mongodb+srv://no-such-host.invalid/', '--timeout', '4000');
    assert.deepEqual([code, status('DNS', 'SRV'), status('TCP', 'servers'), status('Server', 'connect'), status('Official driver', 'connect')], [1, 'fail', 'skip', 'fail', 'skip']);
  });

  test('a port that accepts and never answers: every check ends', async () => {
    const silent = await listen(() => {});
    try {
      for (const [params, section] of [['', 'Server'], ['?tls=true', 'TLS']]) {
        const { code, find, status } = await doctor('--uri', `mongodb://127.0.0.1:${silent.port}/${params}`, '--timeout', '1500');
        assert.deepEqual([code, status('TCP', `127.0.0.1:${silent.port}`), find(section).status], [1, 'ok', 'fail']);
        if (section === 'TLS') assert.equal(find('TLS').value, 'no answer within 1500 ms (--timeout)');
        else assert.match(find('Server', 'connect').remedy, /does not answer as a MongoDB server does/);
      }
      const { code, hung, stderr } = await runChild(bin, ['doctor', '--uri', `mongodb://127.0.0.1:${silent.port}/`, '--timeout', '1500'], { cwd: root });
      assert.deepEqual([code, hung, stderr], [1, false, '']);
    } finally {
      silent.stop();
    }
  });

  test('a server that stops answering in the middle: the checks after it are made', async () => {
    await fixture.faults({ command: 'find', times: -1, action: 'never' });
    const { code, find, status } = await doctor('--uri', fixture.uri, '--ns', 'app.users', '--timeout', '2000');
    await fixture.reset();
    assert.equal(code, 1);
    assert.equal(find('Server', 'read').value, 'no answer within 2000 ms (--timeout)');
    assert.deepEqual([status('Server', 'ping'), status('Server', 'close'), status('Official driver', 'read')], ['ok', 'ok', 'fail']);
  });

  test('only ours fails: the report says whose fault it is', async () => {
    await fixture.faults({ command: 'find', times: 1, action: 'error', code: 8000, errmsg: 'not today' });
    const { code, stdout } = await run(['--uri', fixture.uri, '--ns', 'app.users']);
    await fixture.reset();
    assert.equal(code, 1);
    assert.match(stdout, /fail {2}read +not today/);
    assert.match(stdout, /The official driver can: please report this as a fault of rumongo-go\.\n$/);
  });

  test('only the official driver fails: a warning', async () => {
    const { code, find } = await doctor('--uri', `${fixture.uri}?readAheadBytes=1000000`, '--ns', 'app.users');
    assert.deepEqual([code, find('Official driver', 'connect').status], [0, 'warn']);
    assert.match(find('Official driver', 'connect').value, /option readaheadbytes is not supported/);
  });

  test('a set without a primary: said; with a read preference that needs none all is well', async () => {
    const secondary = await startFixture({ topology: 'secondary' });
    try {
      await secondary.load('app.users', 'mixed45', 5);
      const needy = await doctor('--uri', secondary.uri, '--ns', 'app.users', '--timeout', '1500');
      assert.deepEqual([needy.code, needy.status('Server', 'topology'), needy.status('Server', 'read')], [1, 'warn', 'fail']);
      for (const name of ['topology', 'read']) assert.match(needy.find('Server', name).remedy, /no primary just now.*secondaryPreferred/);
      const content = await doctor('--uri', `${secondary.uri}?readPreference=secondaryPreferred`, '--ns', 'app.users');
      assert.deepEqual([content.code, ...['topology', 'version', 'ping', 'read'].map((name) => content.status('Server', name)), content.status('Official driver', 'ping')], [0, 'warn', 'ok', 'ok', 'ok', 'ok']);
    } finally {
      await secondary.stop();
    }
  });

  test('no right to read: what to do', async () => {
    await fixture.faults({ command: 'find', times: -1, action: 'error', code: 13, errmsg: 'not authorized' });
    const { find } = await doctor('--uri', fixture.uri, '--ns', 'app.users');
    await fixture.reset();
    assert.match(find('Server', 'read').remedy, /credentials with the right to read/);
  });

  test('a connection string with an option that is not known', async () => {
    const { code, find, report } = await doctor('--uri', 'mongodb://localhost/?readPreferense=primary');
    assert.deepEqual([code, find('Options').value], [1, 'option readpreferense is not supported']);
    assert.ok(!report.checks.some(({ section }) => section === 'TCP'));
  });
});

describe('TLS', () => {
  let server;
  let plain;

  before(async () => {
    [server, plain] = await Promise.all([startFixture({ tls: true }), startFixture()]);
    await server.load('app.users', 'mixed45', 3);
  });
  after(async () => {
    await server?.stop();
    await plain?.stop();
  });

  const CASES = [
    // The fixture's certificate is made for a day.
    ['the authority is named', () => local(server.uri, { tls: true, tlsCAFile: server.tlsFiles.ca }), 'warn', /^TLSv1\.3, TLS_\w+\ncertificate of DNS:localhost.* valid from .* to /s, /Renew/, 'ok'],
    ['it is not', () => local(server.uri, { tls: true }), 'fail', /certificate/, /tlsCAFile/, 'fail'],
    ['another name', () => local(server.uri, { tls: true, tlsCAFile: server.tlsFiles.ca, servername: 'other.example' }), 'fail', /ALTNAME|does not match/i, /name that is in the certificate/, 'fail'],
    ['any name', () => local(server.uri, { tls: true, tlsCAFile: server.tlsFiles.ca, servername: 'other.example', tlsAllowInvalidHostnames: true }), 'warn', /not verified, as the options say/, /tlsAllowInvalid/, 'ok'],
    ['nothing is verified', () => local(server.uri, { tls: true, tlsInsecure: true }), 'warn', /not verified, as the options say/, /tlsInsecure/, 'ok'],
    ['an authority that is not there', () => local(server.uri, { tls: true, tlsCAFile: '/nowhere/ca.pem' }), 'fail', /ENOENT/, /Correct the path/, 'fail'],
    ['a server that does not speak it', () => local(plain.uri, { tls: true }), 'fail', /./, /./, 'fail'],
    ['a server that wants it, and it is off', () => local(server.uri, {}), 'skip', /it is off/, /^undefined$/, 'fail'],
  ];
  for (const [name, uri, status, value, remedy, connect] of CASES) {
    test(name, async () => {
      const { find, code, text } = await doctor('--uri', uri(), '--ns', 'app.users', '--timeout', connect === 'ok' ? '10000' : '2000');
      const check = find('TLS');
      assert.equal(check.status, status, text);
      assert.match(check.value, value);
      assert.match(String(check.remedy), remedy);
      assert.equal(find('Server', 'connect').status, connect, text);
      assert.equal(code, connect === 'ok' ? 0 : 1);
    });
  }

  test('--redact-hosts: no name and no address of a server, in text, JSON and errors', async () => {
    const { port } = pathsOf(server.uri);
    const uris = [local(server.uri, { tls: true, tlsCAFile: server.tlsFiles.ca }), local(server.uri, { tls: true }), `mongodb://db7.corp.invalid,127.0.0.1:${port}/?replicaSet=corp-set`, 'mongodb+srv://db7.corp.invalid/'];
    for (const uri of uris) {
      const { text, json } = await doctor('--uri', uri, '--redact-hosts', '--timeout', '1500');
      for (const part of ['localhost', '127.0.0.1', '::1', 'db7', 'corp', os.hostname()]) assert.ok(!`${text}${json}`.includes(part), `${part} in ${text}`);
      assert.match(text, /host1/);
    }
  });
});

describe('secrets', () => {
  const USER = 'alice@work';
  const PASSWORD = 's3cret:/?#@ß"\\';
  const encoded = `${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}`;
  const TELLING = ['s3cret', PASSWORD, encodeURIComponent(PASSWORD), 'alice', 'wr0ng', 'tok3n', 'l0cked', 'pr0xy', 'bobby'];
  const assertSilent = ({ text, json }) => {
    for (const part of TELLING) assert.ok(!`${text}${json}`.includes(part), `${part} in ${text}`);
  };
  let server;

  before(async () => {
    server = await startAuthServer({ username: USER, password: PASSWORD });
  });
  after(() => server?.stop?.());

  test('the right password', async (t) => {
    if (server.skip) return t.skip(server.skip);
    const found = await doctor('--uri', `mongodb://${encoded}@${server.host}/`);
    assert.deepEqual([found.code, found.status('Server', 'authentication')], [0, 'ok'], found.text);
    assertSilent(found);
  });

  test('a wrong one, and nobody', async (t) => {
    if (server.skip) return t.skip(server.skip);
    const wrong = await doctor('--uri', `mongodb://${encodeURIComponent(USER)}:wr0ng-one@${server.host}/`);
    assert.deepEqual([wrong.code, wrong.status('Server', 'connect'), wrong.status('Server', 'authentication')], [1, 'fail', 'fail']);
    assert.match(wrong.find('Server', 'connect').remedy, /authSource/);
    assert.match(wrong.find('Server', '127.0.0.1:' + server.host.split(':')[1]).value, /^Standalone/); // it has said hello
    assertSilent(wrong);
    const nobody = await doctor('--uri', `mongodb://${server.host}/`, '--ns', 'shop.items');
    assert.match(nobody.find('Server', 'read').remedy, /credentials/);
  });

  test('wherever a connection string has them, also where it is refused', async () => {
    const uris = [
      `mongodb://${encoded}@127.0.0.1:1/`,
      `mongodb://${encoded}@127.0.0.1:99999/`,
      `mongodb+srv://${encoded}@no-such-host.invalid/`,
      `mongodb://${encodeURIComponent(USER)}:s3cret:wr0ng@127.0.0.1:1/`,
      'mongodb://127.0.0.1:1/?authMechanism=MONGODB-AWS&authMechanismProperties=AWS_SESSION_TOKEN:tok3n-tok3n',
      'mongodb://127.0.0.1:1/?tls=true&tlsCertificateKeyFile=/nowhere.pem&tlsCertificateKeyFilePassword=l0cked-key',
      'mongodb://127.0.0.1:1/?proxyHost=127.0.0.1&proxyPort=1&proxyUsername=bobby&proxyPassword=pr0xy-pass',
    ];
    for (const uri of uris) {
      const found = await doctor('--uri', uri, '--timeout', '1500');
      assert.equal(found.code, 1);
      assertSilent(found);
      assertSilent(await doctor('--timeout', '1500', { MONGODB_URI: uri }));
    }
  });

  test('an error that repeats the user, an address or a name', () => {
    const uri = 'mongodb://bob:hunter22@db7.corp.example/';
    const hider = new Hider((text) => text, { uri, hosts: true });
    hider.host('db7.corp.example');
    assert.equal(hider.clean(hider.foreign('user bob of bobsled at db7.corp.example:27017, 10.1.2.3 or fe80::1:2, and other.example:27018')),
      'user *** of bobsled at host1:27017, address or address, and host:port');
    assert.equal(hider.clean('V8 11.3.244.8-node.38'), 'V8 11.3.244.8-node.38');
  });
});

'use strict';
// Who is trusted: the same servers and clients as by the official driver, by files, by Buffers, by Node's own authorities.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const { createPrivateKey } = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');

const drivers = [['rumongo-go', MongoClient], ['the official driver', official.MongoClient]];
const SECRET = 'open sesame 5318';

/** @returns the error, or null when a document could be read */
async function attempt(Client, uri, options) {
  let client;
  try {
    client = await Client.connect(uri, { serverSelectionTimeoutMS: 500, ...options });
    assert.ok(await client.db('t').collection('m').findOne());
    return null;
  } catch (error) {
    return error;
  } finally {
    await client?.close();
  }
}

describe('TLS', () => {
  let server; // speaks TLS
  let strict; // and wants a client certificate
  let plain;
  let folder;
  const files = {};

  before(async () => {
    [server, strict, plain] = await Promise.all([startFixture({ tls: true }), startFixture({ tls: 'client' }), startFixture()]);
    for (const fixture of [server, strict, plain]) await fixture.load('t.m', 'mixed45', 3);
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-tls-'));
    const pem = fs.readFileSync(strict.tlsFiles.client, 'utf8');
    const certificate = pem.slice(0, pem.indexOf('-----BEGIN PRIVATE KEY'));
    const locked = createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: SECRET });
    files.locked = path.join(folder, 'locked.pem');
    fs.writeFileSync(files.locked, certificate + locked);
    Object.assign(files, { pem, certificate, lockedKey: locked });
  });

  after(async () => {
    for (const fixture of [server, strict, plain]) await fixture?.stop();
    if (folder) fs.rmSync(folder, { recursive: true });
  });

  const read = (file) => fs.readFileSync(file);
  const OTHER = 'other.example';
  // What is tried, against which server, whether it works. Options are made when the servers run.
  const CASES = [
    ['the authority by file', () => server, () => ({ tlsCAFile: server.tlsFiles.ca }), true],
    ['by Buffer', () => server, () => ({ ca: read(server.tlsFiles.ca) }), true],
    ['by text', () => server, () => ({ ca: read(server.tlsFiles.ca).toString() }), true],
    ['in a list', () => server, () => ({ ca: [read(strict.tlsFiles.ca), read(server.tlsFiles.ca)] }), true],
    ['another authority', () => server, () => ({ ca: read(strict.tlsFiles.ca) }), false],
    ['no authority', () => server, () => ({}), false],
    ['no authority, any hostname', () => server, () => ({ tlsAllowInvalidHostnames: true }), false],
    ['no authority, any certificate', () => server, () => ({ tlsAllowInvalidCertificates: true }), true],
    ['no authority, rejectUnauthorized false', () => server, () => ({ rejectUnauthorized: false }), true],
    ['no authority, insecure', () => server, () => ({ tlsInsecure: true }), true],
    ['another name', () => server, () => ({ tlsCAFile: server.tlsFiles.ca, servername: OTHER }), false],
    ['another name, any hostname', () => server, () => ({ tlsCAFile: server.tlsFiles.ca, servername: OTHER, tlsAllowInvalidHostnames: true }), true],
    ['another name and authority, any hostname', () => server, () => ({ ca: read(strict.tlsFiles.ca), servername: OTHER, tlsAllowInvalidHostnames: true }), false],
    ['another name, any certificate', () => server, () => ({ servername: OTHER, tlsAllowInvalidCertificates: true }), true],
    ['another name, insecure', () => server, () => ({ servername: OTHER, tlsInsecure: true }), true],
    ['a client certificate by file', () => strict, () => ({ tlsCAFile: strict.tlsFiles.ca, tlsCertificateKeyFile: strict.tlsFiles.client }), true],
    ['by Buffers', () => strict, () => ({ ca: read(strict.tlsFiles.ca), cert: read(strict.tlsFiles.client), key: read(strict.tlsFiles.client) }), true],
    ['with a locked key', () => strict, () => ({ tlsCAFile: strict.tlsFiles.ca, tlsCertificateKeyFile: files.locked, tlsCertificateKeyFilePassword: SECRET }), true],
    ['with a locked key in memory', () => strict, () => ({ ca: read(strict.tlsFiles.ca), cert: files.certificate, key: files.lockedKey, passphrase: SECRET }), true],
    ['with the wrong password', () => strict, () => ({ tlsCAFile: strict.tlsFiles.ca, tlsCertificateKeyFile: files.locked, tlsCertificateKeyFilePassword: `${SECRET}!` }), false],
    ['none', () => strict, () => ({ tlsCAFile: strict.tlsFiles.ca }), false],
    ['of another authority', () => strict, () => ({ tlsCAFile: strict.tlsFiles.ca, tlsCertificateKeyFile: server.tlsFiles.client }), false],
    ['a file that is not there', () => server, () => ({ tlsCAFile: path.join(folder, 'missing.pem') }), false],
    ['TLS to a server without', () => plain, () => ({ tls: true, tlsInsecure: true }), false],
    ['no TLS to a server with', () => server, () => ({ tls: false }), false],
  ];

  for (const [name, fixture, options, works] of CASES) {
    test(name, async () => {
      const given = options();
      const uri = given.tls === false ? fixture().uri.replace('?tls=true', '') : fixture().uri;
      for (const [who, Client] of drivers) {
        const error = await attempt(Client, uri, given);
        assert.equal(error === null, works, `${who}: ${error?.stack}`);
        if (Client === MongoClient && error !== null) assert.ok(!`${error.stack}${error.cause?.stack}`.includes(SECRET), 'the password is not told');
      }
    });
  }

  test('an authority that only NODE_EXTRA_CA_CERTS names; NODE_TLS_REJECT_UNAUTHORIZED', async () => {
    const script = `
      const { MongoClient } = require(${JSON.stringify(path.join(__dirname, '../..'))});
      (async () => {
        const client = await MongoClient.connect(process.argv[1], { serverSelectionTimeoutMS: 1000 });
        console.log((await client.db('t').collection('m').find()).length);
        await client.close();
      })().catch((error) => console.log(error.name));
    `;
    const run = async (env) => (await promisify(execFile)(process.execPath, ['-e', script, server.uri], { env: { ...process.env, ...env } })).stdout.trim();
    assert.equal(await run({ NODE_EXTRA_CA_CERTS: server.tlsFiles.ca }), '3');
    assert.equal(await run({ NODE_EXTRA_CA_CERTS: strict.tlsFiles.ca }), 'MongoServerSelectionError');
    assert.equal(await run({}), 'MongoServerSelectionError');
    // For HTTPS requests somebody has switched off; the database's certificate is verified all the same.
    assert.equal(await run({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }), 'MongoServerSelectionError');
  });
});

test('the authorities that Node.js brings along', () => {
  const { withRoots } = require('../../js/options/tls-roots.js');
  const { rootCertificates } = require('node:tls');
  const { ca } = withRoots({ tls: true });
  assert.ok(ca.includes(rootCertificates[0]) && ca.includes(rootCertificates.at(-1)));
  for (const core of [{}, { tls: false }, { tls: true, ca: 'x' }, { tls: true, tlsCAFile: 'x' }, { tls: true, tlsInsecure: true }]) {
    assert.equal(withRoots(core), core);
  }
});

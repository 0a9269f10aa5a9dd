'use strict';
// client.options beside the official driver's, and what a client says of itself.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const bson = require('bson');
const mongodb = require('mongodb');
const { MongoClient, MongoInvalidArgumentError } = require('../../js/index.js');
const { startFixture } = require('../support/fixture-server.js');

// Of writes, of logging, or of the official driver's inside.
const NOT_OURS = new Set([
  'autoSelectFamily', 'enableOverloadRetargeting', 'forceServerObjectId', 'maxAdaptiveRetries', 'metadata', 'mongoLoggerOptions', 'noDelay', 'pkFactory',
  'retryWrites', 'runtime', 'userSpecifiedAuthSource', 'userSpecifiedReplicaSet', 'writeConcern',
]);

const CLIENTS = [
  ['mongodb://h'],
  ['mongodb://%2Ftmp%2Fm.sock,[::1]:5,H3/shop?appName=x&maxPoolSize=5&compressors=zlib,snappy'],
  ['mongodb+srv://u:p@a.b.c/x?srvMaxHosts=2'],
  ['mongodb+srv://a.b.c', { tls: false }],
  ['mongodb://u:p%40ss@h/shop'],
  ['mongodb://u:p@h/shop?authSource=admin', { replicaSet: 'rs', dbName: 'other' }],
  ['mongodb://u:p@h/?authMechanism=PLAIN'],
  ['mongodb://h', { auth: { username: 'a', password: 'b' }, authMechanism: 'SCRAM-SHA-256' }],
  ['mongodb://h/?authMechanism=MONGODB-X509&tls=true'],
  ['mongodb://h', { tls: true, tlsAllowInvalidCertificates: true, ca: 'pem', tlsCertificateKeyFilePassword: 'secret' }],
  ['mongodb://h', { ssl: true, servername: 'n', rejectUnauthorized: false }],
  ['mongodb://h', { readPreference: 'nearest', readPreferenceTags: [{ at: 'home' }], maxStalenessSeconds: 120, readConcernLevel: 'majority' }],
  ['mongodb://h', { promoteLongs: false, raw: false, ignoreUndefined: true, serverApi: '1', monitorCommands: true, retryReads: false, driverInfo: { name: 'x' } }],
  ['mongodb://h?directConnection=true&proxyHost=p&proxyUsername=u&proxyPassword=secret', { heartbeatFrequencyMS: 20000, w: 'majority', retryWrites: false }],
];

const plainHost = ({ host, port, socketPath, isIPv6 }) => (socketPath === undefined ? { host, port, isIPv6 } : { socketPath });
const plain = (options) => {
  const { hosts, credentials, readPreference, readConcern, ...rest } = options;
  const out = { ...rest, hosts: hosts.map(plainHost), names: hosts.map(String) };
  for (const name of ['key', 'passphrase', 'proxyPassword']) if (options[name] !== undefined) out[name] = options[name];
  out.readPreference = JSON.stringify(readPreference);
  out.readConcern = readConcern?.toJSON();
  if (credentials !== undefined) {
    const { username, password, source, mechanism, mechanismProperties } = credentials;
    out.credentials = { username, password, source, mechanism, mechanismProperties: { ...mechanismProperties } };
  }
  for (const name of NOT_OURS) delete out[name];
  return out;
};

for (const [uri, options] of CLIENTS) {
  test(`${uri} ${options === undefined ? '' : JSON.stringify(options)}`, () => {
    const ours = new MongoClient(uri, options).options;
    assert.deepEqual(plain(ours), plain(new mongodb.MongoClient(uri, options).options));
    assert.ok(Object.isFrozen(ours));
  });
}

test('secrets are not shown', () => {
  const client = new MongoClient('mongodb://u:hidden@h', {
    tls: true, key: 'hidden', passphrase: 'hidden', proxyHost: 'p', proxyUsername: 'u', proxyPassword: 'hidden',
  });
  const shown = [inspect(client, { depth: 9 }), inspect(client.options, { depth: 9 }), JSON.stringify(client.options), JSON.stringify({ ...client.options })];
  for (const text of shown) assert.doesNotMatch(text, /hidden/);
  assert.equal(client.options.credentials.password, 'hidden');
  const token = { AWS_SESSION_TOKEN: 'hidden' };
  assert.doesNotMatch(inspect(new MongoClient('mongodb://h', { authMechanism: 'MONGODB-AWS', authMechanismProperties: token }).options, { depth: 9 }), /hidden/);
});

test('appendMetadata(): what wraps the client is told to the server when it connects', async (t) => {
  const fixture = await startFixture();
  t.after(() => fixture.stop());
  await fixture.put('app.docs', [bson.serialize({ _id: 1 })]);
  const client = new MongoClient(fixture.uri, { driverInfo: { name: 'Frame', version: '1' } });
  t.after(() => client.close());
  client.appendMetadata({ name: 'Shop', version: '2' });
  client.appendMetadata({ name: 'Shop', version: '2' });
  const read = async () => {
    await fixture.startLog();
    await client.db('app').collection('docs').findOne();
    const [{ driver }] = await fixture.takeLog();
    return driver;
  };
  assert.match(await read(), /\|rumongo-go\|Frame\|Shop$/);
  client.appendMetadata({ name: 'Late' });
  assert.match(await read(), /\|Shop$/, 'connections that are open stay');
  await client.close();
  await client.connect();
  assert.match(await read(), /\|Shop\|Late$/);
  for (const bad of [undefined, null, 'Shop', { name: 5 }]) assert.throws(() => client.appendMetadata(bad), MongoInvalidArgumentError);
});

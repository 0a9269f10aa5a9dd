'use strict';
// rumongo-go connects as the official client does: to the same servers, with the same credentials, certificates and options.

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const bson = require('bson');
const { accelerate } = require('../../js/index.js');
const { settingsOf } = require('../../js/accelerate/settings.js');
const { startAuthServer } = require('../support/auth-server.js');
const { startFixture } = require('../support/fixture-server.js');
const { DRIVERS, isOurs } = require('../support/acceleration.js');

const mongodb = DRIVERS['mongodb 7'];

/** Reads through an accelerated client and says who has; the command is also given. */
async function read(t, fixture, uri, options, driver = mongodb) {
  await fixture.put('app.docs', [bson.serialize({ _id: 1 })]);
  const client = accelerate(await driver.MongoClient.connect(uri, options));
  t.after(() => client.close());
  await fixture.startLog();
  assert.equal((await client.db('app').collection('docs').find().toArray()).length, 1);
  const [entry] = await fixture.takeLog();
  assert.ok(isOurs(entry), accelerate.status(client).reason);
  return entry;
}

for (const [name, driver] of Object.entries(DRIVERS)) {
  test(`${name}: TLS with files`, async (t) => {
    const fixture = await startFixture({ tls: 'client' });
    t.after(() => fixture.stop());
    const { ca, client } = fixture.tlsFiles;
    await read(t, fixture, fixture.uri, { tls: true, tlsCAFile: ca, tlsCertificateKeyFile: client }, driver);
    const key = fs.readFileSync(client);
    await read(t, fixture, fixture.uri, { tls: true, ca: fs.readFileSync(ca), key, cert: key }, driver);
    await read(t, fixture, fixture.uri, { tls: true, tlsInsecure: true, tlsCertificateKeyFile: client }, driver);
    await read(t, fixture, fixture.uri, { tls: true, tlsAllowInvalidHostnames: true, tlsCAFile: ca, tlsCertificateKeyFile: client }, driver);
    await read(t, fixture, fixture.uri, { tls: true, tlsAllowInvalidCertificates: true, tlsCertificateKeyFile: client }, driver);
  });

  test(`${name}: options of every kind`, async (t) => {
    const fixture = await startFixture();
    t.after(() => fixture.stop());
    await read(t, fixture, `${fixture.uri}?appName=app&maxPoolSize=3&compressors=zlib&retryReads=false`, { serverApi: { version: '1' }, driverInfo: { name: 'Frame' } }, driver);
    const { driver: called } = await read(t, fixture, fixture.uri, { driverInfo: { name: 'Frame' } }, driver);
    assert.match(called, /rumongo-go/);
  });
}

for (const topology of ['replicaSet', 'mongos', 'loadBalancer', 'secondary']) {
  test(`a ${topology}`, async (t) => {
    const fixture = await startFixture({ topology });
    t.after(() => fixture.stop());
    const address = `${fixture.uri}${fixture.uri.includes('?') ? '&' : '?'}`;
    const uri = { loadBalancer: `${address}loadBalanced=true`, secondary: `${address}directConnection=true&readPreference=secondary` }[topology] ?? fixture.uri;
    await read(t, fixture, uri.replace('loadBalanced=true&loadBalanced=true', 'loadBalanced=true'));
  });
}

test('SCRAM', async (t) => {
  const server = await startAuthServer({ username: 'ada', password: 'p@ss:w/rd' });
  t.after(() => server.stop());
  for (const [userinfo, options] of [['ada:p%40ss%3Aw%2Frd@', {}], ['', { auth: { username: 'ada', password: 'p@ss:w/rd' } }]]) {
    const client = accelerate(await mongodb.MongoClient.connect(`mongodb://${userinfo}${server.host}/?authMechanism=SCRAM-SHA-256`, options));
    t.after(() => client.close());
    assert.deepEqual(await client.db('app').collection('docs').find().toArray(), []);
    assert.deepEqual(accelerate.status(client), { accelerated: true, reason: null, native: 1, official: 0 });
  }
});

test('what a client is told of another', () => {
  const settings = (uri, options) => settingsOf(new mongodb.MongoClient(uri, options), mongodb);
  assert.deepEqual(settings('mongodb://a,b:27018/db'), { uri: 'mongodb://a:27017,b:27018/', options: {} });
  assert.deepEqual(settings('mongodb://%2Ftmp%2Fmongodb-27017.sock'), { uri: 'mongodb://%2Ftmp%2Fmongodb-27017.sock/', options: {} });
  assert.deepEqual(settings('mongodb://[::1]:5/?replicaSet=rs&ssl=true'), { uri: 'mongodb://[::1]:5/', options: { replicaSet: 'rs', tls: true } });
  assert.deepEqual(settings('mongodb+srv://u:p@h.example.org/db').uri, 'mongodb+srv://h.example.org/');
  assert.deepEqual(settings('mongodb://u:p%40@h/db').options, { auth: { username: 'u', password: 'p@' }, authSource: 'db' });
  assert.deepEqual(settings('mongodb://u:p@h/?authMechanism=SCRAM-SHA-256&authSource=x').options, { auth: { username: 'u', password: 'p' }, authSource: 'x', authMechanism: 'SCRAM-SHA-256' });
  assert.deepEqual(settings('mongodb://h/?authMechanism=MONGODB-X509&tls=true').options, { tls: true, authSource: '$external', authMechanism: 'MONGODB-X509' });
  assert.deepEqual(settings('mongodb://u:p@h/?authMechanism=PLAIN').options, { auth: { username: 'u', password: 'p' }, authSource: '$external', authMechanism: 'PLAIN' });
  // What concerns reads goes with each of them, and what concerns writes is no matter here.
  assert.deepEqual(settings('mongodb://h', { promoteLongs: false, readPreference: 'nearest', readConcernLevel: 'majority', w: 1, retryWrites: false, ignoreUndefined: true, monitorCommands: true }).options, {});
  assert.deepEqual(settings('mongodb://h', { maxPoolSize: 5, socketTimeoutMS: 9, retryReads: false, serverSelectionTimeoutMS: 8, compressors: ['zstd', 'zlib'], zlibCompressionLevel: 3, appName: 'a' }).options, {
    maxPoolSize: 5, socketTimeoutMS: 9, retryReads: false, serverSelectionTimeoutMS: 8, compressors: ['zstd', 'zlib'], zlibCompressionLevel: 3, appName: 'a',
  });
});

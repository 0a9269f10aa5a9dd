'use strict';
// Connection strings and client options: what is accepted, what is refused and how it says so. Where
// the official driver has a message, ours is the same.

const test = require('node:test');
const assert = require('node:assert/strict');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { parseClientOptions } = require('../../js/options/client-options.js');
const { ReadConcern } = require('../../js/reads/read-preference.js');

function outcome(make) {
  try {
    make();
    return null;
  } catch (error) {
    return error;
  }
}

// Refused by both drivers with the same class and message.
const same = [
  ['', undefined],
  ['http://localhost', undefined],
  ['mongodb://', undefined],
  ['mongodb://:27017', undefined],
  ['mongodb://@localhost', undefined],
  ['mongodb://u:p@ss@localhost', undefined],
  ['mongodb://localhost:0', undefined],
  ['mongodb+srv://a.example.com,b.example.com', undefined],
  ['mongodb+srv://a.example.com:27017', undefined],
  ['mongodb+srv://a.example.com/?directConnection=true', undefined],
  ['mongodb+srv://a.example.com/?srvMaxHosts=1&replicaSet=x', undefined],
  ['mongodb://h/?x=1', undefined],
  ['mongodb://h/?x=1&y=2', undefined],
  ['mongodb://h/?appName=', undefined],
  ['mongodb://h/?maxPoolSize=-1', undefined],
  ['mongodb://h/?maxPoolSize=abc', undefined],
  ['mongodb://h/?maxConnecting=0', undefined],
  ['mongodb://h/?tls=maybe', undefined],
  ['mongodb://h/?ssl=true&tls=false', undefined],
  ['mongodb://h/?tlsInsecure=true&tlsAllowInvalidHostnames=true', undefined],
  ['mongodb://h/?tlsInsecure=true&tlsAllowInvalidCertificates=true', undefined],
  ['mongodb://h/?compressors=lzma', undefined],
  ['mongodb://h/?authMechanism=NOPE', undefined],
  ['mongodb://h/?authMechanism=SCRAM-SHA-256', undefined],
  ['mongodb://u@h/?authMechanism=MONGODB-X509&authSource=admin', undefined],
  ['mongodb://h/?readPreferenceTags=a&readPreference=secondary', undefined],
  ['mongodb://h/?serverMonitoringMode=sometimes', undefined],
  ['mongodb://h/?serverApi=1', undefined],
  ['mongodb://h/?srvMaxHosts=1', undefined],
  ['mongodb://a,b/?directConnection=true', undefined],
  ['mongodb://a,b/?loadBalanced=true', undefined],
  ['mongodb://a/?loadBalanced=true&replicaSet=r', undefined],
  ['mongodb://a/?loadBalanced=true&directConnection=true', undefined],
  ['mongodb://h', { foo: 1 }],
  ['mongodb://h', { Foo: 1, bar: 2 }],
  ['mongodb://h', { maxPoolSize: 'many' }],
  ['mongodb://h', { maxPoolSize: -5 }],
  ['mongodb://h', { connectTimeoutMS: {} }],
  ['mongodb://h', { directConnection: 1 }],
  ['mongodb://h', { compressors: 5 }],
  ['mongodb://h', { family: 5 }],
  ['mongodb://h', { serverApi: '2' }],
  ['mongodb://h', { serverApi: {} }],
  ['mongodb://h', { loadBalanced: true }],
  ['mongodb://h', { driverInfo: 5 }],
  ['mongodb://h', { useBigInt64: true, promoteLongs: false }],
  ['mongodb://h', { useBigInt64: true, promoteValues: false }],
];

for (const [uri, options] of same) {
  test(`refused as by the official driver: ${uri} ${JSON.stringify(options) ?? ''}`, () => {
    const theirs = outcome(() => new official.MongoClient(uri, options));
    const ours = outcome(() => new MongoClient(uri, options));
    assert.ok(theirs, 'the official driver takes it');
    assert.ok(ours, 'taken');
    assert.equal(ours.name, theirs.name);
    // Ours may say more, such as what to use instead.
    const start = theirs.message.replace(/ Must be one of.*| ".*"\]$/s, '');
    assert.ok(ours.message.startsWith(start), `${ours.message}\n${theirs.message}`);
  });
}

// Refused by both, with messages of our own.
const refused = [
  [undefined, undefined, /Argument "uri" must be a connection string/],
  [5, undefined, /Argument "uri".*got number/],
  [null, undefined, /Argument "uri".*got null/],
  ['mongodb://h', 5, /Argument "options" must be an object/],
  ['mongodb://h', [], /Argument "options".*got an array/],
  ['mongodb://h:99999', undefined, /Host "h:99999".*not a valid/],
  ['mongodb://h:abc', undefined, /Host "h:abc"/],
  ['mongodb://h,', undefined, /Empty host/],
  ['mongodb://us/er:secret@h', undefined, /Username contains unescaped characters/],
  ['mongodb://user:se/cret@h', undefined, /Password contains unescaped characters/],
  ['mongodb://u%:p@h', undefined, /user name.*percent-encoding/],
  ['mongodb://h/%', undefined, /database name.*percent-encoding/],
  ['mongodb://h/?readPreference=foo', undefined, /Invalid read preference mode "foo"/],
  ['mongodb://h/?maxPoolSize=5&maxpoolsize=6', undefined, /cannot appear more than once/],
  ['mongodb://h', { autoEncryption: {} }, /autoEncryption is not supported by rumongo-go; .*official driver/],
  ['mongodb://h', { checkServerIdentity() {} }, /checkServerIdentity is not supported by rumongo-go; use tlsCAFile/],
  ['mongodb://h', { bson: 5 }, /"bson" must be the exports/],
  ['mongodb://h', { bson: {} }, /"bson" is not the exports/],
  ['mongodb://h', { maxPoolSize: NaN }, /Expected maxPoolSize/],
  ['mongodb://h', { auth: { username: 'x' } }, /auth must be an object with 'username' and 'password'/],
  ['mongodb://h', { auth: 'x' }, /auth must be an object/],
  ['mongodb://h', { ca: 5 }, /ca must be PEM text/],
];

for (const [uri, options, message] of refused) {
  test(`refused: ${String(uri)} ${options ? Object.keys(options) : ''}`, () => {
    const error = outcome(() => new MongoClient(uri, options));
    assert.ok(error, 'taken');
    assert.match(error.name, /^Mongo(Parse|InvalidArgument|Runtime)Error$/);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /secret|cret/);
  });
}

test('connect() refuses by rejecting', async () => {
  await assert.rejects(MongoClient.connect('nope'), { name: 'MongoParseError' });
  await assert.rejects(MongoClient.connect(), { name: 'MongoInvalidArgumentError' });
});

const parsed = (uri, options) => parseClientOptions(uri, options);

test('the object wins over the connection string, in any case', () => {
  const { core } = parsed('mongodb://h/?maxPoolSize=5&minPoolSize=1&CONNECTTIMEOUTMS=7&tls=true', { maxpoolsize: 9, connectTimeoutMs: 8 });
  assert.deepEqual(core, { maxPoolSize: 9, minPoolSize: 1, connectTimeoutMS: 8, tls: true });
});

test("rumongo's spellings mean the same", () => {
  const { core } = parsed('mongodb://h', { maxPoolSize: 1, minPoolSize: 0, connectTimeoutMs: 2, serverSelectionTimeoutMs: 3, appName: 'a' });
  assert.deepEqual(core, { maxPoolSize: 1, minPoolSize: 0, connectTimeoutMS: 2, serverSelectionTimeoutMS: 3, appName: 'a' });
});

test('values are typed and named for the core', () => {
  const { core } = parsed('mongodb://u:p@h/?compressors=zstd,none,snappy&authMechanismProperties=SERVICE_NAME:x,A:b:c', {
    compressors: ['zlib'], ssl: true, rejectUnauthorized: false, passphrase: 'x', serverApi: '1', serverSelectionTimeoutMS: Infinity, ca: Buffer.from('x'),
  });
  assert.deepEqual(core, {
    compressors: ['zlib', 'zstd', 'snappy'], tls: true, tlsAllowInvalidCertificates: true, tlsCertificateKeyFilePassword: 'x',
    serverApi: { version: '1' }, serverSelectionTimeoutMS: 2147483647, ca: Buffer.from('x'),
    authMechanismProperties: { SERVICE_NAME: 'x', A: 'b:c' }, auth: { username: 'u', password: 'p' },
  });
});

test('the core is told where to connect and no more; a DNS record may complete the rest of an SRV name', () => {
  for (const [uri, expected, auth, authSource] of [
    ['mongodb://u:p%40@a,b:1,[::1]:2/db?tls=true', 'mongodb://a,b:1,[::1]:2/', { username: 'u', password: 'p@' }, 'db'],
    ['mongodb://u@h/db?authMechanism=MONGODB-X509', 'mongodb://h/', { username: 'u', password: undefined }, undefined],
    ['mongodb://u:p@h/db?authSource=x', 'mongodb://h/', { username: 'u', password: 'p' }, 'x'],
    ['mongodb://h/db?w=-2', 'mongodb://h/', undefined, undefined],
    ['mongodb+srv://u:p@h.example.com?tls=true', 'mongodb+srv://u:p@h.example.com/', undefined, undefined],
    ['mongodb+srv://u:p@h.example.com/db?tls=true', 'mongodb+srv://u:p@h.example.com/db', undefined, undefined],
  ]) {
    const settings = parsed(uri);
    assert.equal(settings.uri, expected);
    assert.deepEqual(settings.core.auth, auth, uri);
    assert.equal(settings.core.authSource, authSource, uri);
  }
});

test('options for writes and logging are taken and ignored', () => {
  assert.deepEqual(parsed('mongodb://h/?w=majority&retryWrites=false', { journal: true, pkFactory: {}, monitorCommands: true }).core, {});
});

test('an SRV name turns TLS on unless told otherwise', () => {
  assert.equal(parsed('mongodb+srv://a.example.com').core.tls, true);
  assert.equal(parsed('mongodb+srv://a.example.com/?tls=false').core.tls, false);
  assert.equal(parsed('mongodb+srv://a.example.com', { ssl: false }).core.tls, false);
});

test('the database: of the options, of the path, test', () => {
  assert.equal(parsed('mongodb://h').dbName, 'test');
  assert.equal(parsed('mongodb://h/').dbName, 'test');
  assert.equal(parsed('mongodb://h/shop?tls=false').dbName, 'shop');
  assert.equal(parsed('mongodb://h/sh%20op').dbName, 'sh op');
  assert.equal(parsed('mongodb://h/shop', { dbName: 'other' }).dbName, 'other');
  assert.equal(new MongoClient('mongodb://h/shop').db().databaseName, 'shop');
  assert.equal(new MongoClient('mongodb://h/shop').db('x').databaseName, 'x');
  assert.throws(() => new MongoClient('mongodb://h').db('a.b'), /cannot contain the character '\.'/);
  assert.throws(() => new MongoClient('mongodb://h').db(5), /Argument "name"/);
  assert.throws(() => new MongoClient('mongodb://h').db().collection(''), /Argument "name"/);
  assert.throws(() => new MongoClient('mongodb://h').db().collection(), /Argument "name"/);
});

test('hosts of every form', () => {
  for (const uri of ['mongodb://[::1]:27017', 'mongodb://a,b:1,c', 'mongodb://%2Ftmp%2Fx.sock', 'mongodb://a b', 'mongodb://h?tls=true', 'mongodb://u:@h', 'mongodb://u@h']) {
    assert.doesNotThrow(() => new MongoClient(uri), uri);
  }
});

test('BSON options pass from client to database to collection to call', () => {
  const client = new MongoClient('mongodb://h/?promoteLongs=false', { promoteBuffers: true });
  const db = client.db('d', { promoteValues: false });
  const collection = db.collection('c', { promoteBuffers: false, bsonRegExp: true });
  const { promoteLongs, promoteValues, promoteBuffers, bsonRegExp, ignoreUndefined } = collection.bsonOptions;
  assert.deepEqual({ promoteLongs, promoteValues, promoteBuffers, bsonRegExp, ignoreUndefined },
    { promoteLongs: false, promoteValues: false, promoteBuffers: false, bsonRegExp: true, ignoreUndefined: false });
  assert.equal(client.db().collection('c').bsonOptions, client.bsonOptions, 'nothing new is made for nothing');
});

test('read preference and read concern pass down', () => {
  const client = new MongoClient('mongodb://h/?readPreference=nearest&readPreferenceTags=a:b&readPreferenceTags=&maxStalenessSeconds=90', { readConcernLevel: 'majority' });
  assert.deepEqual(client.readPreference.toJSON(), { mode: 'nearest', tags: [{ a: 'b' }, {}], maxStalenessSeconds: 90 });
  const collection = client.db('d', { readPreference: 'secondary' }).collection('c', { readConcern: 'local' });
  assert.equal(collection.readPreference.mode, 'secondary');
  assert.deepEqual(collection.readConcern, new ReadConcern('local'));
  assert.deepEqual(client.db().readConcern, new ReadConcern('majority'));
});

test('read preferences: a mode, an object, the official class', () => {
  const of = (readPreference) => new MongoClient('mongodb://h', { readPreference }).readPreference.toJSON();
  assert.deepEqual(of('secondary'), { mode: 'secondary' });
  assert.deepEqual(of({ mode: 'nearest', tags: [{ a: 'b' }] }), { mode: 'nearest', tags: [{ a: 'b' }] });
  assert.deepEqual(of(new official.ReadPreference('secondaryPreferred', [{ x: 'y' }], { maxStalenessSeconds: 100 })),
    { mode: 'secondaryPreferred', tags: [{ x: 'y' }], maxStalenessSeconds: 100 });
  for (const [bad, message] of [[5, /Invalid read preference/], [{}, /Invalid read preference/], ['x', /mode "x"/],
    [{ mode: 'primary', tags: [{ a: 'b' }] }, /Primary read preference cannot be combined with tags/], [{ mode: 'nearest', tags: 5 }, /tags must be an array/],
    [{ mode: 'nearest', maxStalenessSeconds: -1 }, /maxStalenessSeconds must be a positive/]]) {
    assert.throws(() => of(bad), { name: 'MongoInvalidArgumentError', message });
  }
});

test('a client shows neither its connection string nor its password', () => {
  const client = new MongoClient('mongodb://user:hunter2@h/shop');
  const shown = require('node:util').inspect(client, { depth: 9, showHidden: true });
  assert.doesNotMatch(shown, /hunter2|user/);
  assert.match(shown, /MongoClient.*not connected/s);
  assert.doesNotMatch(JSON.stringify(client), /hunter2/);
});

test('credentials from functions are refused by name', () => {
  for (const [authMechanism, name] of [['MONGODB-OIDC', 'OIDC_CALLBACK'], ['MONGODB-OIDC', 'OIDC_HUMAN_CALLBACK'], ['MONGODB-AWS', 'AWS_CREDENTIAL_PROVIDER']]) {
    const make = () => new MongoClient('mongodb://h/', { authMechanism, authMechanismProperties: { [name]: async () => ({}) } });
    assert.throws(make, { name: 'MongoInvalidArgumentError', message: new RegExp(`${name}.*official mongodb driver`) });
  }
});

'use strict';
// Authentication against a server that has it, and credentials that no error, line or inspection tells.

const { test, before, after, describe } = require('node:test');
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const util = require('node:util');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { startAuthServer } = require('../support/auth-server.js');
const { startFixture } = require('../support/fixture-server.js');
const { outline } = require('../support/fault-readers.js');

const USER = 'alice@work';
const PASSWORD = 's3cret:/?#@ß';
const encoded = `${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}`;
/** All that would give the password away. */
const TELLING = [PASSWORD, encodeURIComponent(PASSWORD), 's3cret', Buffer.from(PASSWORD).toString('base64'), 'wr0ng'];

function assertSilent(text, what) {
  for (const part of TELLING) assert.ok(!text.includes(part), `${what} tells ${part}: ${text}`);
}

const everything = (error) => `${util.inspect(error, { depth: 10, showHidden: true })} ${error.stack} ${JSON.stringify(error)} ${util.inspect(error.cause)}`;

describe('authentication', () => {
  let server;

  before(async () => {
    server = await startAuthServer({ username: USER, password: PASSWORD });
  });

  after(() => server?.stop?.());

  async function outcome(Client, query, userinfo, options) {
    const client = new Client(`mongodb://${userinfo}${server.host}/${query}`, { serverSelectionTimeoutMS: 3000, ...options });
    try {
      await client.connect();
      await client.db('shop').collection('items').find().toArray();
      return null;
    } catch (error) {
      return error;
    } finally {
      if (Client === MongoClient) assertSilent(`${util.inspect(client, { depth: 10, showHidden: true })} ${JSON.stringify(client)}`, 'the client');
      await client.close();
    }
  }

  const CASES = [
    ['SCRAM-SHA-256', '?authMechanism=SCRAM-SHA-256', `${encoded}@`, {}, true],
    ['negotiated', '', `${encoded}@`, {}, true],
    ['of the options', '', '', { auth: { username: USER, password: PASSWORD } }, true],
    ['of the options, before the connection string\'s', '', 'bob:wr0ng@', { auth: { username: USER, password: PASSWORD } }, true],
    ['authSource', 'shop?authSource=admin', `${encoded}@`, {}, true],
    ['the database as authSource', 'shop', `${encoded}@`, {}, false],
    ['a wrong password', '?authMechanism=SCRAM-SHA-256', `${encodeURIComponent(USER)}:wr0ng@`, {}, false],
    ['a wrong password, negotiated', '', `${encodeURIComponent(USER)}:wr0ng@`, {}, false],
    ['a wrong user', '', `bob:${encodeURIComponent(PASSWORD)}@`, {}, false],
    ['nobody', '', '', {}, false],
  ];
  for (const [name, query, userinfo, options, works] of CASES) {
    test(name, async (t) => {
      if (server.skip) return t.skip(server.skip);
      const error = await outcome(MongoClient, query, userinfo, options);
      const theirs = await outcome(official.MongoClient, query, userinfo, options);
      assert.deepEqual(outline(error), outline(theirs), error?.stack);
      assert.equal(error === null, works);
      if (error !== null) assertSilent(everything(error), name);
    });
  }

  test('an event loop of reads, many connections, each authenticated', async (t) => {
    if (server.skip) return t.skip(server.skip);
    const client = await MongoClient.connect(`mongodb://${encoded}@${server.host}/`, { maxPoolSize: 10 });
    const results = await Promise.all(Array.from({ length: 50 }, () => client.db('shop').collection('items').findOne()));
    assert.ok(results.every((doc) => doc === null));
    assertSilent(util.inspect(client.stats(), { depth: 10 }), 'stats');
    await client.close();
  });
});

describe('credentials are not told', () => {
  const refused = [
    `mongodb://${USER}:${PASSWORD}@localhost/`, // not escaped
    `mongodb://${encoded}%@localhost/`,
    `mongodb://${encoded}@localhost:99999/`,
    `mongodb://${encoded}@localhost/?nosuchoption=1`,
    `mongodb://${encoded}@localhost/?tls=perhaps`,
    `mongodb://${encoded}@/`,
    `mongodb://${encoded}@localhost/?authMechanism=MONGODB-X509`,
    `mongodb://${encoded}@localhost/?authMechanism=MONGODB-AWS`,
    `mongodb://${encoded}@localhost/?authMechanism=GSSAPI`,
    `mongodb://${encoded}@a,b/?directConnection=true`,
    `mongodb+srv://${encoded}@a.example.com,b.example.com/`,
    `mongodb+srv://${encoded}@no.such.name.example.com/?connectTimeoutMS=50`,
    `mongodb://${encoded}@localhost:1/?serverSelectionTimeoutMS=50`,
    `mongodb://${encoded}@localhost:1/?serverSelectionTimeoutMS=50&compressors=zlib&zlibCompressionLevel=77`,
    `http://${encoded}@localhost/`,
  ];
  for (const [i, uri] of refused.entries()) {
    test(`by the error of connection string ${i + 1}`, async () => {
      const error = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 50 }).then(() => null, (e) => e);
      assert.ok(error, 'it should not connect');
      assertSilent(everything(error), 'the error');
    });
  }

  test('by the line of RUMONGO_DEBUG, which has no values of filters either', async () => {
    const fixture = await startFixture();
    await fixture.load('t.m', 'mixed45', 10);
    const script = `
      const { MongoClient } = require(${JSON.stringify(path.join(__dirname, '../..'))});
      (async () => {
        const client = await MongoClient.connect(process.argv[1], { driverInfo: { name: 'x' } });
        const m = client.db('t').collection('m');
        await m.find({ s: 's3cret' });
        await m.findOne({ _id: 's3cret' }, { comment: 's3cret' });
        await m.findLazy({ s: 's3cret' }, { projection: { s3cret: 1 } });
        await m.find({ $bad: 's3cret' }, { sort: { s3cret: 1 } }).toArray().catch(() => {});
        console.log(require('util').inspect(client, { depth: 9 }), require('util').inspect(client.stats(), { depth: 9 }));
        await client.close();
      })();
    `;
    // The fixture asks nobody who he is; the options hold a secret nevertheless.
    const uri = `${fixture.uri}?appName=app&tlsCertificateKeyFilePassword=s3cret&tls=false`;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['-e', script, uri], { encoding: 'utf8', env: { ...process.env, RUMONGO_DEBUG: '1' } });
    assert.equal(status, 0, stderr);
    assert.match(stderr, /rumongo: t\.m \d+ documents/);
    assertSilent(stdout + stderr, 'the output');
    await fixture.stop();
  });
});

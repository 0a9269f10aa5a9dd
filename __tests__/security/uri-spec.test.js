'use strict';
// The connection-string, uri-options and auth tests of the MongoDB specifications, which ship in the Go driver's module:
// whatever the official Node.js driver makes of a connection string, so do we, with errors of the same class. What it
// accepts the core must accept as well.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const official = require('mongodb');
const { MongoClient } = require('../../js/index.js');
const { parseClientOptions } = require('../../js/options/client-options.js');
const { corpusFiles } = require('../support/bson-corpus.js');

// By a part of the connection string: what we refuse or do not read, with the reason.
const SKIPPED = [
  [/authMechanism=GSSAPI/, 'the core is built without Kerberos'],
];

const attempt = (make) => {
  try {
    return { value: make() };
  } catch (error) {
    return { error };
  }
};

/** What of the options both drivers keep under the same name. */
const COMPARED = ['appName', 'connectTimeoutMS', 'directConnection', 'heartbeatFrequencyMS', 'loadBalanced', 'localThresholdMS', 'maxConnecting',
  'maxIdleTimeMS', 'maxPoolSize', 'minPoolSize', 'replicaSet', 'retryReads', 'serverMonitoringMode', 'serverSelectionTimeoutMS', 'socketTimeoutMS',
  'srvMaxHosts', 'srvServiceName', 'tls', 'tlsCAFile', 'tlsCertificateKeyFile', 'tlsInsecure', 'waitQueueTimeoutMS', 'zlibCompressionLevel'];

for (const folder of ['connection-string', 'uri-options', 'auth']) {
  const { files = [], skip = false } = corpusFiles(folder);
  if (skip) test(folder, { skip });
  for (const { file, content } of files) {
    test(`${folder}/${file}`, async (t) => {
      let cases = 0;
      for (const { description, uri } of content.tests) {
        const reason = SKIPPED.find(([pattern]) => pattern.test(uri))?.[1];
        if (reason !== undefined) {
          console.log(`# skipped: ${description}: ${reason}`);
          continue;
        }
        cases++;
        const theirs = attempt(() => new official.MongoClient(uri));
        const ours = attempt(() => parseClientOptions(uri));
        assert.equal(ours.error?.name, theirs.error?.name, `${description}, ${uri}: ${ours.error?.message}; official: ${theirs.error?.message}`);
        if (theirs.error !== undefined) continue;

        // Where the connection string says something, the same is meant.
        const { options } = theirs.value;
        for (const name of COMPARED) {
          if (new RegExp(`[?&](${name}|ssl)=`, 'i').test(uri) && ours.value.core[name] !== undefined) {
            assert.equal(ours.value.core[name], options[name], `${description}: ${name}`);
          }
        }
        assert.equal(ours.value.dbName, options.dbName, `${description}: the database`);
        assert.equal(ours.value.readPreference.mode, options.readPreference.mode, description);
        assert.equal(JSON.stringify(ours.value.readPreference.tags), JSON.stringify(options.readPreference.tags), description);
        assert.equal(ours.value.readPreference.maxStalenessSeconds, options.readPreference.maxStalenessSeconds, description);
        assert.equal(ours.value.readConcern?.level, options.readConcern?.level, description);
        await coreAccepts(uri, description);
      }
      t.diagnostic(`${cases} cases`);
    });
  }
}

/** There is no such server, and files of certificates are not there: those are the only ways to fail. */
async function coreAccepts(uri, description) {
  if (uri.startsWith('mongodb+srv')) return; // resolves names
  const connecting = MongoClient.connect(uri, { serverSelectionTimeoutMS: 1 });
  const error = await connecting.then((client) => client.close(), (e) => e);
  if (error === undefined || ['MongoServerSelectionError', 'MongoNetworkError', 'MongoWaitQueueTimeoutError'].includes(error.name)) return;
  assert.match(error.message, /no such file/, `${description}, ${uri}: the core says ${error}`);
}

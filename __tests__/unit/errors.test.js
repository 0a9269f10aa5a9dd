'use strict';
// Faults of the core as errors: the official driver's classes when it is installed, the same shape when not.

const test = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const bson = require('bson');
const official = require('mongodb');
const { errorFromFault, errors, NAMES } = require('../../js/errors.js');
const { buildFamily } = require('../../js/error-classes.js');
const publicApi = require('../../js/index.js');

const classes = { BSON: bson, BSONError: bson.BSONError };
const fromFault = (fault, options) => errorFromFault(bson.serialize(fault), classes, options);

test("the classes are the official driver's own", () => {
  for (const name of NAMES) {
    if (official[name]) assert.equal(errors()[name], official[name], name);
    assert.equal(publicApi[name], errors()[name], name);
  }
});

test('every error class of the official driver has its name here', () => {
  const theirs = Object.keys(official).filter((name) => official[name]?.prototype instanceof Error);
  assert.ok(theirs.length > 40);
  assert.deepEqual(theirs.filter((name) => publicApi[name] !== official[name]), []);
  for (const name of ['BSONError', 'ObjectId', 'Long', 'Decimal128', 'UUID']) assert.equal(publicApi[name], bson[name], name);
  assert.equal(publicApi.BSON.EJSON, bson.EJSON);
});

test('a server error keeps code, codeName, labels and the reply', () => {
  const reply = { ok: 0, errmsg: 'unknown operator: $foo', code: 2, codeName: 'BadValue', errorLabels: ['L'], extra: bson.Long.fromNumber(7) };
  const error = fromFault({ kind: 'server', message: 'x', code: 2, labels: ['L'], raw: reply });
  assert.ok(error instanceof official.MongoServerError);
  assert.equal(error.message, 'unknown operator: $foo');
  assert.equal(error.code, 2);
  assert.equal(error.codeName, 'BadValue');
  assert.equal(error.extra, 7);
  assert.ok(error.hasErrorLabel('L'));
  assert.deepEqual(error.errorResponse, { ...reply, extra: 7 });
  const longs = fromFault({ kind: 'server', message: 'x', raw: reply }, { promoteLongs: false });
  assert.deepEqual(longs.extra, bson.Long.fromNumber(7));
});

test('a server error without its reply is made of what is known', () => {
  const error = fromFault({ kind: 'server', message: 'm', code: 43, codeName: 'CursorNotFound', labels: ['A'] });
  assert.deepEqual([error.name, error.message, error.code, error.codeName, error.errorLabels], ['MongoServerError', 'm', 43, 'CursorNotFound', ['A']]);
});

const kinds = [
  [{ kind: 'network', message: 'reset', cause: 'read tcp', labels: ['X'] }, 'MongoNetworkError'],
  [{ kind: 'networkTimeout', message: 'late', cause: 'i/o' }, 'MongoNetworkTimeoutError'],
  [{ kind: 'serverSelection', message: 'no server 127.0.0.1:1', cause: 'refused' }, 'MongoServerSelectionError'],
  [{ kind: 'parse', message: 'p' }, 'MongoParseError'],
  [{ kind: 'invalidArgument', message: 'i' }, 'MongoInvalidArgumentError'],
  [{ kind: 'closed', message: '' }, 'MongoClientClosedError'],
  [{ kind: 'cancelled', message: 'c' }, 'MongoRuntimeError'],
  [{ kind: 'bson', message: 'b', offset: 12 }, 'BSONError'],
  [{ kind: 'internal', message: 'panic: x', stack: 'goroutine 1' }, 'MongoRuntimeError'],
  [{ kind: 'something new', message: 'n' }, 'MongoRuntimeError'],
];

for (const [fault, name] of kinds) {
  test(`fault ${fault.kind} is ${name}`, () => {
    const error = fromFault(fault);
    assert.equal(error.name, name);
    if (fault.message) assert.equal(error.message, fault.offset ? `${fault.message} at byte offset 12` : fault.message);
    if (official[name]) assert.ok(error instanceof official[name] && error instanceof official.MongoError);
    if (fault.cause) assert.equal(error.cause.message, fault.cause);
    if (fault.stack) assert.match(error.cause.stack, /goroutine 1/);
    if (fault.offset) assert.equal(error.offset, 12);
    for (const label of fault.labels ?? []) assert.ok(error.hasErrorLabel(label));
  });
}

test('our own family has the same names, parents and fields', () => {
  const own = buildFamily();
  for (const name of NAMES) {
    const parent = Object.getPrototypeOf(own[name]).name;
    assert.equal(own[name].name === 'OwnMongoError' ? 'MongoError' : own[name].name, name);
    if (official[name] && name !== 'MongoError') {
      const theirs = Object.getPrototypeOf(official[name]).name;
      assert.equal(parent === 'OwnMongoError' ? 'MongoError' : parent, theirs, name);
    }
  }
  const server = new own.MongoServerError({ ok: 0, errmsg: 'm', code: 5, codeName: 'X', errorLabels: ['L'] });
  assert.deepEqual([server.name, server.message, server.errmsg, server.code, server.codeName, server.errorLabels, server.ok],
    ['MongoServerError', 'm', 'm', 5, 'X', ['L'], 0]);
  assert.ok(server.hasErrorLabel('L') && server instanceof own.MongoError && server instanceof Error);
  const network = new own.MongoNetworkTimeoutError('t', { cause: server });
  assert.equal(network.cause, server);
  assert.equal(network.beforeHandshake, false);
  assert.ok(network instanceof own.MongoNetworkError);
  const selection = new own.MongoServerSelectionError('no server', { type: 'Unknown' });
  assert.equal(selection.message, 'no server');
  assert.deepEqual(selection.reason, { type: 'Unknown' });
  assert.equal(new own.MongoCursorInUseError().message, 'Cursor is already initialized');
  assert.equal(new own.MongoClientClosedError().message, 'Operation interrupted because client was closed');
});

test('a class the installed driver lacks is derived from the parent it has', () => {
  const { MongoError, MongoAPIError } = official;
  const family = buildFamily({ MongoError, MongoAPIError });
  assert.ok(new family.MongoClientClosedError() instanceof MongoAPIError);
  assert.ok(new family.MongoParseError('x') instanceof MongoError);
});

test('import and require give the same classes', async () => {
  const esm = await import('../../js/index.mjs');
  for (const name of Object.keys(publicApi)) assert.equal(esm[name], publicApi[name], name);
  assert.equal(esm.default, publicApi);
});

test('loading the package does not load the official driver', () => {
  const script = `require(${JSON.stringify(path.resolve(__dirname, '../../js/index.js'))});
    process.exit(Object.keys(require.cache).some((file) => /node_modules.mongodb.lib/.test(file)) ? 1 : 0);`;
  assert.equal(spawnSync(process.execPath, [...process.execArgv, '-e', script]).status, 0);
});

'use strict';
// The binaries ask for no newer C and C++ libraries than Node.js 20 itself, whatever system they were linked on.

const test = require('node:test');
const assert = require('node:assert');
const path = require('node:path');
const { checkSymbols, neededVersions, tooNew, hasReadelf } = require('../../scripts/pack/symbols');

const RELEASE = path.join(__dirname, '..', '..', 'build', 'Release');
const unchecked = (process.platform !== 'linux' && 'only Linux has versions of symbols') || (!hasReadelf() && 'readelf (binutils) is not installed');

test('what is too new', () => {
  assert.deepStrictEqual(tooNew({ GLIBC: '2.28', GLIBCXX: '3.4.21', CXXABI: '1.3.9' }), []);
  assert.deepStrictEqual(tooNew({ GLIBC: '2.9' }), []); // numbers, not text
  assert.deepStrictEqual(tooNew({ GLIBC: '2.34', GLIBCXX: '3.4', CXXABI: '1.3.13' }), ['GLIBC_2.34', 'CXXABI_1.3.13']);
  assert.deepStrictEqual(tooNew({ GLIBC: 'PRIVATE' }), ['GLIBC_PRIVATE']);
  assert.deepStrictEqual(tooNew({ OPENSSL: '3.0' }), ['OPENSSL_3.0']);
});

test('addon and core', { skip: unchecked }, () => {
  const found = checkSymbols(RELEASE);
  assert.deepStrictEqual(Object.keys(found).sort(), ['librumongo.so', 'rumongo.node']);
  for (const versions of Object.values(found)) assert.ok(versions.GLIBC, 'every library needs something of glibc');
});

const other = !process.version.startsWith('v20.') && `this is Node.js ${process.versions.node}, the limits are those of 20`;

test('Node.js 20 itself stays within the limits', { skip: unchecked || other }, () => {
  assert.deepStrictEqual(tooNew(neededVersions(process.execPath)), []);
});

'use strict';
// Which files `npm test -- ...` runs.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const { testFiles } = require('../../scripts/test.js');

test('without a name: every test file, but not those of other commands', () => {
  const files = testFiles([]);
  assert.ok(files.includes('unit/test-command.test.js') && files.includes('integration/reads.test.js'));
  assert.ok(files.every((file) => !/^(support|fixtures|stress)\//.test(file)));
});

test('a folder, a file by how it begins, each file once', () => {
  const unit = testFiles(['unit']);
  assert.ok(unit.length > 10 && unit.every((file) => file.startsWith('unit/')));
  assert.deepEqual(testFiles(['unit/test-comm', 'unit/test-command.test.js']), ['unit/test-command.test.js']);
  assert.deepEqual(testFiles(['unit', 'unit/test-command']), unit);
});

test('a name that nothing has is an error that says which there are', () => {
  assert.throws(() => testFiles(['unit', 'unity']), /no test files in unity; folders: .*\bunit\b/);
  assert.throws(() => testFiles(['unit/no-such-file']), /no test files in unit\/no-such-file/);
});

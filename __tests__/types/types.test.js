'use strict';
// The declarations, by the TypeScript compiler: what it infers, and a service that is written for the official driver.

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { program, complaints, readCase, casePath, NODE_NEXT, COMMON_JS } = require('./compile.js');

const assertions = readCase('assertions.ts');
const official = readCase('service.ts');
const ours = official.replaceAll("from 'mongodb'", "from 'rumongo-go'");

test('the service differs by its import alone', () => {
  assert.equal(official.split('mongodb').length - 1, 2, 'the package is named by its two imports, and nowhere else');
  assert.equal(ours.includes('mongodb'), false);
});

test('ES modules (NodeNext) compile', () => {
  const compiled = program(NODE_NEXT, {
    [casePath('assertions.mts')]: assertions,
    [casePath('service-official.mts')]: official,
    [casePath('service-ours.mts')]: ours,
  });
  assert.deepEqual(complaints(compiled), []);
});

test('CommonJS modules compile', () => {
  const nodeNext = program(NODE_NEXT, { [casePath('service-ours.cts')]: ours });
  assert.deepEqual(complaints(nodeNext), []);
  const before = program(COMMON_JS, { [casePath('service-ours.ts')]: ours });
  assert.deepEqual(complaints(before), []);
});

test('models', () => {
  assert.deepEqual(complaints(program(NODE_NEXT, { [casePath('models.mts')]: readCase('models.ts') })), []);
});

test('what does not compile is found', () => {
  const wrong = ours.replace('{ name: 1 }, collation', '{ name: 1 }, colation').replace("'address.city': city, age: { $gte: 18 }", "age: { $gte: 'x' }");
  const found = complaints(program(NODE_NEXT, { [casePath('service-wrong.mts')]: wrong }));
  assert.equal(found.length, 2, found.join(''));
});

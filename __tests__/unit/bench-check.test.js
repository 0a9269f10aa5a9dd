'use strict';

// The comparison that the benchmark's results rest on has to notice what it is there for.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const { ObjectId } = require('bson');
const { checkDocuments } = require('../../bench/check');
const { judge } = require('../../bench/targets');

const id = new ObjectId();
const document = () => ({ _id: new ObjectId(id.toHexString()), a: 1, nested: { list: [1, { b: null }] }, at: new Date(5) });
const check = (actual) => checkDocuments([actual], [document()], { plain: true });

test('equal plain documents pass', () => {
  check(document());
  checkDocuments([], [], { plain: true });
});

test('what is not the same does not', () => {
  assert.throws(() => checkDocuments([], [document()], { plain: true }), /number of documents/);
  assert.throws(() => check({ ...document(), a: 2 }));
  assert.throws(() => check({ ...document(), extra: undefined }));
  assert.throws(() => check({ ...document(), _id: id.toHexString() }));
  assert.throws(() => check({ ...document(), at: new Date(6) }));
});

test('a Proxy or an accessor, at any depth, does not', () => {
  assert.throws(() => check(new Proxy(document(), {})), /Proxy/);
  assert.throws(() => check({ ...document(), nested: new Proxy(document().nested, {}) }), /nested is a Proxy/);
  const accessor = { ...document() };
  Object.defineProperty(accessor, 'a', { get: () => 1, enumerable: true, configurable: true });
  assert.throws(() => check(accessor), /a is no own data property/);
});

test('lazy documents need only be equal', () => {
  checkDocuments([new Proxy(document(), {})], [document()], { plain: false });
});

test('targets are judged from medians, and left out when a reader was', () => {
  const medians = { official: { wallMs: 900, delayMs: 400 }, find: { wallMs: 100, delayMs: 50 } };
  assert.deepEqual(judge('mixed45', medians).map(({ value, reached }) => [value, reached]), [[9, true], [8, false]]);
  assert.deepEqual(judge('text', { official: { wallMs: 200 }, find: { wallMs: 100 } })[0].reached, false);
  assert.deepEqual(judge('text', {}), []);
});

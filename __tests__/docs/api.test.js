'use strict';
// docs/api.md has every method that there is; DIVERGENCES.md names tests that there are.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const native = require('../../js/index.js');
const { root, read } = require('../support/markdown.js');

const api = read('docs/api.md');
const declared = fs.readdirSync(path.join(root, 'types')).map((file) => read(path.join('types', file))).join('\n');
const named = (text, name) => new RegExp(`\\b${name}\\b`).test(text);

/** The methods and accessors of a class that are its own and are declared, so that they are for users. */
function members(Class) {
  const names = new Set(Object.getOwnPropertyNames(Class).filter((name) => typeof Class[name] === 'function'));
  for (let proto = Class.prototype; proto !== Object.prototype && proto.constructor.name !== 'EventEmitter'; proto = Object.getPrototypeOf(proto)) {
    for (const name of Object.getOwnPropertyNames(proto)) if (name !== 'constructor' && !name.startsWith('_')) names.add(name);
  }
  return [...names].filter((name) => new RegExp(`\\b${name}(?:\\??:|\\(|<)`).test(declared));
}

const CLASSES = ['MongoClient', 'Db', 'Collection', 'Admin', 'FindCursor', 'AggregationCursor', 'BatchCursor', 'ListCollectionsCursor', 'RunCommandCursor', 'BSONFileCursor', 'WorkerPool', 'ShadowSummary'];
// Of every EventEmitter.
const EMITTER = new Set(['addListener', 'on', 'once', 'off', 'prependListener', 'prependOnceListener', 'removeListener', 'removeAllListeners', 'emit']);

for (const name of CLASSES) {
  test(`${name}: docs/api.md has its methods`, () => {
    const found = members(native[name]);
    assert.ok(found.length > 0);
    assert.deepEqual(found.filter((member) => !EMITTER.has(member) && !named(api, member)), []);
  });
}

test('functions and models: docs/api.md has them', () => {
  const functions = Object.keys(native).filter((name) => typeof native[name] === 'function' && /^[a-z]/.test(name));
  assert.ok(functions.length >= 6);
  assert.deepEqual([...functions, 'Model', 'Schema'].filter((name) => !named(api, name)), []);
});

test('DIVERGENCES.md: each row has a reason and a test that is there, by file and by name', () => {
  const rows = read('DIVERGENCES.md').split('\n').filter((line) => line.startsWith('|') && !/^\|[-|]+$|^\| what \|/.test(line));
  assert.ok(rows.length > 60);
  for (const row of rows) {
    const cells = row.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim());
    assert.equal(cells.length, 5, row);
    const [what, , , why, tests] = cells;
    assert.ok(why.length > 3, `${what}: no reason`);
    const files = [...tests.matchAll(/`([\w/-]+\.test\.js)`((?:(?:: |, )"[^"]+")*)/g)];
    assert.ok(files.length > 0, `${what}: no test`);
    for (const [, file, names] of files) {
      const source = read(path.join('__tests__', file));
      for (const [, name] of names.matchAll(/"([^"]+)"/g)) assert.ok(source.includes(name) || source.includes(name.replaceAll("'", "\\'")), `${what}: ${file} has no "${name}"`);
    }
  }
});

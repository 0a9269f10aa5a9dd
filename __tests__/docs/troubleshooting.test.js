'use strict';
// What docs/troubleshooting.md quotes is what the sources say: a message that was reworded has to be reworded there, too.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { root, read } = require('../support/markdown.js');

const FILE = 'docs/troubleshooting.md';
const VARIES = '…';
// Rows whose first cell quotes nobody's words, or those of the server.
const NOT_OURS = /^the same, with|^`Authentication failed\.` \(the server's words/;

const sources = ['js', 'core', 'napi'].flatMap((folder) => fs.readdirSync(path.join(root, folder), { recursive: true })
  .filter((name) => /\.(js|go|cc)$/.test(name) && !name.endsWith('_test.go')).map((name) => ({ name: path.join(folder, name), text: messagesOf(read(path.join(folder, name))) })));

/** The text with texts that are put together from several in one piece, and without escapes. */
function messagesOf(text) {
  return text.replace(/['"`]\s*\+\s*\n?\s*['"`]/g, '').replace(/\\(['"`])/g, '$1');
}

/** The files that have all parts of a message, in their order. */
function filesWith(message) {
  const parts = message.split(VARIES).map((part) => part.trim()).filter((part) => part.length > 2);
  assert.ok(parts.some((part) => part.length >= 12), `${message}: too short to be looked up`);
  return sources.filter(({ text }) => {
    const pattern = new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^\\n]*?'));
    return pattern.test(text);
  });
}

const rows = read(FILE).split('\n').filter((line) => line.startsWith('|') && !/^\|[-|]+$|^\| message \|/.test(line)).map((line) => line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim()));

test('each row has a message, a cause and a remedy', () => {
  assert.ok(rows.length > 35);
  for (const cells of rows) assert.deepEqual([cells.length, cells.every((cell) => cell !== '')], [3, true], cells.join(' | '));
});

for (const [cell] of rows) {
  if (NOT_OURS.test(cell)) continue;
  test(cell, () => {
    const [, message] = /^`([^`]+)`/.exec(cell) ?? [];
    assert.ok(message, 'a row begins with the message, in backquotes');
    const found = filesWith(message);
    assert.ok(found.length > 0, `no source says this any more: ${message}`);
  });
}

test('words that nobody says are found out', () => {
  assert.deepEqual(filesWith('the moon is … made of cheese'), []);
  assert.ok(filesWith('server selection failed: … servers: ').length > 0);
});

'use strict';
// The layout of a chunk is written down on both sides, and has to be the same text.

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');

const ROOT = path.join(__dirname, '..', '..');

/** The comment from "The layout of a chunk" to the end of its paragraphs on shapes, without line breaks. */
function layoutOf(file) {
  const text = fs.readFileSync(path.join(ROOT, file), 'utf8');
  const words = text.replaceAll(/^\/\/ ?/gm, '').replaceAll(/\s+/g, ' ');
  return words.match(/All words are 32 bits .*? each with its NUL\. /)?.[0] ?? assert.fail(`no layout in ${file}`);
}

test('both sides describe the same layout', () => {
  assert.equal(layoutOf('js/lazy.js'), layoutOf('core/index/layout.go'));
  const version = (file, pattern) => Number(fs.readFileSync(path.join(ROOT, file), 'utf8').match(pattern)[1]);
  assert.equal(version('js/lazy.js', /LAYOUT_VERSION = (\d+)/), version('core/index/layout.go', /layoutVersion = (\d+)/));
});

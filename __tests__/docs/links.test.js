'use strict';
// Links of the documentation lead somewhere. One to a line of the sources names what is there, in backquotes; when code has
// moved too far, `RUMONGO_UPDATE_LINKS=1 node --test __tests__/docs/links.test.js` writes the lines anew.

const { test } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { root, read, documents, blocks, anchors, links } = require('../support/markdown.js');

// What is named is still in sight where the link leads: not every change of a file should be one of the documentation.
const IN_SIGHT = 20;
const DEFINED = [
  (name) => `^\\s*(?:async |static |get |export |declare |default )*(?:class|function|const|let|interface|type) ${name}\\b`, // JavaScript, declarations
  (name) => `^\\s*(?:static |async |get |\\*)*${name}\\(.*\\{$`, // a method
  (name) => `^(?:func(?: \\([^)]*\\))?|type|const|var) ${name}\\b`, // Go
  (name) => `^(?:[\\w:<>*&,]+ )+\\*?(?:\\w+::)*${name}\\(.*`, // C++
  (name) => `^\\s*(?:class|struct) ${name}\\b`,
];

/** The lines where a name is defined in a file, from 1. */
function definitions(file, name) {
  const patterns = DEFINED.map((pattern) => new RegExp(pattern(name)));
  return read(file).split('\n').flatMap((line, i) => (patterns.some((pattern) => pattern.test(line)) ? [i + 1] : []));
}

/** `Request.ack` is defined as ack. */
const nameOf = (text) => /^`(?:[\w#]+[.:]+)*#?(\w+)(?:\(\))?`$/.exec(text)?.[1];

const toLines = (file) => links(file).filter(({ anchor }) => /^L\d+$/.test(anchor ?? ''));

function update(file) {
  let text = read(file);
  for (const { raw, text: shown, target, anchor } of toLines(file)) {
    const line = Number(anchor.slice(1));
    const [nearest] = definitions(target, nameOf(shown)).sort((a, b) => Math.abs(a - line) - Math.abs(b - line));
    if (nearest !== undefined) text = text.replaceAll(raw, raw.replace(/#L\d+\)$/, `#L${nearest})`));
  }
  fs.writeFileSync(path.join(root, file), text);
}

for (const file of documents()) {
  test(file, () => {
    if (process.env.RUMONGO_UPDATE_LINKS) update(file);
    blocks(file); // all have a beginning and an end
    for (const { raw, target, anchor } of links(file)) {
      assert.ok(fs.existsSync(path.join(root, target)), `${raw}: there is no ${target}`);
      if (anchor === undefined || /^L\d+$/.test(anchor)) continue;
      assert.ok(anchors(target).has(anchor), `${raw}: ${target} has no heading #${anchor}`);
    }
    for (const { raw, text, target, anchor } of toLines(file)) {
      const name = nameOf(text);
      assert.ok(name, `${raw}: a link to a line names what is there, in backquotes`);
      const lines = definitions(target, name);
      assert.ok(lines.some((line) => Math.abs(line - Number(anchor.slice(1))) <= IN_SIGHT), lines.length === 0
        ? `${raw}: ${target} does not define ${name} any more`
        : `${raw}: ${name} is defined in line ${lines.join(', ')} now; RUMONGO_UPDATE_LINKS=1 node --test __tests__/docs/links.test.js`);
    }
  });
}

test('the index names every document, with a sentence', () => {
  const index = new Map(links('docs/README.md').map(({ target }) => [target, true]));
  for (const file of documents()) if (file !== 'docs/README.md') assert.ok(index.has(file), `docs/README.md does not name ${file}`);
  assert.ok(links('README.md').some(({ target }) => target === 'docs/README.md'), 'README.md leads to it');
});

test('one read has its way through the sources in docs/architecture.md', () => {
  const found = toLines('docs/architecture.md').map(({ target }) => target.split('/')[0]);
  assert.ok(found.length >= 25, `${found.length} links to lines`);
  for (const layer of ['js', 'napi', 'core']) assert.ok(found.includes(layer), layer);
});

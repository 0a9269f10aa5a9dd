'use strict';
// The documentation as tests see it: its files, their code blocks, headings and links.

const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..', '..');
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');

/** Everything a user or contributor reads, as paths from the root. */
function documents() {
  const inFolder = (folder) => fs.readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.md')).map((name) => path.join(folder, name));
  return [...inFolder('.'), ...inFolder('docs'), 'bench/README.md', 'examples/README.md'].sort();
}

/**
 * The fenced blocks of a file: { line, heading, language, code, marker }. marker: the comment on the line before the fence,
 * `<!-- not run: why -->` or `<!-- signatures -->`, as { kind, reason }, or null. A block whose fence is missing is an error.
 */
function blocks(file) {
  const found = [];
  let heading = '';
  let open = null;
  let marker = null;
  for (const [i, line] of read(file).split('\n').entries()) {
    const fence = /^\s*```(\w*)$/.exec(line);
    if (open !== null) {
      if (fence === null) open.lines.push(line);
      else {
        const { lines, ...block } = open;
        found.push({ ...block, code: lines.join('\n') });
        open = null;
      }
      continue;
    }
    if (fence !== null) open = { line: i + 1, heading, language: fence[1], marker, lines: [] };
    else if (line.includes('```')) throw new Error(`${file}:${i + 1}: a fence that is not read: ${line}`);
    else if (/^ {4}\S/.test(line) && !/^\s*(?:[-*|]|\d+\.)/.test(line)) throw new Error(`${file}:${i + 1}: indented code; fence it with a language: ${line}`);
    heading = /^#+ (.*)/.exec(line)?.[1] ?? heading;
    const comment = /^<!-- (not run|signatures)(?:: (.*))? -->$/.exec(line);
    marker = comment === null ? null : { kind: comment[1], reason: comment[2] ?? '' };
  }
  if (open !== null) throw new Error(`${file}:${open.line}: the block has no end`);
  return found;
}

/** The text without its code blocks. */
const prose = (file) => read(file).replace(/^```.*?^```$/gms, '');

/** The anchors of a file's headings, as GitHub makes them. */
function anchors(file) {
  const seen = new Map();
  return new Set([...prose(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => {
    const slug = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  }));
}

/** The links to places of this repository: { text, target: path from the root, anchor, line, raw }. */
function links(file) {
  return [...prose(file).matchAll(/!?\[((?:[^\]`]|`[^`]*`)*)\]\(([^)\s]+)\)/g)].filter(([, , to]) => !/^[a-z]+:/.test(to)).map(([raw, text, to]) => {
    const [name, anchor] = to.split('#');
    return { raw, text, target: name === '' ? file : path.join(path.dirname(file), name), anchor };
  });
}

module.exports = { root, read, documents, blocks, prose, anchors, links };

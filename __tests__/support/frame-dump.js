'use strict';
// The real encoder's chunks for given documents, without the addon: runs tools/framedump.

const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const ROOT = path.join(__dirname, '..', '..');
const BINARY = path.join(ROOT, 'tools', 'bin', 'framedump');

let built = false;

// Always through the compiler, whose cache knows every source; build-tool.js looks at the tool's own folder only. Test
// files run in parallel processes, so each renames a file of its own over the binary.
function build() {
  if (built) return;
  fs.mkdirSync(path.dirname(BINARY), { recursive: true });
  const fresh = `${BINARY}.${process.pid}`;
  const go = spawnSync('go', ['build', '-o', fresh, './tools/framedump'], { cwd: ROOT, encoding: 'utf8' });
  if (go.status !== 0) throw new Error(`go build ./tools/framedump failed: ${go.error?.message ?? go.stderr}`);
  fs.renameSync(fresh, BINARY);
  built = true;
}

/**
 * @param {Uint8Array} documents one after the other
 * @param {string[]} [args] of tools/framedump
 * @returns {{chunks: {count: number, bytes: Uint8Array}[], bridge: {definition: Function}, fault: object | null}}
 */
function frameDump(documents, args = []) {
  build();
  const run = spawnSync(BINARY, args, { input: documents, maxBuffer: 2 ** 31 - 1 });
  if (run.status !== 0) throw new Error(`framedump failed: ${run.stderr}`);
  return parseDump(run.stdout);
}

function parseDump(dump) {
  const chunks = [];
  const definitions = new Map();
  let fault = null;
  for (let at = 0; at < dump.length;) {
    const [kind, a, b, size] = [0, 4, 8, 12].map((k) => dump.readUInt32LE(at + k));
    at += 16;
    // A copy of its own: aligned, and filled over by tests that look for values that alias it.
    const bytes = new Uint8Array(dump.subarray(at, at + size));
    if (kind === 0) chunks.push({ count: a, bytes });
    else if (kind === 3) fault = { documents: a, offset: b, message: Buffer.from(bytes).toString() };
    else definitions.set(`${kind}.${a}.${b}`, bytes);
    at += (size + 7) & ~7;
  }
  const bridge = { definition: (kind, id, version) => keysFrom(definitions, kind, id) ?? definitions.get(`${kind}.${id}.${version}`) ?? null };
  return { chunks, bridge, fault };
}

/** Key names are asked for from any id on; the dump has whole pages. */
function keysFrom(definitions, kind, id) {
  if (kind !== 2) return undefined;
  const first = Math.floor((id - 1) / 4096) * 4096 + 1;
  const page = definitions.get(`2.${first}.0`);
  if (page === undefined) return undefined;
  return new TextEncoder().encode(JSON.stringify(JSON.parse(Buffer.from(page).toString()).slice(id - first)));
}

module.exports = { frameDump };

'use strict';
// The real encoder's lazy chunks for given documents, without the addon: runs tools/lazydump.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const bson7 = require('bson');
const { resolveBson } = require('../../js/bson/classes.js');
const { LazyDecoder } = require('../../js/lazy.js');

const ROOT = path.join(__dirname, '..', '..');
const BINARY = path.join(ROOT, 'tools', 'bin', 'lazydump');
const CHUNK = 1;
const DEFINITION = 2;

let built = false;

// Test files run in parallel processes: each builds (Go's cache makes that quick) and renames.
function build() {
  if (built) return;
  const fresh = `${BINARY}.${process.pid}`;
  fs.mkdirSync(path.dirname(BINARY), { recursive: true });
  const go = spawnSync('go', ['build', '-o', fresh, './tools/lazydump'], { cwd: ROOT, encoding: 'utf8' });
  if (go.status !== 0) throw new Error(`go build ./tools/lazydump failed: ${go.error?.message ?? go.stderr}`);
  fs.renameSync(fresh, BINARY);
  built = true;
}

/**
 * @param {Uint8Array[]} documents
 * @param {string[]} [args] of tools/lazydump
 * @returns {{ chunks: Uint8Array[], counts: number[], bridge: object, faults: { offset: number, message: string }[] }}
 */
function lazyDump(documents, args = []) {
  build();
  const run = spawnSync(BINARY, args, { input: Buffer.concat(documents), maxBuffer: 2 ** 31 - 1 });
  if (run.status !== 0) throw new Error(`lazydump failed: ${run.stderr}`);
  const dump = run.stdout;
  const chunks = [];
  const counts = [];
  const faults = [];
  const definitions = new Map();
  for (let at = 0; at < dump.length;) {
    const [kind, number, size] = [0, 4, 8].map((k) => dump.readUInt32LE(at + k));
    at += 16;
    const bytes = new Uint8Array(dump.subarray(at, at + size)); // aligned, and alone in its memory
    if (kind === CHUNK) {
      chunks.push(bytes);
      counts.push(number);
    } else if (kind === DEFINITION) {
      definitions.set(number, bytes);
    } else {
      faults.push({ offset: number, message: Buffer.from(bytes).toString() });
    }
    at += (size + 7) & ~7;
  }
  const bridge = {
    asked: 0,
    definition(kind, id) {
      this.asked++;
      return kind === 3 ? definitions.get(id) ?? null : null;
    }
  };
  return { chunks, counts, bridge, faults };
}

/** All documents of a dump, lazy. smallArray: up to which size in bytes arrays are decoded at once. */
function decodeAll({ chunks, bridge }, { bson = bson7, options = {}, smallArray } = {}) {
  const decoder = new LazyDecoder(resolveBson({ bson }), options, bridge);
  if (smallArray !== undefined) decoder.context.smallArray = smallArray;
  const out = [];
  for (const chunk of chunks) decoder.decode(chunk, out);
  return out;
}

/**
 * One document as the two kinds of lazy document: a key sequence gets a shape when it is met again, so the first is
 * without, the last with one.
 */
function lazyPair(document, settings = {}) {
  const bytes = document instanceof Uint8Array ? document : (settings.bson ?? bson7).serialize(document, { ignoreUndefined: false });
  const out = decodeAll(dumpOfThree(bytes), settings);
  return { loose: out[0], shaped: out[2] };
}

// Running the encoder takes far longer than decoding, and chunks are only read.
const dumps = new Map();

function dumpOfThree(bytes) {
  const key = Buffer.from(bytes).toString('latin1');
  let dump = dumps.get(key);
  if (dump === undefined) {
    if (dumps.size >= 20) dumps.clear();
    dump = lazyDump([bytes, bytes, bytes]);
    dumps.set(key, dump);
  }
  return dump;
}

module.exports = { lazyDump, decodeAll, lazyPair };

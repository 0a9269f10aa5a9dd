'use strict';
// What it costs the JavaScript thread to make documents: bytes in, objects out, no sockets. js-bson decodes the BSON,
// the materializer decodes what the Go encoder made of it, and the floor builds the same objects from constants.
//
//   node bench/decode.js [set ...] [--rounds n] [--json]
//
// A child process per set; in it the readers take turns, garbage of the round before is collected outside the clock,
// and all documents of a round are alive when its clock stops. Medians; "gc" is the collector's share of them.

const { spawnSync } = require('node:child_process');
const { PerformanceObserver, performance } = require('node:perf_hooks');
const sets = require('./decode-sets');

const args = process.argv.slice(2);
const flag = (name, fallback) => (args.includes(name) ? args.splice(args.indexOf(name), 2)[1] : fallback);
const rounds = Number(flag('--rounds', 11));
const child = flag('--child', null);
const json = args.includes('--json') && args.splice(args.indexOf('--json'), 1);

/** Builds objects like the samples in turn: new objects, arrays, dates and ids; strings and numbers are constants. */
function constantsReader(bson, samples, count) {
  const constants = [];
  const literal = (v) => {
    if (Array.isArray(v)) return v.length === 0 ? '[]' : `list(${v.length},()=>${literal(v[0])})`;
    if (v instanceof Date) return 'new Date(f[0])';
    if (v?._bsontype === 'ObjectId') return 'new ObjectId(id,0)';
    if (v !== null && typeof v === 'object') return `({${Object.keys(v).map((k) => `${JSON.stringify(k)}:${literal(v[k])}`).join(',')}})`;
    if (typeof v === 'number' && !Number.isInteger(v)) return 'f[1]'; // a new heap number, as in a decoded document
    return `c[${constants.push(v) - 1}]`;
  };
  const list = (n, make) => {
    const a = new Array(n);
    for (let k = 0; k < n; k++) a[k] = make();
    return a;
  };
  const makers = samples.map((d) => `()=>${literal(d)}`);
  const build = new Function('ObjectId', 'id', 'c', 'f', 'list', 'count', `const makers=[${makers.join(',')}];
    return ()=>{const out=[];for(let n=0;n<count;n++)out.push(makers[n%${samples.length}]());return out}`);
  return build(bson.ObjectId, Buffer.alloc(12, 7), constants, Float64Array.of(1.7e12, 0.5), list, count);
}

async function measure(name) {
  const bson = require('bson');
  const { frameDump } = require('../__tests__/support/frame-dump');
  const { Materializer } = require('../js/materialize');
  const { bytes, count } = sets.make(bson, name);
  // Warm: the shapes have settled, as they have in a service that has read the collection before.
  const { chunks, bridge } = frameDump(bytes, ['-warm', '1']);
  const materializer = new Materializer({ ...bson, BSON: bson, version: 7 }, {}, bridge);
  const jsBson = () => {
    const out = [];
    for (let at = 0; at < bytes.length;) {
      const size = bytes.readInt32LE(at);
      out.push(bson.deserialize(bytes.subarray(at, at += size)));
    }
    return out;
  };
  const ours = () => {
    const out = [];
    for (const chunk of chunks) materializer.decode(chunk.bytes, out);
    return out;
  };
  // Documents of one shape need one sample; where shapes or lengths vary the floor has some of them.
  const first = ours();
  const varied = name === 'arrays' || new Set(first.slice(0, 100).map((d) => Object.keys(d).join())).size > 1;
  const readers = { 'js-bson': jsBson, ours, floor: constantsReader(bson, first.slice(0, varied ? 20 : 1), count) };
  let gc = 0;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) gc += entry.duration; }).observe({ entryTypes: ['gc'] });
  const turn = () => new Promise((resolve) => setTimeout(resolve, 2));
  const result = {};
  for (const key of Object.keys(readers)) result[key] = { ms: [], gc: [] };
  for (let round = 0; round < rounds + 3; round++) {
    for (const [key, read] of Object.entries(readers)) {
      global.gc();
      await turn();
      gc = 0;
      const start = performance.now();
      const out = read();
      const ms = performance.now() - start;
      await turn();
      if (out.length !== count) throw new Error(`${key} made ${out.length} documents of ${count}`);
      if (round >= 3) {
        result[key].ms.push(ms);
        result[key].gc.push(gc);
      }
    }
  }
  const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
  const row = { set: name, count, mb: bytes.length / 1e6 };
  for (const key of Object.keys(readers)) row[key] = { ms: median(result[key].ms), gc: median(result[key].gc) };
  const { compiled, generic, bson: raw } = materializer;
  row.paths = { compiled, generic, bson: raw };
  console.log(JSON.stringify(row));
}

function report(names) {
  const rows = [];
  if (!json) console.log('set           docs     MB   js-bson ms (gc)     ours ms (gc)    floor ms (gc)   times js-bson   times floor   paths %');
  for (const name of names) {
    const run = spawnSync(process.execPath, ['--expose-gc', __filename, '--child', name, '--rounds', String(rounds)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    if (run.status !== 0) process.exit(1);
    const row = JSON.parse(run.stdout);
    rows.push(row);
    if (json) continue;
    const cell = ({ ms, gc }) => `${ms.toFixed(1)} (${gc.toFixed(0)})`.padStart(16);
    const total = row.paths.compiled + row.paths.generic + row.paths.bson;
    const paths = ['compiled', 'generic', 'bson'].map((key) => Math.round((row.paths[key] / total) * 100)).join('/');
    console.log(`${row.set.padEnd(11)} ${String(row.count).padStart(6)} ${row.mb.toFixed(1).padStart(6)} ${cell(row['js-bson'])} ${cell(row.ours)} ${cell(row.floor)}` +
      `${(row['js-bson'].ms / row.ours.ms).toFixed(2).padStart(16)}${(row.ours.ms / row.floor.ms).toFixed(2).padStart(14)}   ${paths}`);
  }
  if (json) console.log(JSON.stringify({ node: process.version, bson: require('bson/package.json').version, rows }, null, 2));
}

if (child) measure(child).catch((error) => { console.error(error); process.exit(1); });
else report(args.length > 0 ? args : sets.names);

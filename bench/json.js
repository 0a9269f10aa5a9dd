'use strict';

// JSON without objects, beside the official driver: a find as JSON text, and a stream of gzipped JSON. Each reader in a
// process of its own, rounds interleaved.
//
//     node bench/json.js                    # 30,000 documents of 45 fields, 7 rounds
//     node bench/json.js --rounds 15
//     node bench/json.js --million          # also: memory while a million documents are streamed

const fs = require('node:fs');
const { fork } = require('node:child_process');
const { createHash } = require('node:crypto');
const { Writable, Transform } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const { parseArgs } = require('node:util');
const zlib = require('node:zlib');
const { measure } = require('./measure');
const { spread, table, range } = require('./report');
const { numberOption, start } = require('./command-line');

const LEVEL = 6;
const COUNT = 30_000;
const MILLION = 1_000_000;

/** Takes a stream's bytes and keeps none. */
function sink() {
  let bytes = 0;
  const stream = new Writable({ write(part, encoding, done) { bytes += part.length; done(); } });
  return { stream, result: () => ({ bytes }) };
}

/** Documents of an object stream as a JSON array, as services write it. */
function arrayOf() {
  let first = true;
  return new Transform({
    writableObjectMode: true,
    transform(doc, encoding, done) {
      done(null, `${first ? '[' : ','}${JSON.stringify(doc)}`);
      first = false;
    },
    flush(done) { done(null, first ? '[]' : ']'); },
  });
}

const hashed = (text) => ({ bytes: text.length, hash: createHash('sha1').update(text).digest('hex') });

const contenders = {
  officialJSON: { driver: 'official', title: 'mongodb, toArray, JSON.stringify, Buffer', read: async (c) => Buffer.from(JSON.stringify(await c.find().toArray())), summary: hashed },
  findJSON: { driver: 'ours', title: 'findJSON', base: 'officialJSON', read: (c) => c.findJSON(), summary: hashed },
  officialGzip: {
    driver: 'official', title: `mongodb, stream, zlib level ${LEVEL}`,
    async read(c) {
      const { stream, result } = sink();
      await pipeline(c.find().stream(), arrayOf(), zlib.createGzip({ level: LEVEL }), stream);
      return result();
    },
  },
  streamGzip: {
    driver: 'ours', title: `streamJSON, gzip level ${LEVEL}`, base: 'officialGzip',
    async read(c) {
      const { stream, result } = sink();
      await pipeline(c.streamJSON({}, { compress: 'gzip', level: LEVEL }), stream);
      return result();
    },
  },
  streamZstd: {
    driver: 'ours', title: 'streamJSON, zstd', base: 'officialGzip',
    async read(c) {
      const { stream, result } = sink();
      await pipeline(c.streamJSON({}, { compress: 'zstd' }), stream);
      return result();
    },
  },
  stream: {
    driver: 'ours', title: 'streamJSON',
    async read(c) {
      const { stream, result } = sink();
      await pipeline(c.streamJSON(), stream);
      return result();
    },
  },
};

async function child({ name, uri }) {
  const { driver, read, summary = (r) => r } = contenders[name];
  const { MongoClient } = driver === 'official' ? require('mongodb') : require('../js/index.js');
  const client = await MongoClient.connect(uri);
  process.on('message', async ({ collection, end }) => {
    if (end) {
      await client.close();
      process.disconnect();
      return;
    }
    const reading = () => read(client.db('bench').collection(collection));
    const { result, gaps: _, ...sample } = await measure(reading);
    // In a run of its own: a timer of a millisecond takes more of this thread than a findJSON() does.
    const before = threadTime();
    await reading();
    process.send({ ...sample, threadMs: threadTime() - before, ...summary(result) });
  });
  process.send('ready');
}

/** CPU time of the JavaScript thread in ms; NaN where the system does not tell. */
function threadTime() {
  try {
    return Number(fs.readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return NaN;
  }
}

class Child {
  static async start(parameters) {
    const made = new Child();
    made.process = fork(__filename, [JSON.stringify(parameters)], { execArgv: ['--expose-gc'] });
    await made.next();
    return made;
  }

  next() {
    return new Promise((resolve, reject) => {
      const ended = (code, signal) => reject(new Error(`the process ended (${signal ?? code})`));
      this.process.once('exit', ended);
      this.process.once('message', (message) => {
        this.process.off('exit', ended);
        resolve(message);
      });
    });
  }

  run(collection) {
    this.process.send({ collection });
    return this.next();
  }

  end() {
    this.process.send({ end: true });
  }
}

async function main() {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' }, million: { type: 'boolean', default: false } } });
  const rounds = numberOption(values.rounds, '--rounds', 3);
  const { startFixture } = require('../__tests__/support/fixture-server.js');
  const fixture = await startFixture();
  try {
    await fixture.load('bench.m', 'mixed45', COUNT);
    const names = Object.keys(contenders);
    const children = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await Child.start({ name, uri: fixture.uri })])));
    const samples = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = -1; round < rounds; round++) {
      for (const name of names) {
        const sample = await children[name].run('m');
        if (round >= 0) samples[name].push(sample);
      }
    }
    report(samples);
    if (values.million) {
      await fixture.load('bench.million', 'small', MILLION);
      for (const name of ['stream', 'streamGzip']) {
        const { wallMs, rssMB, bytes } = await children[name].run('million');
        console.log(`${contenders[name].title}, ${MILLION} documents: ${(wallMs / 1000).toFixed(1)} s, ${(bytes / 1e6).toFixed(0)} MB, peak of resident memory ${rssMB.toFixed(0)} MB`);
      }
    }
    for (const one of Object.values(children)) one.end();
  } finally {
    await fixture.stop();
  }
}

function report(samples) {
  const of = (name, what) => spread(samples[name].map((sample) => sample[what]));
  const [expected] = samples.officialJSON;
  for (const { hash } of samples.findJSON) if (hash !== expected.hash) throw new Error('the text is not that of JSON.stringify');
  console.log(`\n${COUNT} documents of 45 fields, ${(expected.bytes / 1e6).toFixed(1)} MB of JSON; load ${require('node:os').loadavg()[0].toFixed(1)}`);
  console.log(table([
    ['', 'wall ms', 'JS thread ms', 'CPU ms', 'loop delay ms', 'peak RSS MB', 'MB out', 'times faster'],
    ...Object.entries(contenders).map(([name, { title, base }]) => [
      title, range(of(name, 'wallMs')), range(of(name, 'threadMs')), range(of(name, 'cpuMs')), range(of(name, 'delayMs')), of(name, 'rssMB').median.toFixed(0),
      (samples[name][0].bytes / 1e6).toFixed(1), base === undefined ? '' : (of(base, 'wallMs').median / of(name, 'wallMs').median).toFixed(1),
    ]),
  ]));
}

if (process.argv[2]?.startsWith('{')) child(JSON.parse(process.argv[2]));
else start(main);

'use strict';

// A collection as JSON text: by JSON.stringify from the official driver's documents, and written in the core. Streams are
// gzipped at one level on both sides; what comes out of them is counted and dropped, but for the run that is checked.

const path = require('node:path');
const { Writable, Transform } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const zlib = require('node:zlib');

const level = 6;

/** Takes a stream's bytes. */
class Sink extends Writable {
  bytes = 0;
  #parts;

  /** @param {boolean} keep them */
  constructor(keep) {
    super();
    this.#parts = keep ? [] : null;
  }

  _write(part, encoding, done) {
    this.bytes += part.length;
    this.#parts?.push(part);
    done();
  }

  /** All of it, undefined when it was not kept. */
  get kept() {
    return this.#parts === null ? undefined : Buffer.concat(this.#parts);
  }
}

/** Documents of an object stream as a JSON array, as services write it. */
function arrayOf() {
  let first = true;
  return new Transform({
    writableObjectMode: true,
    transform(document, encoding, done) {
      done(null, `${first ? '[' : ','}${JSON.stringify(document)}`);
      first = false;
    },
    flush(done) { done(null, first ? '[]' : ']'); }
  });
}

/**
 * A source of texts: write(keep) gives { bytes, text() }, text() undefined where the text was not kept.
 * @param {(collection, keep: boolean) => Promise<{ kept?: Buffer, bytes: number }>} read
 * @param {(bytes: Buffer) => Buffer | Promise<Buffer>} [decompress] for those who write compressed text
 */
function reader(title, load, read, decompress, more = {}) {
  return {
    title,
    kind: 'text',
    check: 'text',
    compressed: decompress !== undefined,
    ...more,
    async open({ uri, database, collection: name }) {
      const client = await load().MongoClient.connect(uri);
      const collection = client.db(database).collection(name);
      return {
        async write(keep) {
          const { kept, bytes } = await read(collection, keep);
          return { bytes, text: async () => (kept === undefined || decompress === undefined ? kept : await decompress(kept)) };
        },
        close: () => client.close()
      };
    }
  };
}

const whole = (read) => async (collection) => {
  const kept = await read(collection);
  return { kept, bytes: kept.length };
};

const streamed = (partsOf) => async (collection, keep) => {
  const sink = new Sink(keep);
  await pipeline(...partsOf(collection), sink);
  return { kept: sink.kept, bytes: sink.bytes };
};

const official = () => require('mongodb');
const ours = () => require(path.join(__dirname, '..', '..'));

/** Node.js 20 has none of its own: a package that the tests use. */
const unzstd = (bytes) => (zlib.zstdDecompressSync ?? require('zstd1').decompress)(bytes);

module.exports = {
  officialJSON: reader('mongodb toArray, JSON.stringify, Buffer', official,
    whole(async (collection) => Buffer.from(JSON.stringify(await collection.find().toArray())))),
  findJSON: reader('rumongo-go findJSON', ours, whole((collection) => collection.findJSON())),
  officialJSONStream: reader('mongodb stream, JSON.stringify', official, streamed((collection) => [collection.find().stream(), arrayOf()])),
  streamJSON: reader('rumongo-go streamJSON', ours, streamed((collection) => [collection.streamJSON()])),
  officialGzip: reader(`mongodb stream, JSON.stringify, gzip level ${level}`, official,
    streamed((collection) => [collection.find().stream(), arrayOf(), zlib.createGzip({ level })]), zlib.gunzipSync),
  streamGzip: reader(`rumongo-go streamJSON, gzip level ${level}`, ours,
    streamed((collection) => [collection.streamJSON({}, { compress: 'gzip', level })]), zlib.gunzipSync),
  streamZstd: reader('rumongo-go streamJSON, zstd', ours,
    streamed((collection) => [collection.streamJSON({}, { compress: 'zstd' })]), unzstd, { optional: true })
};

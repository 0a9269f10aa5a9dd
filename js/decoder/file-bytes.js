'use strict';
// The bytes of a .bson file, compressed or not, in segments of whole documents.

const fs = require('node:fs');
const zlib = require('node:zlib');
const { inflated } = require('./inflated.js');
const { SEGMENT, segmentEnd } = require('./segments.js');

const READ = 1 << 20;
const INFLATED = 256 << 10;
// A server's message has at most this; what says that it is larger is no document, and is not to be gathered in memory.
const LARGEST = 48_000_000;
const GZIP = 0x8b1f;
const ZSTD = 0xfd2fb528;
const ARCHIVE = 0x8199e26d;

class FileBytes {
  /** @param {string | Buffer | URL} path */
  constructor(path, BSONError) {
    this.path = path;
    this.BSONError = BSONError;
    this.file = null;
    this.stream = null; // of what is in the file when it is decompressed
    this.chunks = null; // its iterator
    this.at = 0; // of what follows, from the start of the decompressed file
    this.rest = []; // read, and in no segment yet
    this.bytes = 0; // in rest
    this.ended = false;
    this.damage = null; // why the decompressed bytes end where they do
  }

  /** Whole documents, or null at the end. */
  async next() {
    if (this.chunks === null) await this.open();
    for (let wanted = SEGMENT; ;) {
      await this.gather(wanted);
      if (this.bytes === 0 && this.damage === null) return null;
      const buf = this.rest.length === 1 ? this.rest[0] : Buffer.concat(this.rest);
      const end = segmentEnd(buf, 0, Infinity);
      if (end > 0) {
        this.rest = end === buf.length ? [] : [buf.subarray(end)];
        this.bytes -= end;
        this.at += end;
        return { bytes: buf.subarray(0, end), at: this.at - end };
      }
      this.rest = [buf];
      wanted = this.missing(buf);
    }
  }

  /** How much the document at the start of buf has, which is not whole yet. Throws where it never will be. */
  missing(buf) {
    const left = buf.length;
    if (this.damage !== null) throw this.error(`the compressed file is damaged or its end is missing: ${this.damage.message}`, this.damage);
    if (left < 5) throw this.error(`the file ends inside a document: a document has at least 5 bytes, ${left} are left`);
    const size = buf.readInt32LE(0);
    if (this.at === 0 && buf.readUInt32LE(0) === ARCHIVE) {
      throw this.error('this is an archive of mongodump, not a .bson file: unpack it with "mongorestore --archive", or dump again without --archive');
    }
    if (size < 5) throw this.error(`bson size must be >= 5, is ${size}`);
    if (size > LARGEST) throw this.error(`a document says it has ${size} bytes, more than any server stores: this is no .bson file, or a damaged one`);
    if (this.ended) throw this.error(`the file ends inside a document: it says it has ${size} bytes, ${left} are left`);
    return size;
  }

  async gather(wanted) {
    while (this.bytes < wanted && !this.ended) {
      const { value, done } = await this.chunks.next().catch((error) => this.cut(error));
      if (done) {
        this.ended = true;
      } else {
        this.rest.push(value);
        this.bytes += value.length;
      }
    }
  }

  /** Decompression failed: what came before is still given. */
  cut(error) {
    if (this.stream === this.file || typeof error.errno !== 'number' || !String(error.code).startsWith('Z')) throw error;
    this.damage = error;
    return { value: undefined, done: true };
  }

  async open() {
    const file = this.file = this.stream = fs.createReadStream(this.path, { highWaterMark: READ });
    await new Promise((resolve, reject) => {
      file.once('readable', resolve);
      file.once('error', reject);
      file.once('close', resolve); // given up meanwhile
    });
    const first = file.read();
    if (first !== null) file.unshift(first);
    const inflate = first === null ? null : this.inflater(first);
    if (inflate !== null) this.stream = inflate;
    this.chunks = inflate === null ? file[Symbol.asyncIterator]() : inflated(file, inflate);
  }

  inflater(first) {
    if (first.length >= 2 && first.readUInt16LE(0) === GZIP) return zlib.createGunzip({ chunkSize: INFLATED });
    if (first.length < 4 || first.readUInt32LE(0) !== ZSTD) return null;
    if (zlib.createZstdDecompress !== undefined) return zlib.createZstdDecompress({ chunkSize: INFLATED });
    throw this.error(`the file is compressed with zstd, which Node.js ${process.version} cannot read: unpack it with "zstd -d", or use Node.js 22.15 or later`);
  }

  error(message, cause) { return this.locate(new this.BSONError(message, cause && { cause }), this.at); }

  /** Says in an error where its document is. */
  locate(error, at) {
    if (typeof error?.message !== 'string') return error;
    const { message, stack } = error;
    error.offset = at + (Number.isInteger(error.offset) ? error.offset : 0);
    error.message = `${message} (document at offset ${at} of ${this.path})`;
    if (typeof stack === 'string') error.stack = stack.replace(message, error.message);
    return error;
  }

  /** Resolves when the file is closed. */
  async close() {
    const { file, stream } = this;
    this.ended = true;
    this.rest = [];
    this.bytes = 0;
    if (file === null) return;
    stream.destroy();
    file.destroy();
    if (!file.closed) await new Promise((resolve) => file.once('close', resolve));
  }
}

module.exports = { FileBytes };

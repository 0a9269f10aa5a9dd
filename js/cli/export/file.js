'use strict';
// Where an export goes. A file appears under its name when it is complete: until then it is beside it, with its state.

const fs = require('node:fs/promises');
const path = require('node:path');
const { EXIT, Failure } = require('../exit.js');
const { Output } = require('../output.js');
const { saveState, loadState, checkSame, checkIdle } = require('./state.js');

// A state is saved when this much has been written since the last one, or this much time has passed, and after each compressed
// member, which is as much text: it costs a write to disk.
const SAVE_BYTES = 8 << 20;
const SAVE_MS = 2000;

const REASONS = { ENOSPC: 'no space left on the device', EDQUOT: 'the quota is used up', EFBIG: 'the file would be larger than allowed', EACCES: 'permission denied', ENOENT: 'there is no such folder', EROFS: 'the file system is read-only' };

/** Runs what touches the file; its errors name it and have an exit code. */
async function onDisk(name, work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure || error.code === undefined) throw error;
    throw new Failure(EXIT.OUTPUT, `cannot write ${name}: ${REASONS[error.code] ?? error.message} (${error.code})`, { cause: error });
  }
}

async function writeAll(file, bytes) {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
}

const statOf = (name) => fs.stat(name).catch((error) => {
  if (error.code === 'ENOENT') return null;
  throw error;
});

/** stdout, at the pace of its reader. */
class Piped {
  resumed = null;
  bytes = 0;
  #output;

  constructor(stdout) {
    this.#output = new Output(stdout);
  }

  get closed() { return this.#output.closed; }

  write({ text }) {
    this.bytes += text.length;
    return onDisk('to stdout', () => this.#output.write(text));
  }

  async finish() {}
  async abandon() {}
}

/** A device or a named pipe: there is nothing to rename. */
class Device {
  resumed = null;
  bytes = 0;
  closed = false;
  #name;
  #file;

  constructor(name, file) {
    this.#name = name;
    this.#file = file;
  }

  async write({ text }) {
    await onDisk(this.#name, () => writeAll(this.#file, text)).catch((error) => {
      if (error.cause?.code !== 'EPIPE') throw error;
      this.closed = true;
    });
    this.bytes += text.length;
  }

  finish() { return this.#file.close(); }
  abandon() { return this.#file.close(); }
}

class PartialFile {
  closed = false;
  resumed = null; // the state of what is there already
  columns = undefined;
  #query;
  #partial;
  #state;
  #file = null;
  #mark = { documents: 0, bytes: 0, last: null }; // up to where it can be continued
  #documents = 0;
  #saved = { bytes: 0, at: 0 };

  constructor(query) {
    this.#query = query;
    this.#partial = `${query.out}.partial`;
    this.#state = `${query.out}.partial.state`;
    this.bytes = 0;
  }

  async open() {
    const { out, force, resume, asked, ordered } = this.#query;
    const [there, begun] = await Promise.all([statOf(out), statOf(this.#partial)]);
    if (there !== null && !force) throw new Failure(EXIT.OUTPUT, `${out} exists; --force replaces it`);
    if (begun !== null && (resume || !force)) await this.#takeUp(begun.size);
    if (this.resumed === null) this.#file = await fs.open(this.#partial, begun === null ? 'wx' : 'w');
    await saveState(this.#state, { asked, ordered, ...this.#content() });
    this.#saved.at = performance.now();
  }

  /** What an earlier export left: to be continued, or not worth it, or not to be touched. */
  async #takeUp(size) {
    const { out, resume, asked } = this.#query;
    const state = await loadState(this.#state);
    if (state !== null) checkIdle(this.#partial, state);
    const worth = state?.ordered === true && state.last !== null && state.last !== undefined;
    if (!resume) {
      if (worth) throw new Failure(EXIT.OUTPUT, `an unfinished export to ${out} is there, of ${state.documents} documents; --resume continues it, --force begins anew`);
      return;
    }
    if (state !== null) checkSame(this.#partial, state, asked);
    if (!worth) return;
    if (size < state.bytes) throw new Failure(EXIT.OUTPUT, `${this.#partial} is damaged: it has ${size} bytes, and had ${state.bytes}; --force begins anew`);
    this.#file = await fs.open(this.#partial, 'r+');
    await this.#file.truncate(state.bytes);
    this.resumed = state;
    this.columns = state.columns;
    this.#mark = { documents: state.documents, bytes: state.bytes, last: state.last };
    this.#documents = state.documents;
    this.bytes = this.#saved.bytes = state.bytes;
  }

  #content() {
    return { ...this.#mark, columns: this.columns };
  }

  /** @param {{ text: Buffer, count: number, last: string | null }} part */
  async write({ text, count, last }) {
    await onDisk(this.#partial, async () => {
      for (let at = 0; at < text.length;) at += (await this.#file.write(text, at, text.length - at, this.bytes + at)).bytesWritten;
      this.bytes += text.length;
      this.#documents += count;
      if (last === null) return;
      this.#mark = { documents: this.#documents, bytes: this.bytes, last };
      if (this.#query.compress !== undefined || this.bytes - this.#saved.bytes >= SAVE_BYTES || performance.now() - this.#saved.at >= SAVE_MS) await this.#save();
    });
  }

  async #save() {
    const { asked, ordered } = this.#query;
    await this.#file.datasync(); // what the state speaks of is there before it
    await saveState(this.#state, { asked, ordered, ...this.#content() });
    this.#saved = { bytes: this.bytes, at: performance.now() };
  }

  async finish() {
    const { out, force } = this.#query;
    await onDisk(out, async () => {
      await this.#file.sync();
      await this.#file.close();
      this.#file = null;
      if (force) await fs.rename(this.#partial, out);
      else await renameNew(this.#partial, out);
      await fs.rm(this.#state, { force: true });
      await syncFolder(path.dirname(out));
    });
  }

  /** After a failure. What can be continued stays; the answer says so. */
  async abandon() {
    if (this.#file === null) return null;
    const keep = this.#query.ordered && this.#mark.last !== null;
    if (keep) await this.#save().catch(() => {}); // else the state before it holds
    await this.#file.close().catch(() => {});
    if (keep) return `${this.#mark.documents} documents are in ${this.#partial}; --resume goes on from there`;
    for (const name of [this.#partial, this.#state]) await fs.rm(name, { force: true }).catch(() => {});
    return null;
  }
}

/** Where somebody else has made a file of that name meanwhile, it stays. */
async function renameNew(from, to) {
  try {
    await fs.link(from, to);
  } catch (error) {
    // On a file system without hard links a look has to do.
    if (error.code === 'EEXIST' || (await statOf(to)) !== null) throw new Failure(EXIT.OUTPUT, `${to} exists meanwhile; the export is in ${from}`);
    await fs.rename(from, to);
    return;
  }
  await fs.unlink(from);
}

async function syncFolder(folder) {
  const handle = await fs.open(folder, 'r').catch(() => null); // Windows has none
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/** @returns {Promise<Piped | Device | PartialFile>} with resumed, bytes, closed, write(part), finish() and abandon() */
async function openTarget(query, stdout) {
  if (query.out === '-') return new Piped(stdout);
  return await onDisk(query.out, async () => {
    const there = await statOf(query.out);
    if (there?.isDirectory()) throw new Failure(EXIT.USAGE, `${query.out} is a folder: --out is the name of a file`);
    if (there !== null && !there.isFile()) {
      if (query.resume) throw new Failure(EXIT.USAGE, `${query.out} is no regular file: it cannot be continued`);
      return new Device(query.out, await fs.open(query.out, 'w'));
    }
    // The file that a link stands for, so that the link stays one.
    const target = new PartialFile(there === null ? query : { ...query, out: await fs.realpath(query.out) });
    await target.open();
    return target;
  });
}

module.exports = { openTarget };

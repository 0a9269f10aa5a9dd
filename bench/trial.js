'use strict';

// The child process of one contender. The parent sends open, run, check and end; each is answered.

const assert = require('node:assert/strict');
const { measure, threadTime } = require('./measure');
const { works } = require('./works');
const { readers } = require('./readers');
const { checkDocument } = require('./check');
const { textHash } = require('./samples');
const { columnsHash } = require('./readers/columns');

class Trial {
  #reader;
  #parameters;
  #source;
  #expected; // [{ position, bytes, document }]: samples, as the official driver has them
  #keys;

  async open(parameters) {
    this.#parameters = parameters;
    this.#reader = readers[parameters.reader];
    this.#source = await this.#reader.open(parameters);
    const BSON = this.#source.bson ?? require('mongodb').BSON;
    this.#expected = parameters.expected.map(({ position, bytes: text }) => {
      const bytes = Buffer.from(text, 'base64');
      return { position, bytes, document: BSON.deserialize(bytes) };
    });
    const { by = '_id' } = parameters.work;
    this.#keys = this.#expected.map(({ document }) => document[by]);
    // The other library takes Extended JSON in filters, not instances.
    if (this.#source.extendedJSON) this.#keys = this.#keys.map((key) => BSON.EJSON.serialize({ key }).key);
    return 'open';
  }

  async run() {
    const { result, ...sample } = await measure(() => this.#work());
    if (this.#reader.check !== 'text') {
      await this.#verify(result);
      return { ...sample, documents: result.length };
    }
    await this.#verifyText(result);
    // In a run of its own: the timers of the meter take more of this thread than findJSON() does.
    globalThis.gc?.();
    const before = threadTime();
    await this.#work();
    return { ...sample, threadMs: threadTime() - before, outMB: result.bytes / 1e6, documents: result.length };
  }

  /** A run outside the clock, in which readers that drop their documents keep the samples. */
  async check() {
    const result = await this.#work(new Set(this.#expected.map(({ position }) => position)));
    const verify = { sum: () => this.#verifySum(result), text: () => this.#verifyText(result), columns: () => this.#verifyColumns(result) }[this.#reader.check];
    const compared = await (verify === undefined ? this.#verify(result) : verify());
    return { documents: result.length, compared };
  }

  async end() {
    await this.#source.close();
    process.disconnect(); // nothing else may keep this process alive
  }

  #work(pick) {
    const { work } = this.#parameters;
    return works[work.kind](this.#source, work, { pick, keys: this.#keys, count: this.#parameters.count, open: () => this.#reader.open(this.#parameters) });
  }

  async #verify({ results = [], points = [], dispose }) {
    let compared = 0;
    const compare = (actual, { document, bytes }, where) => {
      checkDocument(actual, document, where, this.#reader, { ...this.#source, bytes });
      compared++;
    };
    for (const { documents, picked } of results) {
      for (const sample of this.#expected) {
        const { position } = sample;
        if (documents !== undefined) compare(documents[position], sample, `document ${position}`);
        else if (picked.size > 0) compare(picked.get(position), sample, `document ${position}`);
      }
    }
    for (let i = 0; i < Math.min(points.length, this.#expected.length); i++) compare(points[i], this.#expected[i], `point read ${i}`);
    await dispose?.();
    return compared;
  }

  async #verifyText({ bytes, text }) {
    const { text: expected } = this.#parameters;
    if (!this.#reader.compressed) assert.equal(bytes, expected.bytes);
    const kept = await text();
    if (kept === undefined) return 0;
    assert.equal(kept.length, expected.bytes);
    assert.equal(textHash().update(kept).digest('hex'), expected.hash, 'the text is not that of JSON.stringify');
    return 1;
  }

  // Where the order of documents is the same, the sums of doubles are.
  async #verifySum({ acc }) {
    const official = await readers.mainOfficial.open(this.#parameters);
    try {
      const expected = (await official.reduce()).acc;
      assert.equal(acc.count, expected.count);
      if (this.#reader.anyOrder) assert.ok(Math.abs(acc.sum - expected.sum) <= 1e-9 * Math.abs(expected.sum), `${acc.sum}, not ${expected.sum}`);
      else assert.deepStrictEqual(acc, expected);
      return acc.count;
    } finally {
      await official.close();
    }
  }

  async #verifyColumns({ arrays }) {
    const official = await readers.officialColumns.open(this.#parameters);
    try {
      assert.equal(columnsHash(arrays), columnsHash((await official.columns()).arrays), 'not the columns of the official driver\'s documents');
      return 1;
    } finally {
      await official.close();
    }
  }
}

const trial = new Trial();
process.on('message', async ({ task, parameters }) => {
  try {
    const value = await trial[task](parameters);
    if (process.connected) process.send({ value });
  } catch (error) {
    process.send({ error: `${error.name}: ${error.message}` });
  }
});

'use strict';
// Whether a read gives the official driver's documents. Data that is written to meanwhile differs between two reads, so a
// difference counts when it is still there after the official driver has read again.

const { SequenceComparison } = require('../../shadow/sequence.js');
const { inSlices } = require('../../shadow/slices.js');
const { divergence, whereOf } = require('../../shadow/report.js');
const { firstDifference } = require('../../deep-equal.js');

const ATTEMPTS = 3;
const PART = 1000; // documents between two words of progress
const NEWLINE = 0x0a;

async function readOfficial(theirs, { filter, options, limit }, progress) {
  progress.start('reading with the official driver');
  const docs = [];
  for await (const doc of theirs.find(filter, options)) {
    docs.push(doc);
    progress.update(docs.length, limit);
  }
  return docs;
}

/**
 * @param {object} reader one of readers.js, bound
 * @param {{ expected: object[], theirs: object, query: object, progress: object }} context
 * @returns {Promise<{ name: string, divergence: object | null, attempts: number, count: number }>}
 */
async function checkParity(reader, { expected, theirs, query, progress }) {
  let official = expected;
  for (let attempts = 1; ; attempts++) {
    progress.start(`${reader.name}: comparing`);
    const found = await once(reader, official, progress);
    if (found === null || found.error !== undefined || attempts === ATTEMPTS) return { name: reader.name, divergence: found, attempts, count: official.length };
    if (found.reason === 'order' && !query.sorted) return { name: reader.name, divergence: found, attempts, count: official.length };
    official = await readOfficial(theirs, query, progress);
  }
}

async function once(reader, official, progress) {
  let documents;
  try {
    documents = await reader.gives();
  } catch (error) {
    return { ...divergence('native threw', {}), error };
  }
  if (reader.compared === 'text') return await compareText(documents, official, progress);
  return await compareAll(documents, official, progress);
}

async function compareAll(native, official, progress) {
  const sequence = new SequenceComparison();
  for (let at = 0; at < Math.max(native.length, official.length) && sequence.decided === null; at += PART) {
    sequence.load(native.slice(at, at + PART), official.slice(at, at + PART));
    await inSlices((deadline) => sequence.step(deadline));
    progress.update(at, official.length);
  }
  const finding = sequence.finish();
  return finding === null ? null : fromFinding(finding);
}

/** One line a document, which must be what JSON.stringify makes of it. */
async function compareText(text, official, progress) {
  const found = await compareAll(linesOf(text), official.map((doc) => JSON.stringify(doc)), progress);
  if (found === null || typeof found.native !== 'string' || typeof found.official !== 'string') return found;
  const { path, ...rest } = firstDifference(JSON.parse(found.native), JSON.parse(found.official)) ?? { path: '', reason: 'value', a: found.native, b: found.official };
  return fromFinding({ ...found, path, reason: found.reason === 'order' ? 'order' : rest.reason, a: rest.a, b: rest.b });
}

function linesOf(text) {
  const lines = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf(NEWLINE, at);
    const stop = end === -1 ? text.length : end;
    lines.push(text.toString('utf8', at, stop));
    at = stop + 1;
  }
  return lines;
}

function fromFinding({ reason, a, b, native, official, ...where }) {
  return divergence(reason, { native, official }, { ...whereOf(where), a, b });
}

module.exports = { readOfficial, checkParity };

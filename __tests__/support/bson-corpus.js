'use strict';
// The BSON corpus of the MongoDB specifications, which ships in the Go driver's module.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const MODULE = 'go.mongodb.org/mongo-driver@v1.17.4';

/** The JSON files of a folder of the specifications' test data, the BSON corpus by default, or why it cannot be had. */
function corpusFiles(name = 'bson-corpus') {
  // In the module cache already, or fetched into it; it is no dependency of the core.
  const result = spawnSync('go', ['mod', 'download', '-json', MODULE], { encoding: 'utf8', timeout: 120_000, cwd: require('node:os').tmpdir() });
  try {
    const folder = path.join(JSON.parse(result.stdout).Dir, 'testdata', name);
    const names = fs.readdirSync(folder).filter((name) => name.endsWith('.json')).sort();
    return { files: names.map((file) => ({ file, content: JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')) })) };
  } catch (error) {
    return { skip: `${MODULE} is not in the Go module cache and cannot be fetched: ${(result.error?.message ?? result.stdout + result.stderr).trim() || error.message}` };
  }
}

/**
 * @returns {{ skip: string } | { valid: Case[], decodeErrors: Case[] }} skip: why it cannot be had.
 * Case: { name, bytes }
 */
function bsonCorpus() {
  const { files, skip } = corpusFiles();
  if (skip !== undefined) return { skip };
  const valid = [];
  const decodeErrors = [];
  for (const { file, content } of files) {
    for (const test of content.valid ?? []) {
      for (const form of ['canonical_bson', 'degenerate_bson', 'converted_bson']) {
        if (test[form]) valid.push({ name: `${file}, ${test.description}, ${form}`, bytes: Buffer.from(test[form], 'hex') });
      }
    }
    for (const test of content.decodeErrors ?? []) decodeErrors.push({ name: `${file}, ${test.description}`, bytes: Buffer.from(test.bson, 'hex') });
  }
  return { valid, decodeErrors };
}

/** @returns {{ skip: string } | { valid: Text[], parseErrors: Text[] }} Text: { name, text } of Extended JSON */
function extendedJSONCorpus() {
  const { files, skip } = corpusFiles();
  if (skip !== undefined) return { skip };
  const valid = [];
  const parseErrors = [];
  for (const { file, content } of files) {
    for (const test of content.valid ?? []) {
      for (const form of ['canonical_extjson', 'relaxed_extjson', 'degenerate_extjson', 'converted_extjson']) {
        if (test[form]) valid.push({ name: `${file}, ${test.description}, ${form}`, text: test[form] });
      }
    }
    // Of decimals the corpus has the digits alone.
    const text = ({ string }) => (content.bson_type === '0x13' ? JSON.stringify({ d: { $numberDecimal: string } }) : string);
    for (const test of content.parseErrors ?? []) parseErrors.push({ name: `${file}, ${test.description}`, text: text(test) });
  }
  return { valid, parseErrors };
}

module.exports = { corpusFiles, bsonCorpus, extendedJSONCorpus };

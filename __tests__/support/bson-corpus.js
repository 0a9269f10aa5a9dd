'use strict';
// The BSON corpus of the MongoDB specifications, which ships in the Go driver's module.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const MODULE = 'go.mongodb.org/mongo-driver@v1.17.4';

/**
 * @returns {{ skip: string } | { valid: Case[], decodeErrors: Case[] }} skip: why it cannot be had.
 * Case: { name, bytes }
 */
function bsonCorpus() {
  // In the module cache already, or fetched into it; it is no dependency of the core.
  const result = spawnSync('go', ['mod', 'download', '-json', MODULE], { encoding: 'utf8', timeout: 120_000, cwd: require('node:os').tmpdir() });
  let folder;
  try {
    folder = path.join(JSON.parse(result.stdout).Dir, 'testdata', 'bson-corpus');
    fs.accessSync(folder);
  } catch (error) {
    return { skip: `${MODULE} is not in the Go module cache and cannot be fetched: ${(result.error?.message ?? result.stdout + result.stderr).trim() || error.message}` };
  }
  const valid = [];
  const decodeErrors = [];
  for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.json')).sort()) {
    const content = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
    for (const test of content.valid ?? []) {
      for (const form of ['canonical_bson', 'degenerate_bson', 'converted_bson']) {
        if (test[form]) valid.push({ name: `${file}, ${test.description}, ${form}`, bytes: Buffer.from(test[form], 'hex') });
      }
    }
    for (const test of content.decodeErrors ?? []) decodeErrors.push({ name: `${file}, ${test.description}`, bytes: Buffer.from(test.bson, 'hex') });
  }
  return { valid, decodeErrors };
}

module.exports = { bsonCorpus };

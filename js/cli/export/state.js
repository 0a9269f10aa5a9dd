'use strict';
// The file beside an unfinished export that says what it is and how far it has come.

const { createHash } = require('node:crypto');
const fs = require('node:fs/promises');
const os = require('node:os');
const { EXIT, Failure } = require('../exit.js');
const { isAlive } = require('../is-alive.js');

const VERSION = 1;
const REMEDY = '--force begins anew';

const checkOf = (content) => createHash('sha256').update(JSON.stringify(content)).digest('hex');
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;

/** Written beside its place and renamed: a reader finds the one before or this one. */
async function saveState(path, content) {
  const full = { version: VERSION, host: os.hostname(), pid: process.pid, ...content };
  const temporary = `${path}.new`;
  const file = await fs.open(temporary, 'w');
  try {
    try {
      await file.writeFile(`${JSON.stringify({ ...full, check: checkOf(full) }, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await fs.rename(temporary, path);
  } catch (error) {
    await fs.rm(temporary, { force: true }).catch(() => {}); // on a full disk it would be left for ever
    throw error;
  }
}

/** What was saved, or null where nothing was. */
async function loadState(path) {
  let text;
  try {
    text = await fs.readFile(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
  let state;
  try {
    state = JSON.parse(text);
  } catch {
    throw new Failure(EXIT.OUTPUT, `${path} is damaged: it is not JSON; ${REMEDY}`);
  }
  const { check, ...content } = state ?? {};
  if (check !== checkOf(content)) throw new Failure(EXIT.OUTPUT, `${path} is damaged: its content is not what was written; ${REMEDY}`);
  if (content.version !== VERSION || !isCount(content.documents) || !isCount(content.bytes)) {
    throw new Failure(EXIT.OUTPUT, `${path} is of another version of rumongo-go; ${REMEDY}`);
  }
  return content;
}

/** Refuses to go on with something else than was begun. */
function checkSame(path, state, asked) {
  const different = Object.keys(asked).filter((name) => state.asked?.[name] !== asked[name]);
  if (different.length > 0) {
    throw new Failure(EXIT.USAGE, `${path} was begun with another ${different.join(', ')}: continue it with the same, or ${REMEDY.replace('begins', 'to begin')}`);
  }
}

/** Refuses while the process that writes it is alive, as far as can be seen from here. */
function checkIdle(path, { host, pid }) {
  if (host !== os.hostname() || pid === process.pid || !isAlive(pid)) return;
  throw new Failure(EXIT.OUTPUT, `process ${pid} is writing ${path}; if that is another program, ${REMEDY}`);
}

module.exports = { saveState, loadState, checkSame, checkIdle };

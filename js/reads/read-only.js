'use strict';
// What may be sent at all: nothing that writes. Methods refuse with a plain message where they can; the bytes of the
// command have the last word, because what a Map, a toBSON() or Extended JSON becomes shows only there.

const { int32, nameEnd, valueEnd } = require('../bson/walk.js');
const { apiError, invalidArgument } = require('../errors.js');

const USE_OFFICIAL = 'rumongo-go only reads; use the official mongodb driver for it';

// By their lower-case names; servers know some of them by two spellings.
const READ_COMMANDS = new Set([
  'aggregate', 'count', 'distinct', 'find', 'getMore', 'killCursors', 'explain',
  'listCollections', 'listDatabases', 'listIndexes', 'collStats', 'dbStats', 'dataSize', 'dbHash',
  'hello', 'isMaster', 'ping', 'buildInfo', 'serverStatus', 'hostInfo', 'connectionStatus', 'whatsMyUri', 'features',
  'atlasVersion', 'listCommands', 'getCmdLineOpts', 'getLog', 'getParameter', 'getClusterParameter', 'getDefaultRWConcern',
  'connPoolStats', 'shardConnPoolStats', 'top', 'lockInfo', 'currentOp', 'validateDBMetadata',
  'usersInfo', 'rolesInfo', 'planCacheListFilters', 'analyzeShardKey', 'checkMetadataConsistency',
  'replSetGetStatus', 'replSetGetConfig', 'getShardMap', 'getShardVersion', 'listShards', 'balancerStatus',
  'balancerCollectionStatus', 'isdbgrid', 'profile', 'validate',
].map((name) => name.toLowerCase()));

// Commands that also write, and with what they do not.
const CONDITIONS = {
  profile: (command) => command.profile === -1,
  validate: ({ repair, fixMultikey }) => !repair && !fixMultikey,
};

/**
 * Refuses a command of db.command() that is not known to only read.
 * @param {object} command as the user gave it
 */
function checkReadCommand(command) {
  if (command === null || typeof command !== 'object' || Array.isArray(command)) {
    throw invalidArgument('Argument "command" must be an object whose first key is the name of the command');
  }
  const [name] = Object.keys(command);
  if (name === undefined) throw invalidArgument('Argument "command" must have the name of the command as its first key');
  const key = name.toLowerCase();
  if (!READ_COMMANDS.has(key) || CONDITIONS[key]?.(command) === false) {
    throw apiError(`The command "${name.slice(0, 40)}" is not one that only reads; ${USE_OFFICIAL}`);
  }
}

/** Refuses a pipeline that writes. */
function checkPipeline(pipeline) {
  for (const stage of pipeline) checkStage(stage);
}

function checkStage(stage) {
  if (stage === null || typeof stage !== 'object') return;
  for (const name of ['$out', '$merge']) {
    if (Object.hasOwn(stage, name)) throw writeStage(name);
  }
}

const writeStage = (name) => apiError(`The stage ${name} of an aggregation writes; ${USE_OFFICIAL}`);

/** The same of a serialised command, whatever its pipeline was made of. */
function checkCommandBytes(bytes) {
  const { name, at } = element(bytes, 4);
  if (!READ_COMMANDS.has(name.toLowerCase())) throw apiError(`The command "${name.slice(0, 40)}" is not one that only reads; ${USE_OFFICIAL}`);
  if (name.toLowerCase() !== 'aggregate') return;
  for (let next = valueEnd(bytes, bytes[4], at); bytes[next] !== 0;) {
    const field = element(bytes, next);
    if (field.name === 'pipeline' && bytes[next] === 0x04) checkStages(bytes, field.at);
    next = valueEnd(bytes, bytes[next], field.at);
  }
}

function checkStages(bytes, start) {
  const end = start + int32(bytes, start) - 1;
  for (let at = start + 4; at < end;) {
    const stage = element(bytes, at);
    if (bytes[at] === 0x03 && bytes[stage.at + 4] !== 0) {
      const { name } = element(bytes, stage.at + 4);
      if (name === '$out' || name === '$merge') throw writeStage(name);
    }
    at = valueEnd(bytes, bytes[at], stage.at);
  }
}

/** The name of the element at `at`, and where its value starts. */
function element(bytes, at) {
  const end = nameEnd(bytes, at + 1);
  return { name: bytes.toString('utf8', at + 1, end), at: end + 1 };
}

module.exports = { checkReadCommand, checkPipeline, checkStage, checkCommandBytes, writeStage, USE_OFFICIAL };

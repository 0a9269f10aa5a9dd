'use strict';
// The plan of a command instead of its result.

const { commandOptions } = require('./run-command.js');
const { invalidArgument } = require('../errors.js');

/**
 * The arguments of a cursor's explain() as the `explain` option they stand for. As in the official driver, an object
 * without `verbosity` says nothing about the plan.
 */
function explainArgument(verbosity, options) {
  if (options == null && verbosity !== null && typeof verbosity === 'object') return 'verbosity' in verbosity ? verbosity : true;
  return verbosity ?? true;
}

/** @param {boolean|string|{verbosity, maxTimeMS?: number}} explain `true`: the most detailed plan, `false`: the plan alone */
function explained(command, explain) {
  const { verbosity, maxTimeMS } = explain !== null && typeof explain === 'object' ? explain : { verbosity: explain };
  const level = typeof verbosity === 'boolean' ? (verbosity ? 'allPlansExecution' : 'queryPlanner') : verbosity;
  if (typeof level !== 'string') throw invalidArgument('Argument "verbosity" must be a boolean, a string or { verbosity, maxTimeMS }');
  const out = { explain: command, verbosity: level };
  if (typeof maxTimeMS === 'number') out.maxTimeMS = maxTimeMS;
  return out;
}

/** For a Reader of a COMMAND: the whole reply is the only document. */
class ReplyDecoder {
  constructor(bsonClasses, bsonOptions) {
    this.bsonClasses = bsonClasses;
    this.options = commandOptions(bsonOptions);
  }

  decode(bytes, out) {
    out.push(this.bsonClasses.BSON.deserialize(bytes, this.options));
  }
}

module.exports = { explainArgument, explained, ReplyDecoder };

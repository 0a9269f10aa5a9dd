'use strict';

/** What a command's exit code says. The last two are those of shells: 128 and the number of the signal. */
const EXIT = Object.freeze({ OK: 0, DIFFERENT: 1, UNWELL: 1, USAGE: 2, FAILED: 3, OUTPUT: 4, SIGINT: 130, SIGTERM: 143 });

/** An error that has an exit code of its own. */
class Failure extends Error {
  constructor(exit, message, options) {
    super(message, options);
    this.exit = exit;
  }
}

/** The command line is wrong. */
class UsageError extends Failure {
  constructor(message) {
    super(EXIT.USAGE, message);
  }
}

/** SIGINT or SIGTERM came. */
class InterruptedError extends Failure {}

module.exports = { EXIT, Failure, UsageError, InterruptedError };

'use strict';

/** What a command's exit code says. */
const EXIT = Object.freeze({ OK: 0, DIFFERENT: 1, USAGE: 2, FAILED: 3, INTERRUPTED: 130 });

/** The command line is wrong. */
class UsageError extends Error {}

/** SIGINT or SIGTERM came. */
class InterruptedError extends Error {}

module.exports = { EXIT, UsageError, InterruptedError };

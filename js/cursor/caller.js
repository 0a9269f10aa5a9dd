'use strict';
// Where a stream was made. It reads by itself, so that no frame of its caller is left when an error comes.

const { errors } = require('../errors.js');

class Caller {
  /** @param {Function} method the call of it, and what it calls, are left out */
  constructor(method) {
    Error.captureStackTrace(this, method);
  }

  /** Adds the caller's frames to an error of the read; what else there is, such as the reason of an abort, is the user's. */
  mark(error) {
    if (!(error instanceof errors().MongoError || error?.name === 'BSONError')) return error;
    const frames = this.stack.indexOf('\n    at ');
    if (frames !== -1) error.stack = `${error.stack}${this.stack.slice(frames)}`;
    return error;
  }
}

module.exports = { Caller };

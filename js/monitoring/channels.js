'use strict';
// Reads on diagnostics_channel: the tracing channel "rumongo-go:read", which is tracing:rumongo-go:read:start, :end,
// :asyncStart, :asyncEnd and :error. Node.js describes what these mean; a read is what tracePromise() calls the promise.

const { tracingChannel } = require('node:diagnostics_channel');

const read = tracingChannel('rumongo-go:read');

/**
 * @param {object} message what subscribers get, the same object each time
 * @param {() => void} start begins the read
 */
function begin(message, start) {
  read.start.runStores(message, start);
  read.end.publish(message);
}

/** The read is over; message has its figures and, if it failed, its error. */
function finish(message) {
  if (message.error !== undefined) read.error.publish(message);
  read.asyncStart.runStores(message, () => {});
  read.asyncEnd.publish(message);
}

module.exports = {
  /** Somebody has subscribed, in any package. */
  get subscribed() {
    return read.hasSubscribers;
  },
  begin,
  finish,
};

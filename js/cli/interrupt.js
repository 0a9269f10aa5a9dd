'use strict';

const { InterruptedError } = require('./exit.js');

const SIGNALS = ['SIGINT', 'SIGTERM'];

/**
 * Runs work until it is done or somebody has had enough: then it rejects at once, so that the caller closes what is open, which
 * ends the work. A second signal ends the process as usual.
 */
async function untilInterrupted(work) {
  let onSignal;
  const forget = () => SIGNALS.forEach((name) => process.off(name, onSignal));
  const interrupted = new Promise((_, reject) => {
    onSignal = (signal) => {
      forget();
      reject(new InterruptedError(`interrupted (${signal})`));
    };
  });
  for (const name of SIGNALS) process.on(name, onSignal);
  try {
    return await Promise.race([work(), interrupted]);
  } finally {
    forget();
  }
}

module.exports = { untilInterrupted };

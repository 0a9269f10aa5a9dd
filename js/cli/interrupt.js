'use strict';

const { EXIT, InterruptedError } = require('./exit.js');

const SIGNALS = ['SIGINT', 'SIGTERM'];

/** Its AbortSignal aborts when somebody has had enough. A second signal ends the process as usual. */
class Interruption {
  #controller = new AbortController();
  #onSignal = (name) => {
    this.end();
    this.#controller.abort(new InterruptedError(EXIT[name], `interrupted (${name})`));
  };

  constructor() {
    for (const name of SIGNALS) process.on(name, this.#onSignal);
  }

  get signal() { return this.#controller.signal; }

  /** From here on signals do what they usually do. */
  end() {
    for (const name of SIGNALS) process.off(name, this.#onSignal);
  }
}

/**
 * Runs work until it is done or somebody has had enough: then it rejects at once, so that the caller closes what is open, which
 * ends the work.
 */
async function untilInterrupted(work) {
  const interruption = new Interruption();
  const { signal } = interruption;
  const interrupted = new Promise((_, reject) => { signal.onabort = () => reject(signal.reason); });
  try {
    return await Promise.race([work(), interrupted]);
  } finally {
    interruption.end();
  }
}

module.exports = { Interruption, untilInterrupted };

'use strict';

const { fork } = require('node:child_process');
const path = require('node:path');

const limit = 120_000;

/** The parent's side of trial.js: one child, one task at a time. */
class TrialProcess {
  #child;
  #waiting = null;

  static async start(parameters) {
    const trial = new TrialProcess();
    trial.#child = fork(path.join(__dirname, 'trial.js'), [JSON.stringify(parameters)], { execArgv: ['--expose-gc'] });
    trial.#child.on('message', (message) => trial.#settle(message));
    trial.#child.on('exit', (code, signal) => trial.#settle({ error: `the process ended (${signal ?? code})` }));
    await trial.#wait('start');
    return trial;
  }

  run() {
    return this.#ask('run');
  }

  check() {
    return this.#ask('check');
  }

  async end() {
    if (!this.#child.connected) return;
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.send({ task: 'end' });
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5000);
    await exited;
    clearTimeout(timer);
  }

  #ask(task) {
    this.#child.send({ task });
    return this.#wait(task);
  }

  #wait(task) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), limit);
      this.#waiting = ({ error, value }) => {
        clearTimeout(timer);
        if (error === undefined) resolve(value);
        else reject(new Error(`${task}: ${error}`));
      };
    });
  }

  #settle(message) {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(message);
  }
}

module.exports = { TrialProcess };

'use strict';

const { fork, spawn } = require('node:child_process');
const path = require('node:path');

const limit = 300_000;

/**
 * The parent's side of a trial: one child, one task at a time. The child is trial.js, or a program in Go that speaks the
 * same messages over Node's channel (lines of JSON).
 */
class TrialProcess {
  #child;
  #waiting = null;

  /** @param {{ binary?: string, env?: object, execArgv?: string[] }} how binary: a program instead of trial.js */
  static async start(parameters, { binary, env, execArgv = [] } = {}) {
    const trial = new TrialProcess();
    const options = { env: { ...process.env, ...env } };
    trial.#child = binary === undefined
      ? fork(path.join(__dirname, 'trial.js'), [], { ...options, execArgv: ['--expose-gc', ...execArgv] })
      : spawn(binary, [], { ...options, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    trial.#child.on('message', (message) => trial.#settle(message));
    trial.#child.on('error', (error) => trial.#settle({ error: error.message }));
    trial.#child.on('exit', (code, signal) => trial.#settle({ error: `the process ended (${signal ?? code})` }));
    await trial.#ask('open', parameters);
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

  #ask(task, parameters) {
    this.#child.send({ task, parameters });
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

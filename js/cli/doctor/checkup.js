'use strict';

const { remedyFor } = require('./remedies.js');

/** What has taken longer than a check may. */
class TimeLimitError extends Error {
  constructor(ms) {
    super(`no answer within ${ms} ms (--timeout)`);
    this.code = 'ETIMEDOUT';
  }
}

/**
 * Makes checks one after the other and keeps what they say. A check never throws and never takes longer than it may.
 * Each is { section, name, status: 'ok' | 'warn' | 'fail' | 'skip', value, remedy?, ms? }; skip: it could not be made, value
 * says why.
 */
class Checkup {
  checks = [];
  #timeoutMS;
  #hider;
  #onCheck;

  constructor({ timeoutMS, hider, onCheck }) {
    this.#timeoutMS = timeoutMS;
    this.#hider = hider;
    this.#onCheck = onCheck;
  }

  /** Something that is known already. */
  note(section, name, value, { status = 'ok', remedy } = {}) {
    this.#add({ section, name, status, value, remedy });
  }

  skip(section, name, why) {
    this.#add({ section, name, status: 'skip', value: `not checked: ${why}` });
  }

  /**
   * @param {(signal: AbortSignal) => Promise<{ value: string, status?: string, remedy?: string, result? }>} work the signal
   * aborts when the time is up
   * @param {'fail' | 'warn'} [failure] what it is when work fails
   * @returns {Promise<any>} work's result, or undefined when it failed
   */
  async step(section, name, work, failure) {
    return this.#conclude(section, name, await this.#attempt(work), failure);
  }

  /** Whether no check of a section has failed. */
  passed(section) {
    return this.checks.every((check) => check.section !== section || check.status !== 'fail');
  }

  /** Several steps at a time, told in the order they are given in. */
  async steps(section, list) {
    const outcomes = await Promise.all(list.map(([, work]) => this.#attempt(work)));
    return outcomes.map((outcome, i) => this.#conclude(section, list[i][0], outcome));
  }

  #conclude(section, name, { found, error, ms }, failure = 'fail') {
    if (error === undefined) {
      this.#add({ section, name, status: found.status ?? 'ok', value: found.value, remedy: found.remedy, ms });
      return found.result;
    }
    this.#add({ section, name, status: failure, value: this.#hider.foreign(messageOf(error)), remedy: remedyFor(section, error), ms });
    return undefined;
  }

  async #attempt(work) {
    const controller = new AbortController();
    const began = performance.now();
    const elapsed = () => Math.round((performance.now() - began) * 10) / 10;
    let timer;
    const limit = new Promise((_, reject) => {
      timer = setTimeout(() => {
        const error = new TimeLimitError(this.#timeoutMS);
        reject(error);
        controller.abort(error);
      }, this.#timeoutMS);
    });
    try {
      const found = await Promise.race([(async () => await work(controller.signal))(), limit]);
      return { found, ms: elapsed() };
    } catch (error) {
      return { error: error ?? new Error('unknown'), ms: elapsed() };
    } finally {
      clearTimeout(timer);
    }
  }

  #add({ section, name, status, value, remedy, ms }) {
    const clean = (text) => this.#hider.clean(text);
    const check = { section, name: clean(name), status, value: clean(value) };
    if (remedy !== undefined) check.remedy = clean(remedy);
    if (ms !== undefined) check.ms = ms;
    this.checks.push(check);
    this.#onCheck(check);
  }
}

/** Some errors of Node.js (of several addresses) have no message of their own. */
function messageOf(error) {
  const message = error.message || error.errors?.map((one) => one.message).join('; ') || error.code || String(error);
  return error.codeName && !message.includes(error.codeName) ? `${message} (${error.codeName})` : message;
}

module.exports = { Checkup };

'use strict';
// The client of ours behind an official one. It connects with the first read after the official client has, and closes with
// it.

const { familyOf } = require('../errors.js');
const { settingsOf } = require('./settings.js');
const { NativeClient } = require('./command-events.js');
const { note } = require('./note.js');

// While it connects, reads wait for it this long, then go to the official driver, which is connected.
const PATIENCE_MS = 2000;
// After a failure, which is tried again: a server that restarts is one.
const AGAIN_MS = 30000;

class Connection {
  #client; // the official one
  #mongodb;
  #native = null;
  #connecting = null;
  #retryAt = 0;

  constructor(client, mongodb) {
    this.#client = client;
    this.#mongodb = mongodb;
    this.family = familyOf(mongodb);
    this.ready = null; // the native client, while it is connected
    this.reason = null; // why there is none
  }

  /** The native client, or null when the official driver is to read. */
  async get() {
    if (this.ready !== null) return this.ready;
    if (this.#connecting === null) {
      if (performance.now() < this.#retryAt) return null;
      this.#connecting = this.#connect().finally(() => {
        this.#connecting = null;
      });
    }
    return await patient(this.#connecting);
  }

  async #connect() {
    const settings = settingsOf(this.#client, this.#mongodb);
    if (settings.reason !== undefined) return this.#fail(settings.reason, Infinity);
    let native;
    try {
      native = new NativeClient(settings, this.#client, this.#mongodb);
      this.#native = native;
      await native.connect();
    } catch (error) {
      if (this.#native !== native && native !== undefined) return null; // closed meanwhile
      return this.#fail(`rumongo-go cannot connect as the official driver does: ${error?.message}`, performance.now() + AGAIN_MS);
    }
    if (this.#native !== native) return null;
    this.ready = native;
    this.reason = null;
    return native;
  }

  #fail(reason, retryAt) {
    this.#native = null;
    this.#retryAt = retryAt;
    this.reason = reason;
    note(() => `a client is left to the official driver: ${reason}`);
    return null;
  }

  async close() {
    const native = this.#native;
    this.#native = null;
    this.ready = null;
    await native?.close();
  }
}

/** What it resolves to, or null when that takes too long. The timer keeps no process alive, whatever connects does. */
async function patient(connecting) {
  let timer;
  const enough = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  try {
    return await Promise.race([connecting, enough]);
  } finally {
    clearTimeout(timer);
  }
}

module.exports = { Connection };

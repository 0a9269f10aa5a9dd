'use strict';
// An EventEmitter that tells the core which events anybody listens to, so that others are never made.

const { EventEmitter } = require('node:events');
const { EVENTS, BIT, COMMAND_EVENTS } = require('./names.js');

class MonitoredEmitter extends EventEmitter {
  #monitorCommands;
  #mask = 0;

  constructor(monitorCommands) {
    super();
    this.#monitorCommands = monitorCommands;
  }

  /** Whether command events are emitted at all. */
  get monitorCommands() {
    return this.#monitorCommands;
  }

  set monitorCommands(value) {
    this.#monitorCommands = Boolean(value);
    this.#count();
  }

  /** What is listened to; the bits of names.js. */
  get eventMask() {
    return this.#mask;
  }

  /** Somebody hears what commands a read sends. */
  get hearsCommands() {
    return (this.#mask & COMMAND_EVENTS) !== 0;
  }

  /** For the client: the mask has changed. */
  _listen() {}

  /** What a listener has thrown and no read is left to reject with: an uncaught exception. */
  _untold(error) {
    throw error;
  }

  #count() {
    let mask = 0;
    for (const name of EVENTS) if (this.listenerCount(name) > 0) mask |= BIT.get(name);
    if (!this.#monitorCommands) mask &= ~COMMAND_EVENTS;
    if (mask === this.#mask) return;
    this.#mask = mask;
    this._listen();
  }

  #changed(name) {
    if (name === undefined || BIT.has(name)) this.#count();
    return this;
  }

  // once() and prependOnceListener() come through these, as does the end of their listeners. A listener to 'newListener'
  // would do, but listenerCount() and eventNames() would show it.

  on(name, listener) {
    super.on(name, listener);
    return this.#changed(name);
  }

  addListener(name, listener) {
    return this.on(name, listener);
  }

  prependListener(name, listener) {
    super.prependListener(name, listener);
    return this.#changed(name);
  }

  removeListener(name, listener) {
    super.removeListener(name, listener);
    return this.#changed(name);
  }

  off(name, listener) {
    return this.removeListener(name, listener);
  }

  removeAllListeners(...names) {
    super.removeAllListeners(...names);
    return this.#changed(names[0]);
  }
}

module.exports = { MonitoredEmitter };

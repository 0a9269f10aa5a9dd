'use strict';
// The commands of accelerated reads, told on the official client: its listeners (loggers, tracing, Mongoose's connections)
// hear every read, whoever sends it. What happens in the native client's pools and topology is not told: those are not the
// official client's, and its own go on telling what happens in them. Nor is the end of the native client's sessions.

const { MongoClient } = require('../client.js');
const { note } = require('./note.js');

const COMMANDS = ['commandStarted', 'commandSucceeded', 'commandFailed'];

// The official driver and the core count requests each for itself. A listener keeps the start of a command by the number of
// its request, so that no two may have the same: the core's, which go on the wire as an int32, begin here.
const FIRST_REQUEST = 2 ** 32;

/** The native client behind an official one. */
class NativeClient extends MongoClient {
  #mongodb;

  /**
   * @param {{uri: string, options: object}} settings
   * @param official an official MongoClient that is connected, or is connecting
   * @param mongodb the package it comes from
   */
  constructor({ uri, options }, official, mongodb) {
    const monitorCommands = isMonitored(official);
    super(uri, { ...options, bson: mongodb.BSON, monitorCommands });
    this.#mongodb = mongodb;
    if (!monitorCommands) return;
    for (const name of COMMANDS) {
      // Those who come later count, too, and there is no way to be told of them: so all is listened to.
      this.on(name, (event) => {
        if (official.listenerCount(name) === 0 || event.commandName === 'endSessions') return;
        event.requestId += FIRST_REQUEST;
        official.emit(name, event);
      });
    }
  }

  /** Whose classes the events are of. */
  get driver() {
    return this.#mongodb;
  }

  /** Of a command nobody waits for, as the killCursors of a cursor that was left: the driver drops it, too. */
  _untold(error) {
    note(() => `a listener to the commands of a read that is over has thrown: ${error?.message}`);
  }
}

/** The driver's connections take the setting with them: what is set on a client that is connected changes nothing. */
function isMonitored(client) {
  const server = client.topology?.s.servers.values().next().value;
  return Boolean(server?.pool?.options?.monitorCommands ?? client.monitorCommands);
}

module.exports = { NativeClient };

'use strict';
// Where a client's events come from: one for each time it connects. The bridge knows it while anybody listens.

const { EVENTS } = require('./names.js');
const { makeEvent } = require('./events.js');

class EventSource {
  /** @param {import('../client.js').MongoClient} client */
  constructor(client) {
    this.client = client;
    this.token = 0; // of the connect request, set by the bridge
  }

  get mask() {
    return this.client.eventMask;
  }

  /**
   * Called by the bridge while it reads what has arrived. A command's listeners run in the async context of its read,
   * and what one throws ends the read, as in the official driver.
   * @param {number} kind
   * @param {Uint8Array} info valid during the call
   * @param {Uint8Array} body the same
   * @param {object} [read] the reader or sink the event is about
   */
  deliver(kind, info, body, read) {
    const { client } = this;
    const name = EVENTS[kind];
    if (client.listenerCount(name) === 0) return;
    const event = makeEvent(kind, info, body, client, read?.bsonOptions);
    try {
      const context = read?.context;
      if (context == null) client.emit(name, event);
      else context.runInAsyncScope(client.emit, client, name, event);
    } catch (error) {
      if (read === undefined || read.stopped || read.ended) client._untold(error);
      else read.fail(error);
    }
  }
}

module.exports = { EventSource };

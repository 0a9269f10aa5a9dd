'use strict';
// A server that answers each command with whatever a test wants: for replies the fixture would never give.

const net = require('node:net');
const bson = require('bson');

const OP_REPLY = 1;
const OP_MSG = 2013;
const OP_QUERY = 2004;

const HELLO = {
  helloOk: true, isWritablePrimary: true, ismaster: true, maxBsonObjectSize: 16 << 20, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30, minWireVersion: 0, maxWireVersion: 21, readOnly: false, ok: 1,
};

class ScriptedServer {
  commands = []; // what came in, but for the handshake: decoded, in order
  #server;
  #sockets = new Set();
  #answer;
  #hello;
  #message;

  /**
   * @param {(command: object) => object} answer the reply to a command; an Error closes the connection instead
   * @param {{ hello?: object, message?: (bytes: Buffer, name: string) => Buffer }} [options]
   * hello: more fields for the reply to hello; message: what to send in place of the whole message of a reply
   */
  static async start(answer, { hello, message = (bytes) => bytes } = {}) {
    const scripted = new ScriptedServer();
    scripted.#answer = answer;
    scripted.#hello = { ...HELLO, ...hello };
    scripted.#message = message;
    scripted.#server = net.createServer((socket) => scripted.#serve(socket));
    await new Promise((resolve) => { scripted.#server.listen(0, '127.0.0.1', resolve); });
    return scripted;
  }

  get uri() {
    return `mongodb://127.0.0.1:${this.#server.address().port}/`;
  }

  stop() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #serve(socket) {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    let received = Buffer.alloc(0);
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      while (received.length >= 4 && received.length >= received.readInt32LE(0)) {
        const size = received.readInt32LE(0);
        this.#reply(socket, received.subarray(0, size));
        received = received.subarray(size);
      }
    });
  }

  #reply(socket, message) {
    const legacy = message.readInt32LE(12) === OP_QUERY;
    const body = legacy ? message.subarray(message.indexOf(0, 20) + 9) : message.subarray(21);
    const command = bson.deserialize(body.subarray(0, body.readInt32LE(0)), { promoteValues: false, useBigInt64: false });
    const [name] = Object.keys(command);
    let reply = { ok: 1 };
    if (['hello', 'ismaster', 'isMaster'].includes(name)) reply = this.#hello;
    else if (!['ping', 'endSessions'].includes(name)) {
      this.commands.push(command);
      reply = this.#answer(command, name);
    }
    if (reply instanceof Error) socket.destroy();
    else socket.write(this.#message(frame(message.readInt32LE(4), legacy, bson.serialize(reply)), name));
  }
}

function frame(responseTo, legacy, document) {
  const head = Buffer.alloc(legacy ? 36 : 21);
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12);
  if (legacy) head.writeInt32LE(1, 32); // one document
  return Buffer.concat([head, document]);
}

module.exports = { ScriptedServer };

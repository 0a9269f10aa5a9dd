'use strict';

// The least that can send a command and read its reply, for steering the fixture: no pool, no monitors,
// no sessions, so it changes none of the counters that tests read. One command at a time.

const fs = require('node:fs');
const net = require('node:net');
const tls = require('node:tls');
const { serialize, deserialize } = require('bson');

const opMsg = 2013;

class WireClient {
  #socket;
  #waiting = null; // { resolve, reject } of the command in flight
  #queue = Promise.resolve();
  #received = [];
  #length = 0;

  /** files: where the certificates of a TLS server are */
  constructor(uri, files) {
    const { hostname: host, port } = new URL(uri);
    this.#socket = files === undefined
      ? net.connect({ host, port: Number(port), noDelay: true })
      : tls.connect({ host, port: Number(port), noDelay: true, ca: fs.readFileSync(files.ca), cert: fs.readFileSync(files.client), key: fs.readFileSync(files.client) });
    this.#socket.on('data', (data) => this.#read(data));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('the fixture closed the control connection')));
    this.#socket.unref();
  }

  /** @returns {Promise<object>} the reply; an { ok: 0 } reply rejects */
  command(document, deserializeOptions) {
    const result = this.#queue.then(() => this.#send(document, deserializeOptions));
    this.#queue = result.catch(() => {});
    return result;
  }

  close() {
    this.#socket.destroy();
  }

  async #send(document, deserializeOptions) {
    const body = serialize({ ...document, $db: document.$db ?? 'admin' });
    const head = Buffer.alloc(21);
    head.writeInt32LE(head.length + body.length, 0);
    head.writeInt32LE(opMsg, 12);
    this.#socket.ref(); // a command in flight holds the process, an idle connection does not
    try {
      const message = await new Promise((resolve, reject) => {
        this.#waiting = { resolve, reject };
        this.#socket.write(Buffer.concat([head, body]));
      });
      const reply = deserialize(message.subarray(21), deserializeOptions);
      if (reply.ok !== 1) throw Object.assign(new Error(reply.errmsg), { code: reply.code });
      return reply;
    } finally {
      this.#waiting = null;
      this.#socket.unref();
    }
  }

  #read(data) {
    this.#received.push(data);
    this.#length += data.length;
    if (this.#length < 4) return;
    const first = this.#received[0].length >= 4 ? this.#received[0] : Buffer.concat(this.#received);
    if (this.#length < first.readInt32LE(0)) return;
    const message = Buffer.concat(this.#received);
    this.#received = [];
    this.#length = 0;
    this.#waiting?.resolve(message);
  }

  #fail(error) {
    this.#waiting?.reject(error);
  }
}

module.exports = { WireClient };

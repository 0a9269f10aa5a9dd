'use strict';
// A SOCKS5 proxy (RFC 1928, 1929) that leads every destination to one server, for tests.

const net = require('node:net');

class SocksProxy {
  destinations = []; // "host:port" as clients asked for them
  #server;
  #sockets = new Set();

  /**
   * @param {string} uri of the server that all connections lead to
   * @param {{ username: string, password: string }} [user] who may use it; default anybody
   */
  static async start(uri, user) {
    const proxy = new SocksProxy();
    const { hostname, port } = new URL(uri);
    proxy.#server = net.createServer((socket) => proxy.#serve(socket, { host: hostname, port: Number(port) }, user).catch(() => socket.destroy()));
    await new Promise((resolve) => { proxy.#server.listen(0, '127.0.0.1', resolve); });
    return proxy;
  }

  get port() {
    return this.#server.address().port;
  }

  stop() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #track(socket) {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }

  async #serve(socket, target, user) {
    this.#track(socket);
    const [, count] = await take(socket, 2);
    const methods = await take(socket, count);
    const wanted = user === undefined ? 0 : 2;
    socket.write(Buffer.from([5, methods.includes(wanted) ? wanted : 255]));
    if (!methods.includes(wanted)) {
      socket.end();
      return;
    }
    if (user !== undefined && !(await authenticate(socket, user))) return;
    const [, , , type] = await take(socket, 4);
    const host = type === 3 ? (await take(socket, (await take(socket, 1))[0])).toString() : (await take(socket, type === 1 ? 4 : 16)).join('.');
    this.destinations.push(`${host}:${(await take(socket, 2)).readUInt16BE()}`);
    const upstream = net.connect(target);
    this.#track(upstream);
    socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    socket.pipe(upstream).pipe(socket);
  }
}

async function authenticate(socket, { username, password }) {
  const [, length] = await take(socket, 2);
  const name = (await take(socket, length)).toString();
  const secret = (await take(socket, (await take(socket, 1))[0])).toString();
  const known = name === username && secret === password;
  socket.write(Buffer.from([1, known ? 0 : 1]));
  if (!known) socket.end();
  return known;
}

/** The next bytes of a socket, exactly so many. */
async function take(socket, count) {
  for (;;) {
    const bytes = socket.read(count);
    if (bytes !== null) return bytes;
    await new Promise((resolve, reject) => {
      socket.once('readable', resolve);
      socket.once('close', () => reject(new Error('the client has left')));
    });
  }
}

module.exports = { SocksProxy };

'use strict';
// A collection over HTTP, three ways: objects of the official driver and JSON.stringify, JSON text from the core, and the same
// streamed and gzipped. It asks itself for each, and prints requests per second and how long the event loop was stuck.
//
//   MONGODB_URI=mongodb://127.0.0.1:27017 node examples/json-server.js mydb mycollection 1000

const http = require('node:http');
const { once } = require('node:events');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { pipeline } = require('node:stream/promises');
const official = require('mongodb');
const { MongoClient } = require('rumongo-go');

const uri = process.env.MONGODB_URI ?? 'mongodb://127.0.0.1:27017';
const [db = 'test', name = 'things', count = '1000'] = process.argv.slice(2);
const limit = Number(count);
const SECONDS = Number(process.env.EXAMPLE_SECONDS ?? 5);
const CLIENTS = 10; // that ask at a time

async function main() {
  const options = { serverSelectionTimeoutMS: 3000 };
  const before = (await official.MongoClient.connect(uri, options)).db(db).collection(name);
  const after = (await MongoClient.connect(uri, options)).db(db).collection(name);

  const routes = {
    '/before': async (response) => response.end(JSON.stringify(await before.find({}, { limit }).toArray())),
    '/json': async (response) => response.end(await after.findJSON({}, { limit })),
    '/stream': (response) => {
      response.setHeader('content-encoding', 'gzip');
      return pipeline(after.streamJSON({}, { limit, compress: 'gzip', level: 1 }), response);
    },
  };
  const server = http.createServer((request, response) => {
    if (!Object.hasOwn(routes, request.url)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', 'application/json');
    routes[request.url](response).catch((error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  for (const route of Object.keys(routes)) {
    const { requests, bytes, delay } = await load(`http://127.0.0.1:${server.address().port}${route}`);
    console.log(`${route.padEnd(8)} ${(requests / SECONDS).toFixed(1).padStart(8)} requests/s  ${(bytes / requests / 1024).toFixed(0).padStart(7)} KB each`
      + `  loop delay: mean ${(delay.mean / 1e6).toFixed(1)} ms, longest ${(delay.max / 1e6).toFixed(1)} ms`);
  }
  server.close();
  server.closeAllConnections();
  await after.client.close();
  await before.client.close();
}

/** Asks again and again, from this same process; the answers are not decompressed. */
async function load(url) {
  const agent = new http.Agent({ keepAlive: true });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const end = performance.now() + SECONDS * 1000;
  let requests = 0;
  let bytes = 0;
  await Promise.all(Array.from({ length: CLIENTS }, async () => {
    while (performance.now() < end) {
      const [response] = await once(http.get(url, { agent }), 'response');
      for await (const part of response) bytes += part.length;
      requests++;
    }
  }));
  delay.disable();
  agent.destroy();
  return { requests, bytes, delay };
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});

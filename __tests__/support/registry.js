'use strict';
// An npm registry of a few tarballs on localhost: a real `npm install`, without the network.

const crypto = require('node:crypto');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { execFileSync } = require('node:child_process');

/** npm's program, for Node to run: the `npm` on the PATH is a link to it. */
function npmProgram() {
  const found = process.env.PATH.split(path.delimiter).map((dir) => path.join(dir, 'npm')).find((file) => fs.existsSync(file));
  if (found === undefined) throw new Error('npm is not on the PATH');
  return fs.realpathSync(found);
}

/** Packs an installed package again. @returns {string} the tarball */
function repack(dir, to) {
  const [{ filename }] = JSON.parse(execFileSync(process.execPath, [npmProgram(), 'pack', dir, '--json', '--ignore-scripts', '--pack-destination', to],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  return path.join(to, filename);
}

/**
 * @param {{ folder: string, file: string }[]} packages folder: has the package.json of the tarball
 * @returns {Promise<{ url: string, asked: Set<string>, stop: () => Promise<void> }>} asked: names that were asked for and are not here
 */
async function startRegistry(packages) {
  const documents = new Map();
  const tarballs = new Map();
  const asked = new Set();
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const name = decodeURIComponent(pathname.slice(1));
    if (tarballs.has(name)) return response.end(tarballs.get(name));
    if (documents.has(name)) return response.setHeader('content-type', 'application/json').end(JSON.stringify(documents.get(name)));
    asked.add(name);
    return response.writeHead(404).end('{}');
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const url = `http://127.0.0.1:${server.address().port}/`;
  for (const { folder, file } of packages) {
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const bytes = fs.readFileSync(file);
    const tarball = `${manifest.name}/-/${path.basename(file)}`;
    const integrity = `sha512-${crypto.createHash('sha512').update(bytes).digest('base64')}`;
    tarballs.set(tarball, bytes);
    documents.set(manifest.name, {
      'name': manifest.name,
      'dist-tags': { latest: manifest.version },
      'versions': { [manifest.version]: { ...manifest, hasInstallScript: manifest.scripts?.install !== undefined, dist: { tarball: url + tarball, integrity } } },
    });
  }
  return {
    url,
    asked,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => { server.close(resolve); });
    },
  };
}

module.exports = { startRegistry, npmProgram, repack };

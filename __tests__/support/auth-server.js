'use strict';
// FerretDB's own binary, a server with SCRAM authentication: the embeddable form in tools/devserver has none.

const { execFile, spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { once } = require('node:events');
const { promisify } = require('node:util');

const VERSION = 'v1.24.0'; // as in tools/devserver/go.mod
const bin = path.resolve(__dirname, '..', '..', 'tools', 'bin');
const binary = path.join(bin, `ferretdb-${VERSION}`);
const run = promisify(execFile);

/**
 * Builds it once, in half a minute, from a copy of the module: it wants a version file that the module leaves out, and
 * the module cache cannot be written to.
 */
async function build() {
  if (fs.existsSync(binary)) return;
  console.error(`Building FerretDB ${VERSION} (once) ...`);
  const { stdout } = await run('go', ['mod', 'download', '-json', `github.com/FerretDB/FerretDB@${VERSION}`], { cwd: os.tmpdir() });
  const source = fs.mkdtempSync(path.join(os.tmpdir(), 'ferretdb-'));
  try {
    await run('cp', ['-r', `${JSON.parse(stdout).Dir}/.`, source]);
    await run('chmod', ['-R', 'u+w', source]);
    fs.writeFileSync(path.join(source, 'build', 'version', 'version.txt'), `${VERSION}\n`);
    fs.mkdirSync(bin, { recursive: true });
    const fresh = `${binary}.${process.pid}`;
    await run('go', ['build', '-trimpath', '-o', fresh, './cmd/ferretdb'], { cwd: source });
    fs.renameSync(fresh, binary);
  } finally {
    fs.rmSync(source, { recursive: true, force: true });
  }
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** @returns {Promise<{ skip: string } | { host: string, stop(): Promise<void> }>} skip: why there is none */
async function startAuthServer({ username, password }) {
  try {
    await build();
  } catch (error) {
    return { skip: `FerretDB ${VERSION} cannot be built: ${error.message.slice(0, 500)}` };
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rumongo-auth-'));
  const host = `127.0.0.1:${await freePort()}`;
  const child = spawn(binary, ['--handler=sqlite', `--sqlite-url=file:${folder}/`, `--state-dir=${folder}`, `--listen-addr=${host}`,
    '--debug-addr=-', '--telemetry=disable', '--test-enable-new-auth', '--setup-database=admin', `--setup-username=${username}`,
    `--setup-password=${password}`, '--log-level=error'], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    kill();
    await exited;
    fs.rmSync(folder, { recursive: true, force: true });
  };
  for (let i = 0; i < 200; i++) {
    const socket = net.connect(Number(host.split(':')[1]), '127.0.0.1');
    const up = await once(socket, 'connect').then(() => true, () => false);
    socket.destroy();
    if (up) return { host, stop };
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  throw new Error('FerretDB did not start');
}

module.exports = { startAuthServer };

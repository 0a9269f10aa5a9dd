'use strict';

// Starts a server binary that prints {"uri": ..., ...} when it is ready and stops when its stdin closes.

const { spawn } = require('node:child_process');

const startLimit = 30_000;
const stopLimit = 5_000;

/**
 * Once it runs, the server never keeps this process alive, and it goes away with this process however
 * that ends: its stdin is our pipe.
 * @returns {Promise<{ uri: string, ready: object, pid: number, stop(): Promise<void> }>} ready: all that it printed
 */
async function startProcess(binary, args = []) {
  const child = spawn(binary, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.on('error', () => {}); // the server may be gone when stop() closes the pipe
  let errors = '';
  child.stderr.on('data', (data) => { errors = (errors + data).slice(-10_000); });

  const ready = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${binary} was not ready after ${startLimit} ms\n${errors}`));
    }, startLimit);
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
      const end = output.indexOf('\n');
      if (end < 0) return;
      clearTimeout(timer);
      try {
        resolve(JSON.parse(output.slice(0, end)));
      } catch (cause) {
        reject(new Error(`${binary} printed no address: ${output}`, { cause }));
      }
    });
    child.once('error', (cause) => {
      clearTimeout(timer);
      reject(new Error(`${binary} did not start: ${cause.message}`, { cause }));
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`${binary} ended before it was ready (${signal ?? code})\n${errors}`));
    });
  });

  for (const handle of [child, child.stdin, child.stdout, child.stderr]) handle.unref();

  return {
    uri: ready.uri,
    ready,
    pid: child.pid,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), stopLimit);
      await exited;
      clearTimeout(timer);
    }
  };
}

module.exports = { startProcess };

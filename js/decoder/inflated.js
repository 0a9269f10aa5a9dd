'use strict';
// The decompressed bytes of a file, to the last one before damage. A stream that is piped or iterated throws away what it
// holds when it fails; here each piece is taken out before the next one is put in, so that there is nothing to lose.

// What goes in at once. Deflate makes at most about 1,000 times as much of it: 16 MB are the most that wait here.
const PIECE = 16 << 10;

/**
 * @param {import('node:fs').ReadStream} file
 * @param {import('node:zlib').Gunzip} inflate destroyed at the end, and by whoever wants to end this early
 * @yields {Buffer}
 */
async function* inflated(file, inflate) {
  const ready = [];
  let failure = null;
  let failed;
  const over = new Promise((resolve) => { failed = resolve; });
  inflate.on('data', (chunk) => ready.push(chunk));
  inflate.on('error', (error) => { failure = error; });
  inflate.on('close', failed);
  for await (const bytes of file) {
    for (let at = 0; at < bytes.length && !inflate.destroyed; at += PIECE) {
      await Promise.race([over, new Promise((resolve) => { inflate.write(bytes.subarray(at, at + PIECE), resolve); })]);
      while (ready.length > 0) yield ready.shift();
    }
  }
  if (!inflate.destroyed) inflate.end();
  await over;
  yield* ready;
  if (failure !== null) throw failure;
}

module.exports = { inflated };

'use strict';
// Comparing takes its turns in the queue that also makes objects, so that timers and sockets run in between.

const { push } = require('../fair-queue.js');

const SLICE_MS = 1;

/**
 * Does work part by part: the first at once, so that what is small costs no turn of the event loop.
 * @param {(deadline: number) => boolean} step works until about `deadline`, of performance.now(), and says whether it is done
 */
async function inSlices(step) {
  if (step(performance.now() + SLICE_MS)) return;
  await new Promise((resolve, reject) => {
    push(() => {
      try {
        if (!step(performance.now() + SLICE_MS)) return false;
        resolve();
      } catch (error) {
        reject(error); // of a lazy document with a value that cannot be decoded
      }
      return true;
    });
  });
}

module.exports = { inSlices };

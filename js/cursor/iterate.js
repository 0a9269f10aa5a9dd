'use strict';

/**
 * The async iterator of a cursor. Leaving its loop early, by break, return or a throw, closes the cursor.
 * @param {{ close(): Promise<void> }} cursor
 * @param {() => Promise<IteratorResult<any>>} next
 */
function iterate(cursor, next) {
  return {
    next,
    async return(value) {
      await cursor.close();
      return { value, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

module.exports = { iterate };

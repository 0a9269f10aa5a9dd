'use strict';
// Official cursors whose operations run on a transport. The driver makes them and they stay its own; a prototype in front of
// the driver's changes what is here.

const { STATE } = require('./operations.js');

const prototypes = new WeakMap(); // of the driver's -> ours

/** What a cursor's operations have to know of it. */
class State {
  constructor(cursor, readAhead) {
    this.cursor = cursor;
    this.readAhead = readAhead; // whether batches may be fetched before they are asked for
    this.fetching = null; // the fetch that runs
  }
}

function prototypeFor(official) {
  let ours = prototypes.get(official);
  if (ours !== undefined) return ours;

  const methods = {
    // All of it is wanted, so that the next batch may be under way while one is made into objects. A transform, though,
    // may end it early.
    async toArray() {
      const state = this.cursorOptions[STATE];
      const before = state.readAhead;
      state.readAhead ||= this.transform == null;
      try {
        return await official.toArray.call(this);
      } finally {
        state.readAhead = before;
      }
    },

    // Two at a time would each open a cursor, or ask for a batch that takes the place of the other's: documents would be
    // lost, and cursors left open.
    fetchBatch() {
      const state = this.cursorOptions[STATE];
      state.fetching ??= official.fetchBatch.call(this).finally(() => {
        state.fetching = null;
      });
      return state.fetching;
    },

    clone() {
      return adoptCursor(official.clone.call(this), this.cursorOptions[STATE].readAhead);
    },
  };
  ours = Object.create(official);
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(ours, name, { value, writable: true, configurable: true });
  }
  prototypes.set(official, ours);
  return ours;
}

/**
 * @param cursor new, made with a transport's client
 * @param {boolean} readAhead also for those who take one document after the other
 * @returns the cursor
 */
function adoptCursor(cursor, readAhead) {
  if (!isKnown(cursor)) return cursor; // its operations are then left to the official driver
  cursor.cursorOptions[STATE] = new State(cursor, readAhead);
  return Object.setPrototypeOf(cursor, prototypeFor(Object.getPrototypeOf(cursor)));
}

function isKnown({ cursorOptions, fetchBatch, getMore, toArray, clone }) {
  return cursorOptions !== null && typeof cursorOptions === 'object' && [fetchBatch, getMore, toArray, clone].every((method) => typeof method === 'function');
}

module.exports = { adoptCursor };

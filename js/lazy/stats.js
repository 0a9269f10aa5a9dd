'use strict';
// How much lazy documents hold on to. Counted per batch: a finaliser per document would cost more than the document.
// The addon counts those whose bytes are its own; here are those of V8's memory, which are small.

let documents = 0;
let batches = 0;
let bytes = 0;

const registry = new FinalizationRegistry((size) => {
  batches--;
  bytes -= size;
});

function count(more) {
  documents += more;
}

/**
 * Counts a batch. The token is to live as long as the batch, and is not the batch itself: what is registered for
 * finalisation is freed by full collections only, and would take its bytes with it into V8's old generation.
 */
function hold(size) {
  const token = {};
  batches++;
  bytes += size;
  registry.register(token, size);
  return token;
}

/** Documents made so far; batches, and their bytes, that are still referred to (or not yet collected). */
function read() {
  return { documents, batches, bytes };
}

module.exports = { count, hold, read };

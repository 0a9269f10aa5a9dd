'use strict';
// How much lazy documents hold on to. Counted per batch: a finaliser per document would cost more than the document.

let documents = 0;
let batches = 0;
let bytes = 0;

const registry = new FinalizationRegistry((size) => {
  batches--;
  bytes -= size;
});

/** Counts a batch and its documents; buf lives as long as one of them reads from it. */
function add(buf, count, size) {
  documents += count;
  batches++;
  bytes += size;
  registry.register(buf, size);
}

/** Documents made so far; batches, and their bytes, that are still referred to (or not yet collected). */
function read() {
  return { documents, batches, bytes };
}

module.exports = { add, read };

'use strict';
// A cursor that nobody holds any more still has a cursor on the server and read-ahead in memory. When
// it is collected, its request is cancelled and its blocks go back to their pool.

const registry = new FinalizationRegistry((reader) => reader.cancel());

/** The reader must not lead back to the cursor, or the cursor would never be collected. */
function watchRelease(cursor, reader) {
  reader.watched = true;
  registry.register(cursor, reader, reader);
  // What was read ahead and nobody asked for is still to be given back, also after the end.
  reader.onDone(() => registry.unregister(reader));
}

module.exports = { watchRelease };

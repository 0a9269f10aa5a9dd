'use strict';
// A cursor that nobody holds any more still has a cursor on the server and read-ahead in memory. When
// it is collected, its request is cancelled.

const registry = new FinalizationRegistry((reader) => reader.cancel());

/** The reader must not lead back to the cursor, or the cursor would never be collected. */
function watchRelease(cursor, reader) {
  reader.watched = true;
  registry.register(cursor, reader, reader);
  reader.onEnd(() => registry.unregister(reader));
}

module.exports = { watchRelease };

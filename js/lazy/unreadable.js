'use strict';

/**
 * The property descriptor of a field whose value cannot be decoded: it is listed with the others (Object.keys and the
 * like ask for descriptors), and throws when it is read.
 */
function unreadable(error) {
  return {
    get() {
      throw error;
    },
    set: undefined,
    enumerable: true,
    configurable: true
  };
}

module.exports = { unreadable };

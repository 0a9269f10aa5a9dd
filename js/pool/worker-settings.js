'use strict';
// What a worker thread is started with.

const { optionEntry } = require('../options/table.js');

/**
 * Settings for new Worker(). Of the client's options only those that say whom to talk to and how: commands come ready
 * made from the pool's own client. So what cannot be cloned (a bson package, a ReadPreference) stays behind, and both
 * sides agree on which topology is meant.
 */
function workerSettings(uri, clientOptions) {
  const options = {};
  for (const [name, value] of Object.entries(clientOptions ?? {})) {
    if (value != null && (optionEntry(name)?.use === 'core' || name.toLowerCase() === 'dbname')) options[name] = value;
  }
  return { workerData: { uri, options } };
}

module.exports = { workerSettings };

'use strict';

/** Whether a process of this machine exists, as far as this one may know. */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

module.exports = { isAlive };

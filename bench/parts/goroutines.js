'use strict';

const os = require('node:os');

module.exports = {
  title: 'Go processors',
  about: 'The same reads with GOMAXPROCS from 1 to the number of cores (to 4 where there are fewer); one processor less parses, at least one.',
  base: 'find@1',
  columns: ['wall', 'cpu', 'delay', 'times'],
  cases({ quick }) {
    const most = Math.max(quick ? 2 : 4, os.availableParallelism());
    const counts = Array.from({ length: most }, (_, i) => i + 1).filter((n) => n <= 4 || n % 4 === 0 || n === most);
    return [{
      id: 'GOMAXPROCS', set: 'mixed45',
      contenders: ['find', 'findLazy', 'findCursor'].flatMap((reader) => counts.map((n) => ({
        name: `${reader}@${n}`, reader, suffix: `GOMAXPROCS=${n}`, env: { GOMAXPROCS: String(n) }
      })))
    }];
  }
};

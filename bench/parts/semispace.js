'use strict';

module.exports = {
  title: 'Room for V8\'s young generation',
  about: '`node --max-semi-space-size`, in MB: what the collector takes of an eager read, and what more room buys. Node\'s default is 16.',
  base: 'find@16',
  columns: ['wall', 'delay', 'gc', 'gcPause', 'rss', 'times'],
  cases({ quick }) {
    const sizes = quick ? [16, 64] : [16, 32, 64, 128];
    return [{
      id: 'semiSpace', set: 'mixed45',
      contenders: ['official', 'find', 'findLazy'].flatMap((reader) => sizes.map((size) => ({
        name: `${reader}@${size}`, reader, suffix: `${size} MB`, execArgv: [`--max-semi-space-size=${size}`]
      })))
    }];
  }
};

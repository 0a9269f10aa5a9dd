'use strict';
// Loaded in front of a service (`node --require`): tells the process that started it how long its event loop did not turn.

const { monitorEventLoopDelay } = require('node:perf_hooks');

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

process.on('message', (what) => {
  if (what === 'reset') delay.reset();
  process.send({ p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 });
});
process.channel.unref(); // asking must not keep the service alive

'use strict';

// The columns of tables, by name. of(result, case, base): base is the contender that others are compared with.

const { range, digits } = require('./report');

const spreadOf = (key) => (result) => (result[key] === undefined ? '' : range(result[key]));

const columns = {
  wall: { title: 'wall ms', of: spreadOf('wallMs') },
  docs: { title: 'documents/s', of: ({ docsPerSecond }) => Math.round(docsPerSecond).toLocaleString('en') },
  mb: { title: 'MB/s', of: ({ mbPerSecond }) => digits(mbPerSecond) },
  cpu: { title: 'client CPU ms', of: spreadOf('cpuMs') },
  cpuPerRead: { title: 'client CPU us/read', of: ({ cpuMs, documents }) => digits((cpuMs.median / documents) * 1000) },
  perDocument: { title: 'wall us/document', of: ({ wallMs, documents }) => ((wallMs.median / documents) * 1000).toFixed(2) },
  thread: { title: 'CPU of the JS thread ms', of: spreadOf('threadMs') },
  out: { title: 'MB out', of: ({ outMB }) => (outMB === undefined ? '' : outMB.median.toFixed(1)) },
  delay: { title: 'longest loop delay ms', of: spreadOf('delayMs') },
  p99: { title: 'p99 loop delay ms', of: ({ p99DelayMs }) => (p99DelayMs === undefined ? '' : digits(p99DelayMs)) },
  gc: { title: 'GC ms', of: ({ gcMs }) => (gcMs === undefined ? '' : digits(gcMs.median)) },
  gcPause: { title: 'longest GC pause ms', of: spreadOf('gcPauseMs') },
  rss: { title: 'peak RSS MB', of: ({ rssMB }) => (rssMB === undefined ? '' : rssMB.median.toFixed(0)) },
  times: { title: (base) => `x ${base}`, of: (result, _, base) => (base === undefined ? '' : (base.wallMs.median / result.wallMs.median).toFixed(2)) }
};

/** The table of a case as rows of texts, its head first. */
function rowsOf({ base, columns: names }, one) {
  const head = ['reader', ...names.map((name) => titleOf(columns[name].title, base))];
  const reference = one.contenders[base];
  return [head, ...Object.values(one.contenders).map((result) =>
    [result.title, ...names.map((name) => columns[name].of(result, one, reference))])];
}

const titleOf = (title, base) => (typeof title === 'function' ? title(base.replace('official', 'mongodb')) : title);

module.exports = { rowsOf };

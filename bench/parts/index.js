'use strict';

// The parts of the suite, in the order in which they run. A part is { title, about, base, columns, cases(options) }: see
// case.js for what a case is; columns are names of columns.js, base the contender that the others are compared with.

module.exports = {
  eager: require('./eager'),
  loop: require('./loop'),
  lazy: require('./lazy'),
  cursor: require('./cursor'),
  concurrent: require('./concurrent'),
  latency: require('./latency'),
  point: require('./point'),
  accelerate: require('./accelerate'),
  json: require('./json'),
  columns: require('./columns'),
  linear: require('./linear'),
  goroutines: require('./goroutines'),
  semispace: require('./semispace'),
  decode: require('./decode'),
  pool: require('./pool'),
  endtoend: require('./endtoend')
};

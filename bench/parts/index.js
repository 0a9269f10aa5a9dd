'use strict';

// The parts of the suite, in the order in which they run. A part is { title, about, base, columns, cases(options) }: see
// case.js for what a case is; columns are names of columns.js, base the contender that the others are compared with.

module.exports = {
  eager: require('./eager'),
  lazy: require('./lazy'),
  point: require('./point'),
  pool: require('./pool')
};

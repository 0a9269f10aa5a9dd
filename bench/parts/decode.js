'use strict';

const { sets } = require('../sets');

module.exports = {
  title: 'Bytes to objects',
  about: 'What it costs to make the documents of a set, without a socket, beside a loop that makes them from constants. The frames were made before.',
  base: 'jsBson',
  columns: ['wall', 'docs', 'mb', 'cpu', 'gc', 'gcPause', 'times'],
  cases({ quick, sets: wanted }) {
    const whole = Object.keys(sets).filter((name) => sets[name].projection === undefined && !sets[name].lookedUp);
    return (wanted ?? (quick ? ['mixed45'] : whole)).map((set) => ({ id: set, set, contenders: ['jsBson', 'deserialize', 'deserializeMany', 'frames', 'constants'] }));
  }
};

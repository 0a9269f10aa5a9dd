'use strict';

const { AbstractCursor } = require('./abstract-cursor.js');
const { readAll } = require('../reads/read.js');
const { explainArgument } = require('../reads/explain.js');

/** A cursor of a command whose plan can be asked for. */
class ExplainableCursor extends AbstractCursor {
  async explain(verbosity, options) {
    const given = { ...this._settled(), explain: explainArgument(verbosity, options) };
    const [plan] = await readAll(this.client, this._prepare(given), given.signal);
    return plan;
  }
}

module.exports = { ExplainableCursor };

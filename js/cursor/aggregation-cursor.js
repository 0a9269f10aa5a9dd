'use strict';
// The cursor of aggregate(): the official driver's AggregationCursor, which can also be awaited.

const { ExplainableCursor } = require('./explainable-cursor.js');
const { stagesOf, prepareAggregate } = require('../reads/aggregate.js');
const { checkStage } = require('../reads/read-only.js');

class AggregationCursor extends ExplainableCursor {
  constructor(parent, namespace, pipeline = [], options) {
    super(parent, namespace, options);
    this.pipeline = stagesOf(pipeline, parent.client, this._options);
  }

  _prepare(options = this._settled()) {
    return prepareAggregate(this._parent, this._namespace, this.pipeline, options);
  }

  addStage(stage) {
    this._checkFresh();
    checkStage(stage);
    this.pipeline.push(stage);
    return this;
  }

  group($group) {
    return this.addStage({ $group });
  }

  limit($limit) {
    return this.addStage({ $limit });
  }

  match($match) {
    return this.addStage({ $match });
  }

  /** Always refused: it writes. */
  out($out) {
    return this.addStage({ $out });
  }

  project($project) {
    return this.addStage({ $project });
  }

  lookup($lookup) {
    return this.addStage({ $lookup });
  }

  redact($redact) {
    return this.addStage({ $redact });
  }

  skip($skip) {
    return this.addStage({ $skip });
  }

  sort($sort) {
    return this.addStage({ $sort });
  }

  unwind($unwind) {
    return this.addStage({ $unwind });
  }

  geoNear($geoNear) {
    return this.addStage({ $geoNear });
  }

  clone() {
    return new AggregationCursor(this._parent, this._namespace, this.pipeline, this._options);
  }
}

module.exports = { AggregationCursor };

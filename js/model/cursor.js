'use strict';
// The cursor of a model's find(): ids in its filter are cast, and an id that is none rejects the read, as in Mongoose.

const { FindCursor } = require('../cursor/find-cursor.js');

class ModelCursor extends FindCursor {
  #caster;
  #given;
  #failure = null;

  /**
   * @param collection
   * @param {import('./ids.js').IdCaster} caster
   */
  constructor(collection, caster, filter, options) {
    super(collection, undefined, options);
    this.#caster = caster;
    if (filter !== undefined) this.filter(filter);
  }

  filter(filter) {
    this._checkFresh();
    this.#given = filter;
    this.#failure = null;
    try {
      super.filter(this.#caster.filter(filter));
    } catch (error) {
      this.#failure = error;
    }
    return this;
  }

  _prepare(options) {
    if (this.#failure !== null) throw this.#failure;
    return super._prepare(options);
  }

  async count(options) {
    if (this.#failure !== null) throw this.#failure;
    return await super.count(options);
  }

  clone() {
    return new ModelCursor(this._parent, this.#caster, this.#given, this._options);
  }
}

module.exports = { ModelCursor };

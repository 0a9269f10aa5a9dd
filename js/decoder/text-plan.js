'use strict';
// Documents as lines of JSON instead of objects.

const { TextMode } = require('../json/text-mode.js');
const { Plan } = require('./segments.js');

const INDENT = 2;

class TextPlan extends Plan {
  /**
   * @param {object} bson
   * @param {'plain'|'relaxed'|'canonical'} mode
   * @param {boolean} pretty
   */
  constructor(bson, mode, pretty) {
    // Canonical text has every value's type, which is not to be promoted away.
    super(bson, { promoteValues: mode !== 'canonical' });
    this.mode = mode;
    this.indent = pretty ? INDENT : undefined;
    if (this.chunks === null) return;
    if (pretty) {
      this.chunks = null; // the core indents arrays only
      return;
    }
    const text = new TextMode({ mode, format: 'ndjson', pretty: false });
    this.chunks = text.decoder;
    this.params = bson.BSON.serialize({ mode: 'text', text: text.params(this.bsonOptions, bson) });
  }

  /** The document of buf[at..end): what the core does, here. */
  one(buf, at, end) {
    const document = super.one(buf, at, end);
    const { EJSON } = this.bson.BSON;
    const text = this.mode === 'plain'
      ? JSON.stringify(document, null, this.indent)
      : EJSON.stringify(document, undefined, this.indent, { relaxed: this.mode === 'relaxed' });
    return Buffer.from(`${text}\n`);
  }
}

module.exports = { TextPlan };

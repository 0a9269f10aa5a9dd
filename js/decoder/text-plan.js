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
    // Canonical text has every value's type, which is not to be promoted away. Either Extended JSON has regular expressions
    // whose options JavaScript does not know.
    super(bson, { promoteValues: mode !== 'canonical', bsonRegExp: mode !== 'plain' });
    this.text = mode;
    this.indent = pretty ? INDENT : undefined;
  }

  asked(bsonOptions) {
    if (this.indent !== undefined) return null; // the core indents arrays only
    const { bson } = this;
    const mode = new TextMode({ mode: this.text, format: 'ndjson', pretty: false });
    const params = bson.BSON.serialize({ mode: 'text', text: mode.params(bsonOptions, bson) });
    return { params, decoder: mode.decoder, bsonOptions };
  }

  /** The document of buf[at..end): what the core does, here. */
  one(buf, at, end) {
    const document = super.one(buf, at, end);
    const { EJSON } = this.bson.BSON;
    const text = this.text === 'plain'
      ? JSON.stringify(document, null, this.indent)
      : EJSON.stringify(document, undefined, this.indent, { relaxed: this.text === 'relaxed' });
    return Buffer.from(`${text}\n`);
  }
}

module.exports = { TextPlan };

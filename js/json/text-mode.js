'use strict';
// A read whose chunks are JSON text: what the core is told, see core/jsonout/options.go, and what becomes of the chunks.

const { invalidArgument } = require('../errors.js');

/** Each chunk is a Buffer of its own: the memory is not used for anything else. */
const decoder = Object.freeze({
  decode({ buffer, byteOffset, byteLength }, out) {
    out.push(Buffer.from(buffer, byteOffset, byteLength));
  },
});

class TextMode {
  /** @param {object} text of wholeOptions or streamOptions */
  constructor(text) {
    this.name = 'text';
    this.text = text;
    this.decoder = decoder;
  }

  /** The `text` of the core's parameters. */
  params(bsonOptions, bsonClasses) {
    const { promoteLongs, promoteValues, promoteBuffers, useBigInt64, bsonRegExp, enableUtf8Validation } = bsonOptions;
    if (useBigInt64 && !(promoteLongs && promoteValues)) {
      throw new bsonClasses.BSONError('Must either request bigint or Long for int64 deserialization');
    }
    if (useBigInt64 && this.text.mode === 'plain' && this.text.longs === undefined) {
      throw invalidArgument('JSON.stringify refuses the BigInts of option "useBigInt64"; add the option longs: "string" or "number", or turn it off');
    }
    return {
      ...this.text,
      promoteLongs: Boolean(promoteLongs),
      promoteValues: Boolean(promoteValues),
      promoteBuffers: Boolean(promoteBuffers),
      useBigInt64: Boolean(useBigInt64),
      bsonRegExp: bsonRegExp === true,
      validateUtf8: enableUtf8Validation !== false,
      ...habitsOf(bsonClasses),
    };
  }
}

const known = new WeakMap();

/** Where versions of js-bson write different text, found out by looking. */
function habitsOf(bsonClasses) {
  let habits = known.get(bsonClasses);
  if (habits === undefined) {
    const { Long, Code, BSON } = bsonClasses;
    const { scope } = BSON.deserialize(BSON.serialize({ c: new Code('', { $ref: 'c', $id: 1 }) })).c;
    habits = {
      lowFirst: Object.keys(new Long(1, 2))[0] === 'low',
      scopeReferences: scope._bsontype === 'DBRef',
      lateDates: BSON.EJSON.stringify(new Date(253402300800000)).includes('T'), // the first moment of the year 10000
    };
    known.set(bsonClasses, habits);
  }
  return habits;
}

module.exports = { TextMode };

'use strict';
// The options of bson.deserialize, and one decoder for each combination that is ours to decode.

const { DocumentDecoder } = require('./document.js');

const FLAGS = ['promoteValues', 'promoteLongs', 'promoteBuffers', 'bsonRegExp', 'useBigInt64'];
const USUAL = { promoteValues: true, promoteLongs: true, promoteBuffers: false, bsonRegExp: false, useBigInt64: false };
const UNUSUAL = FLAGS.map((name) => !USUAL[name]);

const byClasses = new WeakMap(); // arrays of decoders, by what chosen() numbers

/**
 * The decoder of these options and classes, or null where js-bson has to decode: for what it alone does (raw, fieldsAsRaw,
 * the validation of some keys), and for values that are not of the documented type, of which it makes what it makes.
 */
function decoderOf(bson, options) {
  const number = options === undefined || options === null ? 0 : chosen(options);
  if (number < 0) return null;
  let decoders = byClasses.get(bson);
  if (decoders === undefined) byClasses.set(bson, decoders = []);
  return decoders[number] ??= new DocumentDecoder(bson, optionsOf(number));
}

/** Which of the combinations of flags and of UTF-8 validation, which is on in 0; -1: none. */
function chosen(options) {
  if (typeof options !== 'object') return -1;
  const { raw, fieldsAsRaw, validation } = options;
  if ((raw !== undefined && raw !== false) || (fieldsAsRaw !== undefined && fieldsAsRaw !== null)) return -1;
  let number = 0;
  for (let i = 0; i < FLAGS.length; i++) {
    const value = options[FLAGS[i]];
    if (value === undefined) continue;
    // js-bson does not see what is inherited.
    if (typeof value !== 'boolean' || !Object.hasOwn(options, FLAGS[i])) return -1;
    if (value === UNUSUAL[i]) number |= 1 << i;
  }
  if (options.useBigInt64 && (options.promoteValues === false || options.promoteLongs === false)) return -1;
  if (validation !== undefined) {
    if (typeof validation?.utf8 !== 'boolean' || !Object.hasOwn(options, 'validation')) return -1;
    if (!validation.utf8) number |= 1 << FLAGS.length;
  }
  return number;
}

function optionsOf(number) {
  const options = { validation: { utf8: (number & (1 << FLAGS.length)) === 0 } };
  FLAGS.forEach((name, i) => { options[name] = (number & (1 << i)) === 0 ? USUAL[name] : UNUSUAL[i]; });
  return options;
}

module.exports = { decoderOf };

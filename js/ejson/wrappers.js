'use strict';
// Each Extended JSON wrapper and the value it stands for: what EJSON.parse (relaxed) makes of a well-formed
// one, except that a number keeps all its digits. What is malformed is an error with its place in the value;
// EJSON.parse takes much of it: '5x' for 5, no date at all for 1970. core/ejson has the same rules for text.

const { invalidArgument } = require('../errors.js');

const HEX24 = /^[0-9a-fA-F]{24}$/;
const INTEGER = /^[+-]?\d+$/;
const LONG = /^(\+?0|[+-]?[1-9]\d{0,18})$/;
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const SPECIAL_DECIMAL = /^[+-]?(nan|inf|infinity)$/i;
const UUID = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]*=*$/;
const SUBTYPE = /^[0-9a-fA-F]{1,2}$/;
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT32 = 0xffffffff;

/** What is wrong with a wrapper; becomes an error that names its place. */
class Malformed {
  constructor(reason, cause) {
    this.reason = reason;
    this.cause = cause;
  }
}

const must = (condition, reason) => {
  if (!condition) throw new Malformed(reason);
};

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** The fields of a wrapper's object, which may have no others. */
function fields(value, name, allowed) {
  must(isObject(value), `${name} must be an object`);
  for (const key of Object.keys(value)) must(allowed.includes(key), `${name} has no field "${key}"`);
  return value;
}

const WRAPPERS = {
  $oid(value, { ObjectId }) {
    if (value?._bsontype === 'ObjectId') return value;
    must(typeof value === 'string' && HEX24.test(value), '$oid must be 24 hexadecimal digits');
    return new ObjectId(value);
  },

  $symbol(value, { BSONSymbol }) {
    must(typeof value === 'string', '$symbol must be text');
    return new BSONSymbol(value);
  },

  $numberInt(value) {
    const number = typeof value === 'string' && INTEGER.test(value) ? Number(value) : value;
    must(Number.isInteger(number) && number >= -2147483648 && number <= 2147483647, '$numberInt must be a whole number of 32 bits, as text');
    return typeof value === 'number' ? number + 0 : number; // of a number there is no minus zero, as in EJSON.parse
  },

  $numberLong(value, { Long }) {
    const whole = typeof value === 'string' && LONG.test(value) ? BigInt(value) : null;
    must(whole !== null && whole <= MAX_INT64 && whole >= -MAX_INT64 - 1n, '$numberLong must be a whole number of 64 bits, as text');
    const number = Number(whole);
    // The query has to ask for the number that was written, not for one nearby.
    return Number.isSafeInteger(number) ? number : Long.fromBigInt(whole);
  },

  $numberDouble(value) {
    if (typeof value === 'number') return value + 0;
    if (value === 'NaN') return NaN;
    const infinite = typeof value === 'string' && /^[+-]?Infinity$/.test(value);
    must(infinite || (typeof value === 'string' && DECIMAL.test(value)), '$numberDouble must be a number, Infinity, -Infinity or NaN, as text');
    return Number(value);
  },

  $numberDecimal(value, { Decimal128 }) {
    must(typeof value === 'string' && (DECIMAL.test(value) || SPECIAL_DECIMAL.test(value)), '$numberDecimal must be a number, Infinity or NaN, as text');
    return Decimal128.fromString(value);
  },

  $binary(value, bsonClasses) {
    const { base64, subType = '00' } = fields(value, '$binary', ['base64', 'subType']);
    const text = typeof base64 === 'string' ? base64.replace(/[\r\n]/g, '') : null;
    must(text !== null && BASE64.test(text) && text.replace(/=*$/, '').length % 4 !== 1, '$binary.base64 must be base64 text');
    must(typeof subType === 'string' && SUBTYPE.test(subType), '$binary.subType must be one or two hexadecimal digits, as text');
    const bytes = Buffer.from(text, 'base64');
    const type = parseInt(subType, 16);
    if (type !== 4) return new bsonClasses.Binary(bytes, type);
    must(bytes.length === 16, '$binary of subtype 4, a UUID, must have 16 bytes');
    return new bsonClasses.UUID(bytes);
  },

  $uuid(value, bsonClasses) {
    must(typeof value === 'string' && UUID.test(value), '$uuid must be 32 hexadecimal digits, with dashes or without');
    return new bsonClasses.UUID(value);
  },

  $date(value) {
    const date = new Date(milliseconds(value));
    must(!Number.isNaN(date.getTime()), '$date must be an ISO 8601 date, milliseconds or { $numberLong: text }, within the range of a Date');
    return date;
  },

  $timestamp(value, { Timestamp }) {
    const { t, i } = fields(value, '$timestamp', ['t', 'i']);
    for (const [name, part] of [['t', t], ['i', i]]) {
      must(Number.isInteger(part) && part >= 0 && part <= MAX_UINT32, `$timestamp.${name} must be a whole number from 0 to ${MAX_UINT32}`);
    }
    return new Timestamp({ t, i });
  },

  $regularExpression(value, { BSONRegExp }) {
    const { pattern, options = '' } = fields(value, '$regularExpression', ['pattern', 'options']);
    must(typeof pattern === 'string' && typeof options === 'string', '$regularExpression.pattern and .options must be text');
    return new BSONRegExp(pattern, options);
  },

  $minKey(value, { MinKey }) {
    must(value === 1, '$minKey must be 1');
    return new MinKey();
  },

  $maxKey(value, { MaxKey }) {
    must(value === 1, '$maxKey must be 1');
    return new MaxKey();
  },

  $undefined(value) {
    must(value === true, '$undefined must be true');
    return null;
  },

  $code(value, { Code }, wrapper, convert) {
    must(typeof value === 'string', '$code must be text');
    const { $scope } = wrapper;
    if ($scope == null) return new Code(value);
    const scope = isObject($scope) ? convert($scope) : null;
    must(isObject(scope) && scope._bsontype === undefined, '$scope must be a document');
    return new Code(value, scope);
  },

  $dbPointer(value, { DBRef }, wrapper, convert) {
    const valid = isObject(value) && typeof value.$ref === 'string' && value.$id != null;
    must(valid, '$dbPointer must be { $ref: text, $id: ... }');
    const { $id, $db } = fields(convert(value), '$dbPointer', ['$ref', '$id', '$db']);
    return new DBRef(value.$ref, $id, $db);
  },
};

function milliseconds(value) {
  if (typeof value === 'string') return Date.parse(value);
  if (typeof value === 'number' || value instanceof Date) return Number(value);
  if (!isObject(value)) return NaN;
  const { $numberLong, $numberInt, $numberDouble } = fields(value, '$date', ['$numberLong', '$numberInt', '$numberDouble']);
  if ($numberLong !== undefined) return typeof $numberLong === 'string' && LONG.test($numberLong) ? Number($numberLong) : NaN;
  return $numberInt !== undefined ? WRAPPERS.$numberInt($numberInt) : WRAPPERS.$numberDouble($numberDouble);
}

/** Whether this field makes an object a wrapper. EJSON.parse takes a name with no value for none. */
function wrapperName(key, value) {
  return Object.hasOwn(WRAPPERS, key) && (key === '$undefined' ? Boolean(value[key]) : value[key] != null);
}

/**
 * The value of the wrapper with this name.
 *
 * @param {string} name
 * @param {string[]} keys all of the object's: others beside the name are an error, EJSON.parse would drop them
 * @param {object} value the wrapper
 * @param {(scope: object) => object} convert for what may hold wrappers in turn
 */
function fromWrapper(name, keys, value, bsonClasses, path, convert) {
  try {
    for (const key of keys) must(key === name || (name === '$code' && key === '$scope'), `"${key}" beside "${name}"`);
    return WRAPPERS[name](value[name], bsonClasses, value, convert);
  } catch (cause) {
    if (!(cause instanceof Malformed) && !(cause instanceof bsonClasses.BSONError)) throw cause;
    throw invalidArgument(
      `Extended JSON at "${path.join('.')}" is not valid: ${cause.reason ?? cause.message}. Correct it, or pass { ejson: false } to send it as it is`,
      { cause: cause instanceof Malformed ? undefined : cause },
    );
  }
}

module.exports = { wrapperName, fromWrapper };

'use strict';
// Random Extended JSON text: every wrapper, well-formed and not, among all that JSON may write.

const fc = require('fast-check');
const { Decimal128 } = require('bson');

/** JSON.stringify for a tree in which objects are lists of members, so that a name may occur twice. */
function write(node, style) {
  const space = () => style.next(['', '', '', ' ', '\n\t']);
  if (node === null || typeof node === 'boolean') return String(node);
  if (typeof node === 'string') return literal(node, style);
  if (node.number !== undefined) return node.number;
  if (node.items !== undefined) return `[${node.items.map((item) => space() + write(item, style) + space()).join(',')}]`;
  return `{${node.members.map(([name, value]) => `${space()}${literal(name, style)}${space()}:${space()}${write(value, style)}${space()}`).join(',')}}`;
}

/** Escaped as much as it has to be, or more. */
function literal(text, style) {
  const quoted = JSON.stringify(text);
  switch (style.next(['plain', 'plain', 'escaped', 'solidus'])) {
    case 'escaped':
      return `"${[...quoted.slice(1, -1).replace(/\\[^u]/g, (pair) => `\\u00${JSON.parse(`"${pair}"`).charCodeAt(0).toString(16).padStart(2, '0')}`)]
        .map((c) => (/[^\x20-\x7e]/.test(c) ? [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join('') : c)).join('')}"`;
    case 'solidus':
      return quoted.replaceAll('/', '\\/');
    default:
      return quoted;
  }
}

const object = (...members) => ({ members });
const number = (value) => ({ number: String(value) });

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('', 'é', '日本', '😀', '\ud800', 'a\udc00b', '\u0000', 'a\u0000b', '/', '\\', '"', '\n\t\b', '\u2028', '\ufeff', '$oid'),
);
const names = fc.oneof(
  { arbitrary: fc.constantFrom('a', 'b', 'c', 'd'), weight: 4 },
  fc.constantFrom('0', '1', '10', '2', '01', '4294967294', '4294967295', '-1', '1.5', '', 'é', '__proto__', 'constructor', 'toJSON', 'a.b', '😀', '\ud800'),
  fc.constantFrom('$gt', '$in', '$or', '$elemMatch', '$type', '$options', '$scope', '$ref', '$id', '$db', 'x y'),
  fc.string({ maxLength: 6 }).filter((name) => !name.includes('\0') && !name.startsWith('$')),
);

const numbers = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) > 2 ** 63),
  fc.constantFrom(0, '-0', '-0.0', '0e5', 2147483647, -2147483648, 2147483648, '1.0', '1e2', '1E-400', '-1e400', '1e400', '100000000000000000000', '9007199254740991', '1.0e+3'),
).map(number);

const hex = (length) => fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: length, maxLength: length });
const int64 = fc.bigInt({ min: -(2n ** 53n) + 1n, max: 2n ** 53n - 1n });
const milliseconds = fc.integer({ min: -8640000000000000, max: 8640000000000000 });
const twoDigits = (max) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
const base64 = fc.uint8Array({ maxLength: 20 }).chain((bytes) => {
  const buffer = Buffer.from(bytes);
  return fc.constantFrom(buffer.toString('base64'), buffer.toString('base64url'), buffer.toString('base64').replace(/=+$/, ''));
});
const isoDate = fc.tuple(milliseconds, fc.constantFrom('Z', '+00:00', '-00:00', '+01:30', '-1159', '+2359')).map(([ms, zone]) => new Date(ms).toISOString().replace('Z', zone))
  .filter((iso) => !Number.isNaN(Date.parse(iso)));
const shortDate = fc.tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }), twoDigits(23), twoDigits(59), twoDigits(59), fc.nat())
  .chain(([year, month, day, hour, minute, second, fraction]) => {
    const y = String(year).padStart(4, '0');
    const [m, d] = [month, day].map((n) => String(n).padStart(2, '0'));
    return fc.constantFrom(y, `${y}-${m}`, `${y}-${m}-${d}`, `${y}-${m}-${d}T${hour}:${minute}Z`, `${y}-${m}-${d}T${hour}:${minute}:${second}+0230`, `${y}-${m}-${d}T${hour}:${minute}:${second}.${fraction}Z`, `${y}-${m}-${d}T24:00Z`);
  });
const decimal = fc.oneof(
  fc.tuple(fc.constantFrom('', '-', '+'), fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 34 }), fc.nat(34), fc.constantFrom('', 'E', 'e+', 'e-'), fc.integer({ min: 0, max: 6200 }))
    .map(([sign, digits, point, e, exponent]) => sign + (point < digits.length ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits) + (e === '' ? '' : e + exponent)),
  fc.constantFrom('NaN', 'Infinity', '-Infinity', 'inf', '-Inf', '0', '-0', '0E+6111', '0E-7000', '1E+6144', '9.999999999999999999999999999999999E+6144', '1E-6176'),
).filter((digits) => {
  try {
    return Decimal128.fromString(digits) !== null;
  } catch {
    return false; // out of range
  }
});
const double = fc.oneof(fc.double().map((d) => (Object.is(d, -0) ? '-0.0' : String(d))), fc.constantFrom('Infinity', '-Infinity', 'NaN', '1.', '.5', '+1.5e3', '1e400', '-0'));

/** Well-formed wrappers. `inner`: any node. */
const wrapper = (inner) => fc.oneof(
  hex(24).map((id) => object(['$oid', id])),
  fc.oneof(isoDate, shortDate, milliseconds.map(number), milliseconds.map((ms) => object(['$numberLong', String(ms)]))).map((date) => object(['$date', date])),
  fc.integer().map((n) => object(['$numberInt', String(n)])),
  int64.map((n) => object(['$numberLong', String(n)])),
  double.map((d) => object(['$numberDouble', d])),
  decimal.map((d) => object(['$numberDecimal', d])),
  fc.tuple(base64, fc.constantFrom('00', '02', '05', '80', 'ff', '7F', '1')).map(([bytes, subType]) => object(['$binary', object(['base64', bytes], ['subType', subType])])),
  fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => object(['$binary', object(['subType', '04'], ['base64', Buffer.from(bytes).toString('base64')])])),
  hex(32).chain((id) => fc.constantFrom(id, id.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5'))).map((id) => object(['$uuid', id])),
  fc.tuple(text.filter((pattern) => !pattern.includes('\0')), fc.constantFrom('', 'i', 'mi', 'xslmui')).map(([pattern, options]) => object(['$regularExpression', object(['pattern', pattern], ['options', options])])),
  fc.tuple(fc.nat(0xffffffff), fc.nat(0xffffffff)).map(([t, i]) => object(['$timestamp', object(['i', number(i)], ['t', number(t)])])),
  text.map((s) => object(['$symbol', s])),
  text.map((s) => object(['$code', s])),
  fc.tuple(text, inner).map(([code, value]) => object(['$code', code], ['$scope', object(['s', value])])),
  fc.constantFrom(object(['$minKey', number(1)]), object(['$maxKey', number('1.0')]), object(['$undefined', true])),
  hex(24).map((id) => object(['$dbPointer', object(['$ref', 'c'], ['$id', object(['$oid', id])])])),
  fc.tuple(fc.constantFrom('c', 'a.b.c'), inner.filter((id) => id !== null)).map(([ref, id]) => object(['$ref', ref], ['$id', id], ['x', number(1)])),
);

const NAMES = ['$oid', '$date', '$numberInt', '$numberLong', '$numberDouble', '$numberDecimal', '$binary', '$uuid', '$regularExpression', '$timestamp', '$symbol', '$code', '$scope', '$dbPointer', '$minKey', '$undefined', '$ref', '$id', '$db'];

/** What looks like a wrapper: any value under its name, wrong text, fields beside it. */
const odd = (inner) => {
  const oddText = fc.oneof(text, double, decimal, isoDate, hex(24), int64.map(String), fc.constantFrom('-0', '007', '+5', '5x', '0x10', ' 1', 'tomorrow', '2020-01-01', '2020-02-30', '2020-01-01T00:00:00', '9223372036854775808', '2147483648', 'AQ=', 'A'));
  const value = fc.oneof(
    oddText, inner, numbers,
    fc.dictionary(fc.constantFrom('base64', 'subType', 'pattern', 'options', 't', 'i', '$ref', '$id', '$numberLong', 'x'), fc.oneof(oddText, numbers), { maxKeys: 3 }).map((fields) => object(...Object.entries(fields))),
  );
  return fc.oneof(
    fc.tuple(fc.constantFrom(...NAMES), value).map((member) => object(member)),
    fc.array(fc.tuple(fc.oneof(fc.constantFrom(...NAMES), names), value), { minLength: 1, maxLength: 3 }).map((members) => ({ members })),
  );
};

const tree = (more) => fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    numbers,
    text,
    fc.array(tie('node'), { maxLength: 4 }).map((items) => ({ items })),
    fc.array(fc.tuple(names, tie('node')), { maxLength: 5 }).map((members) => ({ members })),
    more(tie('node')),
  ),
})).node;

const style = fc.infiniteStream(fc.nat(11)).map((stream) => ({ next: (choices) => choices[stream.next().value % choices.length] }));

const textOf = (arbitrary) => fc.tuple(arbitrary, style).map(([node, how]) => write(node, how));

/** EJSON.parse copies the fields of a DBRef by assignment, in which a __proto__ is lost. */
const losesProto = (text) => text.includes('$ref') && text.includes('__proto__');

/**
 * May hold what looks like a DBRef. Objects of that shape stay as they are, because somebody may mean them; what
 * EJSON.parse makes of one in text differs when its fields are in another order or its name has a dot.
 */
const hasReference = (text) => /"\$(id|dbPointer)"|\\u/.test(text);

module.exports = {
  losesProto,
  hasReference,
  wellFormed: textOf(tree(wrapper)),
  anything: textOf(tree((inner) => fc.oneof(wrapper(inner), odd(inner), odd(inner), odd(inner)))).filter((text) => text.includes('$')),
};

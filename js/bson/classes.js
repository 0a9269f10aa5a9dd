'use strict';
// Which BSON classes values are made of. Users compare with `instanceof`, and drivers refuse values of another major
// version, so the classes must be the application's own: the ones it passes in, else its driver's, else its `bson`.

const { findPackage } = require('../user-package');

const VERSION = Symbol.for('@@mdb.bson.version');
const SUPPORTED = [6, 7];
const CLASSES = [
  'ObjectId', 'Long', 'Double', 'Int32', 'Decimal128', 'Binary', 'UUID', 'Timestamp', 'BSONRegExp', 'Code', 'DBRef',
  'MinKey', 'MaxKey', 'BSONSymbol', 'BSONError'
];
const FUNCTIONS = ['serialize', 'deserialize', 'calculateObjectSize'];
const PACKAGES = 'the exports of the bson or mongodb package';
const NO_BSON = 'it has no ObjectId and deserialize';
const REMEDY = 'install mongodb or bson, version 6 or 7 (npm install bson), or pass { bson: require(\'bson\') }';

// One result per namespace: decoders keep what they have compiled per classes object.
const known = new WeakMap();
let fallback = null;

/**
 * The BSON classes and functions to use: those of options.bson (the exports of `bson` or `mongodb`, or the latter's
 * `BSON`), of the application's `mongodb`, or of its `bson`.
 */
function resolveBson(options) {
  const given = options?.bson;
  if (given !== undefined && given !== null) return fromGiven(given);
  fallback ??= fromApplication();
  return fallback;
}

function fromGiven(given) {
  if (typeof given !== 'object' && typeof given !== 'function') {
    throw new TypeError(`option "bson" must be ${PACKAGES}, got ${typeof given}; ${REMEDY}`);
  }
  const namespace = namespaceOf(given);
  if (namespace === null) {
    throw new TypeError(`option "bson" is not ${PACKAGES}: ${NO_BSON}; ${REMEDY}`);
  }
  const found = classesOf(namespace);
  if (typeof found === 'string') throw new TypeError(`option "bson": ${found}; ${REMEDY}`);
  return found;
}

function fromApplication() {
  const refused = [];
  let cause;
  for (const name of ['mongodb', 'bson']) {
    try {
      const exported = findPackage(name);
      if (exported === null) continue;
      const namespace = namespaceOf(exported);
      const found = namespace === null ? NO_BSON : classesOf(namespace);
      if (typeof found !== 'string') return found;
      refused.push(`${name}: ${found}`);
    } catch (error) {
      cause ??= error;
      refused.push(`${name} does not load: ${error?.message}`);
    }
  }
  const why = refused.length === 0
    ? 'neither mongodb nor bson can be found from the application, its working directory or rumongo-go'
    : refused.join('; ');
  throw new Error(`rumongo-go needs the BSON classes of your application: ${why}; ${REMEDY}`, { cause });
}

/** Both packages also export everything under BSON; an ES module namespace may hold it all under default. */
function namespaceOf(exported) {
  for (const candidate of [exported.BSON, exported, exported.default?.BSON, exported.default]) {
    if (typeof candidate?.deserialize === 'function' && typeof candidate.ObjectId === 'function') return candidate;
  }
  return null;
}

/** The classes object of a namespace, or why it will not do. */
function classesOf(namespace) {
  const ready = known.get(namespace);
  if (ready !== undefined) return ready;
  const version = namespace.ObjectId.prototype[VERSION];
  if (!SUPPORTED.includes(version)) {
    return `version ${version ?? 'unknown (below 6)'} of bson is not supported, it must be ${SUPPORTED.join(' or ')}`;
  }
  const missing = [...CLASSES, ...FUNCTIONS].filter((name) => typeof namespace[name] !== 'function');
  if (typeof namespace.EJSON?.parse !== 'function') missing.push('EJSON');
  if (missing.length > 0) return `it lacks ${missing.join(', ')}`;
  const found = { version };
  for (const name of CLASSES) found[name] = namespace[name];
  const { serialize, deserialize, calculateObjectSize, EJSON, onDemand } = namespace;
  found.BSONOffsetError = namespace.BSONOffsetError; // with onDemand, since bson 6.8; see malformed.js
  found.namespace = namespace;
  found.BSON = Object.freeze({ serialize, deserialize, calculateObjectSize, EJSON, onDemand });
  known.set(namespace, Object.freeze(found));
  return found;
}

module.exports = { resolveBson, CLASSES };

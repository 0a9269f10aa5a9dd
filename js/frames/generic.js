'use strict';
// The generic readers: documents that have no shape, and documents of shapes that are not compiled.

const { KIND, NEW_KEYS, REF } = require('./layout');

const PROTO = { value: undefined, writable: true, enumerable: true, configurable: true };

function defineProto(object, value) {
  PROTO.value = value;
  Object.defineProperty(object, '__proto__', PROTO);
  PROTO.value = undefined;
}

/**
 * An object that V8 keeps as a dictionary: deleting a property that was not the last makes it one. V8 makes a hidden
 * class for each step of a sequence of keys, at about half a microsecond each, and forgets it when its objects are gone;
 * for a sequence that nothing else has, that costs more than all the rest. 20,000 documents of 12 random keys: 111 ms
 * with hidden classes, 32 as dictionaries, js-bson 235 (the hidden classes again). Dictionaries are also smaller then,
 * and quicker to read from where many sequences meet.
 */
function dictionary() {
  const o = { a: null, b: null, c: null, d: null };
  delete o.a;
  delete o.b;
  delete o.c;
  delete o.d;
  return o;
}

/**
 * Makes the readers for one set of options and classes.
 * @param values from makeValues
 * @param {string[]} keys interned key names by id; grows
 * @param {(r: Reader, ref: number) => object} shaped reads a document of the chunk's shape number ref
 */
function makeGeneric(values, keys, shaped) {
  const { ObjectId, offset, promote } = values;
  const plainLongs = values.longs === 'number';

  /** The document after a reference word. */
  function document(r) {
    const ref = r.i[r.ii++];
    if (ref >= 0) return shaped(r, ref);
    if (ref === REF.GENERIC) return generic(r);
    const size = r.i[r.ii++];
    return values.oddDocument(r.b, (r.bi += size) - size, size);
  }

  function string(r) {
    const c = r.i[r.ii++];
    return c >>> 0 < 13 ? r.t.substring(r.tp, r.tp += c) : r.string(c);
  }

  /** A document without a shape. The common kinds are read here, with the cursors in locals. */
  function generic(r) {
    const { i, f, t } = r;
    let { ii } = r;
    let n = i[ii++];
    const o = n < NEW_KEYS ? {} : dictionary();
    n &= ~NEW_KEYS;
    while (n-- > 0) {
      const word = i[ii++];
      const key = word >>> 5;
      let value;
      if (key === 0) {
        r.ii = ii;
        slowField(r, o, word);
        ii = r.ii;
        continue;
      }
      switch (word & 31) {
        case KIND.NULL:
          value = null;
          break;
        case KIND.INT32:
          value = i[ii++];
          if (!promote) value = values.int32(value);
          break;
        case KIND.STRING: {
          const c = i[ii++];
          value = c >>> 0 < 13 ? t.substring(r.tp, r.tp += c) : r.string(c);
          break;
        }
        case KIND.DOUBLE:
          value = f[r.fi++];
          if (!promote) value = values.double(value);
          break;
        case KIND.DATE:
          value = new Date(f[r.fi++]);
          break;
        case KIND.BOOL:
          value = i[ii++] === 1;
          break;
        case KIND.OBJECT_ID:
          value = offset ? new ObjectId(r.b, (r.bi += 12) - 12) : values.objectId(r.b, (r.bi += 12) - 12);
          break;
        default:
          r.ii = ii;
          value = rest(r, word & 31);
          ii = r.ii;
      }
      o[keys[key]] = value;
    }
    r.ii = ii;
    return o;
  }

  /** A field whose key comes as text: rare names, and __proto__. */
  function slowField(r, o, word) {
    const key = string(r);
    const value = read(r, word & 31);
    if (key === '__proto__') defineProto(o, value);
    else o[key] = value;
  }

  function read(r, kind) {
    switch (kind) {
      case KIND.NULL: return null;
      case KIND.BOOL: return r.i[r.ii++] === 1;
      case KIND.INT32: return values.int32(r.i[r.ii++]);
      case KIND.DOUBLE: return values.double(r.f[r.fi++]);
      case KIND.STRING: return string(r);
      case KIND.DATE: return new Date(r.f[r.fi++]);
      case KIND.OBJECT_ID: return values.objectId(r.b, (r.bi += 12) - 12);
      default: return rest(r, kind);
    }
  }

  function rest(r, kind) {
    const { i } = r;
    switch (kind) {
      case KIND.LONG32: return plainLongs ? i[r.ii++] : values.long32(i[r.ii++]);
      case KIND.LONG_SAFE: return plainLongs ? r.f[r.fi++] : values.longSafe(r.f[r.fi++]);
      case KIND.LONG_BIG: return values.longBig(i[r.ii++], i[r.ii++]);
      case KIND.DOCUMENT: return document(r);
      case KIND.ARRAY: return array(r);
      case KIND.DECIMAL: return values.decimal(r, (r.bi += 16) - 16);
      case KIND.BINARY: {
        const size = i[r.ii++];
        return values.binary(r, (r.bi += size) - size, size, i[r.ii++]);
      }
      case KIND.TIMESTAMP: return values.timestamp(i[r.ii++], i[r.ii++]);
      case KIND.REGEX: {
        const pattern = string(r);
        return values.regex(pattern, string(r));
      }
      case KIND.MIN_KEY: return values.minKey();
      case KIND.MAX_KEY: return values.maxKey();
      case KIND.UNDEFINED: return undefined;
      case KIND.CODE: return values.code(string(r));
      case KIND.SYMBOL: return values.symbol(string(r));
      case KIND.ODD: {
        const size = i[r.ii++];
        return values.oddValue(r.b, (r.bi += size) - size, size);
      }
      default: throw new Error(`rumongo-go: unknown kind ${kind} in a chunk`);
    }
  }

  function array(r) {
    const n = r.i[r.ii++];
    const kind = r.i[r.ii++];
    const a = new Array(n);
    for (let k = 0; k < n; k++) a[k] = read(r, kind === KIND.TAGGED ? r.i[r.ii++] : kind);
    return a;
  }

  /** A document of a shape, by its slots: until it is compiled, or for ever where code generation is forbidden. */
  function slotted(r, slots) {
    const o = {};
    for (let k = 0; k < slots.length; k++) {
      const s = slots[k];
      const value = slotValue(r, s);
      if (s.proto) defineProto(o, value);
      else o[s.key] = value;
    }
    return o;
  }

  function slotValue(r, s) {
    const kind = s.kind === KIND.TAGGED ? r.i[r.ii++] : s.kind;
    if (kind === KIND.DOCUMENT) return s.slots === null ? document(r) : slotted(r, s.slots);
    if (kind !== KIND.ARRAY) return read(r, kind);
    const n = r.i[r.ii++];
    const a = new Array(n);
    for (let k = 0; k < n; k++) a[k] = slotValue(r, s.element);
    return a;
  }

  return { document, generic, slotted };
}

module.exports = { makeGeneric, dictionary };

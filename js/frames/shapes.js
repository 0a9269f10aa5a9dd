'use strict';
// Shapes: what a chunk refers to by (id, version), fetched from Go once, and compiled to a function whose body is an
// object literal. V8 makes an object from a literal in one allocation with its hidden class known, which no loop over
// keys can match: about 2 ns a field instead of 45.

const { KIND } = require('./layout');

// A version is compiled when this many of its documents were met: compiling costs as much as reading about a hundred
// documents with the generic reader, and while a collection's kinds of values are still being learnt versions are short.
const COMPILE_AFTER = 48;
const MAX_COMPILED = 2048;

let canCompile = null;

/** Whether this runtime lets code be made from strings: not under --disallow-code-generation-from-strings. */
function codeGenerationAllowed() {
  if (canCompile === null) {
    try {
      canCompile = new Function('return true')();
    } catch {
      canCompile = false;
    }
  }
  return canCompile;
}

/** A place of a layout, from its definition [key, mask, document, element]. */
class Slot {
  constructor([key, mask, document, element]) {
    this.key = key;
    this.proto = key === '__proto__';
    this.kinds = kindsOf(mask);
    this.kind = this.kinds.length === 1 ? this.kinds[0] : this.kinds.length === 0 ? KIND.NONE : KIND.TAGGED;
    this.slots = Array.isArray(document) ? document.map((slot) => new Slot(slot)) : null; // null: each has a reference
    this.element = element === null ? null : new Slot(element);
  }
}

function kindsOf(mask) {
  const kinds = [];
  for (let kind = 0; kind < 30; kind++) if (mask & (1 << kind)) kinds.push(kind);
  return kinds;
}

/** Parses the answer of bridge.definition(1, id, version). */
function parseDefinition(bytes) {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()).map((slot) => new Slot(slot));
}

const STORE = 'r.ii=ii,r.fi=fi,r.bi=bi,r.tp=tp';
const LOAD = 'ii=r.ii,fi=r.fi,bi=r.bi,tp=r.tp';
const LOCALS = 'const i=r.i,f=r.f,b=r.b,t=r.t;let ii=r.ii,fi=r.fi,bi=r.bi,tp=r.tp,c=0,o;';

/**
 * Writes the source of one shape's functions. Everything is an expression, evaluated in the order of the streams; the
 * cursors are locals, so a call that moves them stores them to the reader first. c is a scratch int, o a scratch object.
 */
class Source {
  constructor(values) {
    this.values = values;
    this.functions = [];
  }

  object(slots) {
    return `{${slots.map((s) => `${s.proto ? '["__proto__"]' : JSON.stringify(s.key)}:${this.slot(s)}`).join(',')}}`;
  }

  slot(s) {
    const { kinds } = s;
    if (kinds.length === 0) return 'void 0'; // never evaluated: the elements of an array that was always empty
    if (kinds.length === 1) return this.value(s, kinds[0]);
    let code = this.value(s, kinds[kinds.length - 1]);
    for (let k = kinds.length - 2; k >= 0; k--) code = `c===${kinds[k]}?${this.value(s, kinds[k])}:${code}`;
    return `(c=i[ii++],${code})`;
  }

  value(s, kind) {
    const { values } = this;
    switch (kind) {
      case KIND.NULL: return 'null';
      case KIND.BOOL: return 'i[ii++]===1';
      case KIND.INT32: return values.promote ? 'i[ii++]' : 'v.int32(i[ii++])';
      case KIND.DOUBLE: return values.promote ? 'f[fi++]' : 'v.double(f[fi++])';
      case KIND.STRING: return STRING;
      case KIND.DATE: return 'new Date(f[fi++])';
      case KIND.OBJECT_ID: return values.offset ? 'new ObjectId(b,(bi+=12)-12)' : 'v.objectId(b,(bi+=12)-12)';
      case KIND.LONG32: return values.longs === 'number' ? 'i[ii++]' : 'v.long32(i[ii++])';
      case KIND.LONG_SAFE: return values.longs === 'number' ? 'f[fi++]' : 'v.longSafe(f[fi++])';
      case KIND.LONG_BIG: return 'v.longBig(i[ii++],i[ii++])';
      case KIND.DOCUMENT: return s.slots === null ? `(${STORE},o=document(r),${LOAD},o)` : this.object(s.slots);
      case KIND.ARRAY: return this.array(s.element);
      case KIND.DECIMAL: return 'v.decimal(r,(bi+=16)-16)';
      case KIND.BINARY: return 'v.binary(r,(bi+=c=i[ii++])-c,c,i[ii++])';
      case KIND.TIMESTAMP: return 'v.timestamp(i[ii++],i[ii++])';
      case KIND.REGEX: return `v.regex(${STRING},${STRING})`;
      case KIND.MIN_KEY: return 'v.minKey()';
      case KIND.MAX_KEY: return 'v.maxKey()';
      case KIND.UNDEFINED: return 'void 0';
      case KIND.CODE: return `v.code(${STRING})`;
      case KIND.SYMBOL: return `v.symbol(${STRING})`;
      case KIND.ODD: return 'v.oddValue(b,(bi+=c=i[ii++])-c,c)';
      default: throw new Error(`rumongo-go: unknown kind ${kind} in a shape`);
    }
  }

  array(element) {
    const { kind } = element;
    if (this.values.promote) {
      if (kind === KIND.INT32) return '(c=i[ii++],ii+=c,integers(i,ii-c,c))';
      if (kind === KIND.DOUBLE) return '(c=i[ii++],fi+=c,doubles(f,fi-c,c))';
    }
    // A function of its own: it is optimised by itself, and the elements' allocation feedback is this place's alone.
    const name = `a${this.functions.length}`;
    this.functions.push('');
    const index = this.functions.length - 1;
    this.functions[index] = `function ${name}(r){${LOCALS}const n=i[ii++],a=new Array(n);`
      + `for(let k=0;k<n;k++)a[k]=${this.slot(element)};${STORE};return a}`;
    return `(${STORE},o=${name}(r),${LOAD},o)`;
  }
}

// T, the dictionary, or a call for the rest.
const STRING = '((c=i[ii++])>>>0<13?t.substring(tp,tp+=c):r.string(c))';

/** @returns {{many: Function, one: Function}} many(r, n, out) pushes n documents, one(r) returns one */
function compile(slots, values, document) {
  const source = new Source(values);
  const literal = source.object(slots);
  const code = `'use strict';${source.functions.join('')}return{`
    + `many(r,n,out){${LOCALS}for(;n>0;n--)out.push(${literal});${STORE}},`
    + `one(r){${LOCALS}const x=${literal};${STORE};return x}}`;
  return new Function('v', 'ObjectId', 'document', 'integers', 'doubles', code)(values, values.ObjectId, document, integers, doubles);
}

// Two functions, so that arrays of integers do not become arrays of doubles by shared allocation feedback.
function integers(i, at, n) {
  const a = new Array(n);
  for (let k = 0; k < n; k++) a[k] = i[at + k];
  return a;
}

function doubles(f, at, n) {
  const a = new Array(n);
  for (let k = 0; k < n; k++) a[k] = f[at + k];
  return a;
}

module.exports = { COMPILE_AFTER, MAX_COMPILED, codeGenerationAllowed, compile, parseDefinition };

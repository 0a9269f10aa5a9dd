'use strict';
// Makes the documents of eager chunks.

const { REF, Reader, WORD } = require('./layout');
const { makeGeneric } = require('./generic');
const { makeValues } = require('./values');
const { COMPILE_AFTER, MAX_COMPILED, codeGenerationAllowed, compile, parseDefinition } = require('./shapes');

const DEFINITION = Object.freeze({ SHAPE: 1, KEYS: 2 });
const VERSIONS = 1024; // more than a shape can have

const EMPTY_DOCUMENT = Buffer.from([5, 0, 0, 0, 0]);

/** One version of a shape under one set of options. */
class Shape {
  constructor(variant, slots) {
    this.variant = variant;
    this.slots = slots;
    this.seen = 0;
    this.compiled = null;
  }

  many(r, n, out) {
    if (this.compiled === null && (this.seen += n) >= COMPILE_AFTER) this.variant.compile(this);
    if (this.compiled !== null) {
      this.compiled.many(r, n, out);
      return true;
    }
    const { slotted } = this.variant.generic;
    for (; n > 0; n--) out.push(slotted(r, this.slots));
    return false;
  }

  one(r) {
    if (this.compiled === null) {
      if (++this.seen < COMPILE_AFTER || !this.variant.compile(this)) return this.variant.generic.slotted(r, this.slots);
    }
    return this.compiled.one(r);
  }
}

/** What all materializers with the same classes, options and bridge share. */
class Variant {
  constructor(bson, options, bridge) {
    this.bson = bson;
    this.bridge = bridge;
    this.values = makeValues(bson, options);
    this.checked = false;
    this.keys = [''];
    this.shapes = new Map();
    this.compiled = new Set();
    this.generic = makeGeneric(this.values, this.keys, (r, ref) => r.shapes[ref].one(r));
  }

  /** Options that js-bson refuses, it refuses when it decodes; so do we, with its error. */
  check() {
    this.bson.BSON.deserialize(EMPTY_DOCUMENT, this.values.options);
    this.checked = true;
  }

  compile(shape) {
    if (!codeGenerationAllowed()) return false;
    if (this.compiled.size >= MAX_COMPILED) {
      // The one compiled longest ago goes; if it is still in use it comes back after as many documents as a new one.
      const [oldest] = this.compiled;
      oldest.compiled = null;
      oldest.seen = 0;
      this.compiled.delete(oldest);
    }
    shape.compiled = compile(shape.slots, this.values, this.generic.document);
    this.compiled.add(shape);
    return true;
  }

  shape(id, version) {
    const name = id * VERSIONS + version;
    let shape = this.shapes.get(name);
    if (shape === undefined) {
      const definition = this.bridge.definition(DEFINITION.SHAPE, id, version);
      if (definition === null) throw new Error(`rumongo-go: shape ${id}.${version} of a chunk is not known any more`);
      shape = new Shape(this, parseDefinition(definition));
      if (this.shapes.size >= 4 * MAX_COMPILED) {
        const [[first, gone]] = this.shapes;
        this.shapes.delete(first);
        this.compiled.delete(gone);
      }
      this.shapes.set(name, shape);
    }
    return shape;
  }

  /** Makes sure that the names of all key ids up to last are here. */
  learnKeys(last) {
    const { keys } = this;
    while (keys.length <= last) {
      const page = this.bridge.definition(DEFINITION.KEYS, keys.length, 0);
      if (page === null) throw new Error(`rumongo-go: key ${keys.length} of a chunk is not known`);
      const names = JSON.parse(Buffer.from(page.buffer, page.byteOffset, page.byteLength).toString());
      for (const name of names) keys.push(internalized(name));
    }
  }
}

/** V8 looks a property up by identity of the name once it is in its table of names. */
function internalized(name) {
  return Object.keys({ [name]: 0 })[0];
}

const variants = new WeakMap(); // by classes, then by bridge, then by options

function variantOf(bson, options, bridge) {
  let byBridge = variants.get(bson);
  if (byBridge === undefined) variants.set(bson, byBridge = new WeakMap());
  let byOptions = byBridge.get(bridge);
  if (byOptions === undefined) byBridge.set(bridge, byOptions = new Map());
  const name = JSON.stringify([options.promoteLongs, options.promoteValues, options.promoteBuffers, options.useBigInt64,
    options.bsonRegExp, options.enableUtf8Validation, options.validation]);
  let variant = byOptions.get(name);
  if (variant === undefined) byOptions.set(name, variant = new Variant(bson, options, bridge));
  return variant;
}

/** Decodes the eager chunks of one reader. Its counters say which way the documents went. */
class Materializer {
  /**
   * @param bson classes, as js/bson/classes.js resolves them
   * @param options BSON options of the driver
   * @param {{definition(kind: number, id: number, version: number): Uint8Array | null}} bridge
   */
  constructor(bson, options, bridge) {
    this.variant = variantOf(bson, options ?? {}, bridge);
    this.compiled = 0;
    this.generic = 0;
    this.bson = 0;
  }

  /**
   * Pushes the chunk's documents to out. If a value cannot be made (a regular expression that JavaScript refuses) this
   * throws, with the documents before it in out.
   * @param {Uint8Array} bytes the chunk; nothing refers to it afterwards
   * @param {object[]} out
   */
  decode(bytes, out) {
    const { variant } = this;
    // A reader per call would cost little, but point reads come by the ten thousand; a value's constructor that reads
    // documents itself finds the spare one gone and gets its own.
    const r = spare ?? new Reader();
    spare = null;
    r.attach(bytes);
    const { i } = r;
    if (!variant.checked && i[WORD.documents] > 0) variant.check();
    if (i[WORD.keys] >= variant.keys.length) variant.learnKeys(i[WORD.keys]);
    const runs = i[WORD.runs];
    const table = WORD.header + 2 * runs;
    const shapes = r.shapes = new Array(i[WORD.shapes]);
    for (let k = 0; k < shapes.length; k++) shapes[k] = variant.shape(i[table + 2 * k], i[table + 2 * k + 1]);
    for (let k = WORD.header; k < table; k += 2) this.run(r, i[k], i[k + 1], out);
    r.detach();
    spare = r;
  }

  run(r, ref, n, out) {
    if (ref >= 0) {
      if (r.shapes[ref].many(r, n, out)) this.compiled += n;
      else this.generic += n;
    } else if (ref === REF.GENERIC) {
      const { generic } = this.variant.generic;
      this.generic += n;
      for (; n > 0; n--) out.push(generic(r));
    } else {
      this.bson += n;
      for (; n > 0; n--) {
        const size = r.i[r.ii++];
        out.push(this.variant.values.oddDocument(r.b, (r.bi += size) - size, size));
      }
    }
  }
}

let spare = null;

module.exports = { Materializer };

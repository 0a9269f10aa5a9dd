'use strict';
// Random documents from a seed: collections whose documents share a schema more or less, as real ones do.

const { random } = require('./document-sets');

const TEXT = ['', 'a', 'abcdefghijkl', 'abcdefghijklm', 'a longer text that does not repeat ', '\u00e9t\u00e9', '\u00fc'.repeat(20), '\u65e5\u672c\u8a9e', '\ud83d\ude00', '\0', '\ufeff'];
const KEYS = ['a', 'b', 'name', 'value', '__proto__', 'constructor', 'toJSON', '', '0', '17', 'a.b', '$x', '\u00e9', '\u65e5\u672c', 'a key of some length'];

class RandomDocuments {
  constructor(bson, seed) {
    this.bson = bson;
    this.rnd = random(seed);
    this.makers = [
      () => null, () => this.int(2) === 0, () => this.int(1000) - 500, () => this.rnd() * 1e6, () => this.text(), () => this.text(),
      () => new Date(this.int(2) ? this.int(2e9) * 1000 : -this.int(1e9)), () => new bson.ObjectId(this.bytes(12)), () => this.long(),
      () => bson.Decimal128.fromString(`${this.int(1e6)}.${this.int(100)}`), () => new bson.Binary(this.bytes(this.int(40)), [0, 3, 4, 5, 128][this.int(5)]),
      () => new bson.UUID(this.bytes(16)), () => new bson.Timestamp({ t: this.int(2 ** 32), i: this.int(2 ** 32) }), () => new bson.BSONRegExp(this.pick(['a', 'b+', '^c$']), this.pick(['', 'i', 'm'])),
      () => new bson.MinKey(), () => new bson.MaxKey(), () => undefined, () => new bson.BSONSymbol(this.text()), () => new bson.Code('f'), () => new bson.Code('g', { x: this.int(5) }),
      () => new bson.Int32(this.int(100)), () => new bson.Double(this.int(100)), () => [NaN, -0, Infinity, -Infinity][this.int(4)], () => new bson.DBRef('c', this.int(9)),
    ];
  }

  int(n) { return Math.floor(this.rnd() * n); }
  pick(list) { return list[this.int(list.length)]; }
  bytes(n) { return Buffer.from(Array.from({ length: n }, () => this.int(256))); }

  text() {
    const text = this.pick(TEXT);
    return this.int(2) ? text : text + this.int(1e6);
  }

  long() {
    const { Long } = this.bson;
    return this.pick([() => Long.fromNumber(this.int(1000) - 500), () => Long.fromNumber((this.rnd() - 0.5) * 2 ** 54), () => new Long(this.int(2 ** 32) | 0, this.int(2 ** 32) | 0)])();
  }

  key() {
    if (this.int(200) === 0) return this.pick(['$ref', '$id', '$db']);
    return this.int(3) === 0 ? this.pick(KEYS) : `k${this.int(60)}`;
  }

  /** A schema makes documents; how alike they are varies. */
  schema(depth = 0) {
    const fields = [];
    const used = new Set();
    for (let n = this.int(depth === 0 ? 20 : 6); n > 0; n--) {
      const key = this.key();
      if (used.has(key)) continue;
      used.add(key);
      fields.push({ key, make: this.value(depth), optional: this.int(12) === 0 ? 0.5 : 0 });
    }
    const loose = this.int(8) === 0;
    return () => {
      const entries = [];
      for (const { key, make, optional } of fields) if (this.rnd() >= optional) entries.push([key, make()]);
      if (loose) entries.push([`r${this.int(5000)}`, this.int(5)]);
      const doc = {};
      for (const [key, value] of entries) Object.defineProperty(doc, key, { value, enumerable: true, writable: true, configurable: true });
      return doc;
    };
  }

  value(depth) {
    const kind = this.int(depth > 4 ? 6 : 10);
    if (kind < 5) return this.pick(this.makers);
    if (kind === 5) { // several types
      const makers = Array.from({ length: 2 + this.int(3) }, () => this.pick(this.makers));
      return () => this.pick(makers)();
    }
    if (kind === 6) return this.schema(depth + 1);
    if (kind === 7) { // documents of several schemas, or none
      const schemas = [this.schema(depth + 1), this.schema(depth + 1), () => null];
      return () => this.pick(schemas)();
    }
    const element = this.value(depth + 1);
    const other = this.int(4) === 0 ? this.value(depth + 1) : element;
    const most = this.pick([1, 3, 10]);
    return () => Array.from({ length: this.int(most + 1) }, () => (this.int(5) ? element : other)());
  }

  /** BSON of count documents of a few schemas, in stretches and interleaved. */
  make(count) {
    const list = [];
    while (list.length < count) {
      const schemas = Array.from({ length: 1 + this.int(4) }, () => this.schema());
      for (let n = Math.min(count - list.length, 50 + this.int(300)); n > 0; n--) {
        list.push(Buffer.from(this.bson.serialize(this.pick(schemas)(), { ignoreUndefined: false })));
      }
    }
    return list;
  }
}

module.exports = { RandomDocuments };

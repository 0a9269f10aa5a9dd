'use strict';

// What no reader can be faster than: the same objects made from constants, without bytes or a socket; and the Go driver
// that empties the cursor and decodes nothing (tools/drain, a process of its own).

/** Makes objects like the samples in turn: new objects, arrays, dates, ids and doubles; strings and integers are constants. */
function builder(bson, samples) {
  const constants = [];
  const literal = (v) => {
    if (Array.isArray(v)) return v.length === 0 ? '[]' : `list(${v.length},()=>${literal(v[0])})`;
    if (v instanceof Date) return 'new Date(f[0])';
    if (v?._bsontype === 'ObjectId') return 'new ObjectId(id)';
    if (v?._bsontype === 'Decimal128') return 'new Decimal128(decimal)';
    if (v?._bsontype === 'Binary') return `new Binary(bytes.slice(0,${v.position}),${v.sub_type})`;
    if (v?._bsontype === undefined && v !== null && typeof v === 'object' && !(v instanceof RegExp)) {
      return `({${Object.keys(v).map((k) => `${JSON.stringify(k)}:${literal(v[k])}`).join(',')}})`;
    }
    if (typeof v === 'number' && !Number.isInteger(v)) return 'f[1]'; // a new heap number, as in a decoded document
    return `c[${constants.push(v) - 1}]`;
  };
  const list = (n, make) => {
    const a = new Array(n);
    for (let k = 0; k < n; k++) a[k] = make();
    return a;
  };
  const makers = samples.map((d) => `()=>${literal(d)}`);
  const make = new Function('b', 'id', 'decimal', 'bytes', 'c', 'f', 'list', `
    const { ObjectId, Decimal128, Binary } = b;
    const makers = [${makers.join(',')}];
    return (count) => { const out = []; for (let n = 0; n < count; n++) out.push(makers[n % ${samples.length}]()); return out; }`);
  return make(bson, Buffer.alloc(12, 7), Buffer.alloc(16, 7), Buffer.alloc(1 << 16), constants, Float64Array.of(1.7e12, 0.5), list);
}

module.exports = {
  constants: {
    title: 'floor: the same objects from constants',
    kind: 'floor',
    check: 'count',
    async open({ expected, count }) {
      const { BSON } = require('mongodb');
      const samples = expected.map(({ bytes }) => BSON.deserialize(Buffer.from(bytes, 'base64')));
      // Documents of one kind need one sample; where keys or lengths vary the floor has some of them.
      const varied = new Set(samples.map((sample) => JSON.stringify(sample, (key, value) => (typeof value === 'object' ? value : 0)))).size > 1;
      const build = builder(BSON, samples.slice(0, varied ? 20 : 1));
      return {
        async all({ limit = count }) {
          const documents = build(Math.min(limit, count));
          return { length: documents.length, documents };
        },
        bson: BSON,
        async close() {}
      };
    }
  },

  drain: {
    title: 'floor: Go driver, nothing decoded',
    kind: 'floor',
    check: 'count',
    tool: 'drain'
  }
};

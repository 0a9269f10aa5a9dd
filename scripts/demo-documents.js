'use strict';

// Orders of a web shop: what the demo stores and reads. Made from a seed. No Decimal128: the dev server
// has no such type.

const { ObjectId, Binary, Long, Double, Timestamp } = require('mongodb');

const words = 'order parcel ready north window garden blue invoice quiet river station paper orange winter'.split(' ');
const cities = ['Lisbon', 'São Paulo', 'Zürich', '東京', 'Київ', 'Nairobi', 'Reykjavík', '서울'];
const states = ['new', 'paid', 'packed', 'shipped', 'delivered', 'returned'];

function random(seed) {
  let state = BigInt(seed);
  return (below) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number((state >> 33n) % BigInt(below));
  };
}

/** Returns a function that makes document i; call it for 0, 1, 2, ... */
function orders(seed) {
  const below = random(seed);
  const pick = (list) => list[below(list.length)];
  const text = (count) => Array.from({ length: count }, () => pick(words)).join(' ');
  const hex = (length) => Array.from({ length }, () => below(16).toString(16)).join('');
  const moment = () => new Date(1577836800000 + below(189_000_000) * 1000 + below(1000));
  return (index) => ({
    _id: new ObjectId(index.toString(16).padStart(8, '0') + hex(16)),
    number: `ORD-${String(index).padStart(7, '0')}`,
    state: pick(states),
    customer: { id: new ObjectId(hex(24)), name: text(2), email: `${pick(words)}${below(1000)}@mail.example`, vip: below(10) === 0 },
    address: { street: `${1 + below(200)} ${pick(words)} street`, city: pick(cities), position: [below(180) - 90 + 0.25, below(360) - 180 + 0.5] },
    items: Array.from({ length: 1 + below(4) }, () => ({ sku: hex(8).toUpperCase(), count: 1 + below(9), price: (below(50_000) + 1) / 100 })),
    tags: Array.from({ length: below(5) }, () => pick(words)),
    note: below(3) === 0 ? null : text(6 + below(12)),
    total: new Double((below(200_000) + 1) / 100),
    points: below(10_000),
    bytesServed: Long.fromNumber(2 ** 40 + below(2 ** 31)),
    gift: below(2) === 0,
    createdAt: moment(),
    shippedAt: below(2) === 0 ? moment() : null,
    checksum: new Binary(Buffer.from(hex(32), 'hex')),
    pattern: /^ord-[0-9]+$/i,
    stamp: new Timestamp({ t: 1577836800 + index, i: 1 })
  });
}

module.exports = { orders };

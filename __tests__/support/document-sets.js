'use strict';

// Documents of many kinds, made from a seed so that two runs have the same bytes.

const FIRST = ['Ada', 'Grace', 'Linus', 'Barbara', 'Edsger', 'Donald', 'Margaret', 'Ken', 'Frances', 'Dennis'];
const WORDS = ('the quick brown fox jumps over a lazy dog while seven wizards quietly box five dozen liquor jugs '
  + 'and every good boy does fine until morning comes').split(' ');
const CJK = '数据库读取速度快慢取决于对象创建的成本以及内存回收';
const ACCENTED = 'éèàùçâêîôûëïüöäßñáíóúãõøå';

function random(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

class Maker {
  constructor(bson, seed) {
    this.bson = bson;
    this.rnd = random(seed);
  }

  int(n) {
    return Math.floor(this.rnd() * n);
  }

  pick(list) {
    return list[this.int(list.length)];
  }

  text(words) {
    let s = this.pick(WORDS);
    for (let i = 1; i < words; i++) s += ' ' + this.pick(WORDS);
    return s;
  }

  hex(n) {
    let s = '';
    for (let i = 0; i < n; i++) s += this.int(16).toString(16);
    return s;
  }

  letters(alphabet, n) {
    let s = '';
    for (let i = 0; i < n; i++) s += alphabet[this.int(alphabet.length)];
    return s;
  }

  id() {
    return new this.bson.ObjectId(this.hex(24));
  }

  date() {
    return new Date(1.5e12 + this.int(2e11));
  }

  double() {
    return this.rnd() * 1000 + 0.125;
  }
}

const SETS = {
  // 45 mixed fields, about 1.2 KB.
  mixed45(m, i) {
    return {
      _id: m.id(), accountId: m.id(), number: i, name: m.pick(FIRST) + ' ' + m.hex(8), email: m.hex(10) + '@example.com',
      status: m.pick(['active', 'closed', 'pending']), plan: m.pick(['free', 'team', 'enterprise']),
      city: m.pick(['Paris', 'London', 'Berlin', 'Tokyo', 'Toronto']), country: m.pick(['FR', 'GB', 'DE', 'JP', 'CA']),
      zip: String(10000 + m.int(89999)), street: m.int(900) + ' ' + m.text(3), phone: '+33' + (100000000 + m.int(899999999)),
      age: m.int(90), score: m.double(), balance: m.double(), rating: m.double(), visits: m.int(100000), level: m.int(50),
      ratio: m.rnd(), weight: m.double(), createdAt: m.date(), updatedAt: m.date(), lastSeen: m.date(), active: m.rnd() < 0.5,
      verified: m.rnd() < 0.5, newsletter: m.rnd() < 0.5, notes: m.text(12), bio: m.text(20), title: m.text(4), slug: m.hex(16),
      token: m.hex(32), deletedAt: null, parent: null, address: { line: m.text(3), lat: m.double(), lng: m.double(), code: m.int(99999) },
      device: { os: m.pick(['ios', 'android', 'linux']), version: m.hex(5), memory: m.int(64) }, total: m.bson.Long.fromNumber(1e10 + m.int(1e9)),
      counter: m.int(1e6), owner: m.id(), tags: [m.pick(WORDS), m.pick(WORDS), m.pick(WORDS)], points: [m.int(100), m.int(100), m.int(100), m.int(100)],
      x: m.double(), y: m.double(), lang: m.pick(['en', 'fr', 'de']), source: m.pick(['web', 'mobile', 'api']), hash: m.hex(40),
    };
  },
  // Three arrays of 0 to 50 elements.
  arrays(m) {
    const list = (make) => Array.from({ length: m.int(51) }, make);
    return {
      _id: m.id(), numbers: list(() => m.int(1e6)), words: list(() => m.pick(WORDS) + m.int(1000)),
      items: list(() => ({ sku: m.hex(8), qty: m.int(10), price: m.double() })),
    };
  },
  // 20 optional fields, each present half of the time.
  optional20(m) {
    const d = { _id: m.id() };
    for (let k = 0; k < 20; k++) {
      if (m.rnd() < 0.5) d['field' + k] = k % 4 === 0 ? m.int(1000) : k % 4 === 1 ? m.hex(10) : k % 4 === 2 ? m.double() : m.date();
    }
    return d;
  },
  // 20 fields that are null half of the time.
  halfnull20(m) {
    const d = { _id: m.id() };
    for (let k = 0; k < 20; k++) {
      d['field' + k] = m.rnd() < 0.5 ? null : k % 4 === 0 ? m.int(1000) : k % 4 === 1 ? m.hex(10) : k % 4 === 2 ? m.double() : m.date();
    }
    return d;
  },
  // Text outside ASCII: accented (Latin-1), CJK and emoji.
  nonascii(m, i) {
    return {
      _id: m.id(), number: i, name: m.letters(ACCENTED, 10), title: m.letters(CJK, 8), body: m.letters(CJK, 60),
      note: m.letters(ACCENTED, 40) + ' ' + m.text(3), mood: m.pick(['😀', '😢', '🚀 go', 'ok']), mixed: m.text(3) + m.letters(CJK, 6), price: m.double(),
    };
  },
  // 12 keys of a pool of 400, in random order.
  randomkeys(m) {
    const d = { _id: m.id() };
    for (let k = 0; k < 12; k++) d['key' + m.int(400)] = k % 3 === 0 ? m.int(1000) : k % 3 === 1 ? m.hex(10) : m.double();
    return d;
  },
  // Small documents, about 180 bytes.
  small(m, i) {
    return { _id: m.id(), n: i, name: m.hex(8), email: m.hex(10) + '@example.com', at: m.date(), score: m.double(), ok: true, group: m.pick(['a1', 'b2', 'c3']), ref: m.id() };
  },
  // A nested document in the manner of a tweet: optional parts, arrays of documents.
  tweet(m, i) {
    const user = () => ({ id: m.bson.Long.fromNumber(1e9 + m.int(1e9)), name: m.pick(FIRST), screen_name: m.hex(9), location: m.rnd() < 0.3 ? null : m.text(2),
      description: m.text(14), followers_count: m.int(1e5), friends_count: m.int(1e4), verified: m.rnd() < 0.1, created_at: m.date(), lang: m.pick(['en', 'fr']),
      profile: { background: '#' + m.hex(6), image: 'https://img.example.com/' + m.hex(20) + '.png', tile: m.rnd() < 0.5 } });
    const t = { _id: m.id(), id: m.bson.Long.fromNumber(1e15 + m.int(1e9)), text: m.text(22), source: m.text(3), truncated: false, in_reply_to: m.rnd() < 0.5 ? null : m.hex(12), user: user(),
      geo: m.rnd() < 0.3 ? { type: 'Point', coordinates: [m.double(), m.double()] } : null, retweet_count: m.int(100), favorite_count: m.int(100),
      entities: { hashtags: Array.from({ length: m.int(4) }, () => ({ text: m.pick(WORDS), indices: [m.int(100), m.int(100)] })), urls: Array.from({ length: m.int(3) }, () => ({ url: 'https://t.example/' + m.hex(8), expanded: 'https://example.com/' + m.hex(24), indices: [m.int(100), m.int(100)] })) },
      favorited: false, lang: 'en', n: i };
    if (m.rnd() < 0.4) t.retweeted = { id: m.bson.Long.fromNumber(1e15 + m.int(1e9)), text: m.text(20), user: user() };
    return t;
  },
};

const COUNTS = { mixed45: 30000, arrays: 20000, optional20: 20000, halfnull20: 20000, nonascii: 20000, randomkeys: 20000, small: 100000, tweet: 10000 };

// make returns the set's documents as one Buffer of concatenated BSON, and their count.
function make(bson, name, count = COUNTS[name]) {
  const maker = new Maker(bson, 42);
  const parts = [];
  for (let i = 0; i < count; i++) parts.push(bson.serialize(SETS[name](maker, i)));
  return { bytes: Buffer.concat(parts), count };
}

module.exports = { make, names: Object.keys(SETS), random };
